import { findTestAmount, type TestCardOutcome } from '@pay/shared/sandbox/test-cards.ts';
import type { TransStatus, WhenNotAuthenticated } from './authentication.ts';
import { isCardExpired, type CardTraits } from './card.ts';
import type { Answer, Operation, PaymentMethod, OperationKind, Reason } from './operation.ts';
import type { Move } from './operation-status.ts';

/** What the bank does with an attempt to take or return money, and whether it answers. */
export type Verdict = {
  readonly move: Move;
  readonly answer: Answer;
  /** When a PENDING operation approves itself; null: only a person decides it. */
  readonly approvesAt: Date | null;
};

/**
 * How long after the end of its session the late card pays: the merchant's last check at that end must find nothing
 * yet.
 */
const LATE_BY_MS = 5 * 60_000;

const verdict = (to: Move['to'], reason: Reason | null = null, answer: Answer = 'GIVEN'): Verdict => ({
  move: { to, reason },
  answer,
  approvesAt: null,
});
const approved = verdict('APPROVED');
const declined = (reason: Reason): Verdict => verdict('DECLINED', reason);
const silentlyApproved = verdict('APPROVED', null, 'WITHHELD');
const silentlyDeclined = verdict('DECLINED', 'ISSUER_UNAVAILABLE', 'WITHHELD');
const pending = verdict('PENDING');

/** The result of the authentication, and what the merchant wants then. */
type Authenticated = { readonly transStatus: TransStatus; readonly whenNotAuthenticated: WhenNotAuthenticated };

/**
 * A buyer's first payment with a typed card. A number that is not a test card is refused before its expiry is checked.
 * See spec/decisions#sandbox-bank-test, table of cards.
 */
export function decideAuthorization(
  card: CardTraits,
  order: Pick<Operation, 'expiresAt'>,
  now: Date,
  { transStatus, whenNotAuthenticated }: Authenticated,
): Verdict {
  if (card.outcome === null) return declined('INVALID_CARD_DETAILS');
  if (isCardExpired(card.expiry, now)) return declined('CARD_EXPIRED');
  // An attempt counts as an authentication: it has the scheme's proof.
  const isNotAuthenticated = !['Y', 'A', 'C'].includes(transStatus);
  if (isNotAuthenticated && whenNotAuthenticated === 'DECLINE') return declined('AUTHENTICATION_FAILED');
  if (transStatus === 'C') return verdict('THREE_DS_REQUIRED');
  return authorizationVerdict(card.outcome, order.expiresAt);
}

/** What each card does once its buyer need not be asked (any more). */
const VERDICTS = {
  APPROVED: approved,
  LATER_CHARGES_DECLINED: approved,
  LATER_CHARGES_PENDING: approved,
  THREE_D_SECURE: approved,
  THREE_DS_METHOD: approved,
  AUTHENTICATION_ATTEMPTED: approved,
  AUTHENTICATION_UNAVAILABLE: approved,
  AUTHENTICATION_REJECTED: declined('AUTHENTICATION_FAILED'),
  DECLINED_BY_ISSUER: declined('DECLINED_BY_ISSUER'),
  INSUFFICIENT_FUNDS: declined('INSUFFICIENT_FUNDS'),
  CARD_BLOCKED: declined('CARD_BLOCKED'),
  CARD_EXPIRED: declined('CARD_EXPIRED'),
  NO_ANSWER_APPROVED: silentlyApproved,
  NO_ANSWER_DECLINED: silentlyDeclined,
} as const satisfies Record<Exclude<TestCardOutcome, 'LATE_APPROVAL'>, Verdict>;

function authorizationVerdict(outcome: TestCardOutcome, expiresAt: Date | null): Verdict {
  return outcome === 'LATE_APPROVAL' ? { ...pending, approvesAt: lateAfter(expiresAt) } : VERDICTS[outcome];
}

const lateAfter = (expiresAt: Date | null) => (expiresAt === null ? null : new Date(expiresAt.getTime() + LATE_BY_MS));

/** A card that the bank saved for a merchant. */
export type SavedCard = { readonly mask: string; readonly expiry: string; readonly outcome: TestCardOutcome };

/**
 * A later charge without the buyer. The card decides first, then the kopecks; a token that the bank never issued is
 * refused. See spec/decisions#sandbox-bank-test.
 */
export function decideCharge(card: SavedCard | undefined, amountKopecks: bigint, now: Date): Verdict {
  if (card === undefined) return declined('INVALID_CARD_DETAILS');
  if (isCardExpired(card.expiry, now)) return declined('CARD_EXPIRED');
  if (card.outcome === 'LATER_CHARGES_DECLINED') return declined('INSUFFICIENT_FUNDS');
  if (card.outcome === 'LATER_CHARGES_PENDING') return pending;
  return verdictOfKopecks(amountKopecks);
}

/**
 * The buyer pressed Pay on the SBP page. The kopecks decide. "No answer" here means that the merchant's next read-back
 * stays unanswered: no other call could.
 */
export function decideSbpPayment(amountKopecks: bigint): Verdict {
  return verdictOfKopecks(amountKopecks);
}

function verdictOfKopecks(amountKopecks: bigint): Verdict {
  switch (findTestAmount(amountKopecks)?.outcome) {
    case undefined:
    case 'REFUND_FAILS':
      return approved;
    case 'INSUFFICIENT_FUNDS':
      return declined('INSUFFICIENT_FUNDS');
    case 'NO_ANSWER_APPROVED':
      return silentlyApproved;
    case 'NO_ANSWER_DECLINED':
      return silentlyDeclined;
    case 'PENDING':
      return pending;
  }
}

/** The payment that a refund is requested for. */
export type RefundedPayment = {
  readonly kind: OperationKind;
  readonly method: PaymentMethod;
  readonly status: Operation['status'];
  readonly amountKopecks: bigint;
};

export type RefundDecision =
  | { readonly kind: 'refuse'; readonly code: 'REFUND_NOT_ALLOWED' | 'REFUND_AMOUNT_EXCEEDED' }
  | { readonly kind: 'decide'; readonly verdict: Verdict };

/**
 * Decides a refund: only for an approved payment, and together with earlier refunds (`refundedKopecks`) never more than
 * was paid. The kopecks .95 of a payment without a typed card make its refunds fail.
 */
export function decideRefund(payment: RefundedPayment, refundedKopecks: bigint, amountKopecks: bigint): RefundDecision {
  if (payment.kind === 'REFUND' || payment.status !== 'APPROVED') return { kind: 'refuse', code: 'REFUND_NOT_ALLOWED' };
  if (refundedKopecks + amountKopecks > payment.amountKopecks) return { kind: 'refuse', code: 'REFUND_AMOUNT_EXCEEDED' };
  const cardWasTyped = payment.kind === 'ORDER' && payment.method === 'CARD';
  const fails = !cardWasTyped && findTestAmount(payment.amountKopecks)?.outcome === 'REFUND_FAILS';
  return { kind: 'decide', verdict: fails ? declined('PROCESSING_ERROR') : approved };
}
