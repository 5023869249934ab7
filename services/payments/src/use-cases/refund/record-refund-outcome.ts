import type { Tx } from '@pay/shared/postgres/db.ts';
import { repeatWhileUnavailable } from '@pay/shared/postgres/retry.ts';
import { inTransaction } from '@pay/shared/postgres/transaction.ts';
import { appendToOutbox } from '@pay/shared/outbox/outbox.ts';
import { clock } from '@pay/shared/postgres/clock.ts';
import type { PaymentRefunded, RefundCompleted, RefundFailed } from '@pay/contract/messages.ts';
import { raiseException } from '../../db/reconciliation/exceptions.ts';
import { insertLedgerTransaction } from '../../db/ledger/ledger.ts';
import { confirmRefund, lockPayment, movePayment, releaseRefund, type Payment } from '../../db/payment/payments.ts';
import { endRefund, findRefund, lockRefund, postponeRefund, type Refund } from '../../db/refund/refunds.ts';
import type { Deps } from '../../deps.ts';
import type { RefundResult } from '../../domain/acquiring/acquirer-result.ts';
import { entriesForCompletedRefund, entriesForFailedRefund } from '../../domain/ledger/ledger.ts';
import { decideMove } from '../../domain/payment/payment-status.ts';
import { pauseMs } from '../../domain/payment/read-back-schedule.ts';
import { refundFailureReason } from '../../domain/refund/refund-failure.ts';
import { decideRefundOutcome, type RefundOutcomeDecision } from '../../domain/refund/refund-outcome.ts';
import { REFUND_MOVES } from '../../domain/refund/refund-status.ts';
import { refundFact } from './refund-fact.ts';

/** As in `record-outcome.ts`: half of the time during which nobody else asks the bank. */
const BOOKED_WITHIN_MS = 10_000;

/**
 * Books the outcome of a refund: refund, payment, ledger entries and messages commit together. Safe to repeat: a refund that has
 * ended stays as it is. It is therefore retried for ten seconds while the database is unavailable.
 */
export async function recordRefundOutcome(deps: Deps, refundId: string, result: RefundResult): Promise<void> {
  await repeatWhileUnavailable(BOOKED_WITHIN_MS, async () => {
    const known = await findRefund(deps.db, refundId);
    if (known === undefined) throw new Error('the refund of an outcome is missing');
    await inTransaction(deps.db, async (tx) => {
      const payment = await lockPayment(tx, known.paymentId);
      const refund = await lockRefund(tx, refundId);
      const decision = decideRefundOutcome(refund, result);
      await apply(deps, tx, { payment, refund, now: await clock(tx) }, decision);
    });
  });
}

type Work = { readonly payment: Payment; readonly refund: Refund; readonly now: Date };

async function apply(deps: Deps, tx: Tx, work: Work, decision: RefundOutcomeDecision): Promise<void> {
  const { payment, refund, now } = work;
  const { refundId, paymentId } = refund;
  switch (decision.kind) {
    case 'complete':
      return complete(tx, work, decision.bankOperationId);
    case 'fail':
      return fail(tx, work, decision);
    case 'mismatch':
      await raiseException(tx, {
        kind: 'REFUND_MISMATCH',
        operationId: refundId,
        paymentId,
        bankOperationId: decision.confirmed.bankOperationId,
        bankAmountKopecks: decision.confirmed.amountKopecks,
        bankCurrency: decision.confirmed.currency,
      });
      // An operator sees it now, and the bank may still correct itself.
      await postponeRefund(tx, refundId, new Date(now.getTime() + pauseMs(refund.readCount)));
      deps.log.error('the bank refunded a different amount or currency', { paymentId, refundId });
      return;
    case 'wait':
      await postponeRefund(tx, refundId, new Date(now.getTime() + pauseMs(refund.readCount)));
      return;
    case 'ignore':
      deps.log.info('a result changed nothing', { paymentId, refundId, status: payment.status, refund: refund.status });
      return;
  }
}

/** The buyer has the money. If the whole amount is refunded now, the payment ends too: REFUNDED, payment.refunded. */
async function complete(tx: Tx, { payment, refund, now }: Work, bankOperationId: string): Promise<void> {
  const { refundId, paymentId, amountKopecks } = refund;
  const { partnerId, routeId } = payment;
  await insertLedgerTransaction(tx, { kind: 'REFUND', referenceId: refundId }, entriesForCompletedRefund({ partnerId, routeId, amountKopecks })); // prettier-ignore
  const ended = await endRefund(tx, refundId, { status: 'COMPLETED', completedAt: now, bankOperationId });
  const confirmed = await confirmRefund(tx, paymentId, amountKopecks);
  const completed: RefundCompleted = refundFact(confirmed, ended, now);
  const { COMPLETED: type } = REFUND_MOVES.PENDING;
  await appendToOutbox(tx, { type, aggregateId: paymentId, occurredAt: now, payload: completed });
  if (confirmed.refundedKopecks < confirmed.amountKopecks) return;

  const move = decideMove(confirmed.status, 'REFUNDED');
  if (move.kind !== 'move' || move.event === null)
    throw new Error('a refund was confirmed for a payment that cannot be refunded');
  const moved = await movePayment(tx, confirmed, move);
  const refunded: PaymentRefunded = { ...refundFact(moved, ended, now), amountKopecks: moved.amountKopecks.toString() };
  await appendToOutbox(tx, { type: move.event, aggregateId: paymentId, occurredAt: now, payload: refunded });
}

/** The refund failed: the amount is the partner's again and may be refunded later. */
async function fail(
  tx: Tx,
  { payment, refund, now }: Work,
  { failureCode, bankOperationId }: Extract<RefundOutcomeDecision, { kind: 'fail' }>,
): Promise<void> {
  const { refundId, paymentId, amountKopecks } = refund;
  const { partnerId, routeId } = payment;
  await insertLedgerTransaction(tx, { kind: 'REFUND_FAILED', referenceId: refundId }, entriesForFailedRefund({ partnerId, routeId, amountKopecks })); // prettier-ignore
  const ended = await endRefund(tx, refundId, { status: 'FAILED', failureCode, bankOperationId });
  const released = await releaseRefund(tx, paymentId, amountKopecks);
  const statusReason = refundFailureReason(failureCode);
  const payload: RefundFailed = { ...refundFact(released, ended, now), failureCode, statusReason };
  const { FAILED: type } = REFUND_MOVES.PENDING;
  await appendToOutbox(tx, { type, aggregateId: paymentId, occurredAt: now, payload });
}
