/**
 * Every refusal a partner can receive. Order = precedence: where two apply, the upper one is answered; a test of each
 * service walks the pairs. `status` is the HTTP status, `text` the sentence in `error`, `advice` what docs/errors.md tells
 * a partner to do. See spec/service-contract#errors, spec/decisions#error-body, spec/decisions#error-codes and
 * spec/decisions#which-refusal-wins.
 */
export const ERRORS = {
  UNAUTHORIZED: {
    status: 401,
    text: 'unauthorized',
    advice: 'check key, clock, nonce and canonical string; create no new financial request until it is found',
  },
  FORBIDDEN: {
    status: 403,
    text: 'this operator may not do that',
    advice: 'operators only: ask somebody with the role',
  },
  RATE_LIMITED: {
    status: 429,
    text: 'too many requests, try again later',
    advice: 'wait for `Retry-After`, then repeat with the same key',
  },
  PAYLOAD_TOO_LARGE: { status: 413, text: 'the request body is larger than 64 KiB', advice: 'send less' },
  METHOD_NOT_ALLOWED: {
    status: 405,
    text: 'this path does not take this method',
    advice: 'use a method that the header `Allow` names',
  },
  UNSUPPORTED_MEDIA_TYPE: {
    status: 415,
    text: 'the request body must be application/json in UTF-8',
    advice: 'set `Content-Type: application/json`, no compression',
  },
  VALIDATION_FAILED: {
    status: 400,
    text: 'the request is not valid',
    advice: 'correct what `details` names; the key may be used again',
  },
  IDEMPOTENCY_KEY_REUSED: {
    status: 409,
    text: 'this Idempotency-Key is tied to a different request',
    advice: 'a network retry repeats the very same body; a new operation needs a new key',
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
    advice: "check the id and the environment; another partner's object is not found either",
  },
  DUPLICATE_ORDER: {
    status: 409,
    text: 'this order number was used before',
    advice: 'use a new number, or read what has it: the payment of `paymentId`, the refund of `refundId`',
  },
  ENDPOINTS_NOT_CONFIGURED: {
    status: 409,
    text: 'save callbackUrl and returnUrl first',
    advice: 'PUT /api/integration/endpoints (a replay needs the callback secret, too), then repeat',
  },
  SECRET_ALREADY_ISSUED: {
    status: 409,
    text: 'the callback secret was already issued',
    advice: 'use the secret you stored; where it is lost, ask for a rotation',
  },
  BINDING_REVOKED: { status: 409, text: 'the binding is revoked', advice: 'make a new first payment with new consent' },
  BINDING_EXPIRED: {
    status: 409,
    text: 'the saved card has expired',
    advice: 'make a new first payment with new consent',
  },
  PREVIOUS_CHARGE_NOT_FINISHED: {
    status: 409,
    text: 'the previous charge of this binding is not finished',
    advice: 'wait for the callback of `paymentId`, or read GET /api/card/{paymentId}',
  },
  PERIOD_NOT_ELAPSED: {
    status: 409,
    text: 'the recurring period has not elapsed',
    advice: 'charge at or after `nextChargeAt`; the same key may be used then',
  },
  RETRY_NOT_ALLOWED: {
    status: 409,
    text: 'this declined charge may not be repeated yet',
    advice: 'charge at or after `retryNotBefore`; where it is null, never with this card: make a new first payment',
  },
  CANCEL_NOT_ALLOWED: {
    status: 409,
    text: 'this can no longer be cancelled',
    advice: 'read how it stands: it ended, or somebody is at it; what is paid goes back by a refund',
  },
  REFUND_NOT_ALLOWED: {
    status: 409,
    text: 'this payment cannot be refunded',
    advice: 'only a COMPLETED payment of the last 365 days can be',
  },
  REFUND_AMOUNT_EXCEEDED: {
    status: 409,
    text: 'the refund is larger than what remains',
    advice: 'refund at most the amount less pending and completed refunds',
  },
  INSUFFICIENT_BALANCE: {
    status: 409,
    text: 'the available balance is too small',
    advice: 'request at most `availableUsdt`',
  },
  STALE_REVISION: {
    status: 409,
    text: 'somebody else changed this meanwhile',
    advice: 'operators only: load it again',
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
    text: 'the outcome is not known: repeat with the same Idempotency-Key and body',
    advice: 'repeat with the same key and body after `Retry-After`; a new key may do it twice',
  },
  INTERNAL_ERROR: {
    status: 500,
    text: 'internal error',
    advice: 'the outcome is not known: repeat with the same key and body, or read the status; report the requestId',
  },
} as const satisfies Record<string, { status: number; text: string; advice: string }>;

/** The `code` member of an error body. */
export type ErrorCode = keyof typeof ERRORS;
