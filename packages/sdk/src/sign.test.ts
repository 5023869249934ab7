import { readFileSync } from 'node:fs';
import { verifyAsync } from '@noble/ed25519';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { canonicalQuery, canonicalString } from '@pay/signing/canonical-request.ts';
import { parseOpenSshKey } from '@pay/signing/ed25519.ts';
import { z } from 'zod';
import { readIdentity, signRequest } from './sign.ts';

const Vectors = z.object({
  privateKeyPkcs8Pem: z.string(),
  publicKeyOpenSsh: z.string(),
  partnerID: z.string(),
  cases: z.array(
    z.object({
      name: z.string(),
      method: z.string(),
      target: z.string(),
      idempotencyKey: z.string(),
      body: z.string(),
      timestamp: z.string(),
      nonce: z.string(),
      canonicalQuery: z.string(),
      canonical: z.string(),
      sign: z.string(),
    }),
  ),
});
const vectors = Vectors.parse(
  JSON.parse(readFileSync(new URL('../../signing/test/vectors/request-signing.json', import.meta.url), 'utf8')),
);
const identity = readIdentity({
  partnerID: vectors.partnerID,
  publicKey: vectors.publicKeyOpenSsh,
  privateKeyPem: vectors.privateKeyPkcs8Pem,
});

describe('signing a request', () => {
  it.each(vectors.cases)('vector: $name', (vector) => {
    const { authorization, canonical } = signRequest(identity, { ...vector, body: Buffer.from(vector.body) }, vector);
    expect(canonical).toBe(vector.canonical);
    expect(canonicalQuery(vector.target.split('?')[1] ?? '')).toBe(vector.canonicalQuery);
    expect(JSON.parse(authorization)).toEqual({
      partnerID: vectors.partnerID,
      key: vectors.publicKeyOpenSsh,
      sign: vector.sign,
      timestamp: vector.timestamp,
      nonce: vector.nonce,
    });
  });

  it.each(vectors.cases)('a second implementation of Ed25519 verifies it: $name', async (vector) => {
    const key = parseOpenSshKey(vectors.publicKeyOpenSsh);
    const message = Buffer.from(vector.canonical);
    await expect(verifyAsync(Buffer.from(vector.sign, 'base64'), message, key ?? Buffer.alloc(0))).resolves.toBe(true);
  });

  it('any change of a part changes what is signed', () => {
    const part = fc.string({ unit: fc.constantFrom(...'a b A B 0 1 - . _ ~'.split(' ')), minLength: 1, maxLength: 12 });
    const request = fc.record({
      timestamp: part,
      nonce: part,
      method: fc.constantFrom('GET', 'POST', 'PUT'),
      target: fc.tuple(part, part, part).map(([path, name, value]) => `/${path}?${name}=${value}`),
      idempotencyKey: part,
      body: fc.uint8Array({ maxLength: 12 }),
    });
    fc.assert(
      fc.property(request, request, (a, b) => {
        const isSame = JSON.stringify(a) === JSON.stringify(b);
        expect(canonicalString(a) === canonicalString(b)).toBe(isSame);
      }),
    );
  });

  it('has exactly seven parts and no line feed at the end, for parts without line feeds', () => {
    fc.assert(
      fc.property(fc.webPath(), fc.webQueryParameters(), (path, query) => {
        const canonical = canonicalString({
          timestamp: '1',
          nonce: 'n',
          method: 'get',
          target: `${path}?${query}`,
          idempotencyKey: '',
          body: Buffer.alloc(0),
        });
        expect(canonical.split('\n')).toHaveLength(7);
        expect(canonical.split('\n')[2]).toBe('GET');
      }),
    );
  });
});
