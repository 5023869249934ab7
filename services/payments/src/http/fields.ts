import { z } from 'zod';
import { containsCardNumber } from '@pay/shared/content/card-number.ts';
import { typedText } from '@pay/shared/content/typed-text.ts';
import { JsonNumber } from '@pay/shared/http/json-body.ts';
import { withAsciiHost } from '@pay/shared/net/public-url.ts';
import { parseRubString, parseRubToken } from '@pay/shared/money/money.ts';

/** The fields that requests of this service share, each to its type and limit. Messages never repeat the value. */

const text = z.string({ error: (issue) => (issue.input === undefined ? 'is required' : 'must be a string') });

const noCard = (value: string): boolean => !containsCardNumber(value);
const NO_CARD = 'must not contain a card number';
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

/**
 * Up to 128 characters. See spec/service-contract#limits/customerid. Compared as it is written: two spellings of a
 * letter are two buyers.
 */
export const customerId = identifier(128);

/** An identifier that we issued; one that does not exist is 404, so only its type matters. */
export const paymentPointId = text.max(128, 'must be at most 128 characters').refine(noCard, NO_CARD);

/** What may be in it is judged beside the saved address. */
export const returnUrl = text.transform(withAsciiHost).refine(noCard, NO_CARD);

/** An identifier that somebody was given: one that does not exist names nothing. */
export const issuedId = text.min(1, 'must not be empty').max(128, 'must be at most 128 characters');

/** An identifier to be made; it never changes, and stands in paths. */
export const newId = text.regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/, 'must be 1 to 64 of A-Z a-z 0-9 . _ -').refine(noCard, NO_CARD); // prettier-ignore

export const currency = z.literal('RUB', { error: 'must be RUB' });

const AMOUNT_RULE = 'must be a number of rubles greater than zero with at most two digits after the point';

/** A JSON number judged by its token; kopecks inside. See spec/decisions#amount-limits. */
export const amount = z.unknown().transform((value, ctx): bigint => {
  const kopecks = value instanceof JsonNumber ? parseRubToken(value.token) : undefined;
  if (kopecks !== undefined) return kopecks;
  ctx.addIssue({ code: 'custom', message: value === undefined ? 'is required' : AMOUNT_RULE });
  return z.NEVER;
});

/**
 * A string with exactly two digits after the point; kopecks inside. A JSON number is refused. See
 * spec/decisions#refunds.
 */
export const refundAmount = z.unknown().transform((value, ctx): bigint => {
  const kopecks = typeof value === 'string' ? parseRubString(value) : undefined;
  if (kopecks !== undefined) return kopecks;
  ctx.addIssue({ code: 'custom', message: 'must be a string of rubles greater than zero such as "10.50"' });
  return z.NEVER;
});

/** See spec/decisions#refunds: up to 140 characters. */
export const refundReason = typedText('refund.reason');

/** What an operator says was done. */
export const operatorNote = typedText('exception.note');

/** See spec/decisions#refunds: up to 64 characters, unique per partner. Compared as it is written. */
export const merchantRefundId = identifier(64);

/** Of a list: 1 to 100, 20 when absent. */
export const limit = text
  .regex(/^(?:[1-9]\d?|100)$/, 'must be a whole number from 1 to 100')
  .default('20')
  .transform(Number);

export const pageToken = text;

/** ISO 8601 with a zone, on the way in. */
export const moment = z.iso
  .datetime({ offset: true, error: 'must be an ISO 8601 timestamp with its zone, such as 2026-11-21T00:00:00Z' })
  .transform((value) => new Date(value));
