import { checkSum, type Receipt } from '@pay/contract/api/receipt.ts';
import type { CreateRefund } from '@pay/contract/api/refunds.ts';
import type { RefundPending } from '@pay/contract/messages.ts';
import type { PaymentMethod } from '@pay/contract/states.ts';
import type { Reader, Tx } from '@pay/shared/postgres/db.ts';
import { isUnavailable, violatedConstraint } from '@pay/shared/postgres/errors.ts';
import { inPipeline } from '@pay/shared/postgres/fast/pipeline.ts';
import { isMissed } from '@pay/shared/postgres/fast/value-if.ts';
import { letGo } from '@pay/shared/postgres/let-go.ts';
import { onlyRow } from '@pay/shared/postgres/only-row.ts';
import { ApiError, invalidField } from '@pay/shared/errors/api-error.ts';
import { isHeldByFirstCall, once, recordStatement, type IdempotentRequest } from '@pay/shared/idempotency/idempotency.ts';
import { outboxStatement } from '@pay/shared/outbox/outbox.ts';
import type { PartnerId } from '@pay/shared/identities/identities.ts';
import { stopwatch } from '@pay/shared/time/wall-clock.ts';
import { ledgerStatements } from '../../db/ledger/ledger.ts';
import { fenceJustTaken, LEASE_MS } from '../../db/payment/leases.ts';
import { lockPartnerPayment, type Payment } from '../../db/payment/payments.ts';
import { reserveStatement } from '../../db/refund/refund-totals.ts';
import {
  abandonNewRefund,
  findByMerchantRefundId,
  findRefundable,
  refundFence,
  refundStatement,
  type NewRefund,
  type Refund,
  type Refundable,
} from '../../db/refund/refunds.ts';
import type { Deps } from '../../deps.ts';
import type { Fence } from '../../domain/acquiring/fence.ts';
import { entriesForRequestedRefund } from '../../domain/ledger/ledger.ts';
import { decideRefund, type RefundDecision } from '../../domain/refund/refund.ts';
import { needsReceipt } from '../../domain/refund/refund-receipt.ts';
import { notTaken, takesReceipt } from '../acquiring/check-receipt.ts';
import { authorize, logRefund, type ByOperator } from './refund-by-operator.ts';
import { refundFact } from './refund-fact.ts';

export type RequestRefund = CreateRefund & {
  readonly paymentId: string;
  /** The methods behind the path; payments of another method are not found. */
  readonly methods: readonly PaymentMethod[];
  /** Set for operators' refunds: who asked, and the version of the payment that they saw. */
  readonly operator?: ByOperator;
};

const STATUS = 201;

/** A refund that this call stored, and has to send. */
export type NewlyOpened = Extract<OpenedRefund, { kind: 'new' }>;
/** Such a refund, or the id of the one that an earlier call stored. */
export type OpenedRefund =
  | {
      readonly kind: 'new';
      readonly refund: Refund;
      /** With the amount reserved. */
      readonly payment: Payment;
      /** Of the payment. */
      readonly route: Refundable['route'];
      /** Of the lease with which it was stored. */
      readonly fence: Fence;
      readonly status: number;
    }
  | { readonly kind: 'repeat'; readonly refundId: string; readonly status: number };

type Opening = Pick<Refund, 'refundId' | 'partnerId'>;

/**
 * Decides on a refund; reserves and books its amount and publishes `refund.pending`. Usually in two round trips: one read of
 * everything, then one write of everything, which fails as a whole unless the payment is as it was read
 * (decisions/round-trips). Everything else, refusals and operators' refunds too, is decided under the payment's lock,
 * and leaves the same rows.
 * @throws ApiError as `requestRefund`: then nothing is stored
 */
export async function openRefund(deps: Deps, request: IdempotentRequest, refundId: string, command: RequestRefund): Promise<OpenedRefund> {
  const opening = { refundId, partnerId: request.partnerId };
  try {
    const opened = command.operator === undefined ? await openOptimistically(deps, request, opening, command) : undefined;
    return opened ?? (await openLocked(deps, request, opening, command));
  } catch (error) {
    // It may be stored all the same, and nobody else would send it for as long as this call might have.
    if (isUnavailable(error)) letGo(deps.db, { heldForMs: LEASE_MS, release: (tx) => abandonNewRefund(tx, refundId) });
    throw error;
  }
}

/** The ordinary case. Undefined otherwise: then nothing is stored. */
async function openOptimistically(
  deps: Deps,
  request: IdempotentRequest,
  opening: Opening,
  command: RequestRefund,
): Promise<OpenedRefund | undefined> {
  // The lease begins at the moment that is read.
  const elapsedMs = stopwatch();
  try {
    const wanted = checkRequest(deps, await findRefundable(deps.db, opening.partnerId, command.paymentId), command);
    const draft = draftRefund(opening, wanted, command);
    const made = { objectId: opening.refundId, status: STATUS };
    const [, , rows] = await inPipeline(deps.db, (tx) => [recordStatement(tx, request, made), ...write(tx, draft)]);
    const refund = onlyRow(rows);
    return openedRefund(draft, refund, fenceJustTaken(refundFence(deps.db, refund), elapsedMs));
  } catch (error) {
    const isMiss = error instanceof ApiError || isMissed(error) || violatedConstraint(error) !== undefined || isHeldByFirstCall(error);
    if (!isMiss) throw error;
    return undefined;
  }
}

async function openLocked(deps: Deps, request: IdempotentRequest, opening: Opening, command: RequestRefund): Promise<OpenedRefund> {
  const { partnerId, refundId } = opening;
  let opened: OpenedRefund | undefined;
  const { objectId, status } = await deps.db
    .transaction((tx) =>
      once(tx, request, { objectId: refundId, status: STATUS }, async () => {
        opened = await openUnderLock(deps, tx, opening, command);
      }),
    )
    .catch(async (error: unknown) => {
      if (violatedConstraint(error) !== 'refunds_merchant_refund') throw error;
      throw (await duplicateRefund(deps.db, partnerId, command)) ?? error;
    });
  return opened ?? { kind: 'repeat', refundId: objectId, status };
}

async function openUnderLock(deps: Deps, tx: Tx, opening: Opening, command: RequestRefund): Promise<OpenedRefund> {
  const { partnerId } = opening;
  const { paymentId, operator } = command;
  await lockPartnerPayment(tx, partnerId, paymentId);
  const wanted = checkRequest(deps, await findRefundable(tx, partnerId, paymentId), command);
  const duplicate = await duplicateRefund(tx, partnerId, command);
  if (duplicate !== undefined) throw duplicate;
  const draft = draftRefund(opening, wanted, command);
  const { payment } = wanted;
  if (operator !== undefined) await authorize(tx, operator, payment, draft.values.amountKopecks);
  const [, rows] = await Promise.all(write(tx, draft));
  const refund = onlyRow(rows);
  if (operator !== undefined) await logRefund(tx, operator.person.login, payment, refund);
  return openedRefund(draft, refund, refundFence(deps.db, refund));
}

/** A payment of which the request may ask something back, and the refund's receipt. */
type Wanted = Refundable & { readonly receipt: Receipt | null };

/** @throws ApiError for what is wrong with the request itself */
function checkRequest(deps: Deps, found: Refundable | undefined, command: RequestRefund): Wanted {
  const { methods, operator } = command;
  if (found === undefined || !methods.includes(found.payment.method)) throw new ApiError('NOT_FOUND');
  const receipt = readReceipt(deps, found, command);
  const { aggregateVersion } = found.payment;
  if (operator !== undefined && operator.seenVersion !== aggregateVersion)
    throw new ApiError('STALE_REVISION', { members: { current: { aggregateVersion } } });
  return { ...found, receipt };
}

type RefundDraft = {
  readonly seen: Payment;
  /** The payment afterwards. */
  readonly payment: Payment;
  readonly route: Refundable['route'];
  readonly values: NewRefund;
  readonly now: Date;
};

/** @throws ApiError if the payment cannot be refunded by that amount now */
function draftRefund({ refundId, partnerId }: Opening, wanted: Wanted, command: RequestRefund): RefundDraft {
  const { payment: seen, route, bookedAt, receipt, now } = wanted;
  const decision = decideRefund({ ...seen, bookedAt: bookedAt ?? undefined }, command.amountKopecks, now);
  if (decision.kind === 'refuse') throw refusal(decision.why);
  const { amountKopecks } = decision;
  const values = {
    refundId,
    paymentId: seen.paymentId,
    partnerId,
    merchantRefundId: command.merchantRefundId ?? null,
    amountKopecks,
    reason: command.reason ?? null,
    receipt,
    // The worker claims a refund only when the first call must have ended.
    nextReadAt: new Date(now.getTime() + LEASE_MS),
  };
  return { seen, payment: reservedOf(seen, amountKopecks), route, values, now };
}

/** The payment once the refund is stored. */
const reservedOf = (seen: Payment, amountKopecks: bigint): Payment => ({
  ...seen,
  refundReservedKopecks: seen.refundReservedKopecks + amountKopecks,
  aggregateVersion: seen.aggregateVersion + 1,
});

const write = (tx: Tx, { seen, values, now }: RefundDraft) => openStatements(tx, seen, values, now);

/**
 * All that a new refund of a payment as it was `seen` writes but the record of its command. The first is the guard, and takes
 * the payment's lock.
 */
export function openStatements(tx: Tx, seen: Payment, values: NewRefund, now: Date) {
  const { refundId, paymentId, partnerId, amountKopecks } = values;
  const { routeId } = seen;
  const payment = reservedOf(seen, amountKopecks);
  const fact = refundFact(payment, { ...values, bankOperationId: null });
  const payload: RefundPending = { ...fact, occurredAt: now.toISOString() };
  return [
    reserveStatement(tx, seen, amountKopecks),
    refundStatement(tx, values),
    ...ledgerStatements(
      tx,
      { kind: 'REFUND_REQUESTED', referenceId: refundId },
      entriesForRequestedRefund({ partnerId, routeId, amountKopecks }),
    ),
    outboxStatement(tx, [{ type: 'refund.pending', aggregateId: paymentId, occurredAt: now, payload }]),
  ] as const;
}

const openedRefund = ({ payment, route }: RefundDraft, refund: Refund, fence: Fence): OpenedRefund => ({
  kind: 'new',
  payment,
  route,
  refund,
  fence,
  status: STATUS,
});

/**
 * The receipt of a refund; null: none. @throws ApiError VALIDATION_FAILED if it is missing, does not sum to the amount, or the payment's
 * route does not support receipts
 */
function readReceipt(deps: Deps, { payment, route }: Refundable, command: RequestRefund): Receipt | null {
  const { amountKopecks, receipt } = command;
  if (receipt === undefined) {
    if (needsReceipt(payment, amountKopecks)) throw invalidField('receipt', 'is required for a partial refund of a payment with a receipt');
    return null;
  }
  if (!takesReceipt(deps, receipt, route)) throw notTaken();
  const left = payment.amountKopecks - payment.refundReservedKopecks;
  if (amountKopecks === undefined && left > 0n) checkSum(receipt, left);
  return receipt;
}

/**
 * 409 DUPLICATE_ORDER that names the partner's refund with this number; undefined if there is none. See
 * decisions/idempotency.
 */
async function duplicateRefund(
  reader: Reader,
  partnerId: PartnerId,
  { merchantRefundId }: Pick<RequestRefund, 'merchantRefundId'>,
): Promise<ApiError | undefined> {
  if (merchantRefundId === undefined) return undefined;
  const refundId = await findByMerchantRefundId(reader, partnerId, merchantRefundId);
  if (refundId === undefined) return undefined;
  return new ApiError('DUPLICATE_ORDER', {
    text: 'this merchantRefundId has already been used',
    members: { refundId },
  });
}

function refusal(why: Extract<RefundDecision, { kind: 'refuse' }>['why']): ApiError {
  switch (why) {
    case 'not-completed':
      return new ApiError('REFUND_NOT_ALLOWED', { text: 'only a COMPLETED payment can be refunded' });
    case 'too-late':
      return new ApiError('REFUND_NOT_ALLOWED', { text: 'a payment can be refunded for 365 days' });
    case 'nothing-left':
      return new ApiError('REFUND_AMOUNT_EXCEEDED', { text: 'nothing remains to be refunded' });
    case 'exceeds':
      return new ApiError('REFUND_AMOUNT_EXCEEDED');
  }
}
