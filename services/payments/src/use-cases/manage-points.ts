import { inTransaction, violatedConstraint, type Db, type Reader, type Tx } from '@pay/shared/database/database.ts';
import { ApiError, invalidField } from '@pay/shared/errors/api-error.ts';
import { renderRub } from '@pay/shared/money/money.ts';
import { insertAction } from '../db/operator-actions.ts';
import { findPoint, findStore, insertPoint, lockPoint, updatePoint, type PaymentPoint } from '../db/payment-points.ts';

/** What operators decide about a payment point. Its id, its store and its partner never change. */
export type PointSettings = Pick<
  PaymentPoint,
  | 'name'
  | 'status'
  | 'paymentMethods'
  | 'routeId'
  | 'minAmountKopecks'
  | 'maxAmountKopecks'
  | 'feeBasisPoints'
  | 'sessionMinutes'
>;

/** `stale`: nothing was done, because somebody changed the point after the operator saw it. */
export type PointOutcome = { readonly kind: 'done' | 'stale'; readonly point: PaymentPoint };

/**
 * POST /operator/stores/{storeId}/payment-points.
 * @throws ApiError NOT_FOUND without the store; VALIDATION_FAILED for an id that is taken, an unknown route, wrong limits
 */
export async function createPoint(
  db: Db,
  wanted: PointSettings & Pick<PaymentPoint, 'paymentPointId' | 'storeId'>,
  operator: string,
): Promise<PaymentPoint> {
  return known(
    inTransaction(db, async (tx) => {
      const store = await findStore(tx, wanted.storeId);
      if (store === undefined) throw new ApiError('NOT_FOUND');
      const point = await insertPoint(tx, { ...wanted, partnerId: store.partnerId });
      if (point === undefined) throw invalidField('paymentPointID', 'belongs to a payment point already');
      await record(tx, 'point.create', operator, { before: null, after: point });
      return point;
    }),
  );
}

/** GET /operator/payment-points/{paymentPointId}. @throws ApiError NOT_FOUND */
export async function readPoint(reader: Reader, paymentPointId: string): Promise<PaymentPoint> {
  const point = await findPoint(reader, paymentPointId);
  if (point === undefined) throw new ApiError('NOT_FOUND');
  return point;
}

/**
 * PUT /operator/payment-points/{paymentPointId}: for new payments; those that run go on as they began.
 * @throws ApiError NOT_FOUND; VALIDATION_FAILED for an unknown route or wrong limits
 */
export async function changePoint(
  db: Db,
  asked: { readonly paymentPointId: string; readonly revision: number; readonly settings: PointSettings },
  operator: string,
): Promise<PointOutcome> {
  const { paymentPointId, revision, settings } = asked;
  return known(
    inTransaction(db, async (tx): Promise<PointOutcome> => {
      const before = await lockPoint(tx, paymentPointId);
      if (before === undefined) throw new ApiError('NOT_FOUND');
      if (before.revision !== revision) return { kind: 'stale', point: before };
      const point = await updatePoint(tx, paymentPointId, settings);
      await record(tx, 'point.change', operator, { before, after: point });
      return { kind: 'done', point };
    }),
  );
}

function known<T>(work: Promise<T>): Promise<T> {
  return work.catch((error: unknown) => {
    switch (violatedConstraint(error)) {
      case 'payment_points_route_id_routes_route_id_fk':
        throw invalidField('routeId', 'is no route');
      case 'payment_points_amounts':
        throw invalidField('maxAmount', 'must not be below minAmount');
      default:
        throw error;
    }
  });
}

type Changed = { readonly before: PaymentPoint | null; readonly after: PaymentPoint };

async function record(tx: Tx, action: string, operator: string, { before, after }: Changed): Promise<void> {
  await insertAction(tx, {
    operator,
    action,
    subjectId: after.paymentPointId,
    before: before === null ? null : stateOf(before),
    after: stateOf(after),
  });
}

function stateOf({
  name,
  status,
  paymentMethods,
  routeId,
  minAmountKopecks,
  maxAmountKopecks,
  ...point
}: PaymentPoint) {
  const { storeId, feeBasisPoints, sessionMinutes, revision } = point;
  const limits = { minAmount: renderRub(minAmountKopecks), maxAmount: renderRub(maxAmountKopecks) };
  return { storeId, name, status, paymentMethods, routeId, ...limits, feeBasisPoints, sessionMinutes, revision };
}
