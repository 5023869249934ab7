import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { requestSigning } from '../test/vectors.ts';
import {
  canonicalQuery,
  canonicalString,
  canonicalStringAsSent,
  refusedTarget,
  repeatedQueryName,
  type SignedParts,
} from './canonical-request.ts';
import { parseOpenSshKey, parseSignature, privateKeyOf, publicKeyOf, signText, verifyText } from './ed25519.ts';
import { secretOfText } from './key-text.ts';

const get = (target: string): SignedParts => ({
  timestamp: '1790000000',
  nonce: 'nonce-000000000000',
  method: 'GET',
  target,
  idempotencyKey: '',
  body: Buffer.alloc(0),
});

describe('the public vectors', () => {
  it.each(requestSigning.cases)('$name: same canonical string, same signature, and it verifies', (vector) => {
    const parts = { ...vector, body: Buffer.from(vector.body) };
    expect(canonicalString(parts)).toBe(vector.canonical);
    expect(canonicalString(parts).split('\n')[4]).toBe(vector.canonicalQuery);
    expect(signText(privateKeyOf(secretOfText(requestSigning.privateKeyPkcs8Pem)), vector.canonical)).toBe(vector.sign);
    const bytes = parseOpenSshKey(requestSigning.publicKeyOpenSsh);
    const signature = parseSignature(vector.sign);
    if (bytes === undefined || signature === undefined) throw new Error('the vector does not parse');
    expect(verifyText(publicKeyOf(bytes), vector.canonical, signature)).toBe(true);
  });
});

describe('canonicalString', () => {
  it('is seven lines without a line feed at the end', () => {
    const text = canonicalString(get('/api/card/1'));
    expect(text.split('\n')).toHaveLength(7);
    expect(text.endsWith('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855')).toBe(true);
  });

  it.each([
    ['sorted by encoded name, not by the whole pair', 'a-b=1&a=2', 'a=2&a-b=1'],
    ['same name, then value', 'a=2&a=1', 'a=1&a=2'],
    ['a value with an equals sign', 'a=b=c', 'a=b%3Dc'],
    ['bytes that are not UTF-8', 'a=%ff', 'a=%FF'],
    ['an unreserved character that came escaped', 'a=%7E%41', 'a=~A'],
    ['a plus and an escaped plus differ', 'a=+&b=%2B', 'a=%20&b=%2B'],
    ['only ampersands', '&&', ''],
  ])('query: %s', (_name, query, expected) => {
    expect(canonicalQuery(query)).toBe(expected);
  });

  it('says the same for every encoding of the same pairs in any order', () => {
    const byte = fc.integer({ min: 0, max: 255 });
    const escape = (value: number) => `%${value.toString(16).padStart(2, '0')}`;
    const anyway = (bytes: readonly number[], lower: boolean) =>
      bytes.map((value) => (lower ? escape(value) : escape(value).toUpperCase())).join('');
    const pair = fc.tuple(fc.array(byte, { minLength: 1, maxLength: 4 }), fc.array(byte, { maxLength: 4 }), fc.boolean());
    fc.assert(
      fc.property(fc.array(pair, { maxLength: 6 }), (pairs) => {
        const query = pairs.map(([name, value, lower]) => `${anyway(name, lower)}=${anyway(value, lower)}`);
        const canonical = canonicalQuery(query.join('&'));
        expect(canonicalQuery([...query].reverse().join('&'))).toBe(canonical);
        expect(canonicalQuery(canonical)).toBe(canonical);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('canonicalStringAsSent', () => {
  it.each([
    ['spelling kept', '/v1/bindings?b=%2f&a=x+y', 'a=x+y&b=%2f'],
    ['sorted by raw name, not by the whole pair', '/v1/bindings?a-b=1&a=%2f', 'a=%2f&a-b=1'],
    ['a name without a value stays without one', '/v1/bindings?b&a=', 'a=&b'],
  ])('%s', (_name, target, expected) => {
    expect(canonicalStringAsSent(get(target))?.split('\n')[4]).toBe(expected);
  });

  it('is undefined where it says the same', () => {
    expect(canonicalStringAsSent(get('/v1/bindings?b=2&a=1'))).toBeUndefined();
    expect(canonicalStringAsSent(get('/v1/bindings'))).toBeUndefined();
  });
});

describe('refusedTarget', () => {
  it.each([
    '/api/card',
    '/api/payments/point%3A1?limit=20',
    '/api/card/a.b',
    '/api/card/...',
    '/v1/bindings?next=/a//b/../c',
    '/api/card/%D1%87',
  ])('lets %s through', (target) => {
    expect(refusedTarget(target)).toBeUndefined();
  });

  it.each([
    'http://gateway.test/api/card',
    '*',
    'api/card',
    '/api//card',
    '//api/card',
    '/api/../card',
    '/api/.',
    '/api/..',
    '/api/%2e%2E/card',
    '/api/.%2e/card',
    '/api%2Fcard',
    '/api%2fcard',
    '/api/card#x',
    '/api/%zz',
    '/api/%',
    '/v1/bindings?a=%4',
    '/api/\\card',
    '/api/%5c',
    '/api/é',
    '/api/a b',
    '/api/\0',
    '/v1/bindings?a=\x7f',
    '/v1/bindings?customerId=%ff',
    '/v1/bindings?a=%C0%80',
    '/v1/bindings?a=%ED%A0%80',
    '/v1/bindings?%ff=a',
    '/api/card/%ff',
  ])('refuses %j', (target) => {
    expect(refusedTarget(target)).toEqual(expect.any(String));
  });
});

describe('repeatedQueryName', () => {
  it.each([
    ['/v1/bindings?a=1&b=2', undefined],
    ['/v1/bindings?a=1&a=1', 'a'],
    ['/v1/bindings?a=1&%61=2', 'a'],
    ['/v1/bindings?a=1&A=2', undefined],
    ['/v1/bindings?a&a=', 'a'],
    ['/v1/bindings', undefined],
  ])('%s', (target, expected) => {
    expect(repeatedQueryName(target)).toBe(expected);
  });
});
