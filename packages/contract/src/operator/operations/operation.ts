import type { ErrorCode } from '@pay/shared/errors/catalogue.ts';
import type { Action } from '@pay/shared/operators/roles.ts';
import type { z } from 'zod';

/** One route of a service's operator API: `path` stands below `/operator` there, and below `/api/<service>` in the console. */
export type OperatorOperation = {
  readonly method: 'get' | 'post' | 'put';
  readonly path: `/${string}`;
  readonly operationId: string;
  readonly summary: string;
  /** Which roles may call it stands in the table of actions. */
  readonly action: Action;
  readonly request?: z.ZodType;
  /** The parameters after the question mark. */
  readonly query?: z.ZodType;
  /** Each status of success, with what is answered. */
  readonly answers: Readonly<Partial<Record<200 | 201 | 202, z.ZodType | 'text/csv'>>>;
  /** Beyond those that every call may meet. */
  readonly errors?: readonly ErrorCode[];
};
