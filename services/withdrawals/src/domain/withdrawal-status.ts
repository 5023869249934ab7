import type { WITHDRAWAL_STATUSES } from '@pay/contract/states.ts';

export type WithdrawalStatus = (typeof WITHDRAWAL_STATUSES)[number];

/** What a move does to the reserve: keeps it, releases it, or spends it. */
export type ReserveEffect = 'HOLD' | 'FREE' | 'SPEND';

/**
 * from: { to: effect on the reserve }. A move that is not listed does not exist; the update in
 * `db/withdrawals.ts` repeats the guard.
 */
export const WITHDRAWAL_MOVES = {
  REQUESTED: { IN_REVIEW: 'HOLD', REJECTED: 'FREE', CANCELLED: 'FREE' },
  IN_REVIEW: { APPROVED: 'HOLD', REJECTED: 'FREE' },
  APPROVED: { COMPLETED: 'SPEND', FAILED: 'FREE' },
  COMPLETED: {},
  REJECTED: {},
  CANCELLED: {},
  FAILED: {},
} as const satisfies Record<WithdrawalStatus, Partial<Record<WithdrawalStatus, ReserveEffect>>>;

/** What a move does to the reserve; undefined if the move does not exist. */
export function effectOfMove(from: WithdrawalStatus, to: WithdrawalStatus): ReserveEffect | undefined {
  const moves: Partial<Record<WithdrawalStatus, ReserveEffect>> = WITHDRAWAL_MOVES[from];
  return moves[to];
}
