import type { RequestHandler } from 'express';
import { PartnerPath, StatementQuery, type Statement } from '@pay/contract/operator/ledger.ts';
import { validate, validateQuery } from '@pay/shared/http/validate.ts';
import { renderRubAmount } from '@pay/shared/money/money.ts';
import type { Deps } from '../../deps.ts';
import { readStatement } from '../../use-cases/ledger/read-statement.ts';

/** GET /operator/ledger/statements/{partnerId}: what we owe a partner, booking by booking, since `from` and before `to`. */
export function getStatementRoute(deps: Deps): RequestHandler {
  return async (req, res) => {
    const { from, to } = validateQuery(StatementQuery, req.url);
    const { partnerId } = validate(PartnerPath, req.params);
    const { openingKopecks, closingKopecks, lines } = await readStatement(deps.db, { partnerId, from, to });
    const statement: Statement = {
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
    };
    res.json(statement);
  };
}
