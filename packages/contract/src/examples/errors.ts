import { ERRORS, type ErrorCode } from '@pay/shared/errors/catalogue.ts';
import { PAYMENT, REFUND } from './examples.ts';

/** What an error has beside its code and sentence. */
const MEMBERS: Readonly<Partial<Record<ErrorCode, object>>> = {
  UNAUTHORIZED: { details: [{ field: 'cause', message: 'clock_skew' }] },
  VALIDATION_FAILED: { details: [{ field: 'limit', message: 'must be a whole number from 1 to 100' }] },
  DUPLICATE_ORDER: { paymentId: PAYMENT },
  PREVIOUS_CHARGE_NOT_FINISHED: { paymentId: PAYMENT },
  PERIOD_NOT_ELAPSED: { nextChargeAt: '2026-12-21T10:00:00.000Z' },
  RETRY_NOT_ALLOWED: { retryNotBefore: '2026-11-28T10:00:00.000Z' },
};

/** The body of an error. For a refund, DUPLICATE_ORDER names the refund. */
export function errorExample(code: ErrorCode, isRefund = false): object {
  const members = isRefund && code === 'DUPLICATE_ORDER' ? { refundId: REFUND } : MEMBERS[code];
  return {
    error: ERRORS[code].text,
    code,
    requestId: '7a1c9e42-58d3-4f6b-9b0a-3e5d2c8f1a60',
    ...members,
  };
}
