import { inTransaction } from '@pay/shared/postgres/transaction.ts';
import { ApiError } from '@pay/shared/errors/api-error.ts';
import { clock } from '@pay/shared/postgres/clock.ts';
import { findIdByPage } from '../db/operations.ts';
import type { Deps } from '../deps.ts';
import type { Operation } from '../domain/operation.ts';
import { decideSbpPayment } from '../domain/outcome.ts';
import { findCurrent, lockCurrent, move } from './current-operation.ts';

/** The current state of the SBP order that the page belongs to. @throws ApiError NOT_FOUND */
export async function findSbpOrder(deps: Deps, bankOperationId: string): Promise<Operation> {
  const operationId = await findIdByPage(deps.db, { bankOperationId });
  if (operationId === undefined) throw new ApiError('NOT_FOUND');
  return findCurrent(deps, operationId);
}

/**
 * POST /sbp/{bankOperationId}: Pay or Refuse. The first press decides; later ones change nothing. If the amount forces
 * "no answer", the merchant's next read-back stays unanswered.
 */
export async function answerSbp(deps: Deps, bankOperationId: string, pay: boolean): Promise<Operation> {
  const operationId = await findIdByPage(deps.db, { bankOperationId });
  if (operationId === undefined) throw new ApiError('NOT_FOUND');
  return inTransaction(deps.db, async (tx) => {
    const order = await lockCurrent(tx, operationId, await clock(tx));
    if (order.status !== 'REGISTERED') return order;
    if (!pay) return move(tx, order, { to: 'CANCELLED', reason: 'CANCELLED_BY_CUSTOMER' });
    const verdict = decideSbpPayment(order.amountKopecks);
    return move(tx, order, verdict.move, { unansweredReads: verdict.answer === 'WITHHELD' ? 1 : 0 });
  });
}
