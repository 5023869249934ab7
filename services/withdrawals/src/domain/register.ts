import type { ClosedDay } from '@pay/shared/registers/register.ts';

/** What a booking is to a partner who reads its register. */
export type RegisterLineType =
  | 'FUNDING'
  | 'WITHDRAWAL_REQUESTED'
  | 'WITHDRAWAL_REJECTED'
  | 'WITHDRAWAL_CANCELLED'
  | 'WITHDRAWAL_FAILED'
  | 'WITHDRAWAL_COMPLETED';

/** A closed day of a partner's USDT, over all its stores. ADR 0137. */
export type Register = ClosedDay & {
  readonly openingAvailableMicroUsdt: bigint;
  readonly openingReservedMicroUsdt: bigint;
  /** Credited: available from then on. */
  readonly fundedMicroUsdt: bigint;
  /** From available to reserved. */
  readonly requestedMicroUsdt: bigint;
  /** From reserved to available: rejected, cancelled, failed. */
  readonly releasedMicroUsdt: bigint;
  /** Paid out: no longer reserved. */
  readonly completedMicroUsdt: bigint;
  readonly closingAvailableMicroUsdt: bigint;
  readonly closingReservedMicroUsdt: bigint;
};

/** One booking of a register. */
export type RegisterLine = {
  /** From 1. */
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
  /** What the booking did to either balance. */
  readonly availableChangeMicroUsdt: bigint;
  readonly reservedChangeMicroUsdt: bigint;
  /** Of all stores, after the line. */
  readonly availableMicroUsdt: bigint;
  readonly reservedMicroUsdt: bigint;
};
