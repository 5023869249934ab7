import type { RequestHandler } from 'express';
import type { WithdrawalOverview } from '@pay/contract/operator/withdrawals.ts';
import { renderUsdt } from '@pay/shared/money/money.ts';
import type { Deps } from '../../deps.ts';
import { readOverview } from '../../use-cases/read-withdrawals.ts';

/** GET /operator/overview: the greatest balances, with shares to draw them by, and how long requests wait. */
export function overviewRoute(deps: Deps): RequestHandler {
  return async (_req, res) => {
    const { balances, open } = await readOverview(deps.db);
    const overview: WithdrawalOverview = {
      balances: balances.map(({ availableMicroUsdt, reservedMicroUsdt, paidMicroUsdt, ...store }) => ({
        ...store,
        availableUsdt: renderUsdt(availableMicroUsdt),
        reservedUsdt: renderUsdt(reservedMicroUsdt),
        paidUsdt: renderUsdt(paidMicroUsdt),
      })),
      waiting: open.map(({ status, count, oldestAt }) => ({
        status,
        waiting: count,
        oldestAt: oldestAt.toISOString(),
      })),
    };
    res.json(overview);
  };
}
