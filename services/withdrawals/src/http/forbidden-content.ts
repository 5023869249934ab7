import { containsCardNumber } from '@pay/shared/cards/card-number.ts';

/**
 * Finds what must never be sent to this API: recipient details and secrets. Spec: Withdrawal request; decisions
 * "forbidden content". Judged by shape, without checksums: a mistyped address is an address as well.
 */

/** A run of the characters, not a part of a longer word. */
const word = (pattern: string, flags = 'u'): RegExp =>
  new RegExp(`(?<![A-Za-z0-9])(?:${pattern})(?![A-Za-z0-9])`, flags);
const BASE58 = '[1-9A-HJ-NP-Za-km-z]';

const SHAPES: readonly RegExp[] = [
  // Ethereum and everything that speaks like it.
  word('0x[0-9a-f]{40}', 'iu'),
  // Bitcoin, Litecoin, Dogecoin: base58 by their first letter, bech32 by their prefix.
  word(`[13LMD]${BASE58}{25,34}`),
  word('(?:bc|tb|ltc)1[02-9ac-hj-np-z]{11,87}', 'iu'),
  // TRON, XRP Ledger.
  word(`T${BASE58}{33}`),
  word(`r${BASE58}{24,34}`),
  // 32 bytes in base58: a Solana address or key seed.
  word(`${BASE58}{43,44}`),
  // TON: friendly and raw.
  word('[EUk0]Q[A-Za-z0-9_-]{46}'),
  word('-?[0-9]:[0-9a-f]{64}', 'iu'),
  // Private keys: 32 bytes in hex, WIF, a Solana key pair, BIP-32 extended keys.
  word('(?:0x)?[0-9a-f]{64}', 'iu'),
  word(`[5KLc9]${BASE58}{50,51}`),
  word(`${BASE58}{86,88}`),
  word(`[tuvxyz](?:prv|pub)${BASE58}{50,}`),
  /-----BEGIN/iu,
  // Twelve words in a row, as seed phrases are written: BIP-39 knows words of three to eight letters.
  /(?<!\p{L})(?:\p{Ll}{3,8}[\s,;]+){11}\p{Ll}{3,8}(?!\p{L})/iu,
  // A Russian bank account.
  word('[0-9]{20}'),
];

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const IBAN = word('[A-Z]{2}[0-9]{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,4})?', 'gu');

/** Whether the text holds a wallet address, a seed phrase, a key, a card number or a bank account. */
export function isForbidden(text: string): boolean {
  // An id that happens to hold the digits of a card is still an id.
  if (UUID.test(text)) return false;
  const plain = text.normalize('NFKC').replace(/\p{Cf}/gu, '');
  return SHAPES.some((shape) => shape.test(plain)) || holdsIban(plain) || containsCardNumber(plain);
}

/** ISO 13616: the country and check digits to the end, letters as numbers, is 1 modulo 97. */
function holdsIban(text: string): boolean {
  return [...text.matchAll(IBAN)].some(([found]) => {
    const iban = found.replaceAll(' ', '');
    const digits = (iban.slice(4) + iban.slice(0, 4)).replace(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55));
    return BigInt(digits) % 97n === 1n;
  });
}

/**
 * The path of the first text with forbidden content in a body, however deep; where the name of a field itself is
 * forbidden, the path of its object, because the name must not be repeated. Undefined when there is none.
 */
export function forbiddenField(value: unknown, path = 'body'): string | undefined {
  if (typeof value === 'string') return isForbidden(value) ? path : undefined;
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [name, member] of Object.entries(value)) {
    if (isForbidden(name)) return path;
    const found = forbiddenField(member, path === 'body' ? name : `${path}.${name}`);
    if (found !== undefined) return found;
  }
  return undefined;
}
