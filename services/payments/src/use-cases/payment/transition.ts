import { randomUUIDv7 } from 'node:crypto';
import type { PaymentCompleted, PaymentFailed } from '@pay/contract/messages.ts';
import type { Message } from '@pay/shared/outbox/outbox.ts';
import type { Lease } from '../../db/payment/leases.ts';
import type { PaymentMove } from '../../db/payment/move-payment.ts';
import type { Payment, PaymentAt, PaymentChange } from '../../db/payment/payments.ts';
import { orderOf } from '../../domain/payment/order-number.ts';
import type { NewSavedCard } from '../../db/saved-card/saved-cards.ts';
import type { Deps } from '../../deps.ts';
import { NO_CARD, type CardFacts, type Confirmed } from '../../domain/acquiring/acquirer-result.ts';
import { isNotAuthenticated, NOT_TOLD, threeDsAfter } from '../../domain/acquiring/three-ds.ts';
import { FAILURES } from '../../domain/payment/failure.ts';
import { awaitsNextOrder } from '../../domain/payment/next-card.ts';
import type { Outcome, OutcomeDecision } from '../../domain/payment/payment-outcome.ts';
import { decideMove, isOpen } from '../../domain/payment/payment-status.ts';
import { paysBySbp } from '../../domain/payment/sbp-order.ts';
import { nextQrReadAt, nextReadAt, unhurried } from '../../domain/payment/read-back-schedule.ts';
import { savedCardOf } from '../saved-card/save-card.ts';

/** An outcome, and how it was obtained. */
export type Result = {
  readonly outcome: Outcome;
  /** The lease under which it was, if any. */
  readonly lease?: Lease | undefined;
  /** The payment was booked when the bank was asked: only then can the answer say that booked money is gone. */
  readonly wasBooked?: boolean;
};

/** An outcome and the payment that it is about. */
export type Work = {
  readonly payment: Payment;
  readonly outcome: Outcome;
  readonly wasBooked: boolean;
  /** What the row keeps of the outcome in any case. */
  readonly learned: PaymentChange;
  /** The database's time. */
  readonly now: Date;
};

/** A transition, and everything that commits with it. */
export type Transition = {
  readonly move: PaymentMove;
  readonly change: PaymentChange;
  /** Of a payment that was paid: its booking, under this id. */
  readonly ledgerTransactionId?: string;
  readonly savedCard?: NewSavedCard;
  readonly message?: Message;
  /** The bank took the money of a buyer whom it should have declined: an operator must look. */
  readonly isUnauthenticated?: boolean;
};

/** What an outcome that was obtained under `lease` means for this payment. */
export function workOf({ payment, now }: PaymentAt, { outcome, lease, wasBooked = false }: Result): Work {
  const isHolder = lease?.number === payment.leaseNumber;
  const learned = { ...whatTheBankSaid(payment, outcome), ...(isHolder ? { leaseUntil: null } : {}), lastReadAt: now };
  return { payment, outcome, wasBooked, learned, now };
}

/** A decision that is carried out by a transition and nothing else. */
type TransitionDecision = Extract<OutcomeDecision, { kind: 'complete' | 'fail' | 'await-result' }>;

export const isTransition = (decision: OutcomeDecision): decision is TransitionDecision =>
  decision.kind === 'complete' || decision.kind === 'fail' || decision.kind === 'await-result';

/** The transition that carries out a decision. */
export function transitionOf(deps: Deps, work: Work, decision: TransitionDecision): Transition {
  switch (decision.kind) {
    case 'complete':
      return completion(deps, work, decision.confirmed);
    case 'fail':
      return failure(work, decision);
    case 'await-result':
      return { move: { to: 'PENDING', event: null }, change: { ...work.learned, ...readAgain(work) } };
  }
}

/** Confirmed by the bank and written to the ledger. See spec/service-contract#event-types/payment-completed. */
function completion(deps: Deps, work: Work, { card }: Confirmed): Transition {
  const { payment, learned, outcome, now } = work;
  const ledgerTransactionId = randomUUIDv7();
  const saved = savedCardOf(deps, payment, card);
  const change = {
    ...learned,
    ...(saved === undefined ? withoutBinding(payment) : {}),
    ledgerTransactionId,
    ...lookForOthers({ payment: { ...payment, readCount: 0 }, outcome, now }),
    acsUrl: null,
    acsRequest: null,
  };
  const payload: PaymentCompleted = {
    ...paymentFact(after(payment, change), now),
    ledgerTransactionId,
    ...(saved === undefined ? {} : { savedCard: saved.fact }),
  };
  return {
    move: { to: 'COMPLETED', event: 'payment.completed' },
    change,
    ledgerTransactionId,
    ...(saved === undefined ? {} : { savedCard: saved.row }),
    message: { type: 'payment.completed', aggregateId: payment.paymentId, occurredAt: now, payload },
    isUnauthenticated: payment.whenNotAuthenticated === 'DECLINE' && isNotAuthenticated({ ...payment, ...learned }),
  };
}

/** The first and only transition into a final negative state. See spec/service-contract#event-types/payment-failed. */
function failure(work: Work, { to, failureCode }: Extract<OutcomeDecision, { kind: 'fail' }>): Transition {
  const { payment, learned, outcome, now } = work;
  const move = decideMove(payment.status, to);
  if (move.kind !== 'move') throw new Error('the state table does not allow this failure');
  // We ended it while the bank may still be processing it: money may still arrive, so the bank is asked again later.
  const open = outcome.kind === 'ended' && mayHavePaid(payment);
  const again = open ? nextReadAt({ ...payment, status: to }, now) : null;
  const change = { ...learned, ...withoutBinding(payment), failureCode, nextReadAt: again, acsUrl: null, acsRequest: null };
  const payload: PaymentFailed = {
    ...paymentFact(after(payment, change), now),
    status: to,
    failureCode,
    statusReason: FAILURES[failureCode].reason,
  };
  return {
    move,
    change,
    message: { type: 'payment.failed', aggregateId: payment.paymentId, occurredAt: now, payload },
  };
}

/** The payment as it is after a change with an event. */
const after = (payment: Payment, change: PaymentChange): Payment => ({
  ...payment,
  ...change,
  aggregateVersion: payment.aggregateVersion + 1,
});

/**
 * When to read a paid payment again: never, unless the bank has other payments for the same order that may still
 * be paid. Those are withdrawn (`read-back.ts`), at once the first time.
 */
export function lookForOthers({ payment, outcome, now }: Pick<Work, 'payment' | 'outcome' | 'now'>): PaymentChange {
  if (outcome.kind !== 'confirmed' || outcome.isOpenBesides !== true) return { nextReadAt: null };
  const { readCount, expiresAt } = payment;
  if (isOpen(payment.status)) return { nextReadAt: now, readCount: 0 };
  return { nextReadAt: nextReadAt({ status: 'EXPIRED', readCount, expiresAt }, now), readCount: readCount + 1 };
}

/** Whether the buyer may have paid: a card was sent, or somebody saw the QR code. */
function mayHavePaid(payment: Payment): boolean {
  return payment.cardSentAt !== null || (paysBySbp(payment) && payment.status !== 'CREATED');
}

/**
 * Schedules the next read and counts this one. A registered order without a card waits; a QR code may
 * be paid at any moment, and only the bank knows.
 */
export function readAgain({ payment, outcome, now }: Work): PaymentChange {
  const { method, readCount, expiresAt, status } = payment;
  // A call that crossed the booking, like a withdrawal, may have undone it: the bank is asked until it confirms.
  if (status === 'COMPLETED' && payment.nextReadAt === null) {
    return { nextReadAt: nextReadAt({ ...payment, readCount: 0 }, now), readCount: 1 };
  }
  // Nobody is waiting for news about any other finished payment.
  if (!isOpen(status) && payment.nextReadAt === null) return {};
  if (waitsForBuyer({ payment, outcome, now })) {
    return { nextReadAt: paysBySbp(payment) ? nextQrReadAt(payment, now) : expiresAt, readCount: 0 };
  }
  // Nobody is waiting for news about a charge. If the bank knows only its order, a read sends the charge again, which must not
  // happen while the abandoned call may still arrive.
  const isUrgent = outcome.kind !== 'pending' && method !== 'CARD_BINDING';
  const reached = isUrgent ? readCount : unhurried(readCount);
  return { nextReadAt: nextReadAt({ ...payment, readCount: reached }, now), readCount: Math.min(reached + 1, 1_000) };
}

/** Whether the bank has the order, and the buyer has still time to send a card or to pay the QR code. */
function waitsForBuyer({ payment, outcome, now }: Pick<Work, 'payment' | 'outcome' | 'now'>): boolean {
  if (payment.status !== 'SUBMITTED' || payment.cardSentAt !== null || now >= payment.expiresAt) return false;
  if (awaitsNextOrder(payment)) return outcome.kind === 'registered';
  return outcome.kind !== 'pending';
}

/** The facts that come with an outcome. Facts that it does not contain stay as they were. */
function whatTheBankSaid(found: Payment, outcome: Outcome): PaymentChange {
  const { status } = found;
  // The booked bank payment stays the booked one.
  if (status === 'COMPLETED' || status === 'REFUNDED') return {};
  const card: CardFacts = 'card' in outcome ? outcome.card : NO_CARD;
  return {
    ...('bankOperationId' in outcome && outcome.bankOperationId !== null ? { bankOperationId: outcome.bankOperationId } : {}),
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
    merchantOrderId: orderOf(payment),
    amountKopecks: payment.amountKopecks.toString(),
    currency: payment.currency,
    paymentMethod: payment.method,
    bankOperationId: payment.bankOperationId,
    ...(payment.method === 'CARD_BINDING' && payment.bindingId !== null ? { bindingId: payment.bindingId } : {}),
    occurredAt: now.toISOString(),
  };
}
