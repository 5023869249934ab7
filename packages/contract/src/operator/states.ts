import type { WithdrawalStatus } from '../states.ts';

/**
 * The states that only operators see, each list defined once, and the state transitions of payout requests. This file
 * contains nothing else, so that the console's pages can load it.
 */

/** PROPOSED until a second person decides. */
export const PROPOSAL_STATUSES = ['PROPOSED', 'CONFIRMED', 'REJECTED'] as const;
export type ProposalStatus = (typeof PROPOSAL_STATUSES)[number];

/**
 * What requires two people in payments: a new payment point with a fee, a changed fee, a payment point that starts
 * accepting unauthenticated buyers, and a refund, or the return or booking of an unknown order's money, above the role's limit.
 */
export const PROPOSAL_KINDS = ['POINT', 'FEE', 'AUTHENTICATION', 'REFUND', 'RETURN', 'BOOK'] as const;
export type ProposalKind = (typeof PROPOSAL_KINDS)[number];

/** Only CONFIRMED fundings count as money. */
export const FUNDING_STATUSES = ['PROPOSED', 'CONFIRMED', 'REJECTED'] as const;

/** Payouts can be requested, and approved, only to beneficiaries that are ISSUED. */
export const BENEFICIARY_STATUSES = ['PROPOSED', 'ISSUED', 'REJECTED', 'REVOKED'] as const;

export const WITHDRAWAL_ACTIONS = ['take', 'approve', 'reject', 'cancel', 'complete', 'fail'] as const;
export type WithdrawalAction = (typeof WITHDRAWAL_ACTIONS)[number];

/**
 * Which action is allowed in which state, in the order of the console's buttons, and the state it leads to. Taking a request
 * that is already under review hands it over. The service decides who may act: see spec/decisions#withdrawal-states.
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

/** The state that the action leads to; undefined if it is not allowed. */
export function targetOf(status: WithdrawalStatus, action: WithdrawalAction): WithdrawalStatus | undefined {
  const allowed: Partial<Record<WithdrawalAction, WithdrawalStatus>> = WITHDRAWAL_ACTIONS_IN[status];
  return allowed[action];
}

/** States of a payout request that require an operator's action. */
export const OPEN_WITHDRAWAL_STATUSES = ['REQUESTED', 'IN_REVIEW', 'APPROVED'] as const satisfies readonly WithdrawalStatus[];

export const PARTNER_STATUSES = ['ACTIVE', 'SUSPENDED'] as const;
export type PartnerStatus = (typeof PARTNER_STATUSES)[number];
/** The status of a partner's key. REVOKED is final: a key that may be compromised is never reactivated. */
export const KEY_STATUSES = ['REGISTERED', 'ACTIVE', 'REVOKED'] as const;
export type KeyStatus = (typeof KEY_STATUSES)[number];
/** SUSPENDED accepts no new payments; payments in progress are completed. */
export const ACQUIRING_ROUTE_STATUSES = ['ACTIVE', 'SUSPENDED'] as const;
export type AcquiringRouteStatus = (typeof ACQUIRING_ROUTE_STATUSES)[number];

/** The health of a partner's callback address, as operators see it: the first state that applies. */
export const RECEIVER_STATES = ['NO_ADDRESS', 'NO_SECRET', 'DEAD', 'REFUSING', 'FAILING', 'SLOW', 'HEALTHY'] as const;
export type ReceiverState = (typeof RECEIVER_STATES)[number];
export const REPLAY_STATES = ['RUNNING', 'DONE', 'CANCELLED'] as const;
export type ReplayState = (typeof REPLAY_STATES)[number];
export const ALERT_KINDS = ['FIRST_REFUSAL', 'EXHAUSTED', 'DEAD_ADDRESS'] as const;
export type AlertKind = (typeof ALERT_KINDS)[number];

/**
 * What a payment point does with a card whose buyer the issuer did not authenticate. ACCEPT: the bank decides, and the
 * shop is liable for fraud. DECLINE: no money is taken, and the payment ends with AUTHENTICATION_FAILED.
 */
export const WHEN_NOT_AUTHENTICATED = ['DECLINE', 'ACCEPT'] as const;
export type WhenNotAuthenticated = (typeof WHEN_NOT_AUTHENTICATED)[number];

/**
 * How the authentication of a buyer ended, as EMV 3-D Secure transStatus: Y authenticated; A attempted, with proof;
 * N not authenticated; U could not be performed; R rejected by the issuer; C and D a challenge in progress;
 * I for information only.
 */
export const TRANS_STATUSES = ['Y', 'A', 'N', 'U', 'R', 'C', 'D', 'I'] as const;
export type TransStatus = (typeof TRANS_STATUSES)[number];

/** Who is liable for fraud under card scheme rules. UNKNOWN: the bank did not report enough. */
export const LIABILITIES = ['ISSUER', 'MERCHANT', 'UNKNOWN'] as const;
export type Liability = (typeof LIABILITIES)[number];

/** The keys by which cards are counted. */
export const VELOCITY_RULES = ['address', 'bin', 'point'] as const;
export type VelocityRule = (typeof VELOCITY_RULES)[number];

export const EXCEPTION_STATUSES = ['OPEN', 'RESOLVED'] as const;
export type ExceptionStatus = (typeof EXCEPTION_STATUSES)[number];

/** Why an operation needs manual review. */
export const EXCEPTION_KINDS = [
  /** Money arrived after the payment had ended; it is being returned. */
  'LATE_SUCCESS',
  /** The bank took money for an order more than once; the surplus is being returned. */
  'PAID_TWICE',
  /** The bank took an amount or currency that differs from ours. */
  'AMOUNT_MISMATCH',
  /** The bank took money from an unauthenticated buyer at a point that declines them. */
  'NOT_AUTHENTICATED',
  /** Late money could not be returned. */
  'RETURN_FAILED',
  /** The bank refunded an amount that differs from ours. */
  'REFUND_MISMATCH',
  /** The bank has an operation that we do not know. */
  'MISSING_HERE',
  /** The bank does not know an operation that we have. */
  'MISSING_THERE',
  /** Money moved on one side only. */
  'STATE_MISMATCH',
  /** The bank does not say what became of a payment or a refund. */
  'OUTCOME_UNKNOWN',
] as const;
export type ExceptionKind = (typeof EXCEPTION_KINDS)[number];

export const RECONCILIATION_STATUSES = ['RUNNING', 'COMPLETED'] as const;
export type ReconciliationStatus = (typeof RECONCILIATION_STATUSES)[number];

/** The result of comparing an operation. IN_PROGRESS: one side is not final yet, and no money is at stake. */
export const RECONCILIATION_RESULTS = [
  'MATCHED',
  'IN_PROGRESS',
  'MISSING_HERE',
  'MISSING_THERE',
  'DIFFERENT_AMOUNT',
  'DIFFERENT_STATE',
] as const;
export type ReconciliationResult = (typeof RECONCILIATION_RESULTS)[number];

/** Services that consume facts: each has its own dead letters. */
export const CONSUMERS = ['bindings', 'notifier', 'withdrawals'] as const;
