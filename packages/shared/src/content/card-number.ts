import { isIban, IBAN } from './iban.ts';

/**
 * Finds possible card numbers in free text (spec/scenarios#k01), however they are spelled (decisions/contract-as-code).
 * The API never takes card data, so a request that contains a number is refused before any of it is stored or logged.
 */

/** What may stand between two groups of digits: up to three of these, and no letter but an x. */
export const BETWEEN = '[\\p{P}\\p{S}\\p{Z}\\p{M}\\p{Cc}]';
const RUN = new RegExp(`\\d+(?:(?:${BETWEEN}|[xXхХ]){1,3}\\d+)*`, 'gu');
const GROUP = /\d+/g;
const NO_DIGIT = /\D+/g;
const HAS_ENOUGH_DIGITS = /(?:\d\D{0,3}){13}/u;

const [DIGITS_MIN, DIGITS_MAX] = [13, 19];

/** First digits and lengths of the card schemes. One in ten random numbers passes Luhn, so both are checked. */
const SYSTEMS = [
  '220[0-4]\\d{12,15}', // Mir
  '4(?:\\d{12}|\\d{15}|\\d{18})', // Visa
  '5[1-5]\\d{14}', // Mastercard
  '(?:222[1-9]|22[3-9]\\d|2[3-6]\\d\\d|27[01]\\d|2720)\\d{12}', // Mastercard, since 2017
  '(?:5[0678]|6)\\d{14,18}', // Maestro, UnionPay, Discover
  '35\\d{14,17}', // JCB
  '3[47]\\d{13}', // Amex
  '3(?:0[0-5]|[689]\\d)(?:\\d{11}|\\d{13})', // Diners
];
const OF_A_SYSTEM = new RegExp(`^(?:${SYSTEMS.join('|')})$`);
const FIRST = /[2-6]/;

const [DAY_OR_MONTH, YEAR, CURRENCY] = ['(?:0?[1-9]|[12]\\d|3[01])', '(?:19|20)\\d\\d', '(?:810|643|840|978|156)'];
const CLOCK = '(?:[01]?\\d|2[0-3]):[0-5]\\d';
/** Numbers that everybody writes and that are no cards, by their form alone. None can be a card number in groups of four. */
const OTHER_NUMBERS = new RegExp(
  [
    // UUIDs as RFC 9562 has them, and hashes.
    '(?<![A-Za-z0-9])[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}(?![A-Za-z0-9])',
    '(?<![A-Za-z0-9])[0-9a-f]{32,64}(?![A-Za-z0-9])',
    // Days, with or without a time.
    `(?<!\\d)${YEAR}([-./])${DAY_OR_MONTH}\\1${DAY_OR_MONTH}(?!\\d)(?:[ T]${CLOCK}(?::[0-5]\\d(?:[.,]\\d{1,9})?)?(?!\\d))?`,
    `(?<!\\d)${DAY_OR_MONTH}([-./])${DAY_OR_MONTH}\\2${YEAR}(?!\\d)(?:,? ${CLOCK}(?::[0-5]\\d(?:[.,]\\d{1,9})?)?(?!\\d))?`,
    // An amount with its thousands apart.
    '(?<!\\d)\\d{1,3}(?: \\d{3})+[.,]\\d\\d(?!\\d)',
    // A time with seconds; one without after or before something else than digits.
    `(?<![\\d:])${CLOCK}:[0-5]\\d(?:[.,]\\d{1,9})?(?!\\d|:\\d)`,
    `(?<![\\d:]|\\d${BETWEEN}{1,3})${CLOCK}(?!\\d|:\\d)`,
    `(?<![\\d:])${CLOCK}(?!\\d|${BETWEEN}{1,3}\\d)`,
    // Telephones of Russia and its neighbours.
    `(?:(?<!\\d)\\+ ?7|(?<!\\d|\\d${BETWEEN}{1,3})[78])[ -]{0,2}\\(?\\d{3}\\)?[ -]{0,2}\\d{3}[ -]{0,2}\\d{2}[ -]{0,2}\\d{2}(?!\\d)`,
    // A bank account, in its parts or in fours: its sixth to eighth digits name a currency. A taxpayer's two numbers.
    `(?<!\\d)[1-9]\\d{4}[ .-]?${CURRENCY}[ .-]?\\d[ .-]?\\d{4}[ .-]?\\d{7}(?!\\d)`,
    `(?<!\\d)[1-9]\\d{3}[ -]\\d${CURRENCY}(?:[ -]\\d{4}){3}(?!\\d)`,
    '(?<!\\d)\\d{10} ?/ ?\\d{9}(?!\\d)',
  ].join('|'),
  'giu',
);

/** Numbers of a card scheme that pass the Luhn check, as written in a `plainText`. */
export function* cardNumbersIn(plain: string): Generator<string, undefined> {
  if (!HAS_ENOUGH_DIGITS.test(plain)) return;
  const letters = (other: string): string => 'a'.repeat(other.length);
  const text = plain.replace(OTHER_NUMBERS, letters).replace(IBAN, (iban: string) => (isIban(iban) ? letters(iban) : iban));
  for (const { 0: run, index } of text.matchAll(RUN)) yield* cardNumbersOf(run, text[index - 1] === '+');
}

/** Of groups of digits: those in a row that are a card number together. None is looked for inside a group. */
function* cardNumbersOf(run: string, isAfterPlus: boolean): Generator<string, undefined> {
  const groups = [...run.matchAll(GROUP)];
  for (const [first, { index: from }] of groups.entries()) {
    if (!FIRST.test(run.charAt(from))) continue;
    let [length, sums] = [0, NO_DIGITS];
    for (let last = first; last < groups.length; last += 1) {
      const { 0: group, index } = groups[last] ?? { 0: '', index: 0 };
      length += group.length;
      if (length > DIGITS_MAX) break;
      sums = withDigits(sums, group);
      if (length < DIGITS_MIN || sums.luhn % 10 !== 0) continue;
      const number = run.slice(from, index + group.length);
      // +49 151 12345678: a telephone of another country has at most as many digits as the shortest card number.
      const isTelephone = isAfterPlus && first === 0 && length === DIGITS_MIN;
      if (isTelephone || !isOfASystem(number)) continue;
      yield number;
      break;
    }
  }
}

function isOfASystem(number: string): boolean {
  return OF_A_SYSTEM.test(number.replaceAll(NO_DIGIT, '')) && !isList(number);
}

/** Sizes or seats, 40, 41, 42, 43: small numbers of which each is larger than the one before. */
function isList(number: string): boolean {
  const groups = number.match(GROUP) ?? [];
  return groups.every((group, at) => group.length <= 2 && (at === 0 || Number(group) > Number(groups[at - 1])));
}

/** The sum of ISO/IEC 7812, and what it is if one more digit follows: every second digit, counted from the end, is doubled. */
type Sums = { readonly luhn: number; readonly luhnIfOneFollows: number };
const NO_DIGITS: Sums = { luhn: 0, luhnIfOneFollows: 0 };

function withDigits({ luhn, luhnIfOneFollows }: Sums, digits: string): Sums {
  let [sum, next] = [luhn, luhnIfOneFollows];
  for (let at = 0; at < digits.length; at += 1) {
    const digit = digits.charCodeAt(at) - 48;
    const doubled = digit > 4 ? digit * 2 - 9 : digit * 2;
    [sum, next] = [next + digit, sum + doubled];
  }
  return { luhn: sum, luhnIfOneFollows: next };
}

/** ISO/IEC 7812 check digit. */
export function passesLuhn(digits: string): boolean {
  return withDigits(NO_DIGITS, digits).luhn % 10 === 0;
}
