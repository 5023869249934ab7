import type { LedgerKind } from './ledger.ts';

/** One booking in a partner's account: positive is more that we owe the partner. */
export type StatementEntry = {
  readonly ledgerTransactionId: string;
  readonly bookedAt: Date;
  readonly kind: LedgerKind;
  /** The payment, or the refund. */
  readonly referenceId: string;
  readonly amountKopecks: bigint;
  /** What we kept of it. */
  readonly feeKopecks: bigint;
};

export type StatementLine = StatementEntry & { readonly balanceKopecks: bigint };

/**
 * The entries with the balance after each. @throws Error when the running total does not end at `closingKopecks`, which
 * was summed by itself: then an entry is missing here or is there twice, and nobody may be shown the page.
 */
export function withRunningTotal(
  openingKopecks: bigint,
  entries: readonly StatementEntry[],
  closingKopecks: bigint,
): StatementLine[] {
  let balanceKopecks = openingKopecks;
  const lines = entries.map((entry) => {
    balanceKopecks += entry.amountKopecks;
    return { ...entry, balanceKopecks };
  });
  if (balanceKopecks !== closingKopecks) throw new Error('the running total of a statement misses its closing balance');
  return lines;
}
