/**
 * Every refusal that a partner can receive, in order of precedence: if two apply, the upper one is returned; a test of
 * each service checks the pairs. `status` is the HTTP status, `text` the sentence in `error`, `advice` what
 * docs/partners/errors.md tells a partner to do. See spec/service-contract#errors, spec/decisions#error-body,
 * spec/decisions#error-codes and spec/decisions#which-refusal-wins.
 */
export const ERRORS = {
  UNAUTHORIZED: {
    status: 401,
    text: 'unauthorized',
    advice: 'check the key, clock, nonce and canonical string; send no new financial request until the cause is found',
  },
  FORBIDDEN: {
    status: 403,
    text: 'you do not have permission to do this',
    advice: 'operators only: ask a colleague with the required role',
  },
  RATE_LIMITED: {
    status: 429,
    text: 'too many requests, try again later',
    advice: 'wait for `Retry-After`, then repeat with the same key',
  },
  PAYLOAD_TOO_LARGE: { status: 413, text: 'the request body is larger than 64 KiB', advice: 'send a smaller body' },
  METHOD_NOT_ALLOWED: {
    status: 405,
    text: 'this path does not support this method',
    advice: 'use a method listed in the `Allow` header',
  },
  UNSUPPORTED_MEDIA_TYPE: {
    status: 415,
    text: 'the request body must be application/json in UTF-8',
    advice: 'set `Content-Type: application/json` and do not compress the body',
  },
  VALIDATION_FAILED: {
    status: 400,
    text: 'the request is not valid',
    advice: 'correct the fields listed in `details`; the key may be used again',
  },
  IDEMPOTENCY_KEY_REUSED: {
    status: 409,
    text: 'this Idempotency-Key is tied to a different request',
    advice: 'a network retry repeats exactly the same body; a new operation needs a new key',
  },
  IDEMPOTENCY_KEY_IN_PROGRESS: {
    status: 409,
    text: 'a request with this Idempotency-Key is still running',
    advice: 'repeat after `Retry-After` with the same key and body',
  },
  PAYMENT_POINT_REQUIRED: {
    status: 400,
    text: 'paymentPointID is required: the partner has several active payment points',
    advice: 'choose one from GET /api/integration/payment-points',
  },
  NOT_FOUND: {
    status: 404,
    text: 'not found',
    advice: "check the id and the environment; another partner's object is reported as not found",
  },
  DUPLICATE_ORDER: {
    status: 409,
    text: 'this order number has already been used',
    advice: 'use a new number, or read the existing object: the payment in `paymentId` or the refund in `refundId`',
  },
  ENDPOINTS_NOT_CONFIGURED: {
    status: 409,
    text: 'save callbackUrl and returnUrl first',
    advice: 'call PUT /api/integration/endpoints, then repeat; a replay or test callback needs the callback secret as well',
  },
  SECRET_ALREADY_ISSUED: {
    status: 409,
    text: 'the callback secret has already been issued',
    advice: 'use the secret you stored; if it is lost, ask for a rotation',
  },
  BINDING_REVOKED: {
    status: 409,
    text: 'the binding has been revoked',
    advice: 'create a new first payment with new consent',
  },
  BINDING_EXPIRED: {
    status: 409,
    text: 'the saved card has expired',
    advice: 'create a new first payment with new consent',
  },
  PREVIOUS_CHARGE_NOT_FINISHED: {
    status: 409,
    text: 'the previous charge of this binding has not finished',
    advice: 'wait for the callback for `paymentId`, or poll GET /api/card/{paymentId}',
  },
  PERIOD_NOT_ELAPSED: {
    status: 409,
    text: 'the recurring period has not elapsed',
    advice: 'charge at or after `nextChargeAt`; you may use the same key',
  },
  RETRY_NOT_ALLOWED: {
    status: 409,
    text: 'this declined charge cannot be repeated yet',
    advice: 'charge at or after `retryNotBefore`; if it is null, this card cannot be charged again: create a new first payment',
  },
  CANCEL_NOT_ALLOWED: {
    status: 409,
    text: 'this can no longer be cancelled',
    advice: 'read its current state: it has ended or is being processed; refund a completed payment instead',
  },
  REFUND_NOT_ALLOWED: {
    status: 409,
    text: 'this payment cannot be refunded',
    advice: 'only COMPLETED payments of the last 365 days can be refunded',
  },
  REFUND_AMOUNT_EXCEEDED: {
    status: 409,
    text: 'the refund exceeds the remaining amount',
    advice: 'refund at most the payment amount minus pending and completed refunds',
  },
  INSUFFICIENT_BALANCE: {
    status: 409,
    text: 'the available balance is insufficient',
    advice: 'request at most `availableUsdt`',
  },
  STALE_REVISION: {
    status: 409,
    text: 'somebody else changed this in the meantime',
    advice: 'operators only: reload and try again',
  },
  ROUTE_UNAVAILABLE: {
    status: 503,
    text: 'the payment route is temporarily unavailable',
    advice: 'repeat after `Retry-After`; nothing was stored',
  },
  SERVICE_UNAVAILABLE: {
    status: 503,
    text: 'the service is temporarily unavailable',
    advice: 'repeat with the same key and body after `Retry-After`',
  },
  OUTCOME_UNKNOWN: {
    status: 503,
    text: 'the outcome is unknown: repeat with the same Idempotency-Key and body',
    advice: 'repeat with the same key and body after `Retry-After`; a new key may carry it out twice',
  },
  INTERNAL_ERROR: {
    status: 500,
    text: 'internal error',
    advice: 'the outcome is unknown: repeat with the same key and body, or read the status; report the requestId',
  },
} as const satisfies Record<string, { status: number; text: string; advice: string }>;

/** The `code` member of an error body. */
export type ErrorCode = keyof typeof ERRORS;
