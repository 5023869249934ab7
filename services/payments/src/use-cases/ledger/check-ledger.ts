import { Gauge } from 'prom-client';
import type { Db } from '@pay/shared/postgres/db.ts';
import type { Loop } from '@pay/shared/time/loop.ts';
import { registry } from '@pay/shared/telemetry/metrics.ts';
import type { Balance } from '../../db/ledger/ledger.ts';
import { listLedgerDifferences, sumEntries, type LedgerDifference } from '../../db/ledger/ledger-balances.ts';
import type { Deps } from '../../deps.ts';

/** The sums read every entry: rarely enough to cost little, often enough to date a fault to the hour. */
const INTERVAL_MS = 3_600_000;

const differingAccounts = new Gauge({
  name: 'ledger_differing_accounts',
  help: 'Accounts whose running total was not the sum of their entries when last checked. Anything but 0 is for a person.',
  registers: [registry],
});

export type TrialBalance = {
  readonly balances: readonly Balance[];
  readonly differences: readonly LedgerDifference[];
};

/** Every account by the sum of its entries, and the accounts whose running totals differ; in one snapshot. */
export async function readCheckedTrialBalance(db: Db): Promise<TrialBalance> {
  return db.transaction(
    async (tx) => {
      const sums = await sumEntries(tx);
      const balances = sums.filter(({ balanceKopecks }) => balanceKopecks !== 0n);
      return { balances, differences: await listLedgerDifferences(tx, sums) };
    },
    { isolationLevel: 'repeatable read', accessMode: 'read only' },
  );
}

/** Checks the books every hour. It changes nothing: a difference means that somebody bypassed the service. */
export function checkLedgerLoop(deps: Pick<Deps, 'db' | 'log'>): Loop {
  return {
    name: 'check-ledger',
    intervalMs: INTERVAL_MS,
    round: async () => {
      await checkLedger(deps);
      return 'done';
    },
  };
}

/** Recomputes the sums. Reports differences in the log and in `ledger_differing_accounts`. */
export async function checkLedger({ db, log }: Pick<Deps, 'db' | 'log'>): Promise<readonly LedgerDifference[]> {
  const { differences } = await readCheckedTrialBalance(db);
  differingAccounts.set(differences.length);
  for (const { account, owner, balanceKopecks, runningKopecks } of differences) {
    const facts = { account, owner, balanceKopecks, runningKopecks };
    log.error("an account's running total is not the sum of its entries", facts);
  }
  return differences;
}
