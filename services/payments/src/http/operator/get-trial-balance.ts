import type { RequestHandler } from 'express';
import { TrialBalanceQuery, type TrialBalance } from '@pay/contract/operator/ledger.ts';
import { validateQuery } from '@pay/shared/http/validate.ts';
import { renderRubAmount } from '@pay/shared/money/money.ts';
import { readTrialBalance, type Balance } from '../../db/ledger/ledger.ts';
import type { Deps } from '../../deps.ts';
import { readCheckedTrialBalance } from '../../use-cases/ledger/check-ledger.ts';

/**
 * GET /operator/ledger/trial-balance: every account, debits positive. A `total` other than 0.00 means that the books are
 * broken. Without `at`, each account is compared with its running total; any entry in `differences` means that somebody
 * wrote to the database without this service.
 */
export function getTrialBalanceRoute(deps: Deps): RequestHandler {
  return async (req, res) => {
    const { at } = validateQuery(TrialBalanceQuery, req.url);
    res.json(at === undefined ? await renderChecked(deps) : renderBalances(await readTrialBalance(deps.db, at)));
  };
}

async function renderChecked({ db }: Deps): Promise<TrialBalance> {
  const { balances, differences } = await readCheckedTrialBalance(db);
  return {
    ...renderBalances(balances),
    differences: differences.map((difference) => ({
      account: difference.account,
      owner: difference.owner,
      balance: renderRubAmount(difference.balanceKopecks),
      entries: Number(difference.entryCount),
      runningTotal: renderRubAmount(difference.runningKopecks),
      runningEntries: Number(difference.runningCount),
    })),
  };
}

function renderBalances(balances: readonly Balance[]): TrialBalance {
  return {
    items: balances.map(({ account, owner, balanceKopecks }) => ({
      account,
      owner,
      balance: renderRubAmount(balanceKopecks),
    })),
    total: renderRubAmount(balances.reduce((sum, { balanceKopecks }) => sum + balanceKopecks, 0n)),
  };
}
