import type { ListPage, NewRefund, PageOptions, Refund } from './types.ts';
import { answered, queryOf, withExactAmounts } from './wire.ts';

type ReadOptions = { readonly signal?: AbortSignal };
type CommandOptions = ReadOptions & { readonly idempotencyKey?: string };
type Request = (input: CommandOptions & { method: 'GET' | 'POST'; target: string; body?: unknown }) => Promise<{ readonly json: unknown }>;

/** Refunds. If the status is PENDING, the bank has not decided yet: poll `readRefund`, or wait for the event. */
export type RefundCalls = {
  /** Refunds part of a card payment, or all that remains. */
  refundCardPayment(id: string, refund?: NewRefund, options?: CommandOptions): Promise<Refund>;
  /** Refunds part of a QR payment, or all that remains. */
  refundQrPayment(id: string, refund?: NewRefund, options?: CommandOptions): Promise<Refund>;
  readRefund(refundId: string, options?: ReadOptions): Promise<Refund>;
  listCardRefunds(id: string, page?: PageOptions, options?: ReadOptions): Promise<ListPage<Refund>>;
  listQrRefunds(id: string, page?: PageOptions, options?: ReadOptions): Promise<ListPage<Refund>>;
};

/** These calls, sent with the client's signed request. */
export function refundCalls(request: Request): RefundCalls {
  const create = async (kind: 'card' | 'qr', id: string, refund: NewRefund = {}, given: CommandOptions = {}) => {
    const target = `/api/${kind}/${encodeURIComponent(id)}/refunds`;
    return answered<Refund>((await request({ ...given, method: 'POST', target, body: withExactAmounts(refund) })).json, 'refundId');
  };
  const list = async (kind: 'card' | 'qr', id: string, page: PageOptions = {}, given: ReadOptions = {}) => {
    const target = `/api/${kind}/${encodeURIComponent(id)}/refunds${queryOf(page)}`;
    return answered<ListPage<Refund>>((await request({ ...given, method: 'GET', target })).json, 'items');
  };
  return {
    refundCardPayment: (id, refund, given) => create('card', id, refund, given),
    refundQrPayment: (id, refund, given) => create('qr', id, refund, given),
    async readRefund(refundId, given) {
      const target = `/api/refunds/${encodeURIComponent(refundId)}`;
      return answered<Refund>((await request({ ...given, method: 'GET', target })).json, 'refundId');
    },
    listCardRefunds: (id, page, given) => list('card', id, page, given),
    listQrRefunds: (id, page, given) => list('qr', id, page, given),
  };
}
