import { once } from 'node:events';
import type { RequestHandler } from 'express';
import { z } from 'zod';
import { ApiError } from '@pay/shared/errors/api-error.ts';
import type { Deps } from '../deps.ts';
import { csvLine } from '../domain/csv.ts';
import { signedInOf } from './operator-session.ts';

const text = z.string();
/** What of a request is exported; amounts stay the texts that they are. */
const Item = z.object({
  withdrawalRequestId: text,
  status: text,
  partnerID: text,
  storeId: text,
  beneficiaryRef: text,
  amountUsdt: text,
  transferReference: text.optional(),
  statusReason: text.optional(),
  takenBy: text.nullable(),
  reviewedBy: text.nullable(),
  reviewedAt: text.optional(),
  completedBy: text.nullable(),
  completedAt: text.optional(),
  createdAt: text,
  updatedAt: text,
});
const Page = z.object({ items: z.array(Item), nextPageToken: text.nullable() });

const COLUMNS = Object.keys(Item.shape);
const PAGE_SIZE = '100';

/**
 * GET /api/withdrawals.csv: every request that the list shows with the same filters, in the same order, page by page as
 * fast as it is read. A service that stops answering cuts the download: half a file never looks whole.
 */
export function exportWithdrawalsRoute(deps: Deps): RequestHandler {
  return async (req, res) => {
    const { login } = signedInOf(res);
    const query = new URLSearchParams(req.originalUrl.split('?')[1] ?? '');
    query.set('limit', PAGE_SIZE);
    query.delete('pageToken');
    for (let isFirst = true; ; isFirst = false) {
      const path = `/withdrawals?${query.toString()}`;
      const answer = await deps.upstreams.withdrawals({ method: 'GET', path, login });
      if (answer.status !== 200) {
        if (!isFirst) throw new ApiError('SERVICE_UNAVAILABLE');
        res.status(answer.status).type('application/json').send(answer.text);
        return;
      }
      const page = Page.parse(JSON.parse(answer.text));
      if (isFirst) {
        res.set({
          'Content-Type': 'text/csv; charset=utf-8',
          'Content-Disposition': 'attachment; filename="withdrawals.csv"',
          'Cache-Control': 'no-store',
        });
        res.write(csvLine(COLUMNS));
      }
      const lines = page.items.map((item) => csvLine(Object.keys(Item.shape).map((name) => cellOf(item, name))));
      if (!res.write(lines.join(''))) await Promise.race([once(res, 'drain'), once(res, 'close')]);
      if (res.destroyed) return;
      if (page.nextPageToken === null) break;
      query.set('pageToken', page.nextPageToken);
    }
    res.end();
  };
}

function cellOf(item: Readonly<Record<string, string | null | undefined>>, name: string): string | null {
  return item[name] ?? null;
}
