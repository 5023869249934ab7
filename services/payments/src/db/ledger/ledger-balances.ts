import { max, sql } from 'drizzle-orm';
import type { Reader } from '@pay/shared/postgres/db.ts';
import { onlyRow } from '@pay/shared/postgres/only-row.ts';
import { selectRows } from '@pay/shared/postgres/select-rows.ts';
import type { LedgerAccount } from '../../domain/ledger/ledger.ts';
import { ledgerBalances, ledgerEntries } from './schema.ts';

/** An account with the sum of its entries, debits positive, and their number. */
export type AccountSum = {
  readonly account: LedgerAccount;
  readonly owner: string;
  readonly balanceKopecks: bigint;
  readonly entryCount: bigint;
};

/** An account whose running total differs from the sum of its entries. */
export type LedgerDifference = AccountSum & {
  /** The running total, and the number of entries in it. */
  readonly runningKopecks: bigint;
  readonly runningCount: bigint;
};

/** Summed by one statement, in a fraction of the time that it may take. */
const ENTRIES_PER_STATEMENT = 1_000_000n;

/**
 * Every account by the sum of its entries, however many there are (decisions/ledger). The statements see the same only
 * in a transaction with one snapshot.
 */
export async function sumEntries(reader: Reader, perStatement = ENTRIES_PER_STATEMENT): Promise<AccountSum[]> {
  const sums = new Map<string, AccountSum>();
  const highest = onlyRow(await reader.select({ position: max(ledgerEntries.position) }).from(ledgerEntries)).position;
  for (let after = 0n; after < (highest ?? 0n); after += perStatement) {
    const rows = await selectRows<Row>(
      reader,
      sql`select account, owner, sum(amount_kopecks)::text as kopecks, count(*)::text as entries from ${ledgerEntries}
        where position > ${after} and position <= ${after + perStatement} group by account, owner`,
    );
    for (const sum of rows.map(toSum)) sums.set(keyOf(sum), together(sums.get(keyOf(sum)), sum));
  }
  return [...sums.values()].toSorted(byAccount);
}

/**
 * Compares the sums of all entries, read in the same snapshot, with the running totals. Empty if the books are consistent
 * (decisions/ledger).
 */
export async function listLedgerDifferences(reader: Reader, sums: readonly AccountSum[]): Promise<LedgerDifference[]> {
  const rows = await selectRows<Row>(
    reader,
    sql`select account, owner, sum(balance_kopecks)::text as kopecks, sum(entry_count)::text as entries
      from ${ledgerBalances} group by account, owner`,
  );
  const running = new Map(rows.map(toSum).map((total) => [keyOf(total), total]));
  const summed = new Map(sums.map((sum) => [keyOf(sum), sum]));
  return [...new Map([...running, ...summed]).values()]
    .map(({ account, owner }): LedgerDifference => {
      const [sum, total] = [summed, running].map((all) => all.get(keyOf({ account, owner })));
      return {
        account,
        owner,
        balanceKopecks: sum?.balanceKopecks ?? 0n,
        entryCount: sum?.entryCount ?? 0n,
        runningKopecks: total?.balanceKopecks ?? 0n,
        runningCount: total?.entryCount ?? 0n,
      };
    })
    .filter((one) => one.balanceKopecks !== one.runningKopecks || one.entryCount !== one.runningCount)
    .toSorted(byAccount);
}

type Row = { account: LedgerAccount; owner: string; kopecks: string; entries: string };
type Named = Pick<AccountSum, 'account' | 'owner'>;

const toSum = ({ account, owner, kopecks, entries }: Row): AccountSum => ({
  account,
  owner,
  balanceKopecks: BigInt(kopecks),
  entryCount: BigInt(entries),
});

const keyOf = ({ account, owner }: Named): string => `${account} ${owner}`;

const byAccount = (one: Named, other: Named): number => (keyOf(one) < keyOf(other) ? -1 : 1);

const together = (before: AccountSum | undefined, { balanceKopecks, entryCount, ...named }: AccountSum): AccountSum => ({
  ...named,
  balanceKopecks: (before?.balanceKopecks ?? 0n) + balanceKopecks,
  entryCount: (before?.entryCount ?? 0n) + entryCount,
});
