import type { Request } from 'express';
import { z } from 'zod';
import { ApiError } from '@pay/shared/errors/api-error.ts';
import { typedText } from '@pay/shared/content/typed-text.ts';
import { parseRubString } from '@pay/shared/money/money.ts';

/** The fields that requests of this service share, each to its type and limit. Messages never repeat the value. */

export const text = z.string({ error: (issue) => (issue.input === undefined ? 'is required' : 'must be a string') });

/**
 * Somebody's own numbering: not judged (spec/decisions#card-like-digits-in-identifiers), and shown to people masked.
 */
const identifier = (max: number) =>
  text
    .refine((value) => value.trim() !== '', 'must not be empty')
    // As people count: an emoji is one character, not two.
    .refine((value) => [...value].length <= max, `must be at most ${String(max)} characters`)
    .refine((value) => !/\p{Cc}/u.test(value), 'must not contain control characters');

/** Up to 64 Latin letters, digits, dots, underscores, colons and hyphens. See spec/service-contract#limits/orderid. */
export const merchantOrderId = text.regex(
  /^[A-Za-z0-9._:-]{1,64}$/,
  'must be 1 to 64 Latin letters, digits, dots, underscores, colons or hyphens',
);

/** Up to 140 characters. See spec/service-contract#limits/description. */
export const description = typedText('payment.description');

/** Up to 128 characters. See spec/service-contract#limits/customerid. */
export const customerId = identifier(128);

export const currency = z.literal('RUB', { error: 'must be RUB' });

/**
 * A string; kopecks inside. A JSON number is refused: it may have been a double. See
 * spec/service-contract#recurring-charge-request.
 */
export const amount = z.unknown().transform((value, ctx): bigint => {
  const kopecks = typeof value === 'string' ? parseRubString(value) : undefined;
  if (kopecks !== undefined) return kopecks;
  const rule = 'must be a string greater than zero with exactly two digits after the point, such as "990.00"';
  ctx.addIssue({ code: 'custom', message: value === undefined ? 'is required' : rule });
  return z.NEVER;
});

export const bindingId = text
  .refine((value) => z.uuid().safeParse(value).success, 'must be a UUID')
  .transform((value) => value.toLowerCase());

/** 1 to 100, 100 when absent. See spec/decisions#list-of-bindings. */
export const limit = text
  .regex(/^(?:[1-9]\d?|100)$/, 'must be a whole number from 1 to 100')
  .default('100')
  .transform(Number);

/** The id of a path. What is no UUID names nothing. @throws ApiError 404 */
export function bindingIdOfPath(req: Request): string {
  const id = bindingId.safeParse(req.params['bindingId']);
  if (!id.success) throw new ApiError('NOT_FOUND');
  return id.data;
}
