import { inTransaction } from '@pay/shared/postgres/transaction.ts';
import { ApiError } from '@pay/shared/errors/api-error.ts';
import { clock } from '@pay/shared/postgres/clock.ts';
import type { Deps } from '../deps.ts';
import { mayMove, type Move } from '../domain/operation-status.ts';
import type { Operation } from '../domain/operation.ts';
import { lockCurrent, move } from './current-operation.ts';

/** A person or a test decides an open operation. @throws ApiError NOT_FOUND; STALE_REVISION if it is not open */
export async function decideOperation(deps: Deps, operationId: string, decision: Move): Promise<Operation> {
  return inTransaction(deps.db, async (tx) => {
    const operation = await lockCurrent(tx, operationId, await clock(tx));
    if (!mayMove(operation.status, decision.to)) {
      throw new ApiError('STALE_REVISION', { text: `the operation is ${operation.status} and cannot be decided` });
    }
    return move(tx, operation, decision);
  });
}
