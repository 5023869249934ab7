import type { Db, Tx } from '@pay/shared/postgres/db.ts';
import { inTransaction } from '@pay/shared/postgres/transaction.ts';
import { ApiError } from '@pay/shared/errors/api-error.ts';
import { once, type IdempotentRequest } from '@pay/shared/idempotency/idempotency.ts';
import type { PartnerId } from '@pay/shared/identities/identities.ts';
import { bookReserveEnd } from '../db/ledger.ts';
import { lockPartnerWithdrawal, moveWithdrawal } from '../db/withdrawals.ts';
import { bookingOf } from '../domain/ledger.ts';
import { effectOfMove } from '../domain/withdrawal-status.ts';
import { readWithdrawal } from './read-withdrawals.ts';
import type { RequestedWithdrawal } from './request-withdrawal.ts';
import { publishWithdrawal } from './publish-withdrawal.ts';

/** Shown to partners and operators. */
const REASON = 'Cancelled by the partner';

/**
 * POST /api/withdrawal-requests/{requestID}/cancel: the partner cancels a request that nobody has taken. Status,
 * ledger, balance and event change together, or nothing does. A request that is already CANCELLED stays as it is.
 * See decisions/cancellation.
 * @throws ApiError NOT_FOUND, CANCEL_NOT_ALLOWED, or from `once`: then nothing is stored and the key stays free
 */
export async function cancelWithdrawal(db: Db, request: IdempotentRequest, withdrawalRequestId: string): Promise<RequestedWithdrawal> {
  const { partnerId } = request;
  const { status, replayed } = await inTransaction(db, (tx) =>
    once(tx, request, { objectId: withdrawalRequestId, status: 200 }, () => release(tx, partnerId, withdrawalRequestId)),
  );
  return { withdrawal: await readWithdrawal(db, partnerId, withdrawalRequestId), status, replayed };
}

async function release(tx: Tx, partnerId: PartnerId, withdrawalRequestId: string): Promise<void> {
  const seen = await lockPartnerWithdrawal(tx, partnerId, withdrawalRequestId);
  if (seen === undefined) throw new ApiError('NOT_FOUND');
  if (seen.status === 'CANCELLED') return;
  const effect = effectOfMove(seen.status, 'CANCELLED');
  const booking = effect === undefined ? undefined : bookingOf(effect);
  if (booking === undefined)
    throw new ApiError('CANCEL_NOT_ALLOWED', { text: `the request is ${seen.status}; only a REQUESTED one can be cancelled` });
  const cancelled = await moveWithdrawal(tx, seen, 'CANCELLED', { cancelledBy: 'PARTNER', statusReason: REASON });
  await publishWithdrawal(tx, cancelled);
  const { storeId, amountMicroUsdt } = seen;
  await bookReserveEnd(tx, booking, { referenceId: withdrawalRequestId, storeId, amountMicroUsdt });
}
