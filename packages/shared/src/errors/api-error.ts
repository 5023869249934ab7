import { ERRORS, type ErrorCode } from './catalogue.ts';

/** One invalid field: which one, and how to correct it. */
export type FieldError = { readonly field: string; readonly message: string };

type Extra = {
  /** Invalid fields, rendered as `details`. */
  readonly details?: readonly FieldError[];
  /** Further members of the body, for example `nextChargeAt`. */
  readonly members?: Readonly<Record<string, unknown>>;
  /** Value of Retry-After, in seconds. */
  readonly retryAfterSeconds?: number;
  /** Value of Allow, for 405. */
  readonly allow?: readonly string[];
  /** Replaces the catalogue's sentence if a more specific one helps. */
  readonly text?: string;
};

/**
 * An expected refusal. Thrown by use cases if nothing may change; rendered in one place (`http/error-middleware.ts`).
 * A 503, and 409 IDEMPOTENCY_KEY_IN_PROGRESS, always has Retry-After.
 */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly code: ErrorCode;
  readonly status: number;
  readonly details: readonly FieldError[] | undefined;
  readonly members: Readonly<Record<string, unknown>>;
  readonly retryAfterSeconds: number | undefined;
  readonly allow: readonly string[] | undefined;

  constructor(code: ErrorCode, extra: Extra = {}) {
    super(extra.text ?? ERRORS[code].text);
    this.code = code;
    this.status = ERRORS[code].status;
    this.details = extra.details;
    this.members = extra.members ?? {};
    this.retryAfterSeconds = extra.retryAfterSeconds ?? (this.status === 503 ? 5 : undefined);
    this.allow = extra.allow;
  }
}

/** 400 VALIDATION_FAILED for one field. */
export function invalidField(field: string, message: string): ApiError {
  return new ApiError('VALIDATION_FAILED', { details: [{ field, message }] });
}
