import type { FailureCode } from '@pay/contract/messages.ts';
import type { FailedStatus, PaymentStatus } from '@pay/contract/states.ts';
import type { AcquirerResult, Confirmed } from '../acquiring/acquirer-result.ts';
import { FAILURES } from './failure.ts';
import { lastDeclineOf, mayTryNextCard } from './next-card.ts';
import { decideMove } from './payment-status.ts';
import { wayAfter, type Switch, type WayToPay } from './sbp-order.ts';

/** What is needed of a payment to decide what an outcome means. */
export type OutcomeFacts = {
  readonly status: PaymentStatus;
  readonly amountKopecks: bigint;
  readonly currency: string;
  readonly expiresAt: Date;
  readonly cardSentAt: Date | null;
  readonly declinedCount: number;
  readonly switchedCount: number;
  readonly isSbpOrder: boolean;
  readonly bankOperationId: string | null;
  readonly lastDecline: FailureCode | null;
  readonly cardAttemptsMax: number | null;
};

/** The bank's result, or our own decision to end a payment or one of its orders. */
export type Outcome = AcquirerResult | { readonly kind: 'ended'; readonly failureCode: FailureCode } | Switch;

/** What an outcome means for a payment. */
export type OutcomeDecision =
  | { readonly kind: 'complete'; readonly confirmed: Confirmed }
  | { readonly kind: 'fail'; readonly to: FailedStatus; readonly failureCode: FailureCode }
  /** The card was declined, and another one follows, or may. */
  | { readonly kind: 'next-card'; readonly failureCode: FailureCode }
  /** The order is left behind, and one for this way to pay follows. */
  | { readonly kind: 'next-way'; readonly to: WayToPay }
  /** A card was sent, and nothing final is known. */
  | { readonly kind: 'await-result' }
  /** The bank took a different amount or currency: never COMPLETED; an operator must look. */
  | { readonly kind: 'mismatch'; readonly confirmed: Confirmed }
  /** Money arrived after the payment had ended: it is returned. */
  | { readonly kind: 'late-success'; readonly confirmed: Confirmed }
  /** Nothing changes: a repeat, a late negative result, or no news. */
  | { readonly kind: 'ignore'; readonly why: 'repeat' | 'too-late' | 'no-news' };

/**
 * What an outcome means for a payment at `now`. See spec/service-contract#payment-states,
 * spec/decisions#late-success-after-a-negative-end and spec/decisions#unknown-outcome.
 */
export function decideOutcome(payment: OutcomeFacts, outcome: Outcome, now: Date): OutcomeDecision {
  if (outcome.kind === 'confirmed') return decideSuccess(payment, outcome);
  const way = isOrderEnd(outcome) ? wayAfter(payment, outcome, now) : undefined;
  if (way !== undefined) return { kind: 'next-way', to: way };
  if (outcome.kind === 'declined' && mayTryNextCard(payment, outcome, now)) {
    return { kind: 'next-card', failureCode: outcome.failureCode };
  }
  const failureCode = failureOf(payment, outcome, now);
  if (failureCode !== undefined) return decideFailure(payment.status, failureCode);
  const awaited = payment.status === 'SUBMITTED' && (payment.cardSentAt !== null || outcome.kind === 'pending');
  return awaited ? { kind: 'await-result' } : { kind: 'ignore', why: 'no-news' };
}

/**
 * Why the outcome ends the payment; undefined if it does not. After a decline without another card the session's end and a bank that
 * takes no further order change nothing: the reason is the decline.
 */
function failureOf(payment: OutcomeFacts, outcome: Outcome, now: Date): FailureCode | undefined {
  const code = codeOf(payment, outcome, now);
  const isOver = outcome.kind === 'declined' || code === 'SESSION_EXPIRED';
  return isOver ? (lastDeclineOf(payment) ?? code) : code;
}

/** An order is withdrawn when its session ends, or by the buyer. */
function codeOf(payment: OutcomeFacts, outcome: Outcome, now: Date): FailureCode | undefined {
  if (outcome.kind === 'declined' || outcome.kind === 'ended') return outcome.failureCode;
  if (outcome.kind !== 'cancelled') return undefined;
  return now >= payment.expiresAt ? 'SESSION_EXPIRED' : 'CANCELLED_BY_CUSTOMER';
}

const isOrderEnd = (outcome: Outcome) => outcome.kind === 'switched' || outcome.kind === 'cancelled' || outcome.kind === 'declined';

function decideSuccess(payment: OutcomeFacts, confirmed: Confirmed): OutcomeDecision {
  const move = decideMove(payment.status, 'COMPLETED');
  if (move.kind === 'repeat' || move.kind === 'too-late') return { kind: 'ignore', why: move.kind };
  if (move.kind === 'late-success') return { kind: 'late-success', confirmed };
  const same = confirmed.amountKopecks === payment.amountKopecks && confirmed.currency === payment.currency;
  return same ? { kind: 'complete', confirmed } : { kind: 'mismatch', confirmed };
}

function decideFailure(from: PaymentStatus, code: FailureCode): OutcomeDecision {
  // A payment that never reached the bank cannot have been declined by it: its registration failed. A consent
  // that was revoked before is not the bank's decline, and is reported as it is (decisions/recurring-charges).
  const neverDeclined = from === 'CREATED' && FAILURES[code].status === 'REJECTED';
  const failureCode = neverDeclined && code !== 'CONSENT_REVOKED' ? 'PROCESSING_ERROR' : code;
  const to = neverDeclined ? 'FAILED' : FAILURES[failureCode].status;
  const move = decideMove(from, to);
  if (move.kind === 'move') return { kind: 'fail', to, failureCode };
  return { kind: 'ignore', why: move.kind === 'repeat' ? 'repeat' : 'too-late' };
}

/** Whether the outcome proves that the bank has the order. */
export function isKnownToBank(outcome: Outcome): boolean {
  return 'bankOperationId' in outcome && outcome.bankOperationId !== null;
}
