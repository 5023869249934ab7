import { createHash, type KeyObject } from 'node:crypto';
import { canonicalQuery, canonicalString, pathOf, type SignedParts } from '@pay/signing/canonical-request.ts';
import { verifyText } from '@pay/signing/ed25519.ts';

/** One of the seven parts: expected and actual. */
export type PartDifference = {
  readonly name: string;
  readonly expected: string;
  readonly given: string;
  readonly matches: boolean;
  /** In bytes, from 0; undefined if they match. */
  readonly firstDifferingByte: number | undefined;
};

/** A common mistake, and how to fix it. */
export type Slip = { readonly name: string; readonly advice: string };

const PART_NAMES = ['timestamp', 'nonce', 'METHOD', 'ESCAPED_PATH', 'CANONICAL_QUERY', 'Idempotency-Key', 'SHA-256 of the body'];

/** Compares a canonical string with the expected one, part by part. Anything beyond the seventh part belongs to it. */
export function comparePart(expected: string, given: string): PartDifference[] {
  const right = expected.split('\n');
  const theirs = given.split('\n');
  return PART_NAMES.map((name, index) => {
    const isLast = index === PART_NAMES.length - 1;
    const is = isLast ? theirs.slice(index).join('\n') : (theirs[index] ?? '');
    const should = right[index] ?? '';
    const matches = is === should;
    return {
      name,
      expected: should,
      given: is,
      matches,
      firstDifferingByte: matches ? undefined : firstDifference(should, is),
    };
  });
}

function firstDifference(a: string, b: string): number {
  const left = Buffer.from(a);
  const right = Buffer.from(b);
  const at = left.findIndex((byte, index) => byte !== right[index]);
  return at === -1 ? left.length : at;
}

type Candidate = Slip & { readonly canonical: string };

/** The strings that people sign by mistake: each is the correct one with one slip. Slips without effect are omitted. */
export function slipsOf(parts: SignedParts): readonly Candidate[] {
  const right = canonicalString(parts);
  const candidates = [...slipsOfTheWhole(right), ...slipsOfParts(parts), ...slipsOfTheQuery(parts), ...slipsOfTheBody(parts)];
  return candidates.filter(({ canonical }) => canonical !== right);
}

function slipsOfTheWhole(right: string): Candidate[] {
  const seven = right.split('\n');
  const line = (name: string, canonical: string, advice: string): Candidate => ({ name, canonical, advice });
  return [
    line('a line feed at the end', `${right}\n`, 'join the seven parts; nothing follows the last one'),
    line('CRLF between the parts', right.replaceAll('\n', '\r\n'), 'join with a single line feed, 0x0A'),
    line('CRLF, and one at the end', `${right.replaceAll('\n', '\r\n')}\r\n`, 'join with a single line feed, none at the end'),
    line(
      'the characters \\n instead of a line feed',
      right.replaceAll('\n', '\\n'),
      'use the character 0x0A: in a single-quoted string \\n is two characters',
    ),
    line(
      'empty parts left out',
      seven.filter((part) => part !== '').join('\n'),
      'an empty query or key is an empty line, not a missing one',
    ),
    line(
      'the hash in upper case',
      replacePart(right, 6, (hash) => hash.toUpperCase()),
      'the SHA-256 is lowercase hex',
    ),
    line(
      'the hash in base64',
      replacePart(right, 6, (hash) => Buffer.from(hash, 'hex').toString('base64')),
      'the SHA-256 is lowercase hex',
    ),
  ];
}

function slipsOfParts(parts: SignedParts): Candidate[] {
  const right = canonicalString(parts);
  const path = pathOf(parts.target);
  const change = (name: string, index: number, to: (part: string) => string, advice: string): Candidate => ({
    name,
    canonical: replacePart(right, index, to),
    advice,
  });
  return [
    change('the method in lower case', 2, (part) => part.toLowerCase(), 'METHOD is in upper case'),
    change('the Idempotency-Key left out', 5, () => '', 'part 6 is the value of the header that is sent'),
    change('milliseconds', 0, (part) => `${part}000`, 'timestamp is in seconds, in the header and in the string alike'),
    change('seconds, while the header has milliseconds', 0, (part) => part.slice(0, -3), 'the header must have seconds too'),
    change('an unescaped path', 3, unescaped, 'sign the path as it goes on the wire, escaped'),
    change('a path escaped twice', 3, (part) => encodeURI(part), 'sign the path as it goes on the wire: do not escape it again'),
    change('the query in the path', 3, () => parts.target, 'the path ends before the question mark'),
    change('a slash at the end of the path', 3, (part) => `${part}/`, 'sign exactly the path that is sent'),
    change(
      'a path without its first segment',
      3,
      () => path.replace(/^\/[^/]+/, ''),
      'a proxy adds or removes a prefix: sign the path that the service receives',
    ),
  ];
}

function slipsOfTheQuery(parts: SignedParts): Candidate[] {
  const right = canonicalString(parts);
  const mark = parts.target.indexOf('?');
  if (mark === -1) return [];
  const query = parts.target.slice(mark + 1);
  const change = (name: string, to: string, advice: string): Candidate => ({
    name,
    canonical: replacePart(right, 4, () => to),
    advice,
  });
  const canonical = canonicalQuery(query);
  return [
    change('the question mark in the query', `?${canonical}`, 'CANONICAL_QUERY has no leading question mark'),
    change('the query not sorted', query, 'sort the parameters by name'),
    change(
      'hex in lower case',
      canonical.replace(/%[0-9A-F]{2}/g, (hex) => hex.toLowerCase()),
      '%XX is in upper case',
    ),
    change('a space as +', canonical.replaceAll('%20', '+'), 'a space is %20'),
    change('the query left out', '', 'part 5 is the canonical query'),
    change('the query unescaped', unescaped(canonical), 'names and values are escaped by RFC 3986'),
  ];
}

function slipsOfTheBody(parts: SignedParts): Candidate[] {
  const right = canonicalString(parts);
  const text = Buffer.from(parts.body).toString('utf8');
  const hashed = (name: string, body: string, advice: string): Candidate => ({
    name,
    canonical: replacePart(right, 6, () => createHash('sha256').update(body).digest('hex')),
    advice,
  });
  const sameBytes = 'hash exactly the bytes you send: serialise once, then sign and send that';
  return [
    {
      name: 'no hash for an empty body',
      canonical: replacePart(right, 6, () => ''),
      advice: 'an empty body has a hash too: e3b0c442…',
    },
    hashed('the hash of an empty body', '', sameBytes),
    hashed('the hash of {}', '{}', sameBytes),
    hashed('the hash of null', 'null', sameBytes),
    hashed('a line feed at the end of the body', `${text}\n`, `${sameBytes}; curl --data removes line feeds, --data-binary does not`),
    hashed('the body without its white space at the ends', text.trim(), sameBytes),
    ...reserialised(text).map((body) => hashed('the body serialised again', body, sameBytes)),
  ];
}

/** The same value as JavaScript, Python and pretty-printers write it. */
function reserialised(text: string): string[] {
  try {
    const value: unknown = JSON.parse(text);
    const compact = JSON.stringify(value);
    return [
      compact,
      JSON.stringify(value, null, 2),
      JSON.stringify(value, null, 4),
      pythonLike(compact),
      escapedUnicode(compact),
      escapedUnicode(pythonLike(compact)),
    ];
  } catch {
    return [];
  }
}

/** Adds a space after each comma and colon outside strings. */
function pythonLike(compact: string): string {
  return compact.replace(/"(?:[^"\\]|\\.)*"|[,:]/g, (token) => (token === ',' || token === ':' ? `${token} ` : token));
}

function escapedUnicode(text: string): string {
  return text.replace(/[\u0080-\uffff]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function replacePart(canonical: string, index: number, change: (part: string) => string): string {
  return canonical
    .split('\n')
    .map((part, at) => (at === index ? change(part) : part))
    .join('\n');
}

/** The slips that turn the correct string into the one that was signed. */
export function slipsInString(parts: SignedParts, given: string): readonly Slip[] {
  return slipsOf(parts).filter(({ canonical }) => canonical === given);
}

/** The result for a signature: correct, correct for a string with a slip, or neither. */
export type SignatureVerdict = { readonly isRight: boolean; readonly slips: readonly Slip[] };

/** Finds out what was signed, from the signature alone. */
export function judgeSignature(parts: SignedParts, sign: string, publicKey: KeyObject): SignatureVerdict {
  const { bytes, encodingSlip } = decodeSignature(sign);
  if (bytes === undefined) {
    return {
      isRight: false,
      slips: [{ name: 'not a signature', advice: 'sign is standard, padded base64 of exactly 64 bytes' }],
    };
  }
  if (verifyText(publicKey, canonicalString(parts), bytes)) {
    return { isRight: encodingSlip === undefined, slips: encodingSlip === undefined ? [] : [encodingSlip] };
  }
  const made = slipsOf(parts).filter(({ canonical }) => verifyText(publicKey, canonical, bytes));
  return { isRight: false, slips: [...(encodingSlip === undefined ? [] : [encodingSlip]), ...made] };
}

function decodeSignature(sign: string): { bytes: Buffer | undefined; encodingSlip: Slip | undefined } {
  const slip = (name: string): Slip => ({ name, advice: 'sign is standard, padded base64 of exactly 64 bytes' });
  if (/^[0-9a-fA-F]{128}$/.test(sign)) return { bytes: Buffer.from(sign, 'hex'), encodingSlip: slip('the signature in hex') };
  const bytes = Buffer.from(sign, 'base64');
  if (bytes.length !== 64) return { bytes: undefined, encodingSlip: undefined };
  if (bytes.toString('base64') === sign) return { bytes, encodingSlip: undefined };
  if (/[-_]/.test(sign)) return { bytes, encodingSlip: slip('the signature in base64url') };
  return { bytes, encodingSlip: slip('the signature without its padding, or with white space') };
}
