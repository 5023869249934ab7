import type { z } from 'zod';
import { ApiError, invalidField, type FieldError } from '../errors/api-error.ts';
import { fieldPath } from '../errors/field-path.ts';

/** A body of 64 KiB can contain thousands of invalid fields; after correcting twenty the next ones are shown. */
export const DETAILS_MAX = 20;

/**
 * Validates a body or path parameters against a schema. Invalid and unknown fields are named: the first twenty.
 * @throws ApiError VALIDATION_FAILED
 */
export function validate<T extends z.ZodType>(schema: T, value: unknown): z.output<T> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw refusal(parsed.error.issues, (issue) => toFieldErrors(issue));
}

/**
 * Validates the query of a request target: every parameter that reaches a service is read here. Where `+`, which is a blank in
 * a query, would have been right as a plus, the refusal says so: an offset such as `+03:00` is often not escaped.
 * @throws ApiError VALIDATION_FAILED
 */
export function validateQuery<T extends z.ZodType>(schema: T, target: string): z.output<T> {
  const pairs = pairsOf(target);
  const parsed = schema.safeParse(Object.fromEntries(pairs.map(({ name, value }) => [name, value])));
  if (parsed.success) return parsed.data;
  const withPluses = schema.safeParse(Object.fromEntries(pairs.map(({ name, asPlus }) => [name, asPlus])));
  const stillWrong = new Set(withPluses.error?.issues.map(({ path: [name] }) => name));
  const isOnlyPlus = new Set<PropertyKey>(
    pairs.flatMap(({ name, value, asPlus }) => (value !== asPlus && !stillWrong.has(name) ? [name] : [])),
  );
  throw refusal(parsed.error.issues, (issue) => {
    const [name = ''] = issue.path;
    return isOnlyPlus.has(name)
      ? [{ field: fieldPath([name], 'query'), message: 'has a + that means a blank in a query: write a plus as %2B' }]
      : toFieldErrors(issue, 'query');
  });
}

/** A parameter. `asPlus` is its value if each unescaped + was meant as one. */
type Pair = { readonly name: string; readonly value: string; readonly asPlus: string };

/** @throws ApiError VALIDATION_FAILED for what PostgreSQL cannot store, and for a name that occurs twice */
function pairsOf(target: string): Pair[] {
  const mark = target.indexOf('?');
  const raw = mark === -1 ? [] : target.slice(mark + 1).split('&');
  const names = new Set<string>();
  return raw.flatMap((pair) => {
    if (pair === '') return [];
    const [named = ''] = pair.split('=', 1);
    const name = decode(named.replaceAll('+', ' '), 'query');
    const field = fieldPath([name], 'query');
    if (names.has(name)) throw invalidField(field, 'occurs twice in the query');
    names.add(name);
    const given = pair.slice(named.length + 1);
    return [{ name, value: decode(given.replaceAll('+', ' '), field), asPlus: decode(given, field) }];
  });
}

function decode(text: string, field: string): string {
  let decoded: string;
  try {
    decoded = decodeURIComponent(text);
  } catch {
    throw invalidField(field, 'must be UTF-8 once it is percent-decoded');
  }
  if (decoded.includes('\0')) throw invalidField(field, 'must not contain U+0000');
  return decoded;
}

type ToFieldErrors = (issue: z.core.$ZodIssue) => FieldError[];

function refusal(issues: readonly z.core.$ZodIssue[], read: ToFieldErrors): ApiError {
  return new ApiError('VALIDATION_FAILED', {
    details: issues.flatMap((issue) => read(issue)).slice(0, DETAILS_MAX),
  });
}

/** Names and messages only: a refused value may be something that must not be repeated, such as a card number. */
function toFieldErrors(issue: z.core.$ZodIssue, whole: 'body' | 'query' = 'body'): FieldError[] {
  if (issue.code === 'invalid_union') {
    // Of the forms that it may have, the one that it is nearest to: otherwise no field is named.
    const [nearest = []] = issue.errors.toSorted((a, b) => a.length - b.length);
    if (nearest.length > 0) return nearest.flatMap((inner) => toFieldErrors({ ...inner, path: [...issue.path, ...inner.path] }, whole));
  }
  if (issue.code !== 'unrecognized_keys') return [{ field: fieldPath(issue.path, whole), message: issue.message }];
  return issue.keys.slice(0, DETAILS_MAX).map((key) => ({
    field: fieldPath([...issue.path, key], whole),
    message: 'is not a field of this request',
  }));
}
