import type { ErrorCode } from '@pay/shared/errors/catalogue.ts';
import type { Action } from '@pay/shared/operators/roles.ts';
import type { z } from 'zod';

/**
 * One route of a service's operator API: `path` is relative to `/operator` there, and to `/api/<service>` in the
 * console.
 */
export type OperatorOperation = {
  readonly method: 'get' | 'post' | 'put';
  readonly path: `/${string}`;
  readonly operationId: string;
  readonly summary: string;
  /** The table of actions lists the roles that may call it. */
  readonly action: Action;
  readonly request?: z.ZodType;
  /** The query parameters. */
  readonly query?: z.ZodType;
  /** Each success status, with its response body. */
  readonly answers: Readonly<Partial<Record<200 | 201 | 202, z.ZodType | 'text/csv'>>>;
  /** In addition to those that any call may return. */
  readonly errors?: readonly ErrorCode[];
};
