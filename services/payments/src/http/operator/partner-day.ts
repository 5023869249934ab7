import type { RequestHandler } from 'express';
import { PartnerDayQuery, PartnerPath } from '@pay/contract/operator/ledger.ts';
import { fileLanguageOf, sendCsv } from '@pay/shared/csv/csv.ts';
import { validate, validateQuery } from '@pay/shared/http/validate.ts';
import { renderRub, shareOf } from '@pay/shared/money/money.ts';
import type { ReportLine } from '../../db/reconciliation/partner-day.ts';
import type { Deps } from '../../deps.ts';
import { readPartnerDay } from '../../use-cases/reconciliation/read-reconciliations.ts';

const COLUMNS = [
  { name: 'type' },
  { name: 'orderId' },
  { name: 'merchantOrderId' },
  { name: 'refundId' },
  { name: 'merchantRefundId' },
  { name: 'paymentPointId' },
  { name: 'paymentMethod' },
  { name: 'status' },
  { name: 'amount', decimals: 2 },
  { name: 'fee', decimals: 2 },
  { name: 'currency' },
  { name: 'bankOperationId' },
  { name: 'createdAt' },
  { name: 'updatedAt' },
  { name: 'reconciliation' },
] as const;

/**
 * GET /operator/partners/{partnerId}/operations.csv?date=: a partner's payments and refunds that began on a day (UTC), and
 * how each compared with the bank's register. Streamed page by page, so that a day of any size needs the memory of one page.
 */
export function partnerDayRoute(deps: Deps): RequestHandler {
  return async (req, res) => {
    const { partnerId } = validate(PartnerPath, req.params);
    const { date } = validateQuery(PartnerDayQuery, req.url);
    const pages = async function* () {
      for await (const lines of readPartnerDay(deps, partnerId, date)) yield lines.map(cellsOf);
    };
    // The console says which of its languages the reader has.
    const language = fileLanguageOf(req.acceptsLanguages(['en', 'ru']));
    await sendCsv(res, { name: `operations-${date}`, columns: COLUMNS, language }, pages());
  };
}

function cellsOf(line: ReportLine): string[] {
  const isBooked = line.type === 'PAYMENT' && (line.status === 'COMPLETED' || line.status === 'REFUNDED');
  return [
    line.type,
    line.paymentId,
    line.merchantOrderId,
    line.refundId ?? '',
    line.merchantRefundId ?? '',
    line.paymentPointId,
    line.method,
    line.status,
    renderRub(line.amountKopecks),
    isBooked ? renderRub(shareOf(line.amountKopecks, line.feeBasisPoints)) : '',
    line.currency,
    line.bankOperationId ?? '',
    line.createdAt.toISOString(),
    line.updatedAt.toISOString(),
    line.result ?? 'NOT_COMPARED',
  ];
}
