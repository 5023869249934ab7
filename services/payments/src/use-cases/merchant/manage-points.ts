import type { WhenNotAuthenticated } from '@pay/contract/operator/states.ts';
import type { Db, Reader, Tx } from '@pay/shared/postgres/db.ts';
import { inTransaction } from '@pay/shared/postgres/transaction.ts';
import { ApiError, invalidField } from '@pay/shared/errors/api-error.ts';
import { renderRub } from '@pay/shared/money/money.ts';
import type { Operator } from '@pay/shared/operators/operator-identity.ts';
import type { OperatorLogin } from '@pay/shared/identities/identities.ts';
import { insertAction } from '../../db/operator/audit-log.ts';
import {
  findPoint,
  findRoute,
  findStore,
  insertPoint,
  lockPoint,
  updatePoint,
  type PaymentPoint,
} from '../../db/merchant/payment-points.ts';
import type { Proposal } from '../../db/proposal/proposals.ts';
import { confirmProposal, propose } from '../proposal/propose.ts';

/** The settings of a payment point. Its id, store and partner never change. */
export type PointSettings = Pick<
  PaymentPoint,
  'name' | 'status' | 'paymentMethods' | 'routeId' | 'minAmountKopecks' | 'maxAmountKopecks' | 'feeBasisPoints' | 'sessionMinutes'
> & {
  /** If absent: ACCEPT for a new point, unchanged for an existing one. */
  readonly whenNotAuthenticated?: WhenNotAuthenticated | undefined;
  /** If absent: 1 for a new point, unchanged for an existing one. */
  readonly cardAttempts?: number | undefined;
  /** If absent: false for a new point, unchanged for an existing one. */
  readonly sbpOnCardPage?: boolean | undefined;
};

type Done = { readonly kind: 'done'; readonly point: PaymentPoint };
/** Nothing was done: a second person must confirm first. */
type Proposed = { readonly kind: 'proposed'; readonly proposal: Proposal };
/** `stale`: nothing was done, because the point changed after the operator saw it. */
export type PointOutcome = Done | Proposed | { readonly kind: 'stale'; readonly point: PaymentPoint };

export type NewPoint = PointSettings & Pick<PaymentPoint, 'paymentPointId' | 'storeId'>;

export type PointChange = {
  readonly paymentPointId: string;
  readonly revision: number;
  readonly settings: PointSettings;
};

/**
 * POST /operator/stores/{storeId}/payment-points. A point with a fee takes a second person, and is created when they confirm.
 * @param asked the body that `wanted` was parsed from, to store in a proposal
 * @throws ApiError NOT_FOUND without the store; VALIDATION_FAILED if the id is taken, the route is unknown or the limits are invalid
 */
export async function createPoint(db: Db, wanted: NewPoint, asked: Proposal['asked'], operator: Operator): Promise<Done | Proposed> {
  return inTransaction(db, async (tx) => {
    const { paymentPointId: subjectId, feeBasisPoints } = wanted;
    await refuseUnusable(tx, wanted);
    const taken = invalidField('paymentPointID', 'is already the id of a payment point');
    if (feeBasisPoints > 0) {
      if ((await findStore(tx, wanted.storeId)) === undefined) throw new ApiError('NOT_FOUND');
      if ((await findPoint(tx, subjectId)) !== undefined) throw taken;
      return { kind: 'proposed', proposal: await propose(tx, operator, { kind: 'POINT', subjectId, asked }) };
    }
    const point = await storePoint(tx, wanted, operator.login);
    if (point === undefined) throw taken;
    return { kind: 'done', point };
  });
}

/**
 * Creates the point of a confirmed proposal, in one transaction with the confirmation.
 * @throws ApiError as `confirmProposal`; 409 STALE_REVISION if the id was taken in the meantime; VALIDATION_FAILED if the route
 * no longer exists. Then it stays a proposal.
 */
export async function confirmNewPoint(db: Db, proposalId: string, wanted: NewPoint, operator: Operator): Promise<void> {
  await inTransaction(db, async (tx) => {
    await confirmProposal(tx, operator, proposalId);
    await refuseUnusable(tx, wanted);
    if ((await storePoint(tx, wanted, operator.login)) === undefined) throw new ApiError('STALE_REVISION');
  });
}

/** Creates the point; undefined if the id is taken. @throws ApiError NOT_FOUND without the store */
async function storePoint(tx: Tx, wanted: NewPoint, operator: OperatorLogin): Promise<PaymentPoint | undefined> {
  const store = await findStore(tx, wanted.storeId);
  if (store === undefined) throw new ApiError('NOT_FOUND');
  const point = await insertPoint(tx, { ...wanted, partnerId: store.partnerId });
  if (point !== undefined) await record(tx, 'point.create', operator, { before: null, after: point });
  return point;
}

/** Checks the settings when they are proposed, not when they are confirmed. @throws ApiError VALIDATION_FAILED */
async function refuseUnusable(tx: Tx, settings: PointSettings): Promise<void> {
  const { routeId, minAmountKopecks, maxAmountKopecks } = settings;
  if ((await findRoute(tx, routeId)) === undefined) throw invalidField('routeId', 'is not a known route');
  if (maxAmountKopecks < minAmountKopecks) throw invalidField('maxAmount', 'must not be below minAmount');
}

/** GET /operator/payment-points/{paymentPointId}. @throws ApiError NOT_FOUND */
export async function readPoint(reader: Reader, paymentPointId: string): Promise<PaymentPoint> {
  const point = await findPoint(reader, paymentPointId);
  if (point === undefined) throw new ApiError('NOT_FOUND');
  return point;
}

/**
 * PUT /operator/payment-points/{paymentPointId}: applies to new payments. Payments in progress keep the old settings, except
 * `whenNotAuthenticated` and `cardAttempts`, which apply to every card sent from now on. A different fee, and changing
 * `whenNotAuthenticated` from DECLINE to ACCEPT, take a second person: then the whole change waits for them.
 * @throws ApiError NOT_FOUND; VALIDATION_FAILED for an unknown route or wrong limits
 */
export async function changePoint(db: Db, change: PointChange, asked: Proposal['asked'], operator: Operator): Promise<PointOutcome> {
  return inTransaction(db, async (tx): Promise<PointOutcome> => {
    const { paymentPointId, revision, settings } = change;
    const before = await lockPoint(tx, paymentPointId);
    if (before === undefined) throw new ApiError('NOT_FOUND');
    if (before.revision !== revision) return { kind: 'stale', point: before };
    await refuseUnusable(tx, settings);
    const kind = fourEyesReason(before, settings);
    if (kind !== undefined) return { kind: 'proposed', proposal: await propose(tx, operator, { kind, subjectId: paymentPointId, asked }) };
    return { kind: 'done', point: await applyChange(tx, before, settings, operator.login) };
  });
}

/** The reason why a change needs a second operator, if any. */
function fourEyesReason(before: PaymentPoint, settings: PointSettings): 'FEE' | 'AUTHENTICATION' | undefined {
  if (before.feeBasisPoints !== settings.feeBasisPoints) return 'FEE';
  const isLoosened = before.whenNotAuthenticated === 'DECLINE' && settings.whenNotAuthenticated === 'ACCEPT';
  return isLoosened ? 'AUTHENTICATION' : undefined;
}

/**
 * Applies the change of a confirmed proposal, in one transaction with the confirmation.
 * @throws ApiError as `confirmProposal`; 409 STALE_REVISION if the point has changed since: then it stays a proposal
 */
export async function confirmPointChange(
  db: Db,
  proposalId: string,
  { paymentPointId, revision, settings }: PointChange,
  operator: Operator,
): Promise<PaymentPoint> {
  return inTransaction(db, async (tx) => {
    await confirmProposal(tx, operator, proposalId);
    const before = await lockPoint(tx, paymentPointId);
    if (before?.revision !== revision) throw new ApiError('STALE_REVISION');
    return applyChange(tx, before, settings, operator.login);
  });
}

async function applyChange(tx: Tx, before: PaymentPoint, settings: PointSettings, operator: OperatorLogin): Promise<PaymentPoint> {
  const point = await updatePoint(tx, before.paymentPointId, settings);
  await record(tx, 'point.change', operator, { before, after: point });
  return point;
}

type Changed = { readonly before: PaymentPoint | null; readonly after: PaymentPoint };

async function record(tx: Tx, action: string, operator: OperatorLogin, { before, after }: Changed): Promise<void> {
  await insertAction(tx, {
    operator,
    action,
    subjectId: after.paymentPointId,
    before: before === null ? null : stateOf(before),
    after: stateOf(after),
  });
}

function stateOf({ name, status, paymentMethods, routeId, minAmountKopecks, maxAmountKopecks, ...point }: PaymentPoint) {
  const { storeId, feeBasisPoints, sessionMinutes, whenNotAuthenticated, cardAttempts, revision } = point;
  const { sbpOnCardPage } = point;
  const limits = { minAmount: renderRub(minAmountKopecks), maxAmount: renderRub(maxAmountKopecks) };
  const rules = {
    feeBasisPoints,
    sessionMinutes,
    whenNotAuthenticated,
    cardAttempts,
    sbpOnCardPage,
  };
  return { storeId, name, status, paymentMethods, routeId, ...limits, ...rules, revision };
}
