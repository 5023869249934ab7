import type {
  ListPage,
  NewWithdrawalRequest,
  WithdrawalBalance,
  WithdrawalFilter,
  WithdrawalRequest,
} from './types.ts';
import { answered, queryOf } from './wire.ts';

type ReadOptions = { readonly signal?: AbortSignal };
type CommandOptions = ReadOptions & { readonly idempotencyKey?: string };
type Request = (
  input: CommandOptions & { method: 'GET' | 'POST'; target: string; body?: unknown },
) => Promise<{ readonly json: unknown }>;

/** Payout requests: people check them and transfer by hand. */
export type WithdrawalCalls = {
  /** Reserves the amount. REQUESTED confirms no transfer. */
  createWithdrawalRequest(wanted: NewWithdrawalRequest, options?: CommandOptions): Promise<WithdrawalRequest>;
  readWithdrawalRequest(requestID: string, options?: ReadOptions): Promise<WithdrawalRequest>;
  /** The newest first. */
  listWithdrawalRequests(filter?: WithdrawalFilter, options?: ReadOptions): Promise<ListPage<WithdrawalRequest>>;
  /**
   * Takes a request back while nobody has taken it: `CANCELLED`, the amount is available again. Afterwards an `ApiError` with the
   * code CANCEL_NOT_ALLOWED.
   */
  cancelWithdrawalRequest(requestID: string, options?: CommandOptions): Promise<WithdrawalRequest>;
  readWithdrawalBalance(storeID: string, options?: ReadOptions): Promise<WithdrawalBalance>;
};

/** These calls, by the client's own signed request. */
export function withdrawalCalls(request: Request): WithdrawalCalls {
  const list = '/api/withdrawal-requests';
  const pathOf = (requestID: string) => `${list}/${encodeURIComponent(requestID)}`;
  const get = async (target: string, given: ReadOptions = {}) =>
    (await request({ ...given, method: 'GET', target })).json;
  return {
    async createWithdrawalRequest(wanted, given) {
      const { json } = await request({ ...given, method: 'POST', target: list, body: wanted });
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
