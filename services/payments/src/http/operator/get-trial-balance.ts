import type { RequestHandler } from 'express';
import { z } from 'zod';
import { validate } from '@pay/shared/http/validate.ts';
import { renderRubAmount } from '@pay/shared/money/money.ts';
import { readTrialBalance, type Balance } from '../../db/ledger/ledger.ts';
import type { Deps } from '../../deps.ts';
import { readCheckedTrialBalance } from '../../use-cases/ledger/check-ledger.ts';
import { moment } from '../fields.ts';

const AtQuery = z.strictObject({ at: moment.optional() });

/**
 * GET /operator/ledger/trial-balance: every account, debits positive; `total` is 0.00, or the books are broken. Without
 * `at` every account is compared with its running total: `differences` is empty, or somebody wrote around the service.
 */
export function getTrialBalanceRoute(deps: Deps): RequestHandler {
  return async (req, res) => {
    const { at } = validate(AtQuery, { ...req.query });
    if (at !== undefined) {
      res.json(renderBalances(await readTrialBalance(deps.db, at)));
      return;
    }
    const { balances, differences } = await readCheckedTrialBalance(deps.db);
    res.json({
      ...renderBalances(balances),
      differences: differences.map((difference) => ({
        account: difference.account,
        owner: difference.owner,
        balance: renderRubAmount(difference.balanceKopecks),
        entries: Number(difference.entryCount),
        runningTotal: renderRubAmount(difference.runningKopecks),
        runningEntries: Number(difference.runningCount),
      })),
    });
  };
}

function renderBalances(balances: readonly Balance[]) {
  return {
    items: balances.map(({ account, owner, balanceKopecks }) => ({
      account,
      owner,
      balance: renderRubAmount(balanceKopecks),
    })),
    total: renderRubAmount(balances.reduce((sum, { balanceKopecks }) => sum + balanceKopecks, 0n)),
  };
}
