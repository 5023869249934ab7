import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { canonicalString, canonicalStringAsSent, type SignedParts } from './canonical-request.ts';
import { parseSignature, signText } from './ed25519.ts';
import { requestIsSigned } from './request-signature.ts';

const { publicKey, privateKey } = generateKeyPairSync('ed25519');
const signatureOf = (text: string): Buffer => {
  const signature = parseSignature(signText(privateKey, text));
  if (signature === undefined) throw new Error('not a signature');
  return signature;
};

const visible = fc.string({
  unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)),
  minLength: 16,
  maxLength: 40,
});
const text = fc.string({ unit: 'grapheme', maxLength: 12 });
const segment = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 10 }).map(encodeURIComponent);
const query = fc.array(fc.tuple(text, text), { maxLength: 4 }).map((pairs) => new URLSearchParams(pairs).toString());
const request = fc.record({
  timestamp: fc.integer({ min: 0, max: 999_999_999_999 }).map(String),
  nonce: visible,
  method: fc.constantFrom('GET', 'POST', 'PUT', 'DELETE'),
  target: fc
    .tuple(fc.array(segment, { minLength: 1, maxLength: 4 }), query)
    .map(([path, pairs]) => `/${path.join('/')}${pairs === '' ? '' : `?${pairs}`}`),
  idempotencyKey: fc.oneof(fc.constant(''), visible),
  body: fc.oneof(
    fc.uint8Array({ maxLength: 200 }),
    text.map((value) => Buffer.from(JSON.stringify({ value }))),
  ),
});

/** Changes one byte of a text. */
const changedText = (value: string, at: number): string => {
  const index = at % Math.max(1, value.length);
  return `${value.slice(0, index)}${value[index] === 'a' ? 'b' : 'a'}${value.slice(index + 1)}`;
};
const changedBody = (body: Uint8Array, at: number): Uint8Array => {
  if (body.length === 0) return Uint8Array.of(at % 256);
  return body.map((value, index) => (index === at % body.length ? value ^ (1 << (at % 8)) : value));
};

const PARTS = ['timestamp', 'nonce', 'method', 'path', 'query', 'idempotencyKey', 'body'] as const;

/** The request with one byte changed, once for each of the seven parts. */
function changedOnce(parts: SignedParts, at: number): Record<(typeof PARTS)[number], SignedParts> {
  const mark = parts.target.indexOf('?');
  const path = mark === -1 ? parts.target : parts.target.slice(0, mark);
  const query = mark === -1 ? '' : parts.target.slice(mark + 1);
  const separator = query === '' ? '?a' : `?${changedText(query, at)}`;
  return {
    timestamp: { ...parts, timestamp: changedText(parts.timestamp, at) },
    nonce: { ...parts, nonce: changedText(parts.nonce, at) },
    method: { ...parts, method: changedText(parts.method, at) },
    path: { ...parts, target: `/${changedText(path.slice(1), at)}${mark === -1 ? '' : `?${query}`}` },
    query: { ...parts, target: `${path}${separator}` },
    idempotencyKey: { ...parts, idempotencyKey: changedText(parts.idempotencyKey, at) },
    body: { ...parts, body: changedBody(parts.body, at) },
  };
}

describe('requestIsSigned', () => {
  it('1,000 random requests verify, and are refused with one byte of one of the seven parts changed', () => {
    fc.assert(
      fc.property(request, fc.nat(), fc.constantFrom(...PARTS), (parts, at, part) => {
        const canonical = canonicalString(parts);
        const signature = signatureOf(canonical);
        const changed = changedOnce(parts, at)[part];
        // A changed byte of the query may alter only its encoding: then the meaning is the same, and it must verify.
        const isSame = canonicalString(changed) === canonical;
        return requestIsSigned(publicKey, parts, signature) && requestIsSigned(publicKey, changed, signature) === isSame;
      }),
      { numRuns: 1_000 },
    );
  });

  it('takes the pairs exactly as sent, sorted (A25)', () => {
    const parts = {
      timestamp: '1',
      nonce: 'n'.repeat(16),
      method: 'GET',
      target: '/v1/bindings?b=%2f&a=x+y',
      idempotencyKey: '',
      body: Buffer.alloc(0),
    };
    const asSent = canonicalStringAsSent(parts);
    if (asSent === undefined) throw new Error('says the same');
    expect(requestIsSigned(publicKey, parts, signatureOf(asSent))).toBe(true);
  });

  it.each([
    ['a trailing line feed (A22)', (canonical: string) => `${canonical}\n`],
    ['CRLF (A22)', (canonical: string) => canonical.replaceAll('\n', '\r\n')],
    ['six parts (A22)', (canonical: string) => canonical.split('\n').slice(0, 6).join('\n')],
    ['eight parts (A22)', (canonical: string) => `${canonical}\nx`],
    ['the method in lower case (A23)', (canonical: string) => canonical.replace('\nPOST\n', '\npost\n')],
    ['the hash in upper case', (canonical: string) => canonical.replace(/[0-9a-f]{64}$/, (hash) => hash.toUpperCase())],
    ['no hash of an empty body', (canonical: string) => canonical.replace(/[0-9a-f]{64}$/, '')],
    ['a question mark before the query', (canonical: string) => canonical.replace('\na=1\n', '\n?a=1\n')],
  ])('refuses %s', (_name, slip) => {
    const parts = {
      timestamp: '1',
      nonce: 'n'.repeat(16),
      method: 'POST',
      target: '/api/card?a=1',
      idempotencyKey: 'k',
      body: Buffer.alloc(0),
    };
    const slipped = slip(canonicalString(parts));
    expect(slipped).not.toBe(canonicalString(parts));
    expect(requestIsSigned(publicKey, parts, signatureOf(slipped))).toBe(false);
  });
});
