import type { ClosedDay } from '@pay/shared/registers/register.ts';

/** The kinds of bookings in a partner's register. */
export type RegisterLineType =
  | 'FUNDING'
  | 'WITHDRAWAL_REQUESTED'
  | 'WITHDRAWAL_REJECTED'
  | 'WITHDRAWAL_CANCELLED'
  | 'WITHDRAWAL_FAILED'
  | 'WITHDRAWAL_COMPLETED';

/** A closed day of a partner's USDT across all its stores. See decisions/daily-registers. */
export type Register = ClosedDay & {
  readonly openingAvailableMicroUsdt: bigint;
  readonly openingReservedMicroUsdt: bigint;
  /** Credited, and available from then on. */
  readonly fundedMicroUsdt: bigint;
  /** Moved from available to reserved. */
  readonly requestedMicroUsdt: bigint;
  /** Moved from reserved back to available: rejected, cancelled or failed. */
  readonly releasedMicroUsdt: bigint;
  /** Paid out: no longer reserved. */
  readonly completedMicroUsdt: bigint;
  readonly closingAvailableMicroUsdt: bigint;
  readonly closingReservedMicroUsdt: bigint;
};

/** One booking of a register. */
export type RegisterLine = {
  /** Counted from 1. */
  readonly line: number;
  readonly bookedAt: Date;
  readonly type: RegisterLineType;
  readonly storeId: string;
  readonly withdrawalRequestId: string | null;
  readonly fundingId: string | null;
  readonly beneficiaryRef: string | null;
  readonly transferReference: string | null;
  /** Positive, whatever the type. */
  readonly amountMicroUsdt: bigint;
  /** How the booking changed each balance. */
  readonly availableChangeMicroUsdt: bigint;
  readonly reservedChangeMicroUsdt: bigint;
  /** Balances of all stores, after the line. */
  readonly availableMicroUsdt: bigint;
  readonly reservedMicroUsdt: bigint;
};
