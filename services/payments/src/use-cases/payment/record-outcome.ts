import type { Tx } from '@pay/shared/postgres/db.ts';
import { isUnavailable, violatedConstraint } from '@pay/shared/postgres/errors.ts';
import { inPipeline } from '@pay/shared/postgres/fast/pipeline.ts';
import { isMissed } from '@pay/shared/postgres/fast/value-if.ts';
import { onlyRow } from '@pay/shared/postgres/only-row.ts';
import { repeatWhileUnavailable } from '@pay/shared/postgres/retry.ts';
import { afterCommit, inTransaction } from '@pay/shared/postgres/transaction.ts';
import { outboxStatement } from '@pay/shared/outbox/outbox.ts';
import { forgetAttemptsStatement } from '../../db/checkout/card-attempts.ts';
import { raiseException } from '../../db/reconciliation/exceptions.ts';
import { ledgerStatements } from '../../db/ledger/ledger.ts';
import { leaseOf, type Lease } from '../../db/payment/leases.ts';
import { movePayment, moveStatement } from '../../db/payment/move-payment.ts';
import { changePayment, lockPaymentAt, type Payment, type PaymentAt } from '../../db/payment/payments.ts';
import { savedCardStatement } from '../../db/saved-card/saved-cards.ts';
import type { Deps } from '../../deps.ts';
import type { Cancelled, Confirmed } from '../../domain/acquiring/acquirer-result.ts';
import { isOverdue, isStrange } from '../../domain/acquiring/patience.ts';
import { entriesForCompleted } from '../../domain/ledger/ledger.ts';
import { decideOutcome, isKnownToBank, type Outcome, type OutcomeDecision } from '../../domain/payment/payment-outcome.ts';
import { operationOf } from '../../domain/payment/next-card.ts';
import { isOpen } from '../../domain/payment/payment-status.ts';
import { divideTaken, isTakenBack } from '../../domain/payment/taken.ts';
import { returnOfDeclined, returnTaken } from '../money-return/return-taken.ts';
import { openNextCard, openNextWay } from './open-next-card.ts';
import { countEnded } from './count-ended.ts';
import { isTransition, lookForOthers, transitionOf, readAgain, workOf, type Transition, type Result, type Work } from './transition.ts';

/**
 * How long an outcome is kept in memory and retried while the database is unavailable: half of a lease, during which
 * nobody else asks the bank. After that the worker reads it back.
 */
const BOOKED_WITHIN_MS = 10_000;

/** A payment as one of its holder's statements left it, and when that was by the process's monotonic clock. */
export type PaymentSeen = PaymentAt & { readonly seenAtMs: number };

/** Which order of a payment an outcome is about: the payment as it was when its bank was asked. */
type Asked = Pick<Payment, 'paymentId' | 'operationId'>;

/**
 * Books the outcome of a payment: the transition, the ledger entries and the partner's event commit together. Safe to repeat
 * with the same or an older outcome: what the state table does not allow is ignored and logged. It is therefore retried
 * for ten seconds while the database is unavailable. The lease under which the outcome was obtained is released. An outcome of an order
 * that is no longer the payment's says nothing about the payment (decisions/orders-of-a-payment).
 */
export async function recordOutcome(deps: Deps, asked: Asked, outcome: Outcome, lease?: Lease): Promise<Payment> {
  return record(deps, asked, { outcome, lease });
}

/** As `recordOutcome`, for the bank's answer about a payment that was as given when the bank was asked. */
export async function recordReadBack(deps: Deps, asked: Payment, outcome: Outcome): Promise<Payment> {
  return record(deps, asked, { outcome, wasBooked: asked.status === 'COMPLETED' });
}

async function record(deps: Deps, asked: Asked, result: Result): Promise<Payment> {
  return repeatWhileUnavailable(BOOKED_WITHIN_MS, () =>
    inTransaction(deps.db, async (tx) => {
      const locked = await lockPaymentAt(tx, asked.paymentId);
      const isPresent = operationOf(asked) === operationOf(locked.payment);
      if (isPresent) return recordLocked(deps, tx, locked, result);
      await returnOfDeclined(deps, tx, locked.payment, { operationId: operationOf(asked), outcome: result.outcome });
      return locked.payment;
    }),
  );
}

/**
 * As `recordOutcome`, for an outcome that was obtained under the lease with which the payment was seen: if nothing has changed since,
 * it is booked in one round trip (decisions/leases-and-fences).
 */
export async function recordSeen(deps: Deps, seen: PaymentSeen, outcome: Outcome): Promise<Payment> {
  const lease = leaseOf(seen.payment);
  return (await recordOptimistically(deps, seen, { outcome, lease })) ?? recordOutcome(deps, seen.payment, outcome, lease);
}

/**
 * Books an ordinary outcome of a card or a charge that was sent: a plain transition. Undefined for any other, and if the payment is not as
 * it was seen, or the database is unavailable: then `recordLocked` decides, and leaves the same rows.
 */
async function recordOptimistically(deps: Deps, seen: PaymentSeen, result: Result): Promise<Payment | undefined> {
  // The time that the database had, and what has passed since. The statement checks it.
  const now = new Date(seen.now.getTime() + Math.floor(performance.now() - seen.seenAtMs));
  const { payment } = seen;
  // A charge is registered by the bank's answer, as in `recordOne`: the statement makes both transitions.
  const isRegistered = payment.status === 'CREATED' && payment.method === 'CARD_BINDING' && isKnownToBank(result.outcome);
  const known: Payment = isRegistered ? { ...payment, status: 'SUBMITTED' } : payment;
  const transition = ordinaryTransition(deps, { payment: known, now }, result);
  if (transition === undefined || transition.isUnauthenticated === true) return undefined;
  try {
    const [rows] = await inPipeline(deps.db, (tx) => statementsOf(tx, payment, transition, now));
    countEnded(payment, transition);
    return onlyRow(rows);
  } catch (error) {
    const isMiss = isMissed(error) || violatedConstraint(error) !== undefined || isUnavailable(error);
    if (!isMiss) throw error;
    return undefined;
  }
}

function ordinaryTransition(deps: Deps, seen: PaymentAt, { outcome, lease }: Result): Transition | undefined {
  if (seen.payment.status !== 'SUBMITTED' || outcome.kind === 'fenced') return undefined;
  const { paying, surplus } = outcome.kind === 'confirmed' ? divideTaken(seen.payment, outcome) : { paying: outcome, surplus: [] };
  if (surplus.length > 0) return undefined;
  const decision = decideOutcome(seen.payment, paying, seen.now);
  return isTransition(decision) ? transitionOf(deps, workOf(seen, { outcome: paying, lease }), decision) : undefined;
}

/** As `recordOutcome`, for a payment that the caller's transaction has locked. */
export async function recordLocked(deps: Deps, tx: Tx, locked: PaymentAt, result: Result): Promise<Payment> {
  const { payment: found, now } = locked;
  const { outcome } = result;
  // Nothing was learned; another process books the outcome of the payment.
  if (outcome.kind === 'fenced') return found;
  if (outcome.kind !== 'confirmed') return recordOne(deps, tx, locked, result);
  // A bank with payments of its own may have taken money for one order more than once.
  const { paying, surplus, isReplaced } = divideTaken(found, outcome);
  const payment = await recordOne(deps, tx, locked, { ...result, outcome: paying });
  if (isReplaced && result.wasBooked !== true) return askAgain(tx, workOf({ payment, now }, { outcome: paying }));
  if (isReplaced) await raiseGone(tx, payment, paying);
  for (const taken of surplus) await returnTaken(deps, tx, payment, { ...taken, operationId: operationOf(payment) });
  return payment;
}

async function recordOne(deps: Deps, tx: Tx, locked: PaymentAt, result: Result): Promise<Payment> {
  const { payment: found, now } = locked;
  const { outcome } = result;
  const work = workOf(locked, result);
  if (found.status !== 'CREATED' || !isKnownToBank(outcome)) {
    return apply(deps, tx, work, decideOutcome(found, outcome, now));
  }
  // If the bank knows the payment, it is registered, even if we missed that.
  const registered: Payment = { ...found, status: 'SUBMITTED' };
  const decision = decideOutcome(registered, outcome, now);
  const change = { ...work.learned, ...readAgain({ ...work, payment: registered }) };
  // An ordinary registration is one update of the row.
  if (isNoNews(decision)) return movePayment(tx, found, REGISTERED, change);
  const payment = await movePayment(tx, found, REGISTERED);
  return apply(deps, tx, { ...work, payment }, decision);
}

const REGISTERED = { to: 'SUBMITTED', event: null } as const;
const isNoNews = (decision: OutcomeDecision): boolean => decision.kind === 'ignore' && decision.why === 'no-news';

async function apply(deps: Deps, tx: Tx, work: Work, decision: OutcomeDecision): Promise<Payment> {
  const { payment, learned } = work;
  if (isTransition(decision)) return carryOut(deps, tx, payment, transitionOf(deps, work, decision));
  switch (decision.kind) {
    case 'next-card':
      return openNextCard(tx, work, decision.failureCode);
    case 'next-way':
      return openNextWay(tx, work, decision.to);
    case 'mismatch':
      await raiseMismatch(deps, tx, payment, decision.confirmed);
      return payment.status === 'SUBMITTED'
        ? movePayment(tx, payment, { to: 'PENDING', event: null }, { ...learned, ...readAgain(work) })
        : changePayment(tx, payment.paymentId, { ...learned, ...readAgain(work) });
    case 'late-success':
      await returnTaken(deps, tx, payment, { ...decision.confirmed, operationId: operationOf(payment) });
      return changePayment(tx, payment.paymentId, { ...learned, ...lookForOthers(work) });
    case 'ignore':
      return ignore(deps, tx, work, decision.why);
  }
}

/** Keeps what was learned from an outcome that changes nothing in the payment. */
async function ignore(deps: Deps, tx: Tx, work: Work, why: Extract<OutcomeDecision, { kind: 'ignore' }>['why']): Promise<Payment> {
  const { payment, learned, outcome } = work;
  const { paymentId, status } = payment;
  if (why === 'no-news') {
    const isAwaited = isOpen(status) || isStrange(outcome);
    if (isAwaited && isOverdue(outcome, payment.expiresAt, work.now)) await raiseUnclear(deps, tx, work);
    return changePayment(tx, paymentId, { ...learned, ...readAgain(work) });
  }
  deps.log.info('a result changed nothing', { paymentId, status, result: outcome.kind, why });
  // What we did to end it may have undone what was booked meanwhile.
  if (outcome.kind === 'ended') return status === 'COMPLETED' ? askAgain(tx, work) : payment;
  if (isTakenBack(payment, outcome)) {
    // A bank that was asked before the money was booked may have answered from before it came.
    if (!work.wasBooked) return askAgain(tx, work);
    await raiseGone(tx, payment, outcome);
  }
  // The bank's answer is final: there is nothing left to ask, unless the order could be paid again.
  return changePayment(tx, paymentId, lookForOthers(work));
}

async function askAgain(tx: Tx, work: Work): Promise<Payment> {
  return changePayment(tx, work.payment.paymentId, readAgain(work));
}

/** Carries out a transition of a locked payment. */
async function carryOut(deps: Deps, tx: Tx, payment: Payment, transition: Transition): Promise<Payment> {
  if (transition.isUnauthenticated === true) {
    // Money that was taken is booked, even if it should not have been taken. An operator decides what happens to it.
    await raiseException(tx, {
      kind: 'NOT_AUTHENTICATED',
      paymentId: payment.paymentId,
      operationId: operationOf(payment),
    });
    deps.log.error('the bank took money from an unauthenticated buyer', { paymentId: payment.paymentId });
  }
  // None of these needs another's result: they are pipelined, and fail together.
  const [rows] = await Promise.all(statementsOf(tx, payment, transition));
  afterCommit(tx, () => {
    countEnded(payment, transition);
  });
  return onlyRow(rows);
}

/** The statements of a transition. With `now` they fail together unless the payment is as it was seen, and that is the time. */
function statementsOf(tx: Tx, payment: Payment, transition: Transition, now?: Date) {
  const { move: to, change, savedCard, ledgerTransactionId, message } = transition;
  const { paymentId } = payment;
  return [
    moveStatement(tx, payment, { move: to, change }, now),
    ...(savedCard === undefined ? [] : [savedCardStatement(tx, savedCard)]),
    ...(ledgerTransactionId === undefined
      ? []
      : ledgerStatements(tx, { kind: 'PAYMENT', referenceId: paymentId, ledgerTransactionId }, entriesForCompleted(payment))),
    // Only the checkout counts cards.
    ...(to.to === 'COMPLETED' && payment.method === 'CARD' ? [forgetAttemptsStatement(tx, paymentId)] : []),
    ...(message === undefined ? [] : [outboxStatement(tx, [message])]),
  ] as const;
}

async function raiseMismatch(deps: Deps, tx: Tx, payment: Payment, confirmed: Confirmed): Promise<void> {
  const first = await raiseException(tx, {
    kind: 'AMOUNT_MISMATCH',
    paymentId: payment.paymentId,
    operationId: operationOf(payment),
    bankOperationId: confirmed.bankOperationId,
    bankAmountKopecks: confirmed.amountKopecks,
    bankCurrency: confirmed.currency,
  });
  deps.log.error('the bank confirmed a different amount or currency', { paymentId: payment.paymentId, first });
}

/** Tells a person, once, that nobody knows what became of a payment. It is asked about all the same. */
async function raiseUnclear(deps: Deps, tx: Tx, { payment, outcome }: Work): Promise<void> {
  const { paymentId, routeId, amountKopecks, status } = payment;
  const isNew = await raiseException(tx, {
    kind: 'OUTCOME_UNKNOWN',
    paymentId,
    operationId: operationOf(payment),
    routeId,
    bankStatus: outcome.kind,
    ourStatus: status,
    ourAmountKopecks: amountKopecks,
  });
  if (isNew) deps.log.error('nobody knows what became of a payment', { paymentId, status, result: outcome.kind });
}

/** Raises an exception: the booked money is gone, although we did not refund it. */
async function raiseGone(tx: Tx, payment: Payment, outcome: Confirmed | Cancelled): Promise<void> {
  const { bankOperationId } = outcome;
  await raiseException(tx, {
    kind: 'STATE_MISMATCH',
    paymentId: payment.paymentId,
    operationId: operationOf(payment),
    finding: `gone ${String(payment.bankOperationId)}`,
    bankOperationId,
    bankStatus: outcome.kind,
    ourAmountKopecks: payment.amountKopecks,
    ourStatus: payment.status,
  });
}
