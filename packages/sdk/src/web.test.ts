import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { canonicalString } from '@pay/signing/canonical-request.ts';
import { parseOpenSshKey, parseSignature, publicKeyOf, verifyText } from '@pay/signing/ed25519.ts';
import { z } from 'zod';
import { callbackSigning, keyTexts, requestSigning } from '../../signing/test/vectors.ts';
import { EVENT, KEYS, noting } from '../test/callbacks.ts';
import { signTestCallback, verifyCallback as verifyWithNode } from './callbacks.ts';
import { generateKeys } from './keys.ts';
import { callbackRoute, createSigner, verifyCallback } from './web.ts';

const identity = {
  partnerID: requestSigning.partnerID,
  publicKey: requestSigning.publicKeyOpenSsh,
  privateKeyPem: requestSigning.privateKeyPkcs8Pem,
};
const Authorization = z.strictObject({
  partnerID: z.literal(identity.partnerID),
  key: z.literal(identity.publicKey),
  sign: z.string(),
  timestamp: z.string(),
  nonce: z.string(),
});

describe('signing with WebCrypto', () => {
  it.each(requestSigning.cases)('signs what the service verifies: $name', async (vector) => {
    const { method, target, idempotencyKey } = vector;
    const body = Buffer.from(vector.body);
    const sign = await createSigner(identity);
    const now = new Date(Number(vector.timestamp) * 1000);
    const { authorization, canonical } = await sign({ method, target, idempotencyKey, body }, now);
    const { sign: signature, timestamp, nonce } = Authorization.parse(JSON.parse(authorization));
    expect(canonical).toBe(canonicalString({ method, target, idempotencyKey, body, timestamp, nonce }));
    expect(canonical).toBe(vector.canonical.replace(vector.nonce, nonce));
    const publicKey = publicKeyOf(parseOpenSshKey(identity.publicKey) ?? Buffer.alloc(0));
    expect(verifyText(publicKey, canonical, parseSignature(signature) ?? Buffer.alloc(0))).toBe(true);
  });

  it('gives each attempt a nonce of its own', async () => {
    const sign = await createSigner(identity);
    const attempt = async () =>
      Authorization.parse(JSON.parse((await sign({ method: 'GET', target: '/api/card' }, new Date())).authorization));
    const [first, second] = [await attempt(), await attempt()];
    expect(first.nonce).toMatch(/^[0-9a-f]{32}$/);
    expect(second.nonce).not.toBe(first.nonce);
  });

  const told = async (change: Partial<typeof identity>) => {
    try {
      const sign = await createSigner({ ...identity, ...change });
      const { authorization } = await sign({ method: 'GET', target: '/api/card' }, new Date());
      return Authorization.parse(JSON.parse(authorization)).key;
    } catch (error) {
      return error instanceof Error ? error.message : undefined;
    }
  };

  it.each(keyTexts.private)('with a private key: $name (K5)', async ({ text, says }) => {
    const wanted = says === undefined ? identity.publicKey : keyTexts.sentences.private[says];
    expect(await told({ privateKeyPem: text })).toBe(wanted);
  });

  it.each(keyTexts.public)('with a public key: $name (K5)', async ({ text, says }) => {
    const wanted = says === undefined ? identity.publicKey : keyTexts.sentences.public[says];
    expect(await told({ publicKey: text })).toBe(wanted);
  });

  it('refuses halves of two pairs', async () => {
    expect(await told({ publicKey: generateKeys().publicKey })).toBe(keyTexts.sentences.noPair);
  });
});

describe('verifying with WebCrypto', () => {
  it.each(callbackSigning.cases)('believes the vector: $name', async ({ timestamp, body, signature }) => {
    const headers = new Headers({ 'x-service-timestamp': timestamp, 'x-service-signature': signature });
    const result = await verifyCallback(Buffer.from(body), headers, KEYS, new Date(Number(timestamp) * 1000));
    // The bodies of the vectors are not complete events: "malformed" means that the signature was accepted.
    expect(result).toMatchObject({ ok: false, reason: 'malformed' });
  });

  it('says what node:crypto says, whatever arrives', async () => {
    const [NEW = { keyId: '', secret: '' }, OLD = NEW] = KEYS;
    const now = new Date('2026-11-20T10:00:00.000Z');
    const swapped = [{ keyId: NEW.keyId, secret: OLD.secret }];
    const sent = fc.record({
      signers: fc.constantFrom([NEW], [OLD], [NEW, OLD], swapped),
      known: fc.constantFrom([NEW], [OLD], [NEW, OLD], []),
      lateSeconds: fc.constantFrom(0, 300, 301, -300, -301),
      tail: fc.constantFrom('', ' '),
      headers: fc.constantFrom({}, { 'X-Service-Signature': 'x' }, { 'X-Service-Event-ID': 'other' }, { 'X-Service-Timestamp': '' }),
    });
    await fc.assert(
      fc.asyncProperty(sent, async ({ signers, known, lateSeconds, tail, headers: change }) => {
        const { headers, body } = signTestCallback(EVENT, signers, now);
        const raw = Buffer.concat([body, Buffer.from(tail)]);
        const at = new Date(now.getTime() + lateSeconds * 1000);
        const expected = verifyWithNode(raw, { ...headers, ...change }, known, at);
        expect(await verifyCallback(raw, { ...headers, ...change }, known, at)).toEqual(expected);
      }),
    );
  });

  it('throws for a secret that is not what was issued', async () => {
    const { headers, body } = signTestCallback(EVENT, KEYS, new Date());
    await expect(verifyCallback(body, headers, [{ keyId: 'k', secret: 'short' }], new Date())).rejects.toThrow(
      'k is not base64 of 32 bytes',
    );
  });
});

describe('a route of Request and Response', () => {
  const post = (keys = KEYS, body?: string) => {
    const signed = signTestCallback(EVENT, keys, new Date());
    return new Request('https://shop.example/callbacks', {
      method: 'POST',
      headers: signed.headers,
      body: body ?? signed.body.toString(),
    });
  };

  it('200 and applied once', async () => {
    const { applied, options } = noting();
    const route = callbackRoute(options);
    const statuses = [(await route(post())).status, (await route(post())).status];
    expect(statuses).toEqual([200, 200]);
    expect(applied).toEqual([EVENT]);
  });

  it.each([
    ['401: a signature by a key it does not know', () => post([{ keyId: 'other', secret: KEYS[0]?.secret ?? '' }]), 401],
    ['401: a changed body', () => post(KEYS, '{}'), 401],
    ['405: GET', () => new Request('https://shop.example/callbacks'), 405],
    ['413: a body of megabytes', () => post(KEYS, 'x'.repeat(300_000)), 413],
  ])('%s', async (_name, request, status) => {
    const { applied, options } = noting();
    expect((await callbackRoute(options)(request())).status).toBe(status);
    expect(applied).toEqual([]);
  });

  it('500: a body that something has read before', async () => {
    const { refused, options } = noting();
    const request = post();
    await request.json();
    expect((await callbackRoute(options)(request)).status).toBe(500);
    expect(refused).toEqual(['the body was already read: give the request to callbackRoute unread']);
  });
});
