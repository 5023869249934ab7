import { cardNumbersIn } from './card-number.ts';
import { plainText } from './plain-text.ts';
import { securityCodesIn } from './security-code.ts';

/** What of a card must never be kept (PCI DSS 3.3.1), and the text that says it. */
export type CardData = { readonly what: 'a card number' | 'a card security code'; readonly text: string };

/** Of a `plainText`: card numbers and security codes, as written in it. */
export function* cardDataIn(plain: string): Generator<CardData, undefined> {
  for (const text of cardNumbersIn(plain)) yield { what: 'a card number', text };
  for (const text of securityCodesIn(plain)) yield { what: 'a card security code', text };
}

/**
 * Whether a field has card data in it, in any spelling. A whole UUID has none: an id that happens to contain a card's digits
 * is still an id.
 */
export function containsCardData(field: string): boolean {
  return !UUID.test(field) && cardDataIn(plainText(field)).next().done !== true;
}

/** The fields that an address consists of: segments of its path, names and values of its query, each decoded. */
export function partsOfUrl(url: string): string[] {
  const [path = '', ...query] = url.split('?');
  return [...path.split('/'), ...query.join('?').split(/[&=#]/)].map(decoded);
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part.replaceAll('+', ' '));
  } catch {
    return part;
  }
}

/** Of any version and variant: those that RFC 9562 does not know are somebody's ids, too. */
export const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
