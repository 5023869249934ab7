import type { RequestHandler } from 'express';
import { z } from 'zod';
import { validate } from '@pay/shared/http/validate.ts';
import { readTrialBalance } from '../db/ledger.ts';
import type { Deps } from '../deps.ts';
import { moment } from './fields.ts';
import { renderSigned } from './render-signed.ts';

const AtQuery = z.strictObject({ at: moment.optional() });

/** GET /operator/ledger/trial-balance: every account, debits positive; `total` is 0.00, or the books are broken. */
export function getTrialBalanceRoute(deps: Deps): RequestHandler {
  return async (req, res) => {
    const { at } = validate(AtQuery, { ...req.query });
    const balances = await readTrialBalance(deps.db, at);
    res.json({
      items: balances.map(({ account, owner, balanceKopecks }) => ({
        account,
        owner,
        balance: renderSigned(balanceKopecks),
      })),
      total: renderSigned(balances.reduce((sum, { balanceKopecks }) => sum + balanceKopecks, 0n)),
    });
  };
}
