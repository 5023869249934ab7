import type { FailureCode } from './messages.ts';

/**
 * Whether a declined charge of a saved card may be retried. DO_NOT_RETRY: this card will never be accepted as it is, and
 * card schemes fine merchants who retry. RETRY_LATER: the issuer may accept it later; schemes limit how often to retry.
 * RETRY_ANY_TIME: no issuer declined it.
 */
export const RETRY_ADVICE = ['DO_NOT_RETRY', 'RETRY_LATER', 'RETRY_ANY_TIME'] as const;
export type RetryAdvice = (typeof RETRY_ADVICE)[number];

/** See spec/decisions#repeat-of-a-declined-recurring-charge and decisions/recurring-charges. */
const ADVICE = {
  CARD_EXPIRED: 'DO_NOT_RETRY',
  CARD_BLOCKED: 'DO_NOT_RETRY',
  INVALID_CARD_DETAILS: 'DO_NOT_RETRY',
  CARD_NOT_SUPPORTED: 'DO_NOT_RETRY',
  CONSENT_REVOKED: 'DO_NOT_RETRY',
  INSUFFICIENT_FUNDS: 'RETRY_LATER',
  LIMIT_EXCEEDED: 'RETRY_LATER',
  AUTHENTICATION_FAILED: 'RETRY_LATER',
  DECLINED_BY_ISSUER: 'RETRY_LATER',
  FRAUD_SUSPECTED: 'RETRY_LATER',
  ISSUER_UNAVAILABLE: 'RETRY_LATER',
  PROCESSING_ERROR: 'RETRY_ANY_TIME',
  CANCELLED_BY_CUSTOMER: 'RETRY_ANY_TIME',
  CANCELLED_BY_PARTNER: 'RETRY_ANY_TIME',
  SESSION_EXPIRED: 'RETRY_ANY_TIME',
} as const satisfies Record<FailureCode, RetryAdvice>;

export const retryAdviceOf = (failureCode: FailureCode): RetryAdvice => ADVICE[failureCode];
