import { z } from 'zod';
import { containsCardNumber } from '@pay/shared/content/card-number.ts';
import { typedText } from '@pay/shared/content/typed-text.ts';
import { parseRubString } from '@pay/shared/money/money.ts';

/** The fields that requests of operators share, each to its type and limit. Messages never repeat the value. */

const text = z.string({ error: (issue) => (issue.input === undefined ? 'is required' : 'must be a string') });

const noCard = (value: string): boolean => !containsCardNumber(value);
const NO_CARD = 'must not contain a card number';

/** An identifier that somebody was given: one that does not exist names nothing. */
export const issuedId = text.min(1, 'must not be empty').max(128, 'must be at most 128 characters');

/** An identifier to be made; it never changes, and stands in paths. */
export const newId = text.regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/, 'must be 1 to 64 of A-Z a-z 0-9 . _ -').refine(noCard, NO_CARD); // prettier-ignore

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
