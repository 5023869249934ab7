import type { PaymentStatus } from '@pay/contract/states.ts';

/** A refund can be asked for this long after the payment was booked. See spec/decisions#refunds. */
const REFUND_PERIOD_MS = 365 * 24 * 3_600_000;

/** What deciding needs to know of a payment. */
export type RefundedPayment = {
  readonly status: PaymentStatus;
  readonly amountKopecks: bigint;
  /** Refunds that are confirmed or on their way. */
  readonly refundReservedKopecks: bigint;
  /** When the payment was written to the ledger; undefined when it never was. */
  readonly bookedAt: Date | undefined;
};

export type RefundDecision =
  | { readonly kind: 'accept'; readonly amountKopecks: bigint }
  | { readonly kind: 'refuse'; readonly why: 'not-completed' | 'too-late' | 'nothing-left' | 'exceeds' };

const refuse = (why: Extract<RefundDecision, { kind: 'refuse' }>['why']): RefundDecision => ({ kind: 'refuse', why });

/**
 * May this much be given back at `now`, and how much is it? `wanted` undefined: all that remains. See
 * spec/decisions#refunds: only a COMPLETED payment, within 365 days, PENDING and COMPLETED refunds never exceed the
 * amount.
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
