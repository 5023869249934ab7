import type { ListPage, NewWithdrawalRequest, WithdrawalBalance, WithdrawalFilter, WithdrawalRequest } from './types.ts';
import { answered, queryOf, withExactAmounts } from './wire.ts';

type ReadOptions = { readonly signal?: AbortSignal };
type CommandOptions = ReadOptions & { readonly idempotencyKey?: string };
type Request = (input: CommandOptions & { method: 'GET' | 'POST'; target: string; body?: unknown }) => Promise<{ readonly json: unknown }>;

/** Payout requests, which people review and transfer manually. */
export type WithdrawalCalls = {
  /** Reserves the amount. REQUESTED does not confirm a transfer. */
  createWithdrawalRequest(wanted: NewWithdrawalRequest, options?: CommandOptions): Promise<WithdrawalRequest>;
  readWithdrawalRequest(requestID: string, options?: ReadOptions): Promise<WithdrawalRequest>;
  /** Newest first. */
  listWithdrawalRequests(filter?: WithdrawalFilter, options?: ReadOptions): Promise<ListPage<WithdrawalRequest>>;
  /**
   * Cancels a request before an operator takes it: its status becomes `CANCELLED` and the amount becomes available again.
   * Later, throws an `ApiError` with the code CANCEL_NOT_ALLOWED.
   */
  cancelWithdrawalRequest(requestID: string, options?: CommandOptions): Promise<WithdrawalRequest>;
  readWithdrawalBalance(storeID: string, options?: ReadOptions): Promise<WithdrawalBalance>;
};

/** These calls, sent with the client's signed request. */
export function withdrawalCalls(request: Request): WithdrawalCalls {
  const list = '/api/withdrawal-requests';
  const pathOf = (requestID: string) => `${list}/${encodeURIComponent(requestID)}`;
  const get = async (target: string, given: ReadOptions = {}) => (await request({ ...given, method: 'GET', target })).json;
  return {
    async createWithdrawalRequest(wanted, given) {
      const { json } = await request({ ...given, method: 'POST', target: list, body: withExactAmounts(wanted) });
      return answered<WithdrawalRequest>(json, 'withdrawalRequestId');
    },
    async readWithdrawalRequest(requestID, given) {
      return answered<WithdrawalRequest>(await get(pathOf(requestID), given), 'withdrawalRequestId');
    },
    async listWithdrawalRequests(filter = {}, given = {}) {
      return answered<ListPage<WithdrawalRequest>>(await get(`${list}${queryOf(filter)}`, given), 'items');
    },
    async cancelWithdrawalRequest(requestID, given) {
      const { json } = await request({ ...given, method: 'POST', target: `${pathOf(requestID)}/cancel` });
      return answered<WithdrawalRequest>(json, 'withdrawalRequestId');
    },
    async readWithdrawalBalance(storeID, given) {
      const target = `/api/withdrawal-balances/${encodeURIComponent(storeID)}`;
      return answered<WithdrawalBalance>(await get(target, given), 'storeId');
    },
  };
}
