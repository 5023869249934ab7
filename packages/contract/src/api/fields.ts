import { z } from 'zod';

/** The fields of the public API, as they are on the wire, each with its rule. Spec: Resources and their fields; Limits. */

/** ISO 8601 UTC with milliseconds. */
export const moment = z.iso.datetime({ precision: 3 }).describe('ISO 8601 UTC with milliseconds');

export const uuid = z.uuid();

/**
 * A number on the wire. `double`, because generators make a 32-bit float of a bare number, which turns 200000.01 into
 * 200000.02. No `multipleOf: 0.01`: validators divide, and 1.1 / 0.01 is no whole number to them. The service judges the
 * token as it was written.
 */
export const rublesNumber = z
  .number()
  .positive()
  .refine((rubles) => /^\d+(?:\.\d{1,2})?$/.test(String(rubles)), 'must have at most two digits after the point')
  .describe('Rubles: a JSON number greater than zero with at most two digits after the point, judged as written')
  .meta({ format: 'double', examples: [10.5] });

/** A string on the wire: new money fields and everything in events. */
export const rublesString = z
  .string()
  .regex(/^(?:0|[1-9]\d{0,14})\.\d{2}$/)
  .describe('Rubles: an exact decimal string with two digits after the point')
  .meta({ examples: ['10.50'] });

/** A balance or a movement: may be negative. */
export const signedRublesString = z
  .string()
  .regex(/^-?(?:0|[1-9]\d{0,14})\.\d{2}$/)
  .describe('Rubles: an exact decimal string with two digits after the point, negative with a minus')
  .meta({ examples: ['-10.50'] });

/** What the service says of USDT. */
export const usdtString = z
  .string()
  .regex(/^(?:0|[1-9]\d{0,11})\.\d{6}$/)
  .describe('USDT: an exact decimal string with six digits after the point')
  .meta({ examples: ['12.500000'] });

/** A balance or a change of one: may be negative. */
export const signedUsdtString = z
  .string()
  .regex(/^-?(?:0|[1-9]\d{0,12})\.\d{6}$/)
  .describe('USDT: an exact decimal string with six digits after the point, negative with a minus')
  .meta({ examples: ['-12.500000'] });

/** What a partner says of USDT. A JSON number is refused: it may have been a double. */
export const usdtInput = z
  .string()
  .regex(/^(?:0|[1-9]\d{0,11})(?:\.\d{1,6})?$/)
  .describe('USDT: a decimal string with up to six digits after the point, at least 0.000001')
  .meta({ examples: ['12.5'] });

export const currency = z.literal('RUB');

export const orderID = z
  .string()
  .regex(/^[A-Za-z0-9._:-]{1,64}$/)
  .describe("The partner's unique order number");

export const description = z.string().min(1).max(140).describe('Payment purpose');

export const customerID = z.string().min(1).max(128).describe("Identifier of the buyer in the partner's system");

/** Spec: Integration settings. */
export const publicAddress = z
  .url({ protocol: /^https?$/ })
  .describe('An absolute public HTTPS address without fragment');

export const paymentStatus = z.enum([
  'CREATED', 'SUBMITTED', 'PENDING', 'COMPLETED', 'REJECTED', 'EXPIRED', 'FAILED', 'CANCELLED', 'REFUNDED',
]); // prettier-ignore

export const chargePeriod = z.enum(['PT1M', 'PT1H', 'P1D', 'P1W', 'P1M', 'P1Y']);

export const bindingStatus = z.enum(['ACTIVE', 'REVOKED', 'EXPIRED']);

/** Decisions: Withdrawals, "states". */
export const withdrawalStatus = z.enum([
  'REQUESTED', 'IN_REVIEW', 'APPROVED', 'COMPLETED', 'REJECTED', 'CANCELLED', 'FAILED',
]); // prettier-ignore

/** The query of a list. */
export const LimitAndPage = z.strictObject({
  limit: z.int().min(1).max(100).default(20).optional(),
  pageToken: z.string().describe('nextPageToken of the page before').optional(),
});
