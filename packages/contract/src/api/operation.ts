import type { ErrorCode } from '@pay/shared/errors/catalogue.ts';
import type { z } from 'zod';

/** One endpoint of the public API. */
export type Operation = {
  readonly method: 'get' | 'post' | 'put';
  readonly path: string;
  readonly operationId: string;
  readonly summary: string;
  readonly request?: z.ZodType;
  /** The query parameters. */
  readonly query?: z.ZodType;
  /** Requires the header Idempotency-Key. */
  readonly isIdempotent?: true;
  readonly status: 200 | 201 | 202;
  /** Exists in TEST only; for tools, so that no SDK has it. */
  readonly isTestOnly?: true;
  /** Undefined: it goes on as text/event-stream. */
  readonly response: z.ZodType | undefined;
  /** Also returns text/csv, if the query asks for it. */
  readonly isAlsoCsv?: true;
  /** In addition to those that any call may return. */
  readonly errors: readonly ErrorCode[];
};

/** Any call may return one of these. */
export const COMMON_ERRORS: readonly ErrorCode[] = [
  'UNAUTHORIZED',
  'METHOD_NOT_ALLOWED',
  'VALIDATION_FAILED',
  'RATE_LIMITED',
  'INTERNAL_ERROR',
  'SERVICE_UNAVAILABLE',
];
/** Any call that changes something. */
export const COMMAND_ERRORS: readonly ErrorCode[] = ['OUTCOME_UNKNOWN'];
/** Any call with a body. */
export const BODY_ERRORS: readonly ErrorCode[] = ['PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'];
/** Any call with an Idempotency-Key. */
export const IDEMPOTENCY_ERRORS: readonly ErrorCode[] = ['IDEMPOTENCY_KEY_REUSED', 'IDEMPOTENCY_KEY_IN_PROGRESS'];
