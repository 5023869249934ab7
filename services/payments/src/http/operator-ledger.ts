import type { RequestHandler } from 'express';
import { z } from 'zod';
import { invalidField } from '@pay/shared/errors/api-error.ts';
import { validate } from '@pay/shared/http/validate.ts';
import { renderRub } from '@pay/shared/money/money.ts';
import { readTrialBalance } from '../db/ledger.ts';
import type { Deps } from '../deps.ts';
import { readStatement } from '../use-cases/read-statement.ts';
import { moment } from './fields.ts';

/** Signed: `-97.99`. */
const signed = (kopecks: bigint) => (kopecks < 0n ? `-${renderRub(-kopecks)}` : renderRub(kopecks));

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
        balance: signed(balanceKopecks),
      })),
      total: signed(balances.reduce((sum, { balanceKopecks }) => sum + balanceKopecks, 0n)),
    });
  };
}

const Period = z.strictObject({ from: moment, to: moment });

/** GET /operator/ledger/statements/{partnerId}: what we owe a partner, booking by booking, from `from` on and before `to`. */
export function getStatementRoute(deps: Deps): RequestHandler {
  return async (req, res) => {
    const { from, to } = validate(Period, { ...req.query });
    if (to <= from) throw invalidField('to', 'must be after from');
    const partnerId = validate(z.object({ partnerId: z.string().max(128) }), req.params).partnerId;
    const { openingKopecks, closingKopecks, lines } = await readStatement(deps.db, { partnerId, from, to });
    res.json({
      partnerId,
      from: from.toISOString(),
      to: to.toISOString(),
      opening: signed(openingKopecks),
      closing: signed(closingKopecks),
      items: lines.map((line) => ({
        ledgerTransactionId: line.ledgerTransactionId,
        bookedAt: line.bookedAt.toISOString(),
        kind: line.kind,
        referenceId: line.referenceId,
        amount: signed(line.amountKopecks),
        fee: signed(line.feeKopecks),
        balance: signed(line.balanceKopecks),
      })),
    });
  };
}
