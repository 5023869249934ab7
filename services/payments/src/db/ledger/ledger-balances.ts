import { sql } from 'drizzle-orm';
import type { Reader } from '@pay/shared/postgres/db.ts';
import { selectRows } from '@pay/shared/postgres/select-rows.ts';
import type { LedgerAccount } from '../../domain/ledger/ledger.ts';
import { ledgerBalances, ledgerEntries } from './schema.ts';

/** An account whose running total differs from the sum of its entries. */
export type LedgerDifference = {
  readonly account: LedgerAccount;
  readonly owner: string;
  /** The sum of the entries, and their number. */
  readonly balanceKopecks: bigint;
  readonly entryCount: bigint;
  /** The running total, and the number of entries in it. */
  readonly runningKopecks: bigint;
  readonly runningCount: bigint;
};

/**
 * Recomputes every account in one snapshot and compares sum and number of entries with its running total. Empty if the
 * books are consistent (ADR 0033).
 */
export async function listLedgerDifferences(reader: Reader): Promise<LedgerDifference[]> {
  const rows = await selectRows<{ account: LedgerAccount; owner: string } & Record<string, string>>(
    reader,
    sql`
    with counted as (
      select account, owner, sum(amount_kopecks) as balance, count(*) as entries from ${ledgerEntries} group by 1, 2),
    running as (
      select account, owner, sum(balance_kopecks) as balance, sum(entry_count) as entries from ${ledgerBalances} group by 1, 2)
    select account, owner, coalesce(counted.balance, 0)::text as balance, coalesce(counted.entries, 0)::text as entries,
      coalesce(running.balance, 0)::text as running, coalesce(running.entries, 0)::text as running_entries
    from counted full join running using (account, owner)
    where counted.balance is distinct from running.balance or counted.entries is distinct from running.entries
    order by account, owner`,
  );
  return rows.map(({ account, owner, ...row }) => ({
    account,
    owner,
    balanceKopecks: BigInt(row['balance'] ?? 0),
    entryCount: BigInt(row['entries'] ?? 0),
    runningKopecks: BigInt(row['running'] ?? 0),
    runningCount: BigInt(row['running_entries'] ?? 0),
  }));
}
