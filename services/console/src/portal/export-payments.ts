import { setTimeout as wait } from 'node:timers/promises';
import type { RequestHandler, Response } from 'express';
import { z } from 'zod';
import { ApiError, invalidField } from '@pay/shared/errors/api-error.ts';
import { columnsOf, maybe, rubles, text, type Item } from '../files/columns.ts';
import { sendFile, type FileFormat } from '../files/send-file.ts';
import { withAmountsAsText } from './amounts.ts';
import type { GatewayAnswer, GatewayCall, PortalGateway } from './gateway.ts';
import type { SessionCookie } from './session-cookie.ts';
import { shownPartner } from './shown-partner.ts';

/** The exported fields of a payment by card. Amounts stay exact text until they are written. */
const CardPayment = z.object({
  id: text,
  status: text,
  failureCode: maybe,
  paymentMethod: text,
  amount: rubles,
  refundedAmount: rubles,
  currency: text,
  paymentPointID: text,
  orderID: text,
  customerID: text,
  description: text,
  bankOperationId: maybe,
  bindingId: maybe,
  createdAt: text,
  updatedAt: text,
});

/** The exported fields of a payment by QR code. */
const QrPayment = z.object({
  id: text,
  status: text,
  failureCode: maybe,
  paymentMethod: text,
  amount: rubles,
  refundedAmount: rubles,
  currency: text,
  paymentPointID: text,
  description: maybe,
  bankOperationId: maybe,
  createdAt: text,
  updatedAt: text,
});

type Deps = { readonly gateway: PortalGateway };

const PAGE_SIZE = '100';
/** How often a page is asked for while the partner's rate limit refuses it, and how long each wait may be, in seconds. */
export const PAGE_ATTEMPTS = 20;
export const RETRY_AFTER_MAX = 30;

/** GET /api/card.csv and .xlsx: all payments by card that the list shows with the same filters, in the same order. */
export const exportCardPaymentsRoute = (deps: Deps, cookie: SessionCookie, format: FileFormat): RequestHandler =>
  exportRoute(deps, cookie, { format, name: 'card-payments', item: CardPayment, pathOf: () => '/partner/api/card' });

/** GET /api/qr.csv?point= and .xlsx: the same for the QR codes of a payment point. */
export const exportQrPaymentsRoute = (deps: Deps, cookie: SessionCookie, format: FileFormat): RequestHandler =>
  exportRoute(deps, cookie, {
    format,
    name: 'qr-payments',
    item: QrPayment,
    pathOf: (query) => {
      const point = query.get('point');
      if (point === null || point === '') throw invalidField('point', 'is required');
      query.delete('point');
      return `/partner/api/payments/${encodeURIComponent(point)}`;
    },
  });

/**
 * Lets a session write one file at a time, in this process: its pages count in the limit that its partner's signed calls
 * share. @throws ApiError 429
 */
export function oneExport(cookie: SessionCookie): RequestHandler {
  const writing = new Set<string>();
  return (req, res, next) => {
    const token = cookie.read(req);
    if (token !== undefined) {
      if (writing.has(token)) throw new ApiError('RATE_LIMITED', { text: 'another file is still being downloaded', retryAfterSeconds: 5 });
      writing.add(token);
      res.on('close', () => writing.delete(token));
    }
    next();
  };
}

type Exported = {
  readonly format: FileFormat;
  readonly name: string;
  readonly item: Item;
  /** Takes what the path needs out of the query. */
  readonly pathOf: (query: URLSearchParams) => string;
};

function exportRoute({ gateway }: Deps, cookie: SessionCookie, { format, name, item, pathOf }: Exported): RequestHandler {
  return async (req, res) => {
    const { shown, url } = shownPartner(req);
    const query = new URLSearchParams(url.split('?')[1] ?? '');
    const path = pathOf(query);
    query.delete('pageToken');
    query.set('limit', PAGE_SIZE);
    const token = cookie.read(req);
    const ask = () => askForPage(gateway, { path: `${path}?${query.toString()}`, shown, token }, res);
    const first = await ask();
    if (first.status !== 200) {
      res.status(first.status).set(first.headers).send(first.body);
      return;
    }
    await sendFile(req, res, { format, name, columns: columnsOf(item) }, linesOf(first, item, query, ask));
  };
}

/** Asks for a page of a file, again while the partner's rate limit refuses it and somebody waits for it. */
export async function askForPage(
  gateway: PortalGateway,
  call: Pick<GatewayCall, 'path' | 'shown' | 'token'>,
  res: Response,
): Promise<GatewayAnswer> {
  for (let attempt = 1; ; attempt += 1) {
    const answer = await gateway({ method: 'GET', ...call });
    const seconds = Number(answer.headers['retry-after']);
    const mayRepeat = attempt < PAGE_ATTEMPTS && seconds <= RETRY_AFTER_MAX && !res.closed;
    if (answer.status !== 429 || !mayRepeat) return answer;
    await wait(seconds * 1_000);
  }
}

/** The lines of the first page and of each page that follows by `nextPageToken`. */
async function* linesOf(
  first: GatewayAnswer,
  item: Item,
  query: URLSearchParams,
  ask: () => Promise<GatewayAnswer>,
): AsyncGenerator<(string | null)[][]> {
  const Page = z.object({ items: z.array(item), nextPageToken: text.nullable() });
  const columns = Object.keys(item.shape);
  for (let answer = first; ; answer = await ask()) {
    if (answer.status !== 200) throw new ApiError('SERVICE_UNAVAILABLE');
    const { items, nextPageToken } = Page.parse(JSON.parse(withAmountsAsText(answer.body.toString())));
    yield items.map((row) => columns.map((name) => row[name] ?? null));
    if (nextPageToken === null) return;
    query.set('pageToken', nextPageToken);
  }
}
