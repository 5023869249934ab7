/**
 * Finds what could be a card number in free text (reliability case K01). The API never takes card data, so a request
 * that carries a number is refused before anything of it is stored or logged.
 */

const DIGITS_MIN = 13;
const DIGITS_MAX = 19;

/** First digits of the card systems: Mir, Visa, Mastercard, Maestro, UnionPay, JCB, Amex, Diners. */
const KNOWN_RANGE = /^(?:220[0-4]|4|5[0-8]|6|222[1-9]|22[3-9]|2[3-6]|27[01]|2720|35|3[47]|30[0-5]|36|38|39)/;

/**
 * Whether the text holds a run of 13 to 19 digits, single blanks or hyphens between them, that passes the Luhn check.
 * A text of digits only is somebody's numbering, and one in ten random numbers passes Luhn: there the first digits
 * must belong to a card system as well.
 */
export function containsCardNumber(text: string): boolean {
  const plain = text.normalize('NFKC');
  if (/^\d+$/.test(plain)) return looksLikeCard(plain) && KNOWN_RANGE.test(plain);
  for (const [run] of plain.matchAll(/\d+(?:[ -]\d+)*/g)) {
    if (runHoldsCard(run.split(/[ -]/))) return true;
  }
  return false;
}

/** Whether neighbouring groups, put together, make a card number: `order 12 4111 1111 1111 1111`. */
function runHoldsCard(groups: readonly string[]): boolean {
  for (let first = 0; first < groups.length; first += 1) {
    let digits = '';
    for (let next = first; next < groups.length && digits.length <= DIGITS_MAX; next += 1) {
      digits += groups[next] ?? '';
      if (looksLikeCard(digits)) return true;
    }
  }
  return false;
}

function looksLikeCard(digits: string): boolean {
  return digits.length >= DIGITS_MIN && digits.length <= DIGITS_MAX && passesLuhn(digits);
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
