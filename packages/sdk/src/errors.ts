import type { ErrorCode } from './types.ts';

/** One invalid field or, in TEST, one reason for a 401. */
export type ErrorDetail = { readonly field: string; readonly message: string };

/** The service refused the request. Nothing was done, unless `code` says otherwise. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  /** HTTP status. */
  readonly status: number;
  /** What to branch on. `UNREADABLE` if the body is not from the service: a proxy in between responded. */
  readonly code: ErrorCode | 'UNREADABLE';
  readonly details: readonly ErrorDetail[];
  /** Quote it when you contact support. */
  readonly requestId: string | undefined;
  /** With PERIOD_NOT_ELAPSED: the earliest time of the next charge. */
  readonly nextChargeAt: Date | undefined;
  /** With RETRY_NOT_ALLOWED: the earliest time of the next attempt; null: never with this card. */
  readonly retryNotBefore: Date | null | undefined;
  /**
   * With DUPLICATE_ORDER: your payment or charge that already uses the number; with PREVIOUS_CHARGE_NOT_FINISHED: the open
   * charge. Pass it to `readCardPayment`.
   */
  readonly paymentId: string | undefined;
  /** With DUPLICATE_ORDER for a refund: your refund that already uses the number. Pass it to `readRefund`. */
  readonly refundId: string | undefined;
  /** How long the server asked to wait, if it did. */
  readonly retryAfterSeconds: number | undefined;
  /** The idempotency key of the refused request: pass it again to repeat the same request. */
  readonly idempotencyKey: string | undefined;
  /** The body as received. */
  readonly body: unknown;

  constructor(answer: {
    status: number;
    body: unknown;
    retryAfterSeconds: number | undefined;
    requestId: string | undefined;
    /** The header: when the service responded, by its own clock. */
    date?: string | undefined;
    idempotencyKey: string | undefined;
  }) {
    const members = isRecord(answer.body) ? answer.body : {};
    const sentence = typeof members['error'] === 'string' ? members['error'] : `HTTP status ${String(answer.status)}`;
    const details = readDetails(members['details']);
    const clock = answer.status === 401 ? clockFault(answer.date) : [];
    super([sentence, ...details.map(({ field, message }) => `${field}: ${message}`), ...clock].join('; '));
    this.status = answer.status;
    this.code = isErrorCode(members['code']) ? members['code'] : 'UNREADABLE';
    this.details = details;
    this.requestId = textOf(members['requestId']) ?? answer.requestId;
    this.nextChargeAt = momentOf(members['nextChargeAt']);
    this.retryNotBefore = members['retryNotBefore'] === null ? null : momentOf(members['retryNotBefore']);
    this.paymentId = textOf(members['paymentId']);
    this.refundId = textOf(members['refundId']);
    this.retryAfterSeconds = answer.retryAfterSeconds;
    this.idempotencyKey = answer.idempotencyKey;
    this.body = answer.body;
  }
}

/**
 * An attempt got no response, or one that is not from the service, and no later one decided; or the call was aborted: the
 * outcome is unknown.
 * Repeat the call later with the same body and this `idempotencyKey`: the service returns what it did, or does it now.
 */
export class NoAnswerError extends Error {
  override readonly name = 'NoAnswerError';
  readonly idempotencyKey: string | undefined;

  constructor(cause: unknown, idempotencyKey: string | undefined) {
    super(`no answer from the service: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
    this.idempotencyKey = idempotencyKey;
  }
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : undefined);

function momentOf(value: unknown): Date | undefined {
  const moment = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return Number.isNaN(moment) ? undefined : new Date(moment);
}

/** The most that the service's clock and ours may differ. See spec/service-contract#authentication. */
const CLOCK_TOLERANCE_SECONDS = 300;

function clockFault(date: string | undefined): string[] {
  const behind = Math.round((Date.parse(date ?? '') - Date.now()) / 1000);
  if (Number.isNaN(behind) || Math.abs(behind) <= CLOCK_TOLERANCE_SECONDS) return [];
  return [`the clock of this machine is ${String(Math.abs(behind))} s ${behind > 0 ? 'behind' : 'ahead of'} the service's`];
}

/** Also accepts codes that this version does not know: a newer service may send them. */
function isErrorCode(value: unknown): value is ErrorCode {
  return typeof value === 'string' && /^[A-Z][A-Z_]+$/.test(value);
}

function readDetails(value: unknown): ErrorDetail[] {
  if (!Array.isArray(value)) return [];
  return value.filter(isRecord).map(({ field, message }) => ({ field: String(field), message: String(message) }));
}
