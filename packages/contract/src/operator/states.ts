import type { WithdrawalStatus } from '../states.ts';

/**
 * The states that only operators see, each list once, and which action takes a payout request from where to where.
 * Nothing else is in this file, so that the console's pages may load it.
 */

/** PROPOSED until a second person decides. */
export const PROPOSAL_STATUSES = ['PROPOSED', 'CONFIRMED', 'REJECTED'] as const;
export const PROPOSAL_KINDS = ['POINT', 'FEE', 'AUTHENTICATION', 'REFUND'] as const;

/** Only CONFIRMED is money. */
export const FUNDING_STATUSES = ['PROPOSED', 'CONFIRMED', 'REJECTED'] as const;

/** Only to a beneficiary that is ISSUED can a payout be requested. */
export const BENEFICIARY_STATUSES = ['PROPOSED', 'ISSUED', 'REJECTED'] as const;

export const WITHDRAWAL_ACTIONS = ['take', 'approve', 'reject', 'cancel', 'complete', 'fail'] as const;
export type WithdrawalAction = (typeof WITHDRAWAL_ACTIONS)[number];

/**
 * Which action is allowed in which state, in the order of the console's buttons, and the state it leads to. Taking a request
 * that is under review hands it over. Who may act is decided by the service: see spec/decisions#withdrawal-states.
 */
export const WITHDRAWAL_ACTIONS_IN = {
  REQUESTED: { take: 'IN_REVIEW', reject: 'REJECTED', cancel: 'CANCELLED' },
  IN_REVIEW: { take: 'IN_REVIEW', approve: 'APPROVED', reject: 'REJECTED' },
  APPROVED: { complete: 'COMPLETED', fail: 'FAILED' },
  COMPLETED: {},
  REJECTED: {},
  CANCELLED: {},
  FAILED: {},
} as const satisfies Record<WithdrawalStatus, Partial<Record<WithdrawalAction, WithdrawalStatus>>>;

/** Where the action takes a request in that state; undefined where it is not allowed. */
export function targetOf(status: WithdrawalStatus, action: WithdrawalAction): WithdrawalStatus | undefined {
  const allowed: Partial<Record<WithdrawalAction, WithdrawalStatus>> = WITHDRAWAL_ACTIONS_IN[status];
  return allowed[action];
}

/** States of a payout request in which somebody has to do something. */
export const OPEN_WITHDRAWAL_STATUSES = ['REQUESTED', 'IN_REVIEW', 'APPROVED'] as const satisfies readonly WithdrawalStatus[]; // prettier-ignore

export const PARTNER_STATUSES = ['ACTIVE', 'SUSPENDED'] as const;
export type PartnerStatus = (typeof PARTNER_STATUSES)[number];
/** Of a partner's key. REVOKED is final: a key that a stranger may know never comes back. */
export const KEY_STATUSES = ['REGISTERED', 'ACTIVE', 'REVOKED'] as const;
export type KeyStatus = (typeof KEY_STATUSES)[number];
export const ACQUIRING_ROUTE_STATUSES = ['ACTIVE', 'SUSPENDED'] as const;

/** The first that applies of what an operator would ask about a partner's callback address. */
export const RECEIVER_STATES = ['NO_ADDRESS', 'NO_SECRET', 'DEAD', 'REFUSING', 'FAILING', 'SLOW', 'HEALTHY'] as const;
export type ReceiverState = (typeof RECEIVER_STATES)[number];
export const REPLAY_STATES = ['RUNNING', 'DONE', 'CANCELLED'] as const;
export type ReplayState = (typeof REPLAY_STATES)[number];
export const ALERT_KINDS = ['FIRST_REFUSAL', 'EXHAUSTED', 'DEAD_ADDRESS'] as const;
export type AlertKind = (typeof ALERT_KINDS)[number];

/** What happens at a payment point to a card whose buyer the issuer did not authenticate. */
export const WHEN_NOT_AUTHENTICATED = ['DECLINE', 'ACCEPT'] as const;
/** Of EMV 3-D Secure. */
export const TRANS_STATUSES = ['Y', 'A', 'N', 'U', 'R', 'C', 'D', 'I'] as const;
/** Whose loss a fraud is. */
export const LIABILITIES = ['ISSUER', 'MERCHANT', 'UNKNOWN'] as const;

/** What cards are counted by. */
export const VELOCITY_RULES = ['address', 'bin', 'point'] as const;
export type VelocityRule = (typeof VELOCITY_RULES)[number];

export const EXCEPTION_STATUSES = ['OPEN', 'RESOLVED'] as const;
export const EXCEPTION_KINDS = [
  'LATE_SUCCESS',
  'PAID_TWICE',
  'AMOUNT_MISMATCH',
  'NOT_AUTHENTICATED',
  'RETURN_FAILED',
  'REFUND_MISMATCH',
  'MISSING_HERE',
  'MISSING_THERE',
  'STATE_MISMATCH',
] as const;

export const RECONCILIATION_STATUSES = ['RUNNING', 'COMPLETED'] as const;
export const RECONCILIATION_RESULTS = [
  'MATCHED',
  'IN_PROGRESS',
  'MISSING_HERE',
  'MISSING_THERE',
  'DIFFERENT_AMOUNT',
  'DIFFERENT_STATE',
] as const;

/** Services that consume facts: each has dead letters of its own. */
export const CONSUMERS = ['bindings', 'notifier', 'withdrawals'] as const;
