import { z } from 'zod';
import { isKept } from '../time/day.ts';

/**
 * Fields shared by requests and responses of all kinds: routes in this package parse with them, and the contract builds
 * on them. Each rule is defined once, here. Messages never repeat the value.
 */

export const text = z.string({ error: (issue) => (issue.input === undefined ? 'is required' : 'must be a string') });

/** In responses and events: ISO 8601 UTC with milliseconds. */
export const moment = z.iso.datetime({ precision: 3 }).describe('ISO 8601 UTC with milliseconds');

/**
 * In requests: ISO 8601 with a zone, in the years 1 to 9999 of UTC, which an offset may leave; parsed to its millisecond. See
 * spec/decisions#moments-and-days.
 */
export const momentInput = (about: string) =>
  z.iso
    .datetime({
      offset: true,
      error: 'must be an ISO 8601 timestamp with its zone, such as 2026-11-21T00:00:00Z',
      // Otherwise the rules below would be given the text.
      abort: true,
    })
    .refine((value) => isKept(Date.parse(value)), { error: 'must be in the years 0001 to 9999 of UTC', abort: true })
    .describe(about)
    .transform((value) => new Date(value));

/** A day in requests and responses, in the years 1 to 9999. */
export const day = z.iso
  .date({ error: 'must be a day such as 2026-11-22', abort: true })
  .refine((value) => isKept(Date.parse(value)), 'must be in the years 0001 to 9999')
  .describe('A day in UTC, such as 2026-11-22');

type Range = {
  readonly description: string;
  readonly default: number;
  readonly minimum: number;
  readonly maximum: number;
};

/** A whole number in a query: text on the wire. */
const wholeNumber = (pattern: RegExp, rule: string, json: Range) => {
  const schema: z.ZodType<number, number> = z
    .any()
    .meta({ ...json, type: 'integer' })
    .pipe(text.regex(pattern, rule).transform(Number));
  return schema.default(json.default);
};

/** Of a list: 1 to 100. */
export const pageLimit = (byDefault: number) =>
  wholeNumber(/^(?:[1-9]\d?|100)$/, 'must be a whole number from 1 to 100', {
    description: 'The number of items on a page',
    default: byDefault,
    minimum: 1,
    maximum: 100,
  });

/** The part of what is read in parts, from 1. */
export const partNumber = wholeNumber(/^[1-9]\d{0,8}$/, 'must be a whole number from 1', {
  description: 'Which part, from 1',
  default: 1,
  minimum: 1,
  maximum: 999_999_999,
});

/** Where a list goes on. */
export const pageToken = text.describe('nextPageToken of the page before').optional();
