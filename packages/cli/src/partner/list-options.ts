import { PAYMENT_STATUSES, type PageOptions, type PaymentStatus, type QrHistoryOptions } from '@pay/sdk/types.ts';
import { usage } from '../fault.ts';

/** `--limit` and `--page-token` of a list. */
export function pageOptions(limit: string | undefined, pageToken: string | undefined): PageOptions {
  if (limit !== undefined && !/^\d+$/.test(limit)) throw usage('--limit is a whole number');
  return {
    ...(limit === undefined ? {} : { limit: Number(limit) }),
    ...(pageToken === undefined ? {} : { pageToken }),
  };
}

/** Which payments of a list. */
export type PaymentListOptions = {
  from?: string;
  to?: string;
  status?: string;
  limit?: string;
  pageToken?: string;
};

/** What the lists of card and of QR payments take alike. */
export function paymentListQuery({ from, to, status, limit, pageToken }: PaymentListOptions): QrHistoryOptions {
  return {
    ...pageOptions(limit, pageToken),
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
    ...statusOption(status),
  };
}

/** `--status` of a list of payments. */
function statusOption(text: string | undefined): { readonly status?: PaymentStatus } {
  if (text === undefined) return {};
  const status = PAYMENT_STATUSES.find((one) => one === text);
  if (status === undefined) throw usage(`--status must be one of ${PAYMENT_STATUSES.join(', ')}`);
  return { status };
}
