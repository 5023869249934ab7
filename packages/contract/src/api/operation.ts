import type { ErrorCode } from '@pay/shared/errors/catalogue.ts';
import type { z } from 'zod';

/** One endpoint of the public API. */
export type Operation = {
  readonly method: 'get' | 'post' | 'put';
  readonly path: string;
  readonly operationId: string;
  readonly summary: string;
  readonly request?: z.ZodType;
  /** The parameters after the question mark. */
  readonly query?: z.ZodType;
  /** Takes the header Idempotency-Key, and needs it. */
  readonly isIdempotent?: true;
  readonly status: 200 | 201 | 202;
  readonly response: z.ZodType;
  /** Also answers with text/csv, where the query asks for it. */
  readonly isAlsoCsv?: true;
  /** Beyond those that every call may meet. */
  readonly errors: readonly ErrorCode[];
};

/** Every call may be answered with one of these. */
export const COMMON_ERRORS: readonly ErrorCode[] = [
  'UNAUTHORIZED',
  'VALIDATION_FAILED',
  'RATE_LIMITED',
  'INTERNAL_ERROR',
  'SERVICE_UNAVAILABLE',
];
/** Every call that changes something. */
export const COMMAND_ERRORS: readonly ErrorCode[] = ['OUTCOME_UNKNOWN'];
/** Every call with a body. */
export const BODY_ERRORS: readonly ErrorCode[] = ['PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'];
/** Every call with an Idempotency-Key. */
export const IDEMPOTENCY_ERRORS: readonly ErrorCode[] = ['IDEMPOTENCY_KEY_REUSED', 'IDEMPOTENCY_KEY_IN_PROGRESS'];
