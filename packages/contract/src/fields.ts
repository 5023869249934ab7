import { z } from 'zod';
import { containsCardData, partsOfUrl } from '@pay/shared/content/card-data.ts';
import { forbiddenContent } from '@pay/shared/content/forbidden-content.ts';
import { FORBIDDEN_CONTENT, TEXT_PATTERN, typedText } from '@pay/shared/content/typed-text.ts';
import { isBlank, NOT_BLANK } from '@pay/shared/text/blank.ts';
import { pageLimit, pageToken, text } from '@pay/shared/http/fields.ts';
import { JsonNumber } from '@pay/shared/json/json-body.ts';
import { parseRubString, parseRubToken, parseUsdt } from '@pay/shared/money/money.ts';
import { withCalledOrigin } from '@pay/shared/net/public-url.ts';
import { BINDING_STATUSES, CHARGE_PERIODS, PAYMENT_STATUSES, WITHDRAWAL_STATUSES } from './states.ts';

/**
 * The fields of the APIs, each with a single rule: how a service validates it, how the document describes it, and the
 * internal value it is parsed to. Error messages never repeat the value. See
 * spec/service-contract#resources-and-their-fields and spec/service-contract#limits.
 */

/** One of a fixed list of words. */
export const oneOf = <const Words extends readonly [string, ...string[]]>(words: Words) =>
  z.enum(words, { error: `must be one of ${words.join(', ')}` });

/** Length in code points, as in JSON Schema's `maxLength`: an emoji counts as one character, not two. */
export const isAtMost = (value: string, max: number): boolean =>
  value.length <= max || (value.length <= 2 * max && [...value].length <= max);

/** A text with a maximum length in characters. */
export const textUpTo = (max: number) =>
  text.refine((value) => isAtMost(value, max), `must be at most ${String(max)} characters`).meta({ maxLength: max });

const noCard = (value: string): boolean => !containsCardData(value);
const NO_CARD = 'must not contain a card number or its code';

/**
 * An identifier chosen by the partner: not checked for card numbers (spec/decisions#card-like-digits-in-identifiers), and
 * masked when shown to people.
 */
const identifier = (max: number) =>
  text
    .refine((value) => !isBlank(value), NOT_BLANK)
    .refine((value) => isAtMost(value, max), `must be at most ${String(max)} characters`)
    .refine((value) => !/\p{Cc}/u.test(value), 'must not contain control characters')
    .meta({ minLength: 1, maxLength: max, pattern: TEXT_PATTERN });

/** Up to 64 Latin letters, digits, dots, underscores, colons and hyphens. See spec/service-contract#limits/orderid. */
export const orderID = text
  .regex(/^[A-Za-z0-9._:-]{1,64}$/, 'must be 1 to 64 Latin letters, digits, dots, underscores, colons or hyphens')
  .describe("The partner's unique order number");

/** Up to 140 characters. See spec/service-contract#limits/description. */
export const description = typedText('partner', 140).describe('Payment purpose');

/**
 * Up to 128 characters. See spec/service-contract#limits/customerid. Compared code point by code point: two Unicode
 * encodings of one letter are two buyers.
 */
export const customerID = identifier(128).describe("Identifier of the buyer in the partner's system");

/** See spec/decisions#refunds: up to 64 characters, unique per partner. Compared code point by code point. */
export const merchantRefundId = identifier(64).describe("The partner's unique refund number");

/** See spec/decisions#refunds: up to 140 characters. */
export const refundReason = typedText('partner', 140).describe('Why, in your words');

/** An identifier that we issued. An unknown one is a 404, so only its type is checked. */
export const paymentPointID = textUpTo(128).refine(noCard, NO_CARD);

/** An identifier that was issued earlier; an unknown one matches nothing. */
export const issuedId = text
  .refine((value) => value !== '', 'must not be empty')
  .refine((value) => isAtMost(value, 128), 'must be at most 128 characters')
  .meta({ minLength: 1, maxLength: 128 });

/**
 * A field for one of our ids, into which partners may paste wallet addresses or secrets by mistake (see
 * spec/service-contract#withdrawal-request). Our ids contain no whitespace, so a phrase is refused as well.
 */
export const judgedId = text
  .refine((value) => value !== '', { error: 'must not be empty', abort: true })
  .refine((value) => isAtMost(value, 128), { error: 'must be at most 128 characters', abort: true })
  .refine((value) => forbiddenContent(value) === undefined, { error: FORBIDDEN_CONTENT, abort: true })
  .refine((value) => !/[\s,;]/u.test(value), 'must be an id that was issued')
  .meta({ minLength: 1, maxLength: 128, pattern: '^[^\\s,;]+$' });

/** An identifier for a new record; it never changes, and it is used in paths. */
export const newId = text
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/, 'must be 1 to 64 Latin letters, digits, dots, underscores or hyphens')
  .refine(noCard, NO_CARD);

export const uuid = z.uuid();

/** An id in a request, in either case; parsed to lowercase. */
export const uuidInput = z
  .uuid({
    error: ({ input }) => (input === undefined ? 'is required' : typeof input === 'string' ? 'must be a UUID' : 'must be a string'),
  })
  .transform((value) => value.toLowerCase());

/** Checked against the saved address, elsewhere. */
export const returnUrl = text
  .describe('May differ from the saved returnUrl in path and query only')
  .transform(withCalledOrigin)
  .refine((value) => partsOfUrl(value).every(noCard), NO_CARD);

/** See spec/service-contract#integration-settings. */
export const publicAddress = z.url({ protocol: /^https?$/ }).describe('An absolute public HTTPS URL without a fragment');

export const currency = z.literal('RUB', { error: 'must be RUB' }).describe('Always RUB');

export const paymentStatus = oneOf(PAYMENT_STATUSES).describe('The status of the payment');
export const bindingStatus = oneOf(BINDING_STATUSES).describe('The status of the binding');
export const withdrawalStatus = oneOf(WITHDRAWAL_STATUSES).describe('The status of the payout request');
export const chargePeriod = oneOf(CHARGE_PERIODS).describe('The card is charged at most this often');

/**
 * Rubles as a JSON number. `double`, because generators turn a bare number into a 32-bit float, and 200000.01 into
 * 200000.02. No `multipleOf: 0.01`: validators divide, and 1.1 / 0.01 is not an integer in floating point.
 */
const RUBLES_NUMBER = {
  type: 'number',
  exclusiveMinimum: 0,
  description: 'Rubles: a JSON number greater than zero with at most two decimal places, read by its digits. A string is refused here',
  format: 'double',
  examples: [10.5],
} as const;
const RUBLES_RULE = 'must be a number of rubles greater than zero with at most two digits after the point';

/** A JSON number in a request, validated by its token and parsed to kopecks. See spec/decisions#amount-limits. */
export const rublesInput: z.ZodType<bigint, number> = z
  .any()
  .meta(RUBLES_NUMBER)
  .transform((value: unknown, ctx): bigint => {
    const kopecks = value instanceof JsonNumber ? parseRubToken(value.token) : undefined;
    return kopecks ?? refused(ctx, value === undefined ? 'is required' : RUBLES_RULE);
  });

/** A JSON number in a response. */
export const rublesNumber = z
  .number()
  .positive()
  .refine((rubles) => /^\d+(?:\.\d{1,2})?$/.test(String(rubles)), 'must have at most two digits after the point')
  .describe(RUBLES_NUMBER.description)
  .meta({ format: RUBLES_NUMBER.format, examples: RUBLES_NUMBER.examples });

const RUBLES_STRING = /^(?:0|[1-9]\d{0,14})\.\d{2}$/;

/** A string on the wire: new money fields and everything in events. */
export const rublesString = z
  .string()
  .regex(RUBLES_STRING)
  .describe('Rubles: an exact decimal string with two decimal places')
  .meta({ examples: ['10.50'] });

/** `RUBLES_STRING` without zero, as a JSON Schema says it. */
export const RUBLES_PATTERN = '^(?:[1-9]\\d{0,14}\\.\\d{2}|0\\.(?:0[1-9]|[1-9]\\d))$';

/** Rubles as a string in a request, parsed to kopecks. A JSON number is refused: it may have passed through a double. */
const rublesStringInput = (rule: string, about: string): z.ZodType<bigint, string> =>
  z
    .any()
    .meta({ type: 'string', pattern: RUBLES_PATTERN, description: about, examples: ['10.50'] })
    .transform((value: unknown, ctx): bigint => {
      const kopecks = typeof value === 'string' ? parseRubString(value) : undefined;
      return kopecks ?? refused(ctx, value === undefined ? 'is required' : rule);
    });

/** See spec/service-contract#recurring-charge-request. */
export const chargeAmount = rublesStringInput(
  'must be a string greater than zero with exactly two digits after the point, such as "990.00"',
  'Rubles: an exact decimal string with two decimal places',
);

/** See spec/decisions#refunds. */
export const refundAmount = rublesStringInput(
  'must be a string of rubles greater than zero such as "10.50"',
  'If omitted: all that remains',
);

/** A balance or a change of one: may be negative. */
export const signedRublesString = z
  .string()
  .regex(/^-?(?:0|[1-9]\d{0,14})\.\d{2}$/)
  .describe('Rubles: an exact decimal string with two decimal places and a leading minus if negative')
  .meta({ examples: ['-10.50'] });

/** A USDT amount in a response. */
export const usdtString = z
  .string()
  .regex(/^(?:0|[1-9]\d{0,11})\.\d{6}$/)
  .describe('USDT: an exact decimal string with six decimal places')
  .meta({ examples: ['12.500000'] });

/** A balance or a change of one: may be negative. */
export const signedUsdtString = z
  .string()
  .regex(/^-?(?:0|[1-9]\d{0,12})\.\d{6}$/)
  .describe('USDT: an exact decimal string with six decimal places and a leading minus if negative')
  .meta({ examples: ['-12.500000'] });

/** Up to six digits after the point, and not zero: a digit other than zero in one of the six places. */
const USDT_PATTERN =
  '^(?:[1-9]\\d{0,11}(?:\\.\\d{1,6})?|0\\.(?:[1-9]\\d{0,5}|0[1-9]\\d{0,4}|00[1-9]\\d{0,3}|0{3}[1-9]\\d{0,2}|0{4}[1-9]\\d?|0{5}[1-9]))$';

/**
 * USDT in a request, parsed to micro-USDT. A JSON number is refused: it may have passed through a double. See
 * spec/decisions#withdrawal-amount.
 */
export const usdtInput: z.ZodType<bigint, string> = z
  .any()
  .meta({
    type: 'string',
    pattern: USDT_PATTERN,
    description: 'USDT: a decimal string with up to six decimal places, at least 0.000001',
    examples: ['12.5'],
  })
  .transform((value: unknown, ctx): bigint => {
    const rule = 'must be a string of at least 0.000001 with at most six digits after the point, such as "12.500000"';
    const micro = typeof value === 'string' ? parseUsdt(value) : undefined;
    return micro ?? refused(ctx, value === undefined ? 'is required' : rule);
  });

function refused(ctx: z.core.$RefinementCtx, message: string): never {
  ctx.addIssue({ code: 'custom', message });
  return z.NEVER;
}

/** The query parameters of a list. */
export const LimitAndPage = z.strictObject({
  limit: pageLimit(20),
  pageToken,
});

/** The token of the next page of a list. */
export const nextPageToken = z
  .string()
  .nullable()
  .describe('Pass it as pageToken of the next request; null on the last page. A page before the last may be short, or empty');

/** In responses: the bank's own id of a payment. */
export const bankOperationId = z.string().nullable().describe('The id of the operation at the bank; null if there is none');

/** In responses: the payment point of a payment. */
export const pointOfPayment = z.string().describe('The payment point');

/** An optional field, parsed to null if absent, because it is stored as parsed. */
export const orNull = <Field extends z.ZodType>(field: Field) => field.optional().transform((value) => value ?? null);

/** That a member is there, as a condition of a JSON Schema says it. */
export const withMember = (name: string) => ({ properties: { [name]: {} }, required: [name] });

/** The body of a POST or PUT: an object with the named fields only. */
export const body = <Fields extends z.core.$ZodLooseShape>(fields: Fields) => z.strictObject(fields, { error: 'must be a JSON object' });
