import { FAILED_STATUSES, type FailedStatus, type PaymentStatus } from '@pay/contract/states.ts';

/** The event a partner receives when a payment changes status. */
export type PaymentEvent = 'payment.completed' | 'payment.failed' | 'payment.refunded';

const FAILING = {
  REJECTED: 'payment.failed',
  EXPIRED: 'payment.failed',
  FAILED: 'payment.failed',
  CANCELLED: 'payment.failed',
} as const;

/**
 * from: { to: the event the partner receives, null = none }. There are no other transitions; the update in
 * `db/payments.ts` repeats the guard. See spec/decisions#payment-transitions.
 */
export const PAYMENT_MOVES = {
  CREATED: { SUBMITTED: null, EXPIRED: 'payment.failed', FAILED: 'payment.failed', CANCELLED: 'payment.failed' },
  SUBMITTED: { PENDING: null, COMPLETED: 'payment.completed', ...FAILING },
  // Back: the card was declined, and the buyer may try another one (decisions/orders-of-a-payment).
  PENDING: { SUBMITTED: null, COMPLETED: 'payment.completed', ...FAILING },
  COMPLETED: { REFUNDED: 'payment.refunded' },
  REJECTED: {},
  EXPIRED: {},
  FAILED: {},
  CANCELLED: {},
  REFUNDED: {},
} as const satisfies Record<PaymentStatus, Partial<Record<PaymentStatus, PaymentEvent | null>>>;

/** The answer to a requested transition. */
export type Move =
  /** The transition is in the table. */
  | { readonly kind: 'move'; readonly to: PaymentStatus; readonly event: PaymentEvent | null }
  /** The payment already has this status: the result arrived twice. */
  | { readonly kind: 'repeat' }
  /** A late result that changes nothing. See spec/service-contract#event-types/payment-failed. */
  | { readonly kind: 'too-late' }
  /** A success after a final failure: money without an order. See spec/decisions#late-success-after-a-negative-end. */
  | { readonly kind: 'late-success' };

/** Whether a payment may move from `from` to `to`, and which event the partner receives. */
export function decideMove(from: PaymentStatus, to: PaymentStatus): Move {
  if (from === to) return { kind: 'repeat' };
  const moves: Partial<Record<PaymentStatus, PaymentEvent | null>> = PAYMENT_MOVES[from];
  const event = moves[to];
  if (event !== undefined) return { kind: 'move', to, event };
  if (to === 'COMPLETED' && isNegativeEnd(from)) return { kind: 'late-success' };
  return { kind: 'too-late' };
}

/** Whether the payment ended without money. */
export function isNegativeEnd(status: PaymentStatus): status is FailedStatus {
  return FAILED_STATUSES.some((failed) => failed === status);
}

/** Whether the buyer or the bank may still change the payment. */
export function isOpen(status: PaymentStatus): status is 'CREATED' | 'SUBMITTED' | 'PENDING' {
  return status === 'CREATED' || status === 'SUBMITTED' || status === 'PENDING';
}
