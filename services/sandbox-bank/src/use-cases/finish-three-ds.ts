import { inTransaction } from '@pay/shared/postgres/transaction.ts';
import { ApiError } from '@pay/shared/errors/api-error.ts';
import { clock } from '@pay/shared/postgres/clock.ts';
import { findIdByPage } from '../db/operations.ts';
import type { Deps } from '../deps.ts';
import { eciOf } from '../domain/authentication.ts';
import type { Operation } from '../domain/operation.ts';
import { findCurrent, lockCurrent, move } from './current-operation.ts';

/** The current state of the order that the 3-D Secure page belongs to. @throws ApiError NOT_FOUND */
export async function findThreeDsOrder(deps: Deps, threeDsId: string): Promise<Operation> {
  const operationId = await findIdByPage(deps.db, { threeDsId });
  if (operationId === undefined) throw new ApiError('NOT_FOUND');
  return findCurrent(deps, operationId);
}

/** POST /3ds/{id}. The buyer's first press decides; a later one, or one after the order has ended, changes nothing. */
export async function finishThreeDs(deps: Deps, threeDsId: string, approve: boolean): Promise<Operation> {
  const operationId = await findIdByPage(deps.db, { threeDsId });
  if (operationId === undefined) throw new ApiError('NOT_FOUND');
  return inTransaction(deps.db, async (tx) => {
    const order = await lockCurrent(tx, operationId, await clock(tx));
    if (order.status !== 'THREE_DS_REQUIRED') return order;
    const transStatus = approve ? 'Y' : 'N';
    const authentication = { transStatus, eci: eciOf(transStatus, order.cardMask) } as const;
    return approve
      ? move(tx, order, { to: 'APPROVED', reason: null }, authentication)
      : move(tx, order, { to: 'DECLINED', reason: 'AUTHENTICATION_FAILED' }, authentication);
  });
}
