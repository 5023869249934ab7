import type { Operation } from './operation.ts';

type Link = { readonly operationId: string; readonly parameters: Readonly<Record<string, string>> };

const of = (operationId: string, parameter: string, member: string): Link => ({
  operationId,
  parameters: { [parameter]: `$response.body#/${member}` },
});

/** What can be called next with the response of an operation. */
const LINKS: Readonly<Record<string, readonly Link[]>> = {
  createCardPayment: [of('readCardPayment', 'id', 'id'), of('cancelCardPayment', 'id', 'id'), of('refundCardPayment', 'id', 'id')],
  createQrPayment: [of('readQrPayment', 'id', 'id'), of('cancelQrPayment', 'id', 'id'), of('refundQrPayment', 'id', 'id')],
  createRecurringPayment: [of('readCardPayment', 'id', 'paymentId'), of('refundCardPayment', 'id', 'paymentId')],
  refundCardPayment: [of('readRefund', 'refundId', 'refundId')],
  refundQrPayment: [of('readRefund', 'refundId', 'refundId')],
  createWithdrawalRequest: [
    of('readWithdrawalRequest', 'requestID', 'withdrawalRequestId'),
    of('cancelWithdrawalRequest', 'requestID', 'withdrawalRequestId'),
  ],
  sendTestCallback: [of('readEvent', 'eventId', 'eventId')],
  replayEvent: [of('readEvent', 'eventId', 'eventId')],
};

/** The links of an operation: those above, and of a list the next page. Undefined if there is none. */
export function linksOf({ operationId, path }: Operation, isList: boolean): Record<string, Link> | undefined {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => [name, `$request.path.${name}`] as const);
  const nextPage = { operationId, parameters: { ...Object.fromEntries(inPath), pageToken: '$response.body#/nextPageToken' } };
  const own = (LINKS[operationId] ?? []).map((link) => [link.operationId, link] as const);
  const all = isList ? [...own, ['nextPage', nextPage] as const] : own;
  return all.length === 0 ? undefined : Object.fromEntries(all);
}
