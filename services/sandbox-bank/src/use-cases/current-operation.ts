import type { Tx } from '@pay/shared/postgres/db.ts';
import { inTransaction } from '@pay/shared/postgres/transaction.ts';
import { ApiError } from '@pay/shared/errors/api-error.ts';
import { clock } from '@pay/shared/postgres/clock.ts';
import { appendHistory } from '../db/history.ts';
import { findOperation, lockDueOperations, lockOperation, moveOperation } from '../db/operations.ts';
import type { Deps } from '../deps.ts';
import { dueMove, isFinal, type Move } from '../domain/operation-status.ts';
import type { Operation } from '../domain/operation.ts';

/** Details of a change of status. */
export type Change = Parameters<typeof moveOperation>[3];

/** Moves a locked operation and records it. The only way a status changes. */
export async function move(tx: Tx, operation: Operation, { to, reason }: Move, change: Change = {}): Promise<Operation> {
  const moved = await moveOperation(tx, operation, to, { ...change, reason });
  await appendHistory(tx, operation.operationId, [
    { event: 'MOVED', detail: reason === null ? to : `${to} ${reason}` },
    ...(to === 'APPROVED' ? [{ event: 'MONEY_MOVED' as const }] : []),
  ]);
  return moved;
}

/**
 * The operation as of `now`, locked; changes through the passage of time are saved first.
 * @throws ApiError NOT_FOUND
 */
export async function lockCurrent(tx: Tx, operationId: string, now: Date): Promise<Operation> {
  const operation = await lockOperation(tx, operationId);
  if (operation === undefined) throw new ApiError('NOT_FOUND');
  const due = dueMove(operation, now);
  return due === undefined ? operation : move(tx, operation, due);
}

/**
 * The current operation. Writes only if the passage of time has changed it.
 * @throws ApiError NOT_FOUND
 */
export async function findCurrent(deps: Deps, operationId: string): Promise<Operation> {
  const operation = await findOperation(deps.db, operationId);
  if (operation === undefined) throw new ApiError('NOT_FOUND');
  if (isFinal(operation.status)) return operation;
  if (dueMove(operation, await clock(deps.db)) === undefined) return operation;
  return inTransaction(deps.db, async (tx) => lockCurrent(tx, operationId, await clock(tx)));
}

/** Operations per pass; far more than a test leaves open at once. */
const DUE_BATCH = 500;

/** Saves the changes that time has made, so that a listing or a sum is as current as a read of each operation. */
export async function moveDue(deps: Deps): Promise<void> {
  for (;;) {
    const moved = await inTransaction(deps.db, async (tx) => {
      const now = await clock(tx);
      const due = await lockDueOperations(tx, now, DUE_BATCH);
      for (const operation of due) {
        const next = dueMove(operation, now);
        if (next !== undefined) await move(tx, operation, next);
      }
      return due.length;
    });
    if (moved < DUE_BATCH) return;
  }
}
