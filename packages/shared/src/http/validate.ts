import type { z } from 'zod';
import { ApiError, type FieldError } from '../errors/api-error.ts';

/**
 * Checks a body, a query or path parameters against their schema. Every wrong field is named, unknown fields too.
 * @throws ApiError VALIDATION_FAILED
 */
export function validate<T extends z.ZodType>(schema: T, value: unknown): z.output<T> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new ApiError('VALIDATION_FAILED', { details: parsed.error.issues.flatMap(toFieldErrors) });
}

/** Names and messages only: a refused value may be what must not be repeated, such as a card number. */
function toFieldErrors(issue: z.core.$ZodIssue): FieldError[] {
  const path = issue.path.map(String).join('.');
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({
      field: path === '' ? key : `${path}.${key}`,
      message: 'is not a field of this request',
    }));
  }
  return [{ field: path === '' ? 'body' : path, message: issue.message }];
}
