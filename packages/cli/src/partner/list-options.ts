import { PAYMENT_STATUSES, type PageOptions, type QrHistoryOptions } from '@pay/sdk/types.ts';
import { usage } from '../fault.ts';

/** `--limit` and `--page-token` of a list. */
export function pageOptions(limit: string | undefined, pageToken: string | undefined): PageOptions {
  if (limit !== undefined && !/^\d+$/.test(limit)) throw usage('--limit must be a whole number');
  return {
    ...(limit === undefined ? {} : { limit: Number(limit) }),
    ...(pageToken === undefined ? {} : { pageToken }),
  };
}

/** The filters of a payment list. */
export type PaymentListOptions = {
  from?: string;
  to?: string;
  status?: string;
  limit?: string;
  pageToken?: string;
};

/** The options shared by the lists of card and QR payments. */
export function paymentListQuery({ from, to, status, limit, pageToken }: PaymentListOptions): QrHistoryOptions {
  return {
    ...pageOptions(limit, pageToken),
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
    ...statusOption(PAYMENT_STATUSES, status),
  };
}

/** `--status` of a list: one of its known values. @throws CliFault */
export function statusOption<Status extends string>(known: readonly Status[], text: string | undefined): { readonly status?: Status } {
  if (text === undefined) return {};
  const status = known.find((one) => one === text);
  if (status === undefined) throw usage(`--status must be one of ${known.join(', ')}`);
  return { status };
}
