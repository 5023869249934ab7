import type { PaymentMethod } from './payment.ts';

/** What a booking is to a partner who reads its register. */
export type RegisterLineType = 'PAYMENT' | 'RECURRING_CHARGE' | 'REFUND' | 'REFUND_FAILED';

/** A closed day of a partner's ruble balance. Amounts are kopecks as the partner sees them: what it gets is positive. ADR 0137. */
export type Register = {
  readonly registerId: string;
  readonly partnerId: string;
  /** `2026-11-22`, UTC. */
  readonly day: string;
  readonly openingKopecks: bigint;
  readonly paymentsKopecks: bigint;
  readonly chargesKopecks: bigint;
  readonly refundsKopecks: bigint;
  readonly feesKopecks: bigint;
  /** The opening balance and all of the above. */
  readonly closingKopecks: bigint;
  readonly lineCount: number;
  readonly madeAt: Date;
};

/** One booking of a register. */
export type RegisterLine = {
  /** From 1. */
  readonly line: number;
  readonly bookedAt: Date;
  readonly type: RegisterLineType;
  readonly paymentId: string;
  readonly merchantOrderId: string;
  readonly refundId: string | null;
  readonly merchantRefundId: string | null;
  readonly paymentPointId: string;
  readonly method: PaymentMethod;
  /** Before the fee. */
  readonly amountKopecks: bigint;
  readonly feeKopecks: bigint;
  readonly balanceKopecks: bigint;
};

/** What one answer holds: a day of any size is read in parts. */
export const PART_LINES = 5_000;

/** Parts of a register; one without lines has one. */
export const partsOf = ({ lineCount }: Pick<Register, 'lineCount'>): number =>
  Math.max(1, Math.ceil(lineCount / PART_LINES));

/** Bookings end soon after they began. One that takes longer than this stands in the next day's register. */
export const CLOSING_MINUTES = 10;
