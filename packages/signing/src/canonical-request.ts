import { isUtf8 } from 'node:buffer';
import { hash } from 'node:crypto';

/** What a partner signs. `target` is the request target as sent: the path, and `?` with the query if there is one. */
export type SignedParts = {
  readonly timestamp: string;
  readonly nonce: string;
  readonly method: string;
  readonly target: string;
  /** The value of the single Idempotency-Key header, or an empty string. */
  readonly idempotencyKey: string;
  /** The exact bytes of the body; empty for GET. */
  readonly body: Uint8Array;
};

/**
 * The canonical string: seven parts joined by line feeds, with none at the end. See spec/service-contract#authentication,
 * spec/decisions#escaped-path and spec/decisions#canonical-query.
 */
export function canonicalString(parts: SignedParts): string {
  return canonicalStringOfHash(parts, hash('sha256', parts.body, 'hex'));
}

/** The same for a body that was hashed elsewhere, for example by WebCrypto: `bodySha256` is lowercase hex. */
export function canonicalStringOfHash(parts: Omit<SignedParts, 'body'>, bodySha256: string): string {
  return join(parts, canonicalQuery(queryOf(parts.target)), bodySha256);
}

/**
 * The alternative form that is also accepted: the pairs exactly as sent, sorted by raw name, then raw value. Undefined if
 * it is the same string.
 */
export function canonicalStringAsSent(parts: SignedParts): string | undefined {
  const query = queryOf(parts.target);
  const asSent = pairsOf(query)
    .sort((a, b) => byNameThenValue([a.name, a.value], [b.name, b.value]))
    .map((pair) => pair.raw)
    .join('&');
  return asSent === canonicalQuery(query) ? undefined : join(parts, asSent, hash('sha256', parts.body, 'hex'));
}

function join(parts: Omit<SignedParts, 'body'>, query: string, bodySha256: string): string {
  return [parts.timestamp, parts.nonce, parts.method.toUpperCase(), pathOf(parts.target), query, parts.idempotencyKey, bodySha256].join(
    '\n',
  );
}

/** The bytes of the target before `?`, untouched. */
export function pathOf(target: string): string {
  const mark = target.indexOf('?');
  return mark === -1 ? target : target.slice(0, mark);
}

function queryOf(target: string): string {
  const mark = target.indexOf('?');
  return mark === -1 ? '' : target.slice(mark + 1);
}

/**
 * Names and values decoded, re-encoded by RFC 3986 and sorted by encoded name; equal names, which the service refuses,
 * by value.
 */
export function canonicalQuery(query: string): string {
  return pairsOf(query)
    .map(({ name, value }) => [encode(decode(name)), encode(decode(value))] as const)
    .sort(byNameThenValue)
    .map(([name, value]) => `${name}=${value}`)
    .join('&');
}

/** The first name that occurs twice in a target's query, whatever its encoding; undefined if there is none. */
export function repeatedQueryName(target: string): string | undefined {
  const seen = new Set<string>();
  for (const name of queryNames(target)) {
    if (seen.has(name)) return name;
    seen.add(name);
  }
  return undefined;
}

/** The names in a target's query, normalised: decoded and re-encoded by RFC 3986. */
export function queryNames(target: string): string[] {
  return pairsOf(queryOf(target)).map(({ name }) => encode(decode(name)));
}

type Pair = { readonly raw: string; readonly name: string; readonly value: string };

/** The pairs separated by `&`, each split at the first `=`; empty ones are dropped. */
function pairsOf(query: string): Pair[] {
  if (query === '') return [];
  return query
    .split('&')
    .filter((raw) => raw !== '')
    .map((raw) => {
      const equals = raw.indexOf('=');
      return equals === -1 ? { raw, name: raw, value: '' } : { raw, name: raw.slice(0, equals), value: raw.slice(equals + 1) };
    });
}

/** Percent-decoding to bytes, as latin1 text: a query need not be UTF-8 to be signed. An invalid `%` is left as is. */
function decode(text: string): string {
  return text.replaceAll('+', ' ').replace(/%([0-9A-Fa-f]{2})/g, (_match, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

function encode(latin1: string): string {
  return latin1.replace(/[^A-Za-z0-9\-._~]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`);
}

type NameAndValue = readonly [name: string, value: string];

function byNameThenValue([nameA, valueA]: NameAndValue, [nameB, valueB]: NameAndValue): number {
  return nameA === nameB ? byBytes(valueA, valueB) : byBytes(nameA, nameB);
}

function byBytes(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Why a request target is refused with 400 before anything else is checked; undefined if it is valid. */
export function refusedTarget(target: string): string | undefined {
  if (!target.startsWith('/')) return 'must be a path that begins with /';
  if (!/^[\x21-\x7e]*$/.test(target)) return 'must be printable ASCII';
  if (target.includes('#')) return 'must not have a fragment';
  if (/%(?![0-9A-Fa-f]{2})/.test(target)) return 'has a % that is not followed by two hex digits';
  // A lenient decoder turns every invalid byte into U+FFFD: two names would become one.
  if (!isUtf8(Buffer.from(decode(target), 'latin1'))) return 'must be UTF-8 once it is percent-decoded';
  const path = pathOf(target);
  if (path.includes('//')) return 'must not have an empty path segment';
  if (/%2f/i.test(path)) return 'must not have an escaped slash in its path';
  if (path.includes('\\') || /%5c/i.test(path)) return 'must not have a backslash in its path';
  const dots = path.split('/').map((segment) => segment.replace(/%2e/gi, '.'));
  if (dots.some((segment) => segment === '.' || segment === '..')) return 'must not have dot segments';
  return undefined;
}
