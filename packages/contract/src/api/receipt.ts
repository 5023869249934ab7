import { z } from 'zod';
import { containsCardData } from '@pay/shared/content/card-data.ts';
import { typedText } from '@pay/shared/content/typed-text.ts';
import { invalidField } from '@pay/shared/errors/api-error.ts';
import { parseRubString } from '@pay/shared/money/money.ts';
import { text } from '@pay/shared/http/fields.ts';
import { withMember } from '../fields.ts';
import { named } from '../registry.ts';

/**
 * The contents of a 54-FZ cash receipt for a payment or a refund. One schema serves both the document and the services
 * that validate it: a receipt is stored and passed on as written, in strings, so it is never turned into a number
 * (decisions/refunds).
 *
 * Codes are those of the fiscal document format (FFD 1.05 and 1.2, tax service order ED-7-20/662), spelled as words: tag
 * 1055 `taxation`, 1199 `vat`, 1214 `paymentMethod`, 1212 `paymentObject`, 2108 `measurementUnit`.
 */

/** Tag 1055. ENVD was abolished at the end of 2020. */
const TAXATIONS = ['OSN', 'USN_INCOME', 'USN_INCOME_OUTCOME', 'ESN', 'PATENT'] as const;

/** Tag 1199. 20 % for sales before 2026, 22 % since. */
const VATS = ['NONE', 'VAT0', 'VAT5', 'VAT7', 'VAT10', 'VAT20', 'VAT22', 'VAT105', 'VAT107', 'VAT110', 'VAT120', 'VAT122'] as const;

/** Tag 1214: how the item is paid for. */
const PAYMENT_METHODS = [
  'FULL_PREPAYMENT',
  'PREPAYMENT',
  'ADVANCE',
  'FULL_PAYMENT',
  'PARTIAL_PAYMENT',
  'CREDIT',
  'CREDIT_PAYMENT',
] as const;

/** Tag 1212: what the item is. Excludes those that need a marking code, which our receipts cannot carry. */
const PAYMENT_OBJECTS = [
  'COMMODITY',
  'EXCISE',
  'JOB',
  'SERVICE',
  'GAMBLING_BET',
  'GAMBLING_PRIZE',
  'LOTTERY',
  'LOTTERY_PRIZE',
  'INTELLECTUAL_ACTIVITY',
  'PAYMENT',
  'AGENT_COMMISSION',
  'COMPOSITE',
  'ANOTHER',
] as const;

/** Tag 2108, FFD 1.2 only. */
export const MEASUREMENT_UNITS = [
  'PIECE',
  'GRAM',
  'KILOGRAM',
  'TON',
  'CENTIMETER',
  'DECIMETER',
  'METER',
  'SQUARE_CENTIMETER',
  'SQUARE_DECIMETER',
  'SQUARE_METER',
  'MILLILITER',
  'LITER',
  'CUBIC_METER',
  'KILOWATT_HOUR',
  'GIGACALORIE',
  'DAY',
  'HOUR',
  'MINUTE',
  'SECOND',
  'KILOBYTE',
  'MEGABYTE',
  'GIGABYTE',
  'TERABYTE',
  'OTHER',
] as const;

const ITEMS_MAX = 100;
/** In characters, including the decimal point. */
const [QUANTITY_MAX, RUBLES_MAX] = [8, 11];
/** Below the body limit: a request to another service carries other fields beside the receipt. */
const RECEIPT_BYTES_MAX = 60 * 1024;

const oneOf = <const Codes extends readonly [string, ...string[]]>(codes: Codes) =>
  z.enum(codes, {
    error: (issue) => (issue.input === undefined ? 'is required' : `must be one of ${codes.join(', ')}`),
  });
const rubles = text
  .regex(/^(?:0|[1-9]\d{0,7})\.\d{2}$/, 'must be a string of rubles with two digits after the point, such as "10.50"')
  .refine((value) => value !== '0.00', 'must be greater than zero')
  .meta({ pattern: '^(?:[1-9]\\d{0,7}\\.\\d{2}|0\\.(?:0[1-9]|[1-9]\\d))$', examples: ['10.50'] });

const itemFields = z.strictObject(
  {
    name: typedText('partner', 128).describe('What the receipt calls it'),
    price: rubles.describe('Unit price in rubles after discounts: an exact decimal string'),
    quantity: text
      .regex(/^(?:0|[1-9]\d{0,4})(?:\.\d{1,3})?$/, 'must be a string with at most five digits before the point and three after it')
      .refine((value) => value.length <= QUANTITY_MAX, `must be at most ${String(QUANTITY_MAX)} characters`)
      .refine((value) => thousandthsOf(value) !== 0n, 'must be greater than zero')
      .describe('A decimal string such as "1" or "0.250", greater than zero, at most 8 characters')
      .meta({
        maxLength: QUANTITY_MAX,
        pattern: '^(?:[1-9]\\d{0,4}(?:\\.\\d{1,3})?|0\\.(?:[1-9]\\d{0,2}|0[1-9]\\d?|00[1-9]))$',
        examples: ['1'],
      }),
    amount: rubles.describe('Total in rubles: price times quantity, to the kopeck; a fraction of a kopeck may be rounded up or down'),
    vat: oneOf(VATS).describe('The rate of VAT (tag 1199); NONE: not subject to it'),
    paymentMethod: oneOf(PAYMENT_METHODS).describe('How it is paid for'),
    paymentObject: oneOf(PAYMENT_OBJECTS).describe('What it is; COMPOSITE is allowed in FFD 1.05 only'),
    measurementUnit: oneOf(MEASUREMENT_UNITS).describe('Required in FFD 1.2, not allowed in FFD 1.05').optional(),
  },
  { error: 'must be an object' },
);
type Item = z.output<typeof itemFields>;
const item = itemFields.refine(isProduct, { path: ['amount'], error: 'must be price times quantity, to the kopeck' });

/** What FFD 1.2 asks of an item beside the fields, as a JSON Schema says it. */
const FFD_1_2_ITEM = {
  required: ['measurementUnit'],
  properties: { measurementUnit: {}, paymentObject: { not: { const: 'COMPOSITE' } } },
};

/** See spec/decisions#receipts-of-54-fz. */
export const Receipt = named(
  'Receipt',
  "The contents of the 54-FZ receipt. The amounts of its items add up to the amount of the payment or refund. The receipt is sent to the buyer's email or phone: one is required, both are allowed.",
  z
    .strictObject(
      {
        ffdVersion: oneOf(['1.05', '1.2']).describe('The format version of the cash register; 1.05 if omitted').optional(),
        taxation: oneOf(TAXATIONS).describe('The tax system of the seller (tag 1055)'),
        email: text
          .max(64, { error: 'must be at most 64 characters', abort: true })
          .regex(/^[A-Za-z0-9._%+'-]+@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*\.[A-Za-z][A-Za-z0-9-]+$/, 'must be an e-mail address')
          .refine((value) => !containsCardData(value), 'must not contain a card number or its code')
          .describe('Where the buyer gets the receipt')
          .optional(),
        phone: text
          .regex(/^\+[1-9]\d{9,14}$/, 'must be + and 10 to 15 digits, such as "+79031234567"')
          .describe('Where the buyer gets the receipt')
          .optional(),
        items: z
          .array(item, { error: (issue) => (issue.input === undefined ? 'is required' : 'must be an array') })
          .min(1, 'must have an item')
          .max(ITEMS_MAX, { error: `must have at most ${String(ITEMS_MAX)} items`, abort: true })
          .describe('What was sold'),
      },
      { error: 'must be an object' },
    )
    .superRefine(({ email, phone, ffdVersion = '1.05', items, ...rest }, ctx) => {
      if (email === undefined && phone === undefined) fault(ctx, ['email'], 'is required if there is no phone: the receipt is sent there');
      for (const [at, { measurementUnit, paymentObject }] of items.entries()) {
        if (ffdVersion === '1.2' && measurementUnit === undefined) fault(ctx, ['items', at, 'measurementUnit'], 'is required in FFD 1.2');
        if (ffdVersion === '1.05' && measurementUnit !== undefined) fault(ctx, ['items', at, 'measurementUnit'], 'is not in FFD 1.05');
        if (ffdVersion === '1.2' && paymentObject === 'COMPOSITE') fault(ctx, ['items', at, 'paymentObject'], 'is not in FFD 1.2');
      }
      const bytes = Buffer.byteLength(JSON.stringify({ email, phone, ffdVersion, items, ...rest }));
      if (bytes > RECEIPT_BYTES_MAX) fault(ctx, [], `must be at most ${String(RECEIPT_BYTES_MAX)} bytes`);
    })
    .meta({
      allOf: [
        { if: { not: withMember('email') }, then: withMember('phone') },
        {
          if: { properties: { ffdVersion: { const: '1.2' } }, required: ['ffdVersion'] },
          then: { properties: { items: { items: FFD_1_2_ITEM } } },
          else: { properties: { items: { items: { not: withMember('measurementUnit') } } } },
        },
      ],
    }),
);
export type Receipt = z.output<typeof Receipt>;

const SUM_RULE = 'must have amounts that sum to the amount, to the kopeck';

/** @throws ApiError VALIDATION_FAILED if the items of a receipt do not add up to the amount */
export function checkSum(receipt: Receipt | undefined, amountKopecks: bigint): void {
  if (!isSum(receipt, amountKopecks)) throw invalidField('receipt.items', SUM_RULE);
}

type WithReceipt = { readonly receipt?: Receipt | null | undefined; readonly amount?: bigint | undefined };

/** Checks a request with an amount: the items of its receipt must add up to it. */
export function sumsTo({ receipt, amount }: WithReceipt, ctx: z.core.$RefinementCtx): void {
  if (typeof amount === 'bigint' && !isSum(receipt, amount)) fault(ctx, ['receipt', 'items'], SUM_RULE);
}

/** Items with a malformed amount pass here: they are refused for that. */
function isSum(receipt: Receipt | null | undefined, amountKopecks: bigint): boolean {
  let sum = 0n;
  for (const { amount } of receipt?.items ?? []) {
    const kopecks = kopecksOf(amount);
    if (kopecks === undefined) return true;
    sum += kopecks;
  }
  return receipt === undefined || receipt === null || sum === amountKopecks;
}

/**
 * Exact: kopecks times thousandths of a unit, in thousandths of a kopeck. Malformed values pass: they are refused for
 * that.
 */
function isProduct({ price, quantity, amount }: Pick<Item, 'price' | 'quantity' | 'amount'>): boolean {
  const [one, count, all] = [kopecksOf(price), thousandthsOf(quantity), kopecksOf(amount)];
  if (one === undefined || count === undefined || count === 0n || all === undefined) return true;
  const off = one * count - all * 1_000n;
  return off > -1_000n && off < 1_000n;
}

/** Undefined if the text is not a well-formed amount. */
const kopecksOf = (amount: string): bigint | undefined => (amount.length > RUBLES_MAX ? undefined : parseRubString(amount));

/** Undefined if the text is not a well-formed quantity. */
function thousandthsOf(quantity: string): bigint | undefined {
  const [, whole, part = ''] = /^(\d{1,5})(?:\.(\d{1,3}))?$/.exec(quantity) ?? [];
  return whole === undefined || quantity.length > QUANTITY_MAX ? undefined : BigInt(`${whole}${part.padEnd(3, '0')}`);
}

function fault(ctx: z.core.$RefinementCtx, path: (string | number)[], message: string): void {
  ctx.addIssue({ code: 'custom', path, message });
}
