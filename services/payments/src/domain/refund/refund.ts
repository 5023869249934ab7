import type { PaymentStatus } from '@pay/contract/states.ts';

/** How long after its booking a payment can be refunded. See spec/decisions#refunds. */
const REFUND_PERIOD_MS = 365 * 24 * 3_600_000;

/** What is needed of a payment to decide on a refund. */
export type RefundedPayment = {
  readonly status: PaymentStatus;
  readonly amountKopecks: bigint;
  /** Refunds that are confirmed or in flight. */
  readonly refundReservedKopecks: bigint;
  /** When the payment was booked in the ledger; undefined if it never was. */
  readonly bookedAt: Date | undefined;
};

export type RefundDecision =
  | { readonly kind: 'accept'; readonly amountKopecks: bigint }
  | { readonly kind: 'refuse'; readonly why: 'not-completed' | 'too-late' | 'nothing-left' | 'exceeds' };

const refuse = (why: Extract<RefundDecision, { kind: 'refuse' }>['why']): RefundDecision => ({ kind: 'refuse', why });

/**
 * Whether a refund is allowed at `now`, and its amount. `wanted` undefined: all that remains. Only a COMPLETED payment
 * can be refunded, within 365 days, and its PENDING and COMPLETED refunds never exceed the amount. See
 * spec/decisions#refunds.
 */
export function decideRefund(payment: RefundedPayment, wanted: bigint | undefined, now: Date): RefundDecision {
  const { status, amountKopecks, refundReservedKopecks, bookedAt } = payment;
  if (status !== 'COMPLETED' || bookedAt === undefined) return refuse('not-completed');
  if (now.getTime() > bookedAt.getTime() + REFUND_PERIOD_MS) return refuse('too-late');
  const left = amountKopecks - refundReservedKopecks;
  if (left === 0n) return refuse('nothing-left');
  const amount = wanted ?? left;
  return amount > left ? refuse('exceeds') : { kind: 'accept', amountKopecks: amount };
}
