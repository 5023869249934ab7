import type { Receipt } from '@pay/contract/api/receipt.ts';

/** What is needed of a payment to judge a refund's receipt. */
export type PaidWith = {
  readonly amountKopecks: bigint;
  readonly refundReservedKopecks: bigint;
  readonly receipt: Receipt | null;
};

/**
 * Whether a refund of `wanted` kopecks (undefined: all that remains) needs a receipt of its own. A partial refund of a payment
 * with a receipt does: only the partner knows which items come back. A full refund repeats the receipt of the sale.
 */
export function needsReceipt({ amountKopecks, refundReservedKopecks, receipt }: PaidWith, wanted: bigint | undefined): boolean {
  const left = amountKopecks - refundReservedKopecks;
  return receipt !== null && left > 0n && (wanted ?? left) < amountKopecks;
}
