import type { RequestHandler } from 'express';
import { z } from 'zod';
import { invalidField } from '@pay/shared/errors/api-error.ts';
import { validate } from '@pay/shared/http/validate.ts';
import { renderRubAmount } from '@pay/shared/money/money.ts';
import type { Deps } from '../../deps.ts';
import { readStatement } from '../../use-cases/ledger/read-statement.ts';
import { moment } from '../fields.ts';

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
      opening: renderRubAmount(openingKopecks),
      closing: renderRubAmount(closingKopecks),
      items: lines.map((line) => ({
        ledgerTransactionId: line.ledgerTransactionId,
        bookedAt: line.bookedAt.toISOString(),
        kind: line.kind,
        referenceId: line.referenceId,
        amount: renderRubAmount(line.amountKopecks),
        fee: renderRubAmount(line.feeKopecks),
        balance: renderRubAmount(line.balanceKopecks),
      })),
    });
  };
}
