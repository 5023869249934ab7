import type { Tx } from '@pay/shared/postgres/db.ts';
import { repeatWhileUnavailable } from '@pay/shared/postgres/retry.ts';
import { inTransaction } from '@pay/shared/postgres/transaction.ts';
import { isUnavailable } from '@pay/shared/postgres/errors.ts';
import { inPipeline } from '@pay/shared/postgres/fast/pipeline.ts';
import { isMissed } from '@pay/shared/postgres/fast/value-if.ts';
import { onlyRow } from '@pay/shared/postgres/only-row.ts';
import { appendToOutbox } from '@pay/shared/outbox/outbox.ts';
import { clock } from '@pay/shared/postgres/clock.ts';
import type { PaymentRefunded, RefundCompleted, RefundFailed } from '@pay/contract/messages.ts';
import { raiseException } from '../../db/reconciliation/exceptions.ts';
import { insertLedgerTransaction, ledgerStatements } from '../../db/ledger/ledger.ts';
import { lockPayment, type Payment } from '../../db/payment/payments.ts';
import { confirmStatement, releaseRefund } from '../../db/refund/refund-totals.ts';
import {
  completeStatement,
  completionStatement,
  failRefund,
  findRefund,
  lockRefund,
  postponeRefund,
  type Refund,
  type RefundOfPayment,
} from '../../db/refund/refunds.ts';
import type { Deps } from '../../deps.ts';
import type { RefundResult } from '../../domain/acquiring/acquirer-result.ts';
import { isOverdue } from '../../domain/acquiring/patience.ts';
import { entriesForCompletedRefund, entriesForFailedRefund } from '../../domain/ledger/ledger.ts';
import { decideMove } from '../../domain/payment/payment-status.ts';
import { pauseMs } from '../../domain/payment/read-back-schedule.ts';
import { refundFailureReason } from '../../domain/refund/refund-failure.ts';
import { UNCLEAR_REFUND } from '../../domain/reconciliation/reconciliation.ts';
import { decideRefundOutcome, type RefundOutcomeDecision } from '../../domain/refund/refund-outcome.ts';
import { REFUND_MOVES } from '../../domain/refund/refund-status.ts';
import { refundFact } from './refund-fact.ts';

/** As in `record-outcome.ts`: half of the time during which nobody else asks the bank. */
const BOOKED_WITHIN_MS = 10_000;

/** A refund and its payment, as the caller stored them last. */
type Stored = { readonly payment: Payment; readonly refund: Refund };

/**
 * Books a refund that the bank confirmed, in one round trip: it fails as a whole unless both are still as stored
 * (decisions/round-trips). Undefined then, for any other result, and while the database is unavailable:
 * `recordRefundOutcome` decides.
 */
export async function recordOptimistically(
  deps: Deps,
  { payment, refund }: Stored,
  result: RefundResult,
): Promise<RefundOfPayment | undefined> {
  const decision = decideRefundOutcome(refund, result);
  if (decision.kind !== 'complete') return undefined;
  try {
    const [confirmed, completed] = await inPipeline(deps.db, (tx) => completeStatements(tx, { payment, refund }, decision.bankOperationId));
    const { merchantOrderId, currency, refundedKopecks } = onlyRow(confirmed);
    return { ...onlyRow(completed), merchantOrderId, currency, refundedKopecks };
  } catch (error) {
    if (!isMissed(error) && !isUnavailable(error)) throw error;
    return undefined;
  }
}

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
      await apply(deps, tx, { payment, refund, result, now: await clock(tx) }, decision);
    });
  });
}

type Work = Stored & { readonly result: RefundResult; readonly now: Date };

async function apply(deps: Deps, tx: Tx, work: Work, decision: RefundOutcomeDecision): Promise<void> {
  const { payment, refund, now } = work;
  const { refundId, paymentId } = refund;
  switch (decision.kind) {
    case 'complete':
      await Promise.all(completeStatements(tx, work, decision.bankOperationId));
      return;
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
      await postponeRefund(tx, refundId, new Date(now.getTime() + pauseMs(refund.readCount)), decision.acceptedAs);
      if (isOverdue(work.result, refund.createdAt, now)) await raiseUnclear(deps, tx, work);
      return;
    case 'ignore':
      deps.log.info('a result changed nothing', { paymentId, refundId, status: payment.status, refund: refund.status });
      return;
  }
}

/** Tells a person, once, that nobody knows what became of a refund. It is asked about all the same. */
async function raiseUnclear(deps: Deps, tx: Tx, { payment, refund, result }: Work): Promise<void> {
  const { refundId, paymentId, amountKopecks, status } = refund;
  const isNew = await raiseException(tx, {
    kind: 'OUTCOME_UNKNOWN',
    operationId: refundId,
    paymentId,
    routeId: payment.routeId,
    reason: UNCLEAR_REFUND,
    bankStatus: result.kind,
    ourStatus: status,
    ourAmountKopecks: amountKopecks,
  });
  if (isNew) deps.log.error('nobody knows what became of a refund', { paymentId, refundId, result: result.kind });
}

/**
 * The statements that book what the buyer got, not sent yet. If the whole amount is refunded now, the payment ends too: REFUNDED,
 * payment.refunded.
 */
function completeStatements(tx: Tx, { payment, refund }: Stored, bankOperationId: string) {
  const { refundId, paymentId, amountKopecks } = refund;
  const { partnerId, routeId, aggregateVersion } = payment;
  const refundedKopecks = payment.refundedKopecks + amountKopecks;
  const move = moveAfter(payment, refundedKopecks);
  const ended = { ...refund, bankOperationId };
  const fact: Told<RefundCompleted> = refundFact({ ...payment, refundedKopecks, aggregateVersion: aggregateVersion + 1 }, ended);
  const whole: Told<PaymentRefunded> = {
    ...fact,
    aggregateVersion: aggregateVersion + 2,
    amountKopecks: payment.amountKopecks.toString(),
  };
  const messages = [
    { type: REFUND_MOVES.PENDING.COMPLETED, payload: fact },
    ...(move === undefined ? [] : [{ type: move.event, payload: whole }]),
  ];
  return [
    confirmStatement(tx, payment, amountKopecks, move?.to),
    completeStatement(tx, refundId, bankOperationId),
    ...ledgerStatements(tx, { kind: 'REFUND', referenceId: refundId }, entriesForCompletedRefund({ partnerId, routeId, amountKopecks })),
    ...messages.map((message) => completionStatement(tx, refundId, { aggregateId: paymentId, ...message })),
  ] as const;
}

/** How the payment ends if the whole amount is refunded now; undefined if something remains. */
function moveAfter(payment: Payment, refundedKopecks: bigint) {
  if (refundedKopecks < payment.amountKopecks) return undefined;
  const move = decideMove(payment.status, 'REFUNDED');
  if (move.kind !== 'move' || move.event === null) throw new Error('a refund was confirmed for a payment that cannot be refunded');
  return { to: move.to, event: move.event };
}

/** The database adds the moment. */
type Told<Fact> = Omit<Fact, 'occurredAt'>;

/** The refund failed: the amount is the partner's again and may be refunded later. */
async function fail(
  tx: Tx,
  { payment, refund, now }: Work,
  { failureCode, bankOperationId }: Extract<RefundOutcomeDecision, { kind: 'fail' }>,
): Promise<void> {
  const { refundId, paymentId, amountKopecks } = refund;
  const { partnerId, routeId } = payment;
  await insertLedgerTransaction(
    tx,
    { kind: 'REFUND_FAILED', referenceId: refundId },
    entriesForFailedRefund({ partnerId, routeId, amountKopecks }),
  );
  const ended = await failRefund(tx, refundId, { failureCode, bankOperationId });
  const released = await releaseRefund(tx, payment, amountKopecks);
  const statusReason = refundFailureReason(failureCode);
  const occurredAt = now.toISOString();
  const payload: RefundFailed = { ...refundFact(released, ended), failureCode, statusReason, occurredAt };
  const { FAILED: type } = REFUND_MOVES.PENDING;
  await appendToOutbox(tx, { type, aggregateId: paymentId, occurredAt: now, payload });
}
