import type { LedgerKind } from './ledger.ts';

/** One booking in a partner's account: a positive amount increases what we owe the partner. */
export type StatementEntry = {
  readonly ledgerTransactionId: string;
  readonly bookedAt: Date;
  readonly kind: LedgerKind;
  /** The payment, or the refund. */
  readonly referenceId: string;
  readonly amountKopecks: bigint;
  /** Our fee. */
  readonly feeKopecks: bigint;
};

export type StatementLine = StatementEntry & { readonly balanceKopecks: bigint };

/**
 * The entries, each with the balance after it. @throws Error if the running total does not end at `closingKopecks`, which
 * was summed independently: then an entry is missing or duplicated, and the page must not be shown.
 */
export function withRunningTotal(openingKopecks: bigint, entries: readonly StatementEntry[], closingKopecks: bigint): StatementLine[] {
  let balanceKopecks = openingKopecks;
  const lines = entries.map((entry) => {
    balanceKopecks += entry.amountKopecks;
    return { ...entry, balanceKopecks };
  });
  if (balanceKopecks !== closingKopecks) throw new Error('the running total of a statement misses its closing balance');
  return lines;
}
