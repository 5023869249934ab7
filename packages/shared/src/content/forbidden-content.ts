import { JsonNumber } from '../json/json-body.ts';
import { cardDataIn, UUID, type CardData } from './card-data.ts';
import { IBAN, isIban } from './iban.ts';
import { plainText } from './plain-text.ts';
import { SEED_WORDS } from './seed-words.ts';

/**
 * Finds what must never be typed into this system: card data, secrets, and a recipient's payment details. See
 * spec/service-contract#withdrawal-request and spec/decisions#forbidden-content; PCI DSS 3.3.1. Recognised by shape,
 * without checksums if a mistyped one is still a secret.
 */
export type ForbiddenContent = CardData['what'] | 'a wallet address' | 'a key' | 'a seed phrase' | 'bank details';

/** A run of these characters, not part of a longer word. */
const word = (pattern: string, flags = 'gu'): RegExp => new RegExp(`(?<![A-Za-z0-9])(?:${pattern})(?![A-Za-z0-9])`, flags);
const BASE58 = '[1-9A-HJ-NP-Za-km-z]';

const ADDRESSES: readonly RegExp[] = [
  // Ethereum and everything that speaks like it.
  word('0x[0-9a-f]{40}', 'giu'),
  // Bitcoin, Litecoin, Dogecoin: base58 by their first letter, bech32 by their prefix.
  word(`[13LMD]${BASE58}{25,34}`),
  word('(?:bc|tb|ltc)1[02-9ac-hj-np-z]{11,87}', 'giu'),
  // TRON, XRP Ledger.
  word(`T${BASE58}{33}`),
  word(`r${BASE58}{24,34}`),
  // 32 bytes in base58: a Solana address or key seed.
  word(`${BASE58}{43,44}`),
  // TON: friendly and raw.
  word('[EUk0]Q[A-Za-z0-9_-]{46}'),
  word('-?[0-9]:[0-9a-f]{64}', 'giu'),
];

const KEYS: readonly RegExp[] = [
  // 32 bytes in hex or more, as a signed transaction has; WIF, a Solana key pair, BIP-32 extended keys, PEM.
  word('(?:0x)?[0-9a-f]{64,}', 'giu'),
  word(`[5KLc9]${BASE58}{50,51}`),
  word(`${BASE58}{86,88}`),
  word(`[tuvxyz](?:prv|pub)${BASE58}{50,}`),
  /-----BEGIN(?:[^-]*-----(?:[A-Za-z0-9+/=\s]*-----END[^-]*-----)?)?/giu,
];

// A Russian bank account.
const ACCOUNT = word('[0-9]{20}');

type Finding = { readonly what: ForbiddenContent; readonly text: string };

/** The first kind of forbidden content in the text; undefined if there is none. */
export function forbiddenContent(text: string): ForbiddenContent | undefined {
  return findingsIn(plainText(text)).next().value?.what;
}

const REMOVED = (what: ForbiddenContent): string => `[${what} was removed]`;

/**
 * The text without forbidden content, for what others wrote and we store (a receiver's response). As it was written if there is
 * none, else as a `plainText`, in which everything can be cut out.
 */
export function withoutForbiddenContent(text: string): string {
  return without(text, findingsIn);
}

/** The text without card data, for what must be readable but for that: an error in a log. */
export function withoutCardData(text: string): string {
  return without(text, cardDataIn);
}

function without(text: string, search: (plain: string) => Iterable<Finding>): string {
  const plain = plainText(text);
  const findings = [...search(plain)];
  if (findings.length === 0) return text;
  let masked = plain;
  for (const finding of findings) masked = masked.replaceAll(finding.text, REMOVED(finding.what));
  // What overlapped may have left something.
  for (const left of search(masked)) return REMOVED(left.what);
  return masked;
}

function* findingsIn(plain: string): Generator<Finding, undefined> {
  if (UUID.test(plain)) return;
  yield* cardDataIn(plain);
  yield* matches(plain, ADDRESSES, 'a wallet address');
  yield* matches(plain, KEYS, 'a key');
  yield* seedPhrasesIn(plain);
  yield* matches(plain, [ACCOUNT], 'bank details');
  for (const found of plain.match(IBAN) ?? []) if (isIban(found)) yield { what: 'bank details', text: found };
}

function* matches(text: string, shapes: readonly RegExp[], what: ForbiddenContent): Generator<Finding, undefined> {
  // Not `matchAll`, which compiles each shape again for each text: this runs for every field of every request.
  for (const shape of shapes) for (const found of text.match(shape) ?? []) yield { what, text: found };
}

/** BIP-39: 12 to 24 words of its list in a row. One in twelve may be misspelt. */
const PHRASE_WORDS = 12;
const WORDS = /\p{L}+/gu;

function* seedPhrasesIn(text: string): Generator<Finding, undefined> {
  if ((text.match(WORDS)?.length ?? 0) < PHRASE_WORDS) return;
  const words = [...text.matchAll(WORDS)].map(([word], index, all) => ({
    word,
    at: all[index]?.index ?? 0,
    isSeedWord: SEED_WORDS.has(word.toLowerCase()),
  }));
  let seedWords = 0;
  for (const [index, { word, at, isSeedWord }] of words.entries()) {
    if (isSeedWord) seedWords += 1;
    if (words[index - PHRASE_WORDS]?.isSeedWord === true) seedWords -= 1;
    if (seedWords < PHRASE_WORDS - 1 || index < PHRASE_WORDS - 1) continue;
    const from = words[index - PHRASE_WORDS + 1]?.at ?? 0;
    yield { what: 'a seed phrase', text: text.slice(from, at + word.length) };
  }
}

/**
 * The path of the first text with forbidden content in a JSON value, at any depth. If a field's name is itself
 * forbidden, the path of its object, because the name must not be repeated. Undefined if there is none. Walks
 * everything: for bodies whose fields are not known here, never for a stranger's.
 */
export function forbiddenField(value: unknown, path = 'body'): string | undefined {
  if (typeof value === 'string') return forbiddenContent(value) === undefined ? undefined : path;
  if (value instanceof JsonNumber) return forbiddenContent(value.token) === undefined ? undefined : path;
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [name, member] of Object.entries(value)) {
    if (forbiddenContent(name) !== undefined) return path;
    const found = forbiddenField(member, path === 'body' ? name : `${path}.${name}`);
    if (found !== undefined) return found;
  }
  return undefined;
}
