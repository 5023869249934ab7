import { randomUUIDv7 } from 'node:crypto';
import type { Tx } from '@pay/shared/postgres/db.ts';
import { repeatWhileUnavailable } from '@pay/shared/postgres/retry.ts';
import { inTransaction } from '@pay/shared/postgres/transaction.ts';
import { appendToOutbox } from '@pay/shared/outbox/outbox.ts';
import type { PaymentCompleted, PaymentFailed } from '@pay/contract/messages.ts';
import { raiseException } from '../../db/reconciliation/exceptions.ts';
import { insertLedgerTransaction } from '../../db/ledger/ledger.ts';
import type { Lease } from '../../db/payment/leases.ts';
import {
  changePayment,
  lockPaymentAt,
  movePayment,
  type Payment,
  type PaymentAt,
  type PaymentChange,
} from '../../db/payment/payments.ts';
import { forgetCardAttempts } from '../../db/checkout/card-attempts.ts';
import type { Deps } from '../../deps.ts';
import { NO_CARD, type CardFacts, type Confirmed } from '../../domain/acquiring/acquirer-result.ts';
import { FAILURES } from '../../domain/payment/failure.ts';
import { entriesForCompleted } from '../../domain/ledger/ledger.ts';
import { decideMove, isOpen } from '../../domain/payment/payment-status.ts';
import { nextQrReadAt, nextReadAt, unhurried } from '../../domain/payment/read-back-schedule.ts';
import {
  decideOutcome,
  isKnownToBank,
  type Outcome,
  type OutcomeDecision,
} from '../../domain/payment/payment-outcome.ts';
import { divideTaken } from '../../domain/payment/taken.ts';
import { isNotAuthenticated, NOT_TOLD, threeDsAfter } from '../../domain/acquiring/three-ds.ts';
import { returnTaken } from '../money-return/return-taken.ts';
import { saveCard } from '../saved-card/save-card.ts';

/**
 * How long an outcome is kept in memory and retried while the database is unavailable: half of a lease, during which
 * nobody else asks the bank. After that the worker reads it back.
 */
const BOOKED_WITHIN_MS = 10_000;

/**
 * Books the outcome of a payment: the transition, the ledger entries and the partner's event commit together. Safe to repeat
 * with the same or an older outcome: what the state table does not allow is ignored and logged. It is therefore retried
 * for ten seconds while the database is unavailable. The lease under which the outcome was obtained is released.
 */
export async function recordOutcome(deps: Deps, paymentId: string, outcome: Outcome, lease?: Lease): Promise<Payment> {
  return repeatWhileUnavailable(BOOKED_WITHIN_MS, () =>
    inTransaction(deps.db, async (tx) =>
      recordLocked(deps, tx, await lockPaymentAt(tx, paymentId), { outcome, lease }),
    ),
  );
}

/** An outcome, and the lease under which it was obtained, if any. */
type Result = { readonly outcome: Outcome; readonly lease?: Lease | undefined };

/** As `recordOutcome`, for a payment that the caller's transaction has locked. */
export async function recordLocked(
  deps: Deps,
  tx: Tx,
  locked: PaymentAt,
  { outcome, lease }: Result,
): Promise<Payment> {
  const { payment: found } = locked;
  // Nothing was learned; another process books the outcome of the payment.
  if (outcome.kind === 'fenced') return found;
  if (outcome.kind !== 'confirmed') return recordOne(deps, tx, locked, { outcome, lease });
  // A bank with payments of its own may have taken money for one order more than once.
  const { paying, surplus, isReplaced } = divideTaken(found, outcome);
  const payment = await recordOne(deps, tx, locked, { outcome: paying, lease });
  if (isReplaced) await raiseGone(tx, payment, paying);
  for (const taken of surplus) await returnTaken(deps, tx, payment, taken);
  return payment;
}

async function recordOne(deps: Deps, tx: Tx, locked: PaymentAt, { outcome, lease }: Result): Promise<Payment> {
  const { payment: found, now } = locked;
  const isHolder = lease?.number === found.leaseNumber;
  const learned = { ...whatTheBankSaid(found, outcome), ...(isHolder ? { leaseUntil: null } : {}), lastReadAt: now };
  if (found.status !== 'CREATED' || !isKnownToBank(outcome)) {
    return apply(deps, tx, { payment: found, outcome, learned, now }, decideOutcome(found, outcome, now));
  }
  // If the bank knows the payment, it is registered, even if we missed that.
  const registered: Payment = { ...found, status: 'SUBMITTED' };
  const decision = decideOutcome(registered, outcome, now);
  const change = { ...learned, ...readAgain({ payment: registered, outcome, learned, now }) };
  // An ordinary registration is one update of the row.
  if (isNoNews(decision)) return movePayment(tx, found, REGISTERED, change);
  const payment = await movePayment(tx, found, REGISTERED);
  return apply(deps, tx, { payment, outcome, learned, now }, decision);
}

const REGISTERED = { to: 'SUBMITTED', event: null } as const;
const isNoNews = (decision: OutcomeDecision): boolean => decision.kind === 'ignore' && decision.why === 'no-news';

type Work = {
  readonly payment: Payment;
  readonly outcome: Outcome;
  readonly learned: PaymentChange;
  readonly now: Date;
};

async function apply(deps: Deps, tx: Tx, work: Work, decision: OutcomeDecision): Promise<Payment> {
  const { payment, learned } = work;
  switch (decision.kind) {
    case 'complete':
      return complete(deps, tx, work, decision.confirmed);
    case 'fail':
      return fail(tx, work, decision);
    case 'await-result':
      return movePayment(tx, payment, { to: 'PENDING', event: null }, { ...learned, ...readAgain(work) });
    case 'mismatch':
      await raiseMismatch(deps, tx, payment, decision.confirmed);
      return payment.status === 'SUBMITTED'
        ? movePayment(tx, payment, { to: 'PENDING', event: null }, { ...learned, ...readAgain(work) })
        : changePayment(tx, payment.paymentId, { ...learned, ...readAgain(work) });
    case 'late-success':
      await returnTaken(deps, tx, payment, decision.confirmed);
      return changePayment(tx, payment.paymentId, { ...learned, ...lookForOthers(work) });
    case 'ignore':
      if (decision.why === 'no-news') {
        return changePayment(tx, payment.paymentId, { ...learned, ...readAgain(work) });
      }
      deps.log.info('a result changed nothing', {
        paymentId: payment.paymentId,
        status: payment.status,
        result: work.outcome.kind,
        why: decision.why,
      });
      if (isTakenBack(payment, work.outcome)) await raiseGone(tx, payment, work.outcome);
      // The bank's answer is final: there is nothing left to ask, unless the order could be paid again.
      return work.outcome.kind === 'ended' ? payment : changePayment(tx, payment.paymentId, lookForOthers(work));
  }
}

/** Confirmed by the bank and written to the ledger. See spec/service-contract#event-types/payment-completed. */
async function complete(deps: Deps, tx: Tx, work: Work, { card }: Confirmed): Promise<Payment> {
  const { payment, learned, outcome, now } = work;
  const ledgerTransactionId = randomUUIDv7();
  const savedCard = await saveCard(deps, tx, payment, card);
  if (payment.whenNotAuthenticated === 'DECLINE' && isNotAuthenticated({ ...payment, ...learned })) {
    // Money that was taken is booked, even if it should not have been taken. An operator decides what happens to it.
    await raiseException(tx, { kind: 'NOT_AUTHENTICATED', paymentId: payment.paymentId });
    deps.log.error('the bank took money from an unauthenticated buyer', { paymentId: payment.paymentId });
  }
  const change = {
    ...learned,
    ...(savedCard === undefined ? withoutBinding(payment) : {}),
    ledgerTransactionId,
    ...lookForOthers({ payment: { ...payment, readCount: 0 }, outcome, now }),
    acsUrl: null,
    acsRequest: null,
  };
  const payload: PaymentCompleted = {
    ...paymentFact({ ...payment, ...change, aggregateVersion: payment.aggregateVersion + 1 }, now),
    ledgerTransactionId,
    ...(savedCard === undefined ? {} : { savedCard }),
  };
  // None of these needs another's result: they are pipelined, and fail together.
  const [moved] = await Promise.all([
    movePayment(tx, payment, { to: 'COMPLETED', event: 'payment.completed' }, change),
    insertLedgerTransaction(
      tx,
      { kind: 'PAYMENT', referenceId: payment.paymentId, ledgerTransactionId },
      entriesForCompleted(payment),
    ),
    // Only the checkout counts cards.
    payment.method === 'CARD' ? forgetCardAttempts(tx, payment.paymentId) : undefined,
    appendToOutbox(tx, {
      type: 'payment.completed',
      aggregateId: payment.paymentId,
      occurredAt: now,
      payload,
    }),
  ]);
  return moved;
}

/** The first and only transition into a final negative state. See spec/service-contract#event-types/payment-failed. */
async function fail(
  tx: Tx,
  work: Work,
  { to, failureCode }: Extract<OutcomeDecision, { kind: 'fail' }>,
): Promise<Payment> {
  const { payment, learned, outcome, now } = work;
  const move = decideMove(payment.status, to);
  if (move.kind !== 'move') throw new Error('the state table does not allow this failure');
  // We ended it while the bank may still be processing it: money may still arrive, so the bank is asked again later.
  const open = outcome.kind === 'ended' && mayHavePaid(payment);
  const again = open ? nextReadAt({ ...payment, status: to }, now) : null;
  const change = { ...learned, ...withoutBinding(payment), failureCode, nextReadAt: again, acsUrl: null, acsRequest: null }; // prettier-ignore
  const moved = await movePayment(tx, payment, move, change);
  const payload: PaymentFailed = {
    ...paymentFact(moved, now),
    status: to,
    failureCode,
    statusReason: FAILURES[failureCode].reason,
  };
  await appendToOutbox(tx, { type: 'payment.failed', aggregateId: moved.paymentId, occurredAt: now, payload });
  return moved;
}

async function raiseMismatch(deps: Deps, tx: Tx, payment: Payment, confirmed: Confirmed): Promise<void> {
  const first = await raiseException(tx, {
    kind: 'AMOUNT_MISMATCH',
    paymentId: payment.paymentId,
    bankOperationId: confirmed.bankOperationId,
    bankAmountKopecks: confirmed.amountKopecks,
    bankCurrency: confirmed.currency,
  });
  deps.log.error('the bank confirmed a different amount or currency', { paymentId: payment.paymentId, first });
}

/** Raises an exception: the booked money is gone, although we did not refund it. */
async function raiseGone(tx: Tx, payment: Payment, outcome: Confirmed | Withdrawn): Promise<void> {
  const { bankOperationId } = outcome;
  await raiseException(tx, {
    kind: 'STATE_MISMATCH',
    paymentId: payment.paymentId,
    finding: `gone ${String(payment.bankOperationId)}`,
    bankOperationId,
    bankStatus: outcome.kind,
    ourAmountKopecks: payment.amountKopecks,
    ourStatus: payment.status,
  });
}

type Withdrawn = Extract<Outcome, { kind: 'cancelled' }>;

function isTakenBack(
  { status, bankOperationId, refundReservedKopecks }: Payment,
  outcome: Outcome,
): outcome is Withdrawn {
  if (outcome.kind !== 'cancelled' || status !== 'COMPLETED') return false;
  return outcome.bankOperationId === bankOperationId && refundReservedKopecks === 0n;
}

/**
 * When to read a paid payment again: never, unless the bank has other payments for the same order that may still
 * be paid. Those are withdrawn (`read-back.ts`), at once the first time.
 */
function lookForOthers({ payment, outcome, now }: Pick<Work, 'payment' | 'outcome' | 'now'>): PaymentChange {
  if (outcome.kind !== 'confirmed' || outcome.isOpenBesides !== true) return { nextReadAt: null };
  const { readCount, expiresAt } = payment;
  if (isOpen(payment.status)) return { nextReadAt: now, readCount: 0 };
  return { nextReadAt: nextReadAt({ status: 'EXPIRED', readCount, expiresAt }, now), readCount: readCount + 1 };
}

/** Whether the buyer may have paid: a card was sent, or somebody saw the QR code. */
function mayHavePaid({ method, status, cardSentAt }: Payment): boolean {
  return cardSentAt !== null || (method === 'SBP_DYNAMIC_QR' && status !== 'CREATED');
}

/**
 * Schedules the next read and counts this one. A registered order without a card waits; a QR code may
 * be paid at any moment, and only the bank knows.
 */
function readAgain({ payment, outcome, now }: Work): PaymentChange {
  const { method, readCount, expiresAt, cardSentAt, status } = payment;
  // Nobody is waiting for news about a finished payment.
  if (!isOpen(status) && payment.nextReadAt === null) return {};
  if (status === 'SUBMITTED' && cardSentAt === null && outcome.kind !== 'pending' && now < expiresAt) {
    return { nextReadAt: method === 'SBP_DYNAMIC_QR' ? nextQrReadAt(payment, now) : expiresAt, readCount: 0 };
  }
  // Nobody is waiting for news about a charge. If the bank knows only its order, a read sends the charge again, which must not
  // happen while the abandoned call may still arrive.
  const isUrgent = outcome.kind !== 'pending' && method !== 'CARD_BINDING';
  const reached = isUrgent ? readCount : unhurried(readCount);
  return { nextReadAt: nextReadAt({ ...payment, readCount: reached }, now), readCount: Math.min(reached + 1, 1_000) };
}

/** The facts that come with an outcome. Facts that it does not contain stay as they were. */
function whatTheBankSaid(found: Payment, outcome: Outcome): PaymentChange {
  const { status } = found;
  // The booked bank payment stays the booked one.
  if (status === 'COMPLETED' || status === 'REFUNDED') return {};
  const card: CardFacts = 'card' in outcome ? outcome.card : NO_CARD;
  return {
    ...('bankOperationId' in outcome && outcome.bankOperationId !== null
      ? { bankOperationId: outcome.bankOperationId }
      : {}),
    ...challengeOf(outcome),
    ...('threeDs' in outcome ? threeDsAfter(found, outcome.threeDs ?? NOT_TOLD) : {}),
    ...(outcome.kind === 'registered' && outcome.nspkUrl !== null ? { nspkUrl: outcome.nspkUrl } : {}),
    ...(card.mask === null ? {} : { cardMask: card.mask }),
    ...(card.expiry === null ? {} : { cardExpiry: card.expiry }),
  };
}

/** Some banks return the 3-D Secure page only once, in the answer to the card. A read without it does not remove it. */
function challengeOf(outcome: Outcome): PaymentChange {
  if (outcome.kind !== 'pending' || outcome.acsUrl === null) return {};
  return { acsUrl: outcome.acsUrl, acsRequest: outcome.acsRequest ?? null };
}

/** A payment that saved no card creates no binding: its id is removed, so that nobody sees it. */
function withoutBinding({ method }: Payment): PaymentChange {
  return method === 'CARD_BINDING' ? {} : { bindingId: null };
}

/** The fields that both messages have about a payment that just changed status. */
function paymentFact(payment: Payment, now: Date) {
  return {
    partnerId: payment.partnerId,
    paymentId: payment.paymentId,
    aggregateVersion: payment.aggregateVersion,
    merchantOrderId: payment.merchantOrderId,
    amountKopecks: payment.amountKopecks.toString(),
    currency: payment.currency,
    paymentMethod: payment.method,
    bankOperationId: payment.bankOperationId,
    ...(payment.method === 'CARD_BINDING' && payment.bindingId !== null ? { bindingId: payment.bindingId } : {}),
    occurredAt: now.toISOString(),
  };
}
