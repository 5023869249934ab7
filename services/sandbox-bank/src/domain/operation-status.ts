import type { Operation, Reason } from './operation.ts';

/** from → to. A move that is not listed does not exist; the update in `db/operations.ts` repeats the guard. */
export const OPERATION_MOVES = {
  REGISTERED: ['THREE_DS_REQUIRED', 'PENDING', 'APPROVED', 'DECLINED', 'CANCELLED', 'EXPIRED'],
  THREE_DS_REQUIRED: ['APPROVED', 'DECLINED', 'CANCELLED', 'EXPIRED'],
  PENDING: ['APPROVED', 'DECLINED'],
  APPROVED: [],
  DECLINED: [],
  CANCELLED: [],
  EXPIRED: [],
} as const satisfies Record<string, readonly string[]>;

export type OperationStatus = keyof typeof OPERATION_MOVES;

export const OPERATION_STATUSES = [
  'REGISTERED',
  'THREE_DS_REQUIRED',
  'PENDING',
  'APPROVED',
  'DECLINED',
  'CANCELLED',
  'EXPIRED',
] as const satisfies readonly OperationStatus[];

/** Whether this move is in the table. */
export function mayMove(from: OperationStatus, to: OperationStatus): boolean {
  const moves: readonly OperationStatus[] = OPERATION_MOVES[from];
  return moves.includes(to);
}

/** Whether the status is final. */
export function isFinal(status: OperationStatus): boolean {
  return OPERATION_MOVES[status].length === 0;
}

/** A change of status and its details. */
export type Move = { readonly to: OperationStatus; readonly reason: Reason | null };

/**
 * How the passage of time has changed this operation by `now`: a PENDING one with a time of its own is approved, an
 * unpaid order expires. Undefined if nothing is due. A PENDING operation never expires: money may be on its way.
 */
export function dueMove(operation: Pick<Operation, 'status' | 'expiresAt' | 'approvesAt'>, now: Date): Move | undefined {
  const { status, expiresAt, approvesAt } = operation;
  if (status === 'PENDING') {
    return approvesAt !== null && approvesAt <= now ? { to: 'APPROVED', reason: null } : undefined;
  }
  const unpaid = status === 'REGISTERED' || status === 'THREE_DS_REQUIRED';
  if (unpaid && expiresAt !== null && expiresAt <= now) return { to: 'EXPIRED', reason: 'SESSION_EXPIRED' };
  return undefined;
}

/** Whether a merchant can still cancel it: only if nobody has paid or begun to pay. */
export function isCancellable(status: OperationStatus): boolean {
  return status === 'REGISTERED' || status === 'THREE_DS_REQUIRED';
}
