import type { RefundStatus } from '@pay/contract/states.ts';

/** The event a partner receives when a refund changes status. */
export type RefundEvent = 'refund.completed' | 'refund.failed';

/**
 * from: { to: the event the partner receives }. A refund begins PENDING, with `refund.pending`. There are no other
 * transitions; the update in `db/refunds.ts` repeats the guard.
 */
export const REFUND_MOVES = {
  PENDING: { COMPLETED: 'refund.completed', FAILED: 'refund.failed' },
  COMPLETED: {},
  FAILED: {},
} as const satisfies Record<RefundStatus, Partial<Record<RefundStatus, RefundEvent>>>;
