import { inTransaction } from '@pay/shared/postgres/transaction.ts';
import { appendHistory } from '../db/history.ts';
import { takeUnansweredRead } from '../db/operations.ts';
import type { Deps } from '../deps.ts';
import type { Answered } from './authorize-order.ts';
import { findCurrent } from './current-operation.ts';

/** GET /v1/operations/{operationId}. @throws ApiError NOT_FOUND */
export async function readBack(deps: Deps, operationId: string): Promise<Answered> {
  const operation = await findCurrent(deps, operationId);
  if (operation.unansweredReads === 0) return { operation, answer: 'GIVEN' };
  const withheld = await inTransaction(deps.db, async (tx) => {
    const taken = await takeUnansweredRead(tx, operationId);
    if (taken) await appendHistory(tx, operationId, [{ event: 'ANSWER_WITHHELD' }]);
    return taken;
  });
  return { operation, answer: withheld ? 'WITHHELD' : 'GIVEN' };
}
