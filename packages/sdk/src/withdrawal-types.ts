import type { PageOptions } from './types.ts';

/** See spec/decisions#withdrawal-states. */
export type WithdrawalStatus =
  'REQUESTED' | 'IN_REVIEW' | 'APPROVED' | 'COMPLETED' | 'REJECTED' | 'CANCELLED' | 'FAILED';

/** A wish for a payout in USDT. */
export type NewWithdrawalRequest = {
  readonly storeId: string;
  /** A decimal string with up to six digits after the point: `'12.5'`. */
  readonly amountUsdt: string;
  /** An agreed recipient, by the reference that the service issued: never a wallet address. */
  readonly beneficiaryRef: string;
};

/** How a payout request stands. */
export type WithdrawalRequest = {
  readonly withdrawalRequestId: string;
  readonly storeId: string;
  /** Six decimals. */
  readonly amountUsdt: string;
  readonly beneficiaryRef: string;
  readonly status: WithdrawalStatus;
  /** Why it was rejected, cancelled, or failed. */
  readonly statusReason?: string;
  readonly reviewedAt?: string;
  readonly completedAt?: string;
  /** Of the transfer that was made by hand. */
  readonly transferReference?: string;
  readonly createdAt: string;
  readonly updatedAt: string;
};

/** Which payout requests. */
export type WithdrawalFilter = PageOptions & { readonly storeId?: string; readonly status?: WithdrawalStatus };

/** What a store has in internal accounting; six decimals. */
export type WithdrawalBalance = {
  readonly storeId: string;
  readonly currency: 'USDT';
  readonly availableUsdt: string;
  readonly reservedUsdt: string;
};
