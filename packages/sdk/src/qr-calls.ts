import type { CreatedQrPayment, ListPage, NewQrPayment, QrHistoryOptions, QrPayment } from './types.ts';
import { answered, queryOf, withAmountToken } from './wire.ts';

type ReadOptions = { readonly signal?: AbortSignal };
type CommandOptions = ReadOptions & { readonly idempotencyKey?: string };
type Request = (input: CommandOptions & { method: 'GET' | 'POST'; target: string; body?: unknown }) => Promise<{ readonly json: unknown }>;

/** Payments by SBP QR code. */
export type QrCalls = {
  /** If the status is CREATED and there is no code yet, call again with the same key, or poll `readQrPayment`. */
  createQrPayment(payment: NewQrPayment, options?: CommandOptions): Promise<CreatedQrPayment>;
  readQrPayment(id: string, options?: ReadOptions): Promise<QrPayment>;
  /** Cancels an unpaid payment, like `cancelCardPayment`. If the buyer pays the code anyway, the money is returned. */
  cancelQrPayment(id: string, options?: CommandOptions): Promise<QrPayment>;
  /** The QR payments of a payment point, newest first: for reconciliation. */
  listQrPayments(paymentPointID: string, query?: QrHistoryOptions, options?: ReadOptions): Promise<ListPage<QrPayment>>;
};

/** These calls, sent with the client's signed request. */
export function qrCalls(request: Request): QrCalls {
  const get = async (target: string, given: ReadOptions = {}) => (await request({ ...given, method: 'GET', target })).json;
  return {
    async createQrPayment(payment, given) {
      const body = withAmountToken(payment);
      const { json } = await request({ ...given, method: 'POST', target: '/api/qr', body });
      return answered<CreatedQrPayment>(json, 'id');
    },
    async readQrPayment(id, given) {
      return answered<QrPayment>(await get(`/api/qr/${encodeURIComponent(id)}`, given), 'id');
    },
    async cancelQrPayment(id, given) {
      const target = `/api/qr/${encodeURIComponent(id)}/cancel`;
      return answered<QrPayment>((await request({ ...given, method: 'POST', target })).json, 'id');
    },
    async listQrPayments(paymentPointID, query = {}, given = {}) {
      const target = `/api/payments/${encodeURIComponent(paymentPointID)}${queryOf(query)}`;
      return answered<ListPage<QrPayment>>(await get(target, given), 'items');
    },
  };
}
