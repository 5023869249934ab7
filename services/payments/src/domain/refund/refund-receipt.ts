import type { Receipt } from '@pay/contract/api/receipt.ts';

/** What a refund's receipt is judged beside. */
export type PaidWith = {
  readonly amountKopecks: bigint;
  readonly refundReservedKopecks: bigint;
  readonly receipt: Receipt | null;
};

/**
 * Whether a refund of `wanted` kopecks (undefined: all that remains) needs a receipt of its own: a part of a payment that
 * was made with one. Nobody else knows which of its items come back; the whole of it the bank gives back as it was sold.
 */
export function needsReceipt(
  { amountKopecks, refundReservedKopecks, receipt }: PaidWith,
  wanted: bigint | undefined,
): boolean {
  const left = amountKopecks - refundReservedKopecks;
  return receipt !== null && left > 0n && (wanted ?? left) < amountKopecks;
}
