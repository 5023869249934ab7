/**
 * Finds possible card numbers in free text (spec/scenarios#k01). The API never takes card data, so a request that
 * contains a number is refused before any of it is stored or logged. A partner's own numbers must pass: an order number
 * that is a UUID, a hash or a counter is not a card just because it contains digits.
 */

/** 13 to 19 digits in one piece, not inside a longer word or number. */
const IN_ONE_PIECE = /(?<![A-Za-z0-9])\d{13,19}(?![A-Za-z0-9])/g;
/** As printed on cards: 4-4-4-4 and up to three more, 4-6-5, 4-6-4, with one kind of separator; not part of a UUID. */
const IN_GROUPS =
  /(?<![A-Za-z0-9])(?<![A-Za-z0-9]-)\d{4}(?:([ -])\d{4}\1\d{4}\1\d{4}(?:\1?\d{1,3})?|([ -])\d{6}\2\d{4,5})(?![A-Za-z0-9])(?!-[A-Za-z0-9])/g;

/** First digits and lengths of the card schemes. One in ten random numbers passes Luhn, so both are checked. */
const SYSTEMS = [
  /^220[0-4]\d{12,15}$/, // Mir
  /^4(?:\d{12}|\d{15}|\d{18})$/, // Visa
  /^5[1-5]\d{14}$/, // Mastercard
  /^(?:222[1-9]|22[3-9]\d|2[3-6]\d\d|27[01]\d|2720)\d{12}$/, // Mastercard, since 2017
  /^(?:5[0678]|6)\d{14,18}$/, // Maestro, UnionPay, Discover
  /^35\d{14,17}$/, // JCB
  /^3[47]\d{13}$/, // Amex
  /^3(?:0[0-5]|[689]\d)(?:\d{11}|\d{13})$/, // Diners
];

/** Numbers of a card scheme that pass the Luhn check, in one piece or in groups, as written. */
export function cardNumbersIn(text: string): string[] {
  const runs = [...(text.match(IN_ONE_PIECE) ?? []), ...(text.match(IN_GROUPS) ?? [])];
  return runs.filter((run) => isCardNumber(run.replace(/[ -]/g, '')));
}

/** Whether the text contains a card number. */
export function containsCardNumber(text: string): boolean {
  return cardNumbersIn(text.normalize('NFKC')).length > 0;
}

function isCardNumber(digits: string): boolean {
  return SYSTEMS.some((system) => system.test(digits)) && passesLuhn(digits);
}

/** ISO/IEC 7812 check digit. */
export function passesLuhn(digits: string): boolean {
  let sum = 0;
  for (let at = 0; at < digits.length; at += 1) {
    const digit = digits.charCodeAt(digits.length - 1 - at) - 48;
    const doubled = at % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}
