import type { Binding, BindingFilter, ListPage, NewRecurringPayment, RecurringPayment } from './types.ts';
import { answered, queryOf, withExactAmounts } from './wire.ts';

type ReadOptions = { readonly signal?: AbortSignal };
type CommandOptions = ReadOptions & { readonly idempotencyKey?: string };
type Request = (input: CommandOptions & { method: 'GET' | 'POST'; target: string; body?: unknown }) => Promise<{ readonly json: unknown }>;

/** Saved cards and their charges. */
export type BindingCalls = {
  /**
   * Charges a saved card. If it is too early, throws an `ApiError` with the code PERIOD_NOT_ELAPSED and `nextChargeAt`. If
   * the status is CREATED, call again with the same key.
   */
  createRecurringPayment(payment: NewRecurringPayment, options?: CommandOptions): Promise<RecurringPayment>;
  listBindings(filter: BindingFilter, options?: ReadOptions): Promise<ListPage<Binding>>;
  readBinding(bindingId: string, options?: ReadOptions): Promise<Binding>;
  /** Revokes the binding immediately and permanently: no further charges. */
  revokeBinding(bindingId: string, options?: CommandOptions): Promise<Binding>;
};

/** These calls, sent with the client's signed request. */
export function bindingCalls(request: Request): BindingCalls {
  const pathOf = (bindingId: string) => `/v1/bindings/${encodeURIComponent(bindingId)}`;
  return {
    async createRecurringPayment(payment, given) {
      const { json } = await request({
        ...given,
        method: 'POST',
        target: '/v1/recurring-payments',
        body: withExactAmounts(payment),
      });
      return answered<RecurringPayment>(json, 'paymentId');
    },
    async listBindings(filter, given) {
      const { json } = await request({ ...given, method: 'GET', target: `/v1/bindings${queryOf(filter)}` });
      return answered<ListPage<Binding>>(json, 'items');
    },
    async readBinding(bindingId, given) {
      const { json } = await request({ ...given, method: 'GET', target: pathOf(bindingId) });
      return answered<Binding>(json, 'bindingId');
    },
    async revokeBinding(bindingId, given) {
      const { json } = await request({ ...given, method: 'POST', target: `${pathOf(bindingId)}/revoke` });
      return answered<Binding>(json, 'bindingId');
    },
  };
}
