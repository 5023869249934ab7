import { inTransaction, violatedConstraint, type Db, type Reader, type Tx } from '@pay/shared/database/database.ts';
import { ApiError, invalidField } from '@pay/shared/errors/api-error.ts';
import { renderRub } from '@pay/shared/money/money.ts';
import type { Operator } from '@pay/shared/operators/operator-identity.ts';
import { insertAction } from '../db/operator-actions.ts';
import { findPoint, findStore, insertPoint, lockPoint, updatePoint, type PaymentPoint } from '../db/payment-points.ts';
import type { Proposal } from '../db/proposals.ts';
import type { WhenNotAuthenticated } from '../domain/three-ds.ts';
import { confirmProposal, propose } from './propose.ts';

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
> & {
  /** Left out: ACCEPT for a new point, and as it is for one that is there. */
  readonly whenNotAuthenticated?: WhenNotAuthenticated | undefined;
};

/** `stale`: nothing was done, because somebody changed the point after the operator saw it. `proposed`: not before a second person confirms. */
export type PointOutcome =
  | { readonly kind: 'done' | 'stale'; readonly point: PaymentPoint }
  | { readonly kind: 'proposed'; readonly proposal: Proposal };

export type PointChange = {
  readonly paymentPointId: string;
  readonly revision: number;
  readonly settings: PointSettings;
};

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
 * PUT /operator/payment-points/{paymentPointId}: for new payments; those that run go on as they began, but for
 * `whenNotAuthenticated`, which holds for every card that is sent from now on. Another fee, and taking buyers who are not
 * authenticated where they were declined, take a second person: then the whole change waits for him.
 * @throws ApiError NOT_FOUND; VALIDATION_FAILED for an unknown route or wrong limits
 */
export async function changePoint(
  db: Db,
  change: PointChange,
  asked: Readonly<Record<string, unknown>>,
  operator: Operator,
): Promise<PointOutcome> {
  return known(
    inTransaction(db, async (tx): Promise<PointOutcome> => {
      const { paymentPointId, revision, settings } = change;
      const before = await lockPoint(tx, paymentPointId);
      if (before === undefined) throw new ApiError('NOT_FOUND');
      if (before.revision !== revision) return { kind: 'stale', point: before };
      const kind = whatTakesTwo(before, settings);
      if (kind !== undefined)
        return { kind: 'proposed', proposal: await propose(tx, operator, { kind, subjectId: paymentPointId, asked }) };
      return { kind: 'done', point: await applied(tx, before, settings, operator.login) };
    }),
  );
}

/** Why a change of a point takes a second person; undefined: it does not. */
function whatTakesTwo(before: PaymentPoint, settings: PointSettings): 'FEE' | 'AUTHENTICATION' | undefined {
  if (before.feeBasisPoints !== settings.feeBasisPoints) return 'FEE';
  const isLoosened = before.whenNotAuthenticated === 'DECLINE' && settings.whenNotAuthenticated === 'ACCEPT';
  return isLoosened ? 'AUTHENTICATION' : undefined;
}

/**
 * Does what a confirmed proposal asks for, in one transaction with its confirmation.
 * @throws ApiError as `confirmProposal`; 409 STALE_REVISION where the point changed since: then it stays a proposal
 */
export async function confirmPointChange(
  db: Db,
  proposalId: string,
  { paymentPointId, revision, settings }: PointChange,
  operator: Operator,
): Promise<PaymentPoint> {
  return known(
    inTransaction(db, async (tx) => {
      await confirmProposal(tx, operator, proposalId);
      const before = await lockPoint(tx, paymentPointId);
      if (before?.revision !== revision) throw new ApiError('STALE_REVISION');
      return applied(tx, before, settings, operator.login);
    }),
  );
}

async function applied(tx: Tx, before: PaymentPoint, settings: PointSettings, operator: string): Promise<PaymentPoint> {
  const point = await updatePoint(tx, before.paymentPointId, settings);
  await record(tx, 'point.change', operator, { before, after: point });
  return point;
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
  const { storeId, feeBasisPoints, sessionMinutes, whenNotAuthenticated, revision } = point;
  const limits = { minAmount: renderRub(minAmountKopecks), maxAmount: renderRub(maxAmountKopecks) };
  const rules = { feeBasisPoints, sessionMinutes, whenNotAuthenticated };
  return { storeId, name, status, paymentMethods, routeId, ...limits, ...rules, revision };
}
