import { OPEN_WITHDRAWAL_STATUSES } from '@pay/contract/operator/states.ts';
import type { Reader } from '@pay/shared/postgres/db.ts';
import { ApiError } from '@pay/shared/errors/api-error.ts';
import type { ListPosition } from '@pay/shared/http/list-page.ts';
import type { PartnerId } from '@pay/shared/identities/identities.ts';
import { readBalance, type Balance } from '../db/ledger.ts';
import { listAudit, type AuditRow } from '../db/audit-log.ts';
import { findStore, listGreatestBalances, listStoreBalances, type Store, type StoreBalance, type StoreShares } from '../db/stores.ts';
import {
  countWithdrawals,
  findPartnerWithdrawal,
  findWithdrawal,
  listWithdrawals,
  type Withdrawal,
  type WithdrawalCount,
  type WithdrawalFilter,
  type WithdrawalPage,
} from '../db/withdrawals.ts';

export type { AuditRow } from '../db/audit-log.ts';
export type { Balance } from '../db/ledger.ts';
export type { StoreBalance } from '../db/stores.ts';
export type { Withdrawal, WithdrawalCount, WithdrawalFilter } from '../db/withdrawals.ts';

const HISTORY_LIMIT = 100;

/** @throws ApiError 404 for a store that does not exist or is not the partner's */
export async function findPartnerStore(reader: Reader, partnerId: PartnerId, storeId: string): Promise<Store> {
  const store = await findStore(reader, storeId);
  if (store?.partnerId !== partnerId) throw new ApiError('NOT_FOUND');
  return store;
}

/** GET /api/withdrawal-balances/{storeID}. @throws ApiError 404 */
export async function readPartnerBalance(reader: Reader, partnerId: PartnerId, storeId: string): Promise<Balance> {
  await findPartnerStore(reader, partnerId, storeId);
  return readBalance(reader, storeId);
}

/** GET /api/withdrawal-requests/{requestID}. @throws ApiError 404, also for another partner's request */
export async function readWithdrawal(reader: Reader, partnerId: PartnerId, id: string): Promise<Withdrawal> {
  const withdrawal = await findPartnerWithdrawal(reader, partnerId, id);
  if (withdrawal === undefined) throw new ApiError('NOT_FOUND');
  return withdrawal;
}

/** GET /api/withdrawal-requests. @throws ApiError 404 for a store that is not the partner's */
export async function readPartnerWithdrawals(
  reader: Reader,
  filter: WithdrawalFilter & { readonly partnerId: PartnerId },
  after: ListPosition | undefined,
  limit: number,
): Promise<WithdrawalPage> {
  if (filter.storeId !== undefined) await findPartnerStore(reader, filter.partnerId, filter.storeId);
  return readWithdrawals(reader, { filter, order: 'newest', after }, limit);
}

/** A page of requests of any partner. For operators. */
export const readWithdrawals = listWithdrawals;

/** The number of matching requests per status, and the time of the oldest. For operators. */
export async function readCounts(reader: Reader, filter: WithdrawalFilter): Promise<WithdrawalCount[]> {
  return countWithdrawals(reader, filter);
}

/** Stores with their balances, ordered by id. For operators. */
export async function readStores(
  reader: Reader,
  filter: { readonly partnerId?: PartnerId | undefined; readonly after?: string | undefined },
  limit: number,
): Promise<StoreBalance[]> {
  return listStoreBalances(reader, filter, limit);
}

/** A request and what operators did with it, newest first. @throws ApiError 404 */
export async function readHistory(
  reader: Reader,
  withdrawalRequestId: string,
): Promise<{ readonly withdrawal: Withdrawal; readonly history: readonly AuditRow[] }> {
  const withdrawal = await findWithdrawal(reader, withdrawalRequestId);
  if (withdrawal === undefined) throw new ApiError('NOT_FOUND');
  return { withdrawal, history: await listAudit(reader, { subjectId: withdrawalRequestId }, HISTORY_LIMIT) };
}

/** What operators did to a partner, newest first. */
export async function readAudit(reader: Reader, partnerId: PartnerId): Promise<AuditRow[]> {
  return listAudit(reader, { partnerId }, HISTORY_LIMIT);
}

const OPEN: ReadonlySet<WithdrawalCount['status']> = new Set(OPEN_WITHDRAWAL_STATUSES);
/** The most that a chart can tell apart. */
const BALANCES_MAX = 12;

/** GET /operator/overview */
export async function readOverview(
  reader: Reader,
): Promise<{ readonly balances: readonly StoreShares[]; readonly open: readonly WithdrawalCount[] }> {
  const counts = await countWithdrawals(reader, {});
  return {
    balances: await listGreatestBalances(reader, BALANCES_MAX),
    open: counts.filter(({ status }) => OPEN.has(status)),
  };
}
