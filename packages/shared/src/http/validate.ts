import type { z } from 'zod';
import { ApiError, type FieldError } from '../errors/api-error.ts';
import { forbiddenContent } from '../content/forbidden-content.ts';

/** A body of 64 KiB can hold thousands of wrong fields; whoever mends twenty sees the next. */
export const DETAILS_MAX = 20;

/**
 * Checks a body, a query or path parameters against their schema. Wrong fields are named, unknown ones too: the first twenty.
 * @throws ApiError VALIDATION_FAILED
 */
export function validate<T extends z.ZodType>(schema: T, value: unknown): z.output<T> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new ApiError('VALIDATION_FAILED', {
    details: parsed.error.issues.flatMap(toFieldErrors).slice(0, DETAILS_MAX),
  });
}

/** Names and messages only: a refused value may be what must not be repeated, such as a card number. */
function toFieldErrors(issue: z.core.$ZodIssue): FieldError[] {
  const path = issue.path.map(String).join('.');
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.slice(0, DETAILS_MAX).map((key) => ({ field: pathOf(path, key), message: 'is not a field of this request' })); // prettier-ignore
  }
  return [{ field: path === '' ? 'body' : path, message: issue.message }];
}

/** Names are repeated to whoever sent them, and logged on the way: not one that is forbidden content itself. */
function pathOf(path: string, name: string): string {
  if (forbiddenContent(name) !== undefined) return path === '' ? 'body' : path;
  return path === '' ? name : `${path}.${name}`;
}
