import { randomUUIDv7 } from 'node:crypto';
import type { Db, Tx } from '@pay/shared/postgres/db.ts';
import { inTransaction } from '@pay/shared/postgres/transaction.ts';
import { ApiError } from '@pay/shared/errors/api-error.ts';
import { once, type IdempotentRequest } from '@pay/shared/idempotency/idempotency.ts';
import { clock } from '@pay/shared/postgres/clock.ts';
import { holdIssued } from '../db/beneficiaries.ts';
import { bookReserve } from '../db/ledger.ts';
import { insertWithdrawal, type Withdrawal } from '../db/withdrawals.ts';
import { findPartnerStore, readWithdrawal } from './read-withdrawals.ts';
import { publishWithdrawal } from './publish-withdrawal.ts';

export type RequestWithdrawal = {
  readonly storeId: string;
  readonly beneficiaryRef: string;
  readonly amountMicroUsdt: bigint;
};

export type RequestedWithdrawal = {
  readonly withdrawal: Withdrawal;
  readonly status: number;
  readonly replayed: boolean;
};

/**
 * POST /api/withdrawal-requests: saves the request and reserves its amount, both or neither. Nothing is transferred.
 * @throws ApiError 404 for a store or recipient that is not the partner's, 409 INSUFFICIENT_BALANCE, 409 from `once`.
 * Then nothing is stored and the key stays free.
 */
export async function requestWithdrawal(db: Db, request: IdempotentRequest, command: RequestWithdrawal): Promise<RequestedWithdrawal> {
  const { partnerId } = request;
  const withdrawalRequestId = randomUUIDv7();
  const outcome = await inTransaction(db, (tx) =>
    once(tx, request, { objectId: withdrawalRequestId, status: 201 }, () => reserve(tx, { withdrawalRequestId, partnerId, ...command })),
  );
  const { objectId, status, replayed } = outcome;
  return { withdrawal: await readWithdrawal(db, partnerId, objectId), status, replayed };
}

type NewWithdrawal = RequestWithdrawal & Pick<Withdrawal, 'withdrawalRequestId' | 'partnerId'>;

async function reserve(tx: Tx, wanted: NewWithdrawal): Promise<void> {
  const { withdrawalRequestId, partnerId, storeId, beneficiaryRef, amountMicroUsdt } = wanted;
  await findPartnerStore(tx, partnerId, storeId);
  if ((await holdIssued(tx, partnerId, beneficiaryRef)) === undefined) throw new ApiError('NOT_FOUND');
  const now = await clock(tx);
  const withdrawal = await insertWithdrawal(tx, { ...wanted, status: 'REQUESTED', createdAt: now, updatedAt: now });
  const isReserved = await bookReserve(tx, { referenceId: withdrawalRequestId, storeId, amountMicroUsdt });
  if (!isReserved) throw new ApiError('INSUFFICIENT_BALANCE');
  await publishWithdrawal(tx, withdrawal);
}
