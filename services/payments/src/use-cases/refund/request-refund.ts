import { randomUUIDv7 } from 'node:crypto';
import { checkSum, type Receipt } from '@pay/contract/api/receipt.ts';
import type { CreateRefund } from '@pay/contract/api/refunds.ts';
import type { PaymentMethod } from '@pay/contract/states.ts';
import type { Reader, Tx } from '@pay/shared/postgres/db.ts';
import { violatedConstraint } from '@pay/shared/postgres/errors.ts';
import { ApiError, invalidField } from '@pay/shared/errors/api-error.ts';
import { once, type IdempotentRequest } from '@pay/shared/idempotency/idempotency.ts';
import type { Operator } from '@pay/shared/operators/operator-identity.ts';
import { renderRub } from '@pay/shared/money/money.ts';
import { appendToOutbox } from '@pay/shared/outbox/outbox.ts';
import { clock } from '@pay/shared/postgres/clock.ts';
import type { OperatorLogin, PartnerId } from '@pay/shared/identities/identities.ts';
import { insertAction } from '../../db/operator/audit-log.ts';
import { findBookedAt, insertLedgerTransaction } from '../../db/ledger/ledger.ts';
import { findRoute } from '../../db/merchant/payment-points.ts';
import { lockPartnerPayment, reserveRefund, type Payment } from '../../db/payment/payments.ts';
import {
  findByMerchantRefundId,
  findPartnerRefund,
  insertRefund,
  type Refund,
  type RefundOfPayment,
} from '../../db/refund/refunds.ts';
import type { Deps } from '../../deps.ts';
import { entriesForRequestedRefund } from '../../domain/ledger/ledger.ts';
import { needsSecondPerson, type RefundLimits } from '../../domain/proposal/proposal.ts';
import { decideRefund, type RefundDecision } from '../../domain/refund/refund.ts';
import { needsReceipt } from '../../domain/refund/refund-receipt.ts';
import { notTaken, takesReceipt } from '../acquiring/check-receipt.ts';
import { confirmProposal } from '../proposal/propose.ts';
import { refundFact } from './refund-fact.ts';
import { sendRefund } from './send-refund.ts';
import { recordRefundOutcome } from './record-refund-outcome.ts';

type ByOperator = {
  readonly person: Operator;
  readonly seenVersion: number;
  readonly limits: RefundLimits;
  /** The proposal that is confirmed with the refund, if it takes two people. */
  readonly proposalId?: string;
};

export type RequestRefund = CreateRefund & {
  readonly paymentId: string;
  /** The methods behind the path; payments of another method are not found. */
  readonly methods: readonly PaymentMethod[];
  /** Set for operators' refunds: who asked, and the version of the payment that they saw. */
  readonly operator?: ByOperator;
};

export type RequestedRefund = { readonly refund: RefundOfPayment; readonly status: number; readonly replayed: boolean };

/** Longer than the bank call's deadline of 10 s: the worker claims a refund only when the first call must have ended. */
const CALL_ENDED_MS = 20_000;

/**
 * POST /api/card/{id}/refunds and POST /api/qr/{id}/refunds. The payment's row lock serialises its refunds. The
 * amount is reserved and booked, and the event published, before the bank is called: transaction · call · transaction.
 * Operators: POST /operator/payments/{paymentId}/refunds. @throws ApiError NOT_FOUND, VALIDATION_FAILED, DUPLICATE_ORDER,
 * REFUND_NOT_ALLOWED, REFUND_AMOUNT_EXCEEDED, and for operators STALE_REVISION: then nothing is stored.
 */
export async function requestRefund(
  deps: Deps,
  request: IdempotentRequest,
  command: RequestRefund,
): Promise<RequestedRefund> {
  const refundId = randomUUIDv7();
  const { objectId, status, replayed } = await deps.db
    .transaction((tx) =>
      once(tx, request, { objectId: refundId, status: 201 }, () =>
        openRefund(deps, tx, { refundId, partnerId: request.partnerId }, command),
      ),
    )
    .catch(async (error: unknown) => {
      if (violatedConstraint(error) !== 'refunds_merchant_refund') throw error;
      throw (await duplicateRefund(deps.db, request.partnerId, command)) ?? error;
    });
  if (!replayed) await recordRefundOutcome(deps, objectId, await sendRefund(deps, objectId));
  const refund = await findPartnerRefund(deps.db, request.partnerId, objectId);
  if (refund === undefined) throw new Error('an idempotency record names a missing refund');
  return { refund, status, replayed };
}

/** Decides, reserves the amount, books it and publishes `refund.pending`. */
async function openRefund(
  deps: Deps,
  tx: Tx,
  { refundId, partnerId }: Pick<Refund, 'refundId' | 'partnerId'>,
  command: RequestRefund,
): Promise<void> {
  const { paymentId, methods, merchantRefundId, reason, operator } = command;
  const payment = await lockPartnerPayment(tx, partnerId, paymentId);
  if (payment === undefined || !methods.includes(payment.method)) throw new ApiError('NOT_FOUND');
  const receipt = await readReceipt(deps, tx, payment, command);
  if (operator !== undefined && operator.seenVersion !== payment.aggregateVersion)
    throw new ApiError('STALE_REVISION', { members: { current: { aggregateVersion: payment.aggregateVersion } } });
  const duplicate = await duplicateRefund(tx, partnerId, command);
  if (duplicate !== undefined) throw duplicate;
  const now = await clock(tx);
  const bookedAt = await findBookedAt(tx, payment.ledgerTransactionId);
  const decision = decideRefund({ ...payment, bookedAt }, command.amountKopecks, now);
  if (decision.kind === 'refuse') throw refusal(decision.why);

  const { amountKopecks } = decision;
  if (operator !== undefined) await authorize(tx, operator, payment, amountKopecks);
  const reserved = await reserveRefund(tx, paymentId, amountKopecks);
  const refund = await insertRefund(tx, {
    refundId,
    paymentId,
    partnerId,
    merchantRefundId: merchantRefundId ?? null,
    amountKopecks,
    reason: reason ?? null,
    receipt,
    nextReadAt: new Date(now.getTime() + CALL_ENDED_MS),
  });
  await insertLedgerTransaction(tx, { kind: 'REFUND_REQUESTED', referenceId: refundId }, entriesForRequestedRefund(bookingOf(payment, amountKopecks))); // prettier-ignore
  const payload = refundFact(reserved, refund, now);
  await appendToOutbox(tx, { type: 'refund.pending', aggregateId: paymentId, occurredAt: now, payload });
  if (operator !== undefined) await recordRefund(tx, operator.person.login, payment, refund);
}

/** The receipt of a refund; null: none. @throws ApiError VALIDATION_FAILED if it is missing, does not sum to the amount, or the payment's route does not support receipts */
async function readReceipt(deps: Deps, tx: Tx, payment: Payment, command: RequestRefund): Promise<Receipt | null> {
  const { amountKopecks, receipt } = command;
  if (receipt === undefined) {
    if (needsReceipt(payment, amountKopecks))
      throw invalidField('receipt', 'is required for a partial refund of a payment with a receipt');
    return null;
  }
  const route = await findRoute(tx, payment.routeId);
  if (route !== undefined && !takesReceipt(deps, receipt, route)) throw notTaken();
  const left = payment.amountKopecks - payment.refundReservedKopecks;
  if (amountKopecks === undefined && left > 0n) checkSum(receipt, left);
  return receipt;
}

/** Thrown before anything is stored: the refund is above what one person with this role may make alone. */
export class SecondPersonNeeded extends Error {
  override readonly name = 'SecondPersonNeeded';
  readonly amountKopecks: bigint;
  constructor(amountKopecks: bigint) {
    super('this refund takes a second person');
    this.amountKopecks = amountKopecks;
  }
}

/** Checks that an operator may make the refund alone, or confirms the proposal. */
async function authorize(tx: Tx, operator: ByOperator, payment: Payment, amountKopecks: bigint): Promise<void> {
  const { person, proposalId, limits } = operator;
  if (proposalId !== undefined) await confirmProposal(tx, person, proposalId);
  else if (needsSecondPerson(limits, person.role, payment.refundReservedKopecks, amountKopecks))
    throw new SecondPersonNeeded(amountKopecks);
}

/** Leaves out the reason, which may mention the buyer: it stays in the refund, and is erased with the buyer. ADR 0120. */
async function recordRefund(tx: Tx, operator: OperatorLogin, payment: Payment, refund: Refund): Promise<void> {
  const { refundId, amountKopecks } = refund;
  await insertAction(tx, {
    operator,
    action: 'payment.refund',
    subjectId: payment.paymentId,
    before: { refundReserved: renderRub(payment.refundReservedKopecks) },
    after: { refundReserved: renderRub(payment.refundReservedKopecks + amountKopecks), refundId },
  });
}

const bookingOf = ({ partnerId, routeId }: Payment, amountKopecks: bigint) => ({ partnerId, routeId, amountKopecks });

/** 409 DUPLICATE_ORDER that names the partner's refund with this number; undefined if there is none. ADR 0132. */
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
