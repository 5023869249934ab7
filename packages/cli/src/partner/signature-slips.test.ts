import { generateKeyPairSync, sign } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { canonicalString, type SignedParts } from '@pay/signing/canonical-request.ts';
import { comparePart, judgeSignature, slipsInString, slipsOf } from './signature-slips.ts';

const parts: SignedParts = {
  timestamp: '1790000003',
  nonce: 'nonce-000000000003',
  method: 'POST',
  target: '/api/payments/point%3A1?to=b&from=a%20b%2fc',
  idempotencyKey: 'order-key-0000000001',
  body: Buffer.from('{"description":"Чай","amount":10.50}'),
};
const right = canonicalString(parts);
const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const signed = (text: string) => sign(null, Buffer.from(text), privateKey);

describe('diagnosing a signature', () => {
  it.each(slipsOf(parts).map(({ name, canonical }) => [name, canonical] as const))(
    'finds, by the signature alone: %s',
    (name, canonical) => {
      const { isRight, slips } = judgeSignature(parts, signed(canonical).toString('base64'), publicKey);
      expect(isRight).toBe(false);
      expect(slips.map((slip) => slip.name)).toContain(name);
      expect(slipsInString(parts, canonical).map((slip) => slip.name)).toContain(name);
    },
  );

  it('knows the slips that integrators make', () => {
    const names = slipsOf(parts).map(({ name }) => name);
    expect(names).toEqual(
      expect.arrayContaining([
        'a line feed at the end',
        'CRLF between the parts',
        'the method in lower case',
        'the query not sorted',
        'hex in lower case',
        'the body serialised again',
        'the Idempotency-Key left out',
        'milliseconds',
        'an unescaped path',
        'a path without its first segment',
        'the hash in upper case',
      ]),
    );
  });

  it('a right signature is right, and no slip is named', () => {
    expect(judgeSignature(parts, signed(right).toString('base64'), publicKey)).toEqual({
      isRight: true,
      slips: [],
    });
  });

  it.each([
    ['the signature in base64url', (bytes: Buffer) => bytes.toString('base64url')],
    ['the signature in hex', (bytes: Buffer) => bytes.toString('hex')],
    ['the signature without its padding, or with white space', (bytes: Buffer) => `${bytes.toString('base64')}\n`],
    ['not a signature', (bytes: Buffer) => bytes.subarray(1).toString('base64')],
  ])('%s', (name, write) => {
    // If the base64 of a signature looks the same in base64url, the two cannot be told apart.
    let text = right;
    let bytes = signed(text);
    for (let salt = 0; !/[+/]/.test(bytes.toString('base64')); salt += 1) {
      text = canonicalString({ ...parts, nonce: `nonce-${String(salt)}` });
      bytes = signed(text);
    }
    const nonce = text.split('\n')[1] ?? '';
    const { slips } = judgeSignature({ ...parts, nonce }, write(bytes), publicKey);
    expect(slips.map((slip) => slip.name)).toEqual([name]);
  });

  it('another key: neither right nor a slip', () => {
    const other = generateKeyPairSync('ed25519');
    expect(judgeSignature(parts, signed(right).toString('base64'), other.publicKey)).toEqual({
      isRight: false,
      slips: [],
    });
  });

  it('compares part by part, and counts bytes, not letters', () => {
    const rows = comparePart(right, right.replace('nonce-000000000003', 'nonce-000000000004'));
    expect(rows.filter(({ matches }) => !matches)).toMatchObject([{ name: 'nonce', firstDifferingByte: 17 }]);
    expect(comparePart('чай', 'чан')[0]?.firstDifferingByte).toBe(5);
    expect(comparePart(right, `${right}\n`).at(-1)).toMatchObject({ matches: false, firstDifferingByte: 64 });
  });
});
