import type { RequestHandler, Response } from 'express';
import { z } from 'zod';
import { ApiError } from '@pay/shared/errors/api-error.ts';
import type { Deps } from '../deps.ts';
import { columnsOf } from '../files/columns.ts';
import { sendFile, type FileFormat } from '../files/send-file.ts';
import type { OperatorApi, OperatorAnswer } from '../operator-apis/operator-api.ts';
import { exportOnRecord } from '../use-cases/export-on-record.ts';
import type { ExportedList } from './exported-lists.ts';
import { readerOf, signedInOf } from './operator-session.ts';

const PAGE_SIZE = '100';

/**
 * GET /api/{name}.csv and .xlsx: everything that the list shows with the same filters, in the same order.
 * @throws ApiError 503 if the service stops answering: half a file never looks complete
 */
export function exportListRoute(deps: Deps, name: string, exported: ExportedList, format: FileFormat): RequestHandler {
  const { service, list, item, action, isWhole = false } = exported;
  const call = deps.operatorApis[service];
  return async (req, res) => {
    const query = new URLSearchParams(req.originalUrl.split('?')[1] ?? '');
    query.delete('pageToken');
    query.delete('limit');
    const filter = Object.fromEntries(query);
    if (!isWhole) query.set('limit', PAGE_SIZE);
    const ask = (): ReturnType<OperatorApi> =>
      call({
        method: 'GET',
        path: query.size === 0 ? `/${list}` : `/${list}?${query.toString()}`,
        operator: readerOf(signedInOf(res)),
      });
    const first = await ask();
    if (first.status !== 200) {
      refuse(res, first);
      return;
    }
    const audited = { signedIn: signedInOf(res), action, subjectId: name, filter };
    const pages = exportOnRecord(deps.db, audited, linesOf(first, item, query, ask));
    await sendFile(req, res, { format, name, columns: columnsOf(item) }, pages);
  };
}

/** The lines of the first page and of each page that follows by `nextPageToken`. */
async function* linesOf(
  first: OperatorAnswer,
  item: ExportedList['item'],
  query: URLSearchParams,
  ask: () => ReturnType<OperatorApi>,
): AsyncGenerator<(string | null)[][]> {
  const Page = z.object({ items: z.array(item), nextPageToken: z.string().nullish() });
  const columns = Object.keys(item.shape);
  for (let answer = first; ; answer = await ask()) {
    if (answer.status !== 200) throw new ApiError('SERVICE_UNAVAILABLE');
    const { items, nextPageToken } = Page.parse(JSON.parse(answer.text));
    yield items.map((row) => columns.map((name) => row[name] ?? null));
    if (nextPageToken === null || nextPageToken === undefined) return;
    query.set('pageToken', nextPageToken);
  }
}

/** Passes on the service's refusal of an invalid filter. */
function refuse(res: Response, { status, text: body }: OperatorAnswer): void {
  res.status(status).type('application/json').send(body);
}
