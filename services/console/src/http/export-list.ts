import type { RequestHandler, Response } from 'express';
import { z } from 'zod';
import { sendCsv } from '@pay/shared/csv/csv.ts';
import { ApiError } from '@pay/shared/errors/api-error.ts';
import type { Deps } from '../deps.ts';
import type { Action } from '@pay/shared/operators/roles.ts';
import type { OperatedService, OperatorApi, OperatorAnswer } from '../operator-apis/operator-api.ts';
import { exportOnRecord } from '../use-cases/export-on-record.ts';
import { readerOf, signedInOf } from './operator-session.ts';

const text = z.string();
const maybe = text.nullish();

/** The exported fields of a withdrawal request. Amounts stay text. */
const Withdrawal = z.object({
  withdrawalRequestId: text,
  status: text,
  partnerID: text,
  storeId: text,
  beneficiaryRef: text,
  amountUsdt: text,
  transferReference: maybe,
  statusReason: maybe,
  takenBy: maybe,
  reviewedBy: maybe,
  reviewedAt: maybe,
  completedBy: maybe,
  completedAt: maybe,
  createdAt: text,
  updatedAt: text,
});

/** The exported fields of a payment. */
const Payment = z.object({
  paymentId: text,
  status: text,
  failureCode: maybe,
  method: text,
  amount: text,
  refundedAmount: text,
  currency: text,
  partnerID: text,
  paymentPointID: text,
  merchantOrderId: text,
  customerId: text,
  description: text,
  routeId: text,
  bankOperationId: maybe,
  cardMask: maybe,
  bindingId: maybe,
  createdAt: text,
  updatedAt: text,
});

const PAGE_SIZE = '100';

/** The exported fields of an event for a partner. */
const Event = z.object({
  eventId: text,
  type: text,
  status: text,
  partnerId: text,
  aggregateId: text,
  aggregateVersion: z.int().transform(String),
  attemptCount: z.int().transform(String),
  recordedAt: text,
  nextAttemptAt: maybe,
  endedAt: maybe,
  resentBy: maybe,
});

const side = z
  .object({ status: maybe, amount: maybe })
  .transform(({ status, amount }) => [status, amount].join(' ').trim());

/** The exported fields of an exception. */
const Exception = z.object({
  exceptionId: text,
  kind: text,
  status: text,
  reason: text,
  date: maybe,
  routeId: maybe,
  paymentId: maybe,
  bankOperationId: maybe,
  bank: side,
  ours: side,
  resolvedBy: maybe,
  resolvedAt: maybe,
  note: maybe,
  createdAt: text,
});

type Exported = {
  readonly service: OperatedService;
  /** The list's path at the service, which also names the file. */
  readonly list: string;
  readonly item: z.ZodObject<Record<string, z.ZodType<string | null | undefined>>>;
  readonly action: Action;
};
const WITHDRAWALS: Exported = {
  service: 'withdrawals',
  list: 'withdrawals',
  item: Withdrawal,
  action: 'withdrawals.export',
};
const EVENTS: Exported = { service: 'notifier', list: 'events', item: Event, action: 'deliveries.export' };
const EXCEPTIONS: Exported = { service: 'payments', list: 'exceptions', item: Exception, action: 'exceptions.export' };
const PAYMENTS: Exported = { service: 'payments', list: 'payments', item: Payment, action: 'payments.export' };

/** GET /api/withdrawals.csv: all requests that the list shows with the same filters, in the same order. */
export const exportWithdrawalsRoute = (deps: Deps): RequestHandler => exportRoute(deps, WITHDRAWALS);

/** GET /api/payments.csv: all payments that the list shows with the same filters, in the same order. */
export const exportPaymentsRoute = (deps: Deps): RequestHandler => exportRoute(deps, PAYMENTS);

/** GET /api/events.csv: all events that the list shows with the same filters, in the same order. */
export const exportEventsRoute = (deps: Deps): RequestHandler => exportRoute(deps, EVENTS);

/** GET /api/exceptions.csv: all exceptions that the list shows with the same filters, in the same order. */
export const exportExceptionsRoute = (deps: Deps): RequestHandler => exportRoute(deps, EXCEPTIONS);

function exportRoute(deps: Deps, { service, list, item, action }: Exported): RequestHandler {
  const call = deps.operatorApis[service];
  return async (req, res) => {
    const query = new URLSearchParams(req.originalUrl.split('?')[1] ?? '');
    query.delete('pageToken');
    query.delete('limit');
    const filter = Object.fromEntries(query);
    query.set('limit', PAGE_SIZE);
    const ask = (): ReturnType<OperatorApi> =>
      call({ method: 'GET', path: `/${list}?${query.toString()}`, operator: readerOf(signedInOf(res)) });
    const first = await ask();
    if (first.status !== 200) {
      refuse(res, first);
      return;
    }
    const columns = Object.keys(item.shape);
    const audited = { signedIn: signedInOf(res), action, subjectId: list, filter };
    await sendCsv(res, `${list}.csv`, columns, exportOnRecord(deps.db, audited, linesOf(first, item, query, ask)));
  };
}

/** The lines of the first page and of each page that follows by `nextPageToken`. */
async function* linesOf(
  first: OperatorAnswer,
  item: Exported['item'],
  query: URLSearchParams,
  ask: () => ReturnType<OperatorApi>,
): AsyncGenerator<(string | null)[][]> {
  const Page = z.object({ items: z.array(item), nextPageToken: text.nullable() });
  const columns = Object.keys(item.shape);
  for (let answer = first; ; answer = await ask()) {
    if (answer.status !== 200) throw new ApiError('SERVICE_UNAVAILABLE');
    const { items, nextPageToken } = Page.parse(JSON.parse(answer.text));
    yield items.map((row) => columns.map((name) => row[name] ?? null));
    if (nextPageToken === null) return;
    query.set('pageToken', nextPageToken);
  }
}

/** Passes on the service's refusal of an invalid filter. */
function refuse(res: Response, { status, text: body }: OperatorAnswer): void {
  res.status(status).type('application/json').send(body);
}
