import type { FailureCode } from '@pay/contract/messages.ts';
import type { FailedStatus } from '@pay/contract/states.ts';

/** The final status for each failure code, and the normalised reason that partners may show. See spec/decisions#failure-codes. */
export const FAILURES = {
  INSUFFICIENT_FUNDS: { status: 'REJECTED', reason: 'The card has insufficient funds' },
  CARD_EXPIRED: { status: 'REJECTED', reason: 'The card has expired' },
  CARD_BLOCKED: { status: 'REJECTED', reason: 'The card is blocked' },
  INVALID_CARD_DETAILS: { status: 'REJECTED', reason: 'The card details are not valid' },
  CARD_NOT_SUPPORTED: { status: 'REJECTED', reason: 'The card is not supported' },
  LIMIT_EXCEEDED: { status: 'REJECTED', reason: 'A limit of the card is exceeded' },
  AUTHENTICATION_FAILED: { status: 'REJECTED', reason: 'The buyer was not authenticated' },
  DECLINED_BY_ISSUER: { status: 'REJECTED', reason: 'The issuer declined the payment' },
  FRAUD_SUSPECTED: { status: 'REJECTED', reason: 'The payment was refused as suspicious' },
  CONSENT_REVOKED: { status: 'REJECTED', reason: 'The buyer revoked the consent' },
  ISSUER_UNAVAILABLE: { status: 'FAILED', reason: 'The issuer did not answer' },
  PROCESSING_ERROR: { status: 'FAILED', reason: 'The payment could not be processed' },
  CANCELLED_BY_CUSTOMER: { status: 'CANCELLED', reason: 'The buyer cancelled the payment' },
  CANCELLED_BY_PARTNER: { status: 'CANCELLED', reason: 'The shop cancelled the payment' },
  SESSION_EXPIRED: { status: 'EXPIRED', reason: 'The payment session ended' },
} as const satisfies Record<FailureCode, { status: FailedStatus; reason: string }>;
