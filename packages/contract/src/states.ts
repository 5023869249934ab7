/**
 * Every enumeration that partners or operators can see, defined once: codecs, domain tables, database checks and pages
 * use these. The allowed transitions are in the table of the service that owns the state.
 */

/** See spec/service-contract#payment-states. */
export const PAYMENT_STATUSES = [
  'CREATED',
  'SUBMITTED',
  'PENDING',
  'COMPLETED',
  'REJECTED',
  'EXPIRED',
  'FAILED',
  'CANCELLED',
  'REFUNDED',
] as const;
export type PaymentStatus = (typeof PAYMENT_STATUSES)[number];

/** The final states of a payment in which no money was taken. */
export const FAILED_STATUSES = ['REJECTED', 'EXPIRED', 'FAILED', 'CANCELLED'] as const satisfies readonly PaymentStatus[];
export type FailedStatus = (typeof FAILED_STATUSES)[number];

/** How a payment is made: a card entered by the buyer, a saved card charged off session, or an SBP QR code. */
export const PAYMENT_METHODS = ['CARD', 'CARD_BINDING', 'SBP_DYNAMIC_QR'] as const;
export type PaymentMethod = (typeof PAYMENT_METHODS)[number];

/** Why a payment ended with no money taken. See spec/decisions#failure-codes. */
export const FAILURE_CODES = [
  'INSUFFICIENT_FUNDS',
  'CARD_EXPIRED',
  'CARD_BLOCKED',
  'INVALID_CARD_DETAILS',
  'CARD_NOT_SUPPORTED',
  'LIMIT_EXCEEDED',
  'AUTHENTICATION_FAILED',
  'DECLINED_BY_ISSUER',
  'FRAUD_SUSPECTED',
  'CONSENT_REVOKED',
  'ISSUER_UNAVAILABLE',
  'PROCESSING_ERROR',
  'CANCELLED_BY_CUSTOMER',
  'CANCELLED_BY_PARTNER',
  'SESSION_EXPIRED',
] as const;
export type FailureCode = (typeof FAILURE_CODES)[number];

/** See spec/decisions#refund-record. */
export const REFUND_STATUSES = ['PENDING', 'COMPLETED', 'FAILED'] as const;
export type RefundStatus = (typeof REFUND_STATUSES)[number];

/** Why a refund failed: the codes of payments, and one more. */
export const REFUND_FAILURE_CODES = [...FAILURE_CODES, 'REFUND_PERIOD_EXPIRED'] as const;
export type RefundFailureCode = (typeof REFUND_FAILURE_CODES)[number];

/** See spec/service-contract#payment-point. */
export const POINT_STATUSES = ['ACTIVE', 'SUSPENDED', 'CLOSED'] as const;
export type PointStatus = (typeof POINT_STATUSES)[number];

/** What a payment point accepts; charges of saved cards use CARD. */
export const POINT_METHODS = ['CARD', 'SBP_DYNAMIC_QR'] as const satisfies readonly PaymentMethod[];
export type PointMethod = (typeof POINT_METHODS)[number];

/** See spec/service-contract#binding-states. */
export const BINDING_STATUSES = ['ACTIVE', 'REVOKED', 'EXPIRED'] as const;
export type BindingStatus = (typeof BINDING_STATUSES)[number];

/** The maximum frequency at which a saved card may be charged. See spec/service-contract#charge-periods. */
export const CHARGE_PERIODS = ['PT1M', 'PT1H', 'P1D', 'P1W', 'P1M', 'P1Y'] as const;
export type ChargePeriod = (typeof CHARGE_PERIODS)[number];

/** See spec/decisions#withdrawal-states. */
export const WITHDRAWAL_STATUSES = ['REQUESTED', 'IN_REVIEW', 'APPROVED', 'COMPLETED', 'REJECTED', 'CANCELLED', 'FAILED'] as const;
export type WithdrawalStatus = (typeof WITHDRAWAL_STATUSES)[number];

/**
 * The delivery status of an event. WAITING: an attempt is due, running or scheduled. The others are final, unless a
 * replay is requested: DELIVERED (the receiver answered 200), REFUSED (a permanent 4xx), EXHAUSTED (all attempts have been
 * made), NOT_CONFIGURED (the partner had no address or secret when the event was stored).
 */
export const EVENT_STATUSES = ['WAITING', 'DELIVERED', 'REFUSED', 'EXHAUSTED', 'NOT_CONFIGURED'] as const;
export type EventStatus = (typeof EVENT_STATUSES)[number];

/** Why an attempt to deliver an event got no response. */
export const ATTEMPT_FAILURES = [
  'TIMEOUT',
  'CONNECTION_REFUSED',
  'CONNECTION_RESET',
  'NAME_NOT_RESOLVED',
  'ADDRESS_NOT_PUBLIC',
  'TLS_FAILED',
  'INVALID_HTTP',
  'HEADERS_TOO_LARGE',
  'NETWORK_ERROR',
] as const;
export type AttemptFailure = (typeof ATTEMPT_FAILURES)[number];

/**
 * How an attempt ended. FLAGGED is a response that neither confirms nor refuses (201, 204, a redirect): retried like
 * RETRY, and flagged because the receiver is most likely faulty.
 */
export const ATTEMPT_OUTCOMES = ['DELIVERED', 'REFUSED', 'RETRY', 'FLAGGED'] as const;
export type AttemptOutcome = (typeof ATTEMPT_OUTCOMES)[number];
