import { inTransaction } from '@pay/shared/postgres/transaction.ts';
import { ApiError } from '@pay/shared/errors/api-error.ts';
import { clock } from '@pay/shared/postgres/clock.ts';
import { appendHistory } from '../db/history.ts';
import type { Deps } from '../deps.ts';
import { isCancellable } from '../domain/operation-status.ts';
import type { Operation } from '../domain/operation.ts';
import { lockCurrent, move } from './current-operation.ts';

/** POST /v1/orders/{operationId}/cancel. An order that is paid, being paid or ended is returned as it is. */
export async function cancelOrder(deps: Deps, operationId: string): Promise<Operation> {
  return inTransaction(deps.db, async (tx) => {
    const order = await lockCurrent(tx, operationId, await clock(tx));
    if (order.kind !== 'ORDER') throw new ApiError('STALE_REVISION', { text: 'only an order can be cancelled' });
    await appendHistory(tx, operationId, [{ event: 'REQUESTED', detail: 'cancel' }]);
    return isCancellable(order.status) ? move(tx, order, { to: 'CANCELLED', reason: null }) : order;
  });
}
