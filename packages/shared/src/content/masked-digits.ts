import { cardNumbersIn } from './card-number.ts';
import { plainText } from './plain-text.ts';

/** As long as a card number or longer, however grouped. */
const LONG_RUN = /(?<![A-Za-z0-9])\d(?:[ -]?\d){12,}(?![A-Za-z0-9])/g;

/**
 * A partner's own number as shown to people: of a run of digits that could be a card number, the first six and the last
 * four (PCI DSS 3.4.1), `411111······1111`. Identifiers are stored and returned unchanged; nobody can read a card off a
 * page.
 */
export function maskedDigits(text: string): string {
  const plain = plainText(text);
  let shown = text;
  for (const number of cardNumbersIn(plain)) {
    shown = (shown.includes(number) ? shown : plain).replaceAll(number, masked);
  }
  return shown.replace(LONG_RUN, masked);
}

function masked(number: string): string {
  const digits = number.replace(/\D/g, '');
  return `${digits.slice(0, 6)}${'·'.repeat(digits.length - 10)}${digits.slice(-4)}`;
}
