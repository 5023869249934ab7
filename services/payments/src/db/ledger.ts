import { randomUUID } from 'node:crypto';
import { eq, ne, sql } from 'drizzle-orm';
import type { Reader, Tx } from '@pay/shared/database/database.ts';
import type { LedgerAccount, LedgerEntry, LedgerKind } from '../domain/ledger.ts';
import { ledgerEntries, ledgerTransactions } from './schema.ts';

/**
 * Books one balanced transaction and returns its id. The database refuses one that does not sum to zero, and a second
 * one of the same kind for the same reference.
 */
export async function insertLedgerTransaction(
  tx: Tx,
  kind: LedgerKind,
  referenceId: string,
  entries: readonly LedgerEntry[],
): Promise<string> {
  const ledgerTransactionId = randomUUID();
  await tx.insert(ledgerTransactions).values({ ledgerTransactionId, kind, referenceId });
  await tx.insert(ledgerEntries).values(entries.map((entry) => ({ ledgerTransactionId, ...entry })));
  return ledgerTransactionId;
}

/** When a transaction was booked; undefined when there is none. */
export async function findBookedAt(reader: Reader, ledgerTransactionId: string | null): Promise<Date | undefined> {
  if (ledgerTransactionId === null) return undefined;
  const [row] = await reader
    .select({ createdAt: ledgerTransactions.createdAt })
    .from(ledgerTransactions)
    .where(eq(ledgerTransactions.ledgerTransactionId, ledgerTransactionId));
  return row?.createdAt;
}

export type Balance = { readonly account: LedgerAccount; readonly owner: string; readonly balanceKopecks: bigint };

/** Every account that is not empty, debits positive. The whole sums to zero, always. */
export async function readTrialBalance(reader: Reader): Promise<Balance[]> {
  const total = sql<string>`sum(${ledgerEntries.amountKopecks})`;
  const rows = await reader
    .select({ account: ledgerEntries.account, owner: ledgerEntries.owner, total })
    .from(ledgerEntries)
    .groupBy(ledgerEntries.account, ledgerEntries.owner)
    .having(ne(total, sql`0`))
    .orderBy(ledgerEntries.account, ledgerEntries.owner);
  return rows.map(({ account, owner, total: sum }) => ({ account, owner, balanceKopecks: BigInt(sum) }));
}
