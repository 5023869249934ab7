/**
 * Every refusal a partner can receive. Order = precedence: where two apply, the upper one is answered.
 * `status` is the HTTP status, `text` the sentence in `error`. Spec: Errors; decisions "error body", "codes".
 */
export const ERRORS = {
  UNAUTHORIZED: { status: 401, text: 'unauthorized' },
  FORBIDDEN: { status: 403, text: 'this operator may not do that' },
  RATE_LIMITED: { status: 429, text: 'too many requests, try again later' },
  PAYLOAD_TOO_LARGE: { status: 413, text: 'the request body is larger than 64 KiB' },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, text: 'the request body must be application/json in UTF-8' },
  METHOD_NOT_ALLOWED: { status: 405, text: 'this path does not take this method' },
  VALIDATION_FAILED: { status: 400, text: 'the request is not valid' },
  PAYMENT_POINT_REQUIRED: {
    status: 400,
    text: 'paymentPointID is required: the partner has several active payment points',
  },
  NOT_FOUND: { status: 404, text: 'not found' },
  IDEMPOTENCY_KEY_REUSED: { status: 409, text: 'this Idempotency-Key is tied to a different request' },
  IDEMPOTENCY_KEY_IN_PROGRESS: { status: 409, text: 'a request with this Idempotency-Key is still running' },
  DUPLICATE_ORDER: { status: 409, text: 'this order number was used before' },
  ENDPOINTS_NOT_CONFIGURED: { status: 409, text: 'save callbackUrl and returnUrl first' },
  SECRET_ALREADY_ISSUED: { status: 409, text: 'the callback secret was already issued' },
  BINDING_REVOKED: { status: 409, text: 'the binding is revoked' },
  BINDING_EXPIRED: { status: 409, text: 'the saved card has expired' },
  PREVIOUS_CHARGE_NOT_FINISHED: { status: 409, text: 'the previous charge of this binding is not finished' },
  PERIOD_NOT_ELAPSED: { status: 409, text: 'the recurring period has not elapsed' },
  REFUND_NOT_ALLOWED: { status: 409, text: 'this payment cannot be refunded' },
  REFUND_AMOUNT_EXCEEDED: { status: 409, text: 'the refund is larger than what remains' },
  INSUFFICIENT_BALANCE: { status: 409, text: 'the available balance is too small' },
  STALE_REVISION: { status: 409, text: 'somebody else changed this meanwhile' },
  ROUTE_UNAVAILABLE: { status: 503, text: 'the payment route is temporarily unavailable' },
  SERVICE_UNAVAILABLE: { status: 503, text: 'the service is temporarily unavailable' },
  OUTCOME_UNKNOWN: {
    status: 503,
    text: 'the outcome is not known: repeat with the same Idempotency-Key and body',
  },
  INTERNAL_ERROR: { status: 500, text: 'internal error' },
} as const satisfies Record<string, { status: number; text: string }>;

/** The `code` member of an error body. */
export type ErrorCode = keyof typeof ERRORS;
