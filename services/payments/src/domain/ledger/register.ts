import type { PaymentMethod } from '@pay/contract/states.ts';
import type { ClosedDay } from '@pay/shared/registers/register.ts';

/** What a booking is called in a partner's register. */
export type RegisterLineType = 'PAYMENT' | 'RECURRING_CHARGE' | 'REFUND' | 'REFUND_FAILED';

/**
 * A closed day of a partner's ruble balance. Amounts are kopecks from the partner's side: what they receive is
 * positive. See decisions/daily-registers.
 */
export type Register = ClosedDay & {
  readonly openingKopecks: bigint;
  readonly paymentsKopecks: bigint;
  readonly chargesKopecks: bigint;
  readonly refundsKopecks: bigint;
  readonly feesKopecks: bigint;
  /** The opening balance plus all of the above. */
  readonly closingKopecks: bigint;
};

/** One booking of a register. */
export type RegisterLine = {
  /** Counted from 1. */
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
