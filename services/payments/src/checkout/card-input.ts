import { findTestCard } from '@pay/shared/sandbox/test-cards.ts';
import cardValidator from 'card-validator';
import type { CardDetails } from '../acquirers/acquirer.ts';

/** The buyer's input as it arrived. */
export type CardInput = { readonly number: string; readonly expiry: string; readonly cvv: string };

export type CardField = keyof CardInput;

/** What is wrong with a field. The texts have a sentence for each, which names the field and the fix. */
export type CardProblem =
  | 'number-missing'
  | 'number-not-digits'
  | 'number-length'
  | 'number-mistyped'
  | 'number-not-a-test-card'
  | 'expiry-missing'
  | 'expiry-unreadable'
  | 'expiry-month'
  | 'expiry-past'
  | 'expiry-too-far'
  | 'cvv-missing'
  | 'cvv-not-digits'
  | 'cvv-length-3'
  | 'cvv-length-4';

/** At most one problem per field, in the order of the fields on the page. */
export type CardProblems = readonly { readonly field: CardField; readonly problem: CardProblem }[];

export type ReadCard =
  | { readonly kind: 'card'; readonly card: CardDetails }
  | {
      readonly kind: 'problems';
      readonly problems: CardProblems;
      /** As `shownExpiry`; absent if it is among the problems. */
      readonly expiry?: string;
    };

/** The fields of the posted form; a missing one is empty. */
export function cardFields(fields: URLSearchParams): CardInput {
  const field = (name: string) => fields.get(name) ?? '';
  return { number: field('number'), expiry: field('expiry'), cvv: field('cvv') };
}

/** Longer input cannot be a card; it is refused before any pattern is matched. */
const INPUT_CHARACTERS_MAX = 64;
/** No scheme issues cards for longer; a later year is a typing error. */
const YEARS_AHEAD_MAX = 20;

/**
 * Parses the buyer's input. Spaces, dots and dashes of every kind are ignored in the number; the expiry may have any
 * format that people, browsers and password managers write. `now` is the database's time. TEST accepts only the sandbox's
 * cards, so that a real card is stopped before it leaves the checkout.
 */
export function readCard(input: CardInput, now: Date, environment: 'TEST' | 'LIVE'): ReadCard {
  const number = readNumber(input.number, environment);
  const expiry = readExpiry(input.expiry, now);
  const cvv = readCvv(input.cvv, typeof number === 'string' ? undefined : number.cvvLength);
  if (typeof number !== 'string' && typeof expiry !== 'string' && typeof cvv !== 'string') {
    return {
      kind: 'card',
      card: { number: number.digits, expiryMonth: expiry.month, expiryYear: expiry.year, cvv: cvv.digits },
    };
  }
  return {
    kind: 'problems',
    ...(typeof expiry === 'string' ? {} : { expiry: shownExpiry(expiry) }),
    problems: [
      ...(typeof number === 'string' ? [{ field: 'number' as const, problem: number }] : []),
      ...(typeof expiry === 'string' ? [{ field: 'expiry' as const, problem: expiry }] : []),
      ...(typeof cvv === 'string' ? [{ field: 'cvv' as const, problem: cvv }] : []),
    ],
  };
}

/**
 * An expiry date that was right, to be shown again: `09/28`. It is the only part of a card that a page may repeat; PCI DSS keeps number
 * and code from it.
 */
export function shownExpiry({ month, year }: { readonly month: number; readonly year: number }): string {
  return `${String(month).padStart(2, '0')}/${String(year % 100).padStart(2, '0')}`;
}

/** Converts full-width digits, and removes spaces (also no-break and zero-width ones) and dashes of every kind. */
function withoutSeparators(text: string): string {
  return text.normalize('NFKC').replace(/[\s\p{Z}\p{Cf}\p{Pd}\u2212.]/gu, '');
}

function readNumber(text: string, environment: 'TEST' | 'LIVE'): { digits: string; cvvLength: number } | CardProblem {
  if (text.length > INPUT_CHARACTERS_MAX) return 'number-length';
  const digits = withoutSeparators(text);
  if (digits === '') return 'number-missing';
  if (!/^\d+$/.test(digits)) return 'number-not-digits';
  if (digits.length < 13 || digits.length > 19) return 'number-length';
  // By default UnionPay cards pass without a valid check digit; the ones used here have one.
  const { card, isValid } = cardValidator.number(digits, { luhnValidateUnionPay: true });
  if (card === null || !isValid) return 'number-mistyped';
  if (environment === 'TEST' && findTestCard(digits) === undefined) return 'number-not-a-test-card';
  return { digits, cvvLength: card.code.size };
}

/**
 * The formats, most specific first. A separator is a space or any one sign, optionally surrounded by spaces. `129` is none:
 * it may be what is left of 12/29. We do not use card-validator's patterns: it compares with the process's clock, but the
 * database's clock decides. See spec/decisions#spellings-of-an-expiry-date.
 */
const EXPIRY_SHAPES = [
  /^(?<month>\d{1,2}) ?[/ ] ?(?<year>\d{4}|\d{2})$/, // 9/28, 09/28, 09 / 2028, 09-28, 09.28, 09 28
  /^(?<year>\d{4}) ?[/ ] ?(?<month>\d{1,2})(?: ?[/ ] ?\d{1,2})?$/, // 2028-09, 2028-09-30
  /^(?<month>0[1-9]|1[0-2])(?<year>\d{4})$/, // 092028
  /^(?<year>20\d\d)(?<month>0[1-9]|1[0-2])$/, // 202809
  /^(?<month>\d\d)(?<year>\d\d)$/, // 0928
  /^(?<month>[2-9])(?<year>20\d\d|\d\d)$/, // 928, 92028
];

function readExpiry(text: string, now: Date): { month: number; year: number } | CardProblem {
  if (text.length > INPUT_CHARACTERS_MAX) return 'expiry-unreadable';
  const plain = text
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .replace(/[\p{P}\p{S}]/gu, '/')
    .replace(/[\s\p{Z}]+/gu, ' ')
    .trim();
  if (plain === '') return 'expiry-missing';
  const groups = EXPIRY_SHAPES.map((shape) => shape.exec(plain)?.groups).find((found) => found !== undefined);
  if (groups === undefined) return 'expiry-unreadable';
  const month = Number(groups['month']);
  const yearText = groups['year'] ?? '';
  const year = yearText.length === 2 ? 2000 + Number(yearText) : Number(yearText);
  if (month < 1 || month > 12) return 'expiry-month';
  // A card is valid until the end of its month, in UTC (spec/decisions#expired-card).
  const monthsLeft = (year - now.getUTCFullYear()) * 12 + month - (now.getUTCMonth() + 1);
  if (monthsLeft < 0) return 'expiry-past';
  if (monthsLeft > YEARS_AHEAD_MAX * 12) return 'expiry-too-far';
  return { month, year };
}

/** `length` is the length for this card's brand, if the number identified it. */
function readCvv(text: string, length: number | undefined): { digits: string } | CardProblem {
  const digits = text.length > INPUT_CHARACTERS_MAX ? text : withoutSeparators(text);
  if (digits === '') return 'cvv-missing';
  if (!/^\d+$/.test(digits)) return 'cvv-not-digits';
  const lengths = length === undefined ? [3, 4] : [length];
  if (!lengths.includes(digits.length)) return length === 4 ? 'cvv-length-4' : 'cvv-length-3';
  return { digits };
}
