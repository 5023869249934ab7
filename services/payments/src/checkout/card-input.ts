import { findTestCard } from '@pay/shared/sandbox/test-cards.ts';
import cardValidator from 'card-validator';
import type { CardDetails } from '../acquirers/acquirer.ts';

/** What the buyer typed, as it arrived. */
export type CardInput = { readonly number: string; readonly expiry: string; readonly cvv: string };

export type CardField = keyof CardInput;

/** What is wrong with a field; the sentence for it, naming the field and the fix, stands in the texts. */
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

/** At most one problem a field, in the order of the fields on the page. */
export type CardProblems = readonly { readonly field: CardField; readonly problem: CardProblem }[];

export type ReadCard =
  | { readonly kind: 'card'; readonly card: CardDetails }
  | { readonly kind: 'problems'; readonly problems: CardProblems };

/** The fields of the posted form; one that is not there is empty. */
export function cardFields(fields: URLSearchParams): CardInput {
  const field = (name: string) => fields.get(name) ?? '';
  return { number: field('number'), expiry: field('expiry'), cvv: field('cvv') };
}

/** Longer input is nobody's card: it is refused before any pattern looks at it. */
const INPUT_CHARACTERS_MAX = 64;
/** No scheme issues cards for longer; a year further away is a slip of the finger. */
const YEARS_AHEAD_MAX = 20;

/**
 * Reads what the buyer typed. Spaces, dots and dashes of every kind do not matter in the number; the expiry may have any
 * shape that people, browsers and password managers write. `now` is the database's. In TEST only the cards of the
 * sandbox are taken, so that a real card is stopped before it leaves the form.
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
    problems: [
      ...(typeof number === 'string' ? [{ field: 'number' as const, problem: number }] : []),
      ...(typeof expiry === 'string' ? [{ field: 'expiry' as const, problem: expiry }] : []),
      ...(typeof cvv === 'string' ? [{ field: 'cvv' as const, problem: cvv }] : []),
    ],
  };
}

/** Full-width digits become digits; blanks (no-break, zero-width too) and dashes of every kind go. */
function withoutSeparators(text: string): string {
  return text.normalize('NFKC').replace(/[\s\p{Z}\p{Cf}\p{Pd}\u2212.]/gu, '');
}

function readNumber(text: string, environment: 'TEST' | 'LIVE'): { digits: string; cvvLength: number } | CardProblem {
  if (text.length > INPUT_CHARACTERS_MAX) return 'number-length';
  const digits = withoutSeparators(text);
  if (digits === '') return 'number-missing';
  if (!/^\d+$/.test(digits)) return 'number-not-digits';
  if (digits.length < 13 || digits.length > 19) return 'number-length';
  // UnionPay cards are let through without a check digit by default; those that this form meets have one.
  const { card, isValid } = cardValidator.number(digits, { luhnValidateUnionPay: true });
  if (card === null || !isValid) return 'number-mistyped';
  if (environment === 'TEST' && findTestCard(digits) === undefined) return 'number-not-a-test-card';
  return { digits, cvvLength: card.code.size };
}

/**
 * The shapes, most specific first; a separator is a slash, dash, dot or blank with blanks around it. Own patterns and
 * not card-validator's: those compare with the process's clock, and the clock that decides is the database's.
 */
const EXPIRY_SHAPES = [
  /^(?<month>\d{1,2}) ?[/.\- ] ?(?<year>\d{4}|\d{2})$/, // 9/28, 09/28, 09 / 2028, 09-28, 09.28, 09 28
  /^(?<year>\d{4}) ?[/.\- ] ?(?<month>\d{1,2})$/, // 2028-09
  /^(?<month>0[1-9]|1[0-2])(?<year>\d{4})$/, // 092028
  /^(?<year>20\d\d)(?<month>0[1-9]|1[0-2])$/, // 202809
  /^(?<month>\d\d)(?<year>\d\d)$/, // 0928
];

function readExpiry(text: string, now: Date): { month: number; year: number } | CardProblem {
  if (text.length > INPUT_CHARACTERS_MAX) return 'expiry-unreadable';
  const plain = text
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .replace(/[\p{Pd}\u2212]/gu, '-')
    .replace(/[\s\p{Z}]+/gu, ' ')
    .trim();
  if (plain === '') return 'expiry-missing';
  const groups = EXPIRY_SHAPES.map((shape) => shape.exec(plain)?.groups).find((found) => found !== undefined);
  if (groups === undefined) return 'expiry-unreadable';
  const month = Number(groups['month']);
  const yearText = groups['year'] ?? '';
  const year = yearText.length === 2 ? 2000 + Number(yearText) : Number(yearText);
  if (month < 1 || month > 12) return 'expiry-month';
  // A card is good to the end of its month, in UTC (spec/decisions#expired-card).
  const monthsLeft = (year - now.getUTCFullYear()) * 12 + month - (now.getUTCMonth() + 1);
  if (monthsLeft < 0) return 'expiry-past';
  if (monthsLeft > YEARS_AHEAD_MAX * 12) return 'expiry-too-far';
  return { month, year };
}

/** `length` is the card's own, when the number told which card it is. */
function readCvv(text: string, length: number | undefined): { digits: string } | CardProblem {
  const digits = text.length > INPUT_CHARACTERS_MAX ? text : withoutSeparators(text);
  if (digits === '') return 'cvv-missing';
  if (!/^\d+$/.test(digits)) return 'cvv-not-digits';
  const lengths = length === undefined ? [3, 4] : [length];
  if (!lengths.includes(digits.length)) return length === 4 ? 'cvv-length-4' : 'cvv-length-3';
  return { digits };
}
