import type { z } from 'zod';
import { ApiError, type FieldError } from '../errors/api-error.ts';
import { forbiddenContent } from '../content/forbidden-content.ts';

/** A body of 64 KiB can contain thousands of invalid fields; after correcting twenty the next ones are shown. */
export const DETAILS_MAX = 20;

/**
 * Validates a body, a query or path parameters against a schema. Invalid and unknown fields are named: the first
 * twenty.
 * @throws ApiError VALIDATION_FAILED
 */
export function validate<T extends z.ZodType>(schema: T, value: unknown): z.output<T> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new ApiError('VALIDATION_FAILED', {
    details: parsed.error.issues.flatMap(toFieldErrors).slice(0, DETAILS_MAX),
  });
}

/** Names and messages only: a refused value may be something that must not be repeated, such as a card number. */
function toFieldErrors(issue: z.core.$ZodIssue): FieldError[] {
  const path = issue.path.map(String).join('.');
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.slice(0, DETAILS_MAX).map((key) => ({ field: pathOf(path, key), message: 'is not a field of this request' })); // prettier-ignore
  }
  return [{ field: path === '' ? 'body' : path, message: issue.message }];
}

/** Names are repeated to the sender, and logged: unless a name is itself forbidden content. */
function pathOf(path: string, name: string): string {
  if (forbiddenContent(name) !== undefined) return path === '' ? 'body' : path;
  return path === '' ? name : `${path}.${name}`;
}
