import { once } from 'node:events';
import type { RequestHandler } from 'express';
import { z } from 'zod';
import { validate } from '@pay/shared/http/validate.ts';
import { renderRub, shareOf } from '@pay/shared/money/money.ts';
import type { ReportLine } from '../db/report.ts';
import type { Deps } from '../deps.ts';
import { readPartnerDay } from '../use-cases/read-reconciliations.ts';
import { csvLine } from './csv.ts';

const Path = z.object({ partnerId: z.string().min(1).max(128) });
const Query = z.strictObject({ date: z.iso.date() });

const HEADER = [
  'type',
  'orderId',
  'merchantOrderId',
  'refundId',
  'merchantRefundId',
  'paymentPointId',
  'paymentMethod',
  'status',
  'amount',
  'fee',
  'currency',
  'bankOperationId',
  'createdAt',
  'updatedAt',
  'reconciliation',
] as const;

/**
 * GET /operator/partners/{partnerId}/operations.csv?date=: a partner's payments and refunds that began on a day (UTC), and
 * how each compared with the bank's register. Streamed page by page: a day of any size takes the memory of one page.
 */
export function partnerDayRoute(deps: Deps): RequestHandler {
  return async (req, res) => {
    const { partnerId } = validate(Path, req.params);
    const { date } = validate(Query, { ...req.query });
    res.status(200).set('Content-Type', 'text/csv; charset=utf-8');
    res.set('Content-Disposition', `attachment; filename="operations-${date}.csv"`);
    res.write(csvLine(HEADER));
    for await (const lines of readPartnerDay(deps, partnerId, date)) {
      const isTaken = res.write(lines.map((line) => csvLine(cellsOf(line))).join(''));
      // A reader that is slower than we are sets the pace; one that went away ends it.
      if (!isTaken) await Promise.race([once(res, 'drain'), once(res, 'close')]);
      if (res.closed) return;
    }
    res.end();
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
