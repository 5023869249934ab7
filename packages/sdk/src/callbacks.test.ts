import { readFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import { afterEach, describe, expect, it } from '@jest/globals';
import express from 'express';
import { callbackKey, signCallback } from '@pay/signing/callback-signature.ts';
import { callbackSigning } from '../../signing/test/vectors.ts';
import { EVENT as event, KEYS } from '../test/callbacks.ts';
import type { CallbackKey } from './callback-envelope.ts';
import { callbackReceiver, signTestCallback, verifyCallback } from './callbacks.ts';
import { memoryEventStore } from './event-store.ts';
import type { PartnerEvent, PaymentCompletedEvent } from './events.ts';
import { verifyCallback as verifyByWebCrypto } from './web.ts';

const [NEW, OLD] = KEYS;
if (NEW === undefined || OLD === undefined) throw new Error('the vectors have two keys');

const NOW = new Date('2026-11-20T10:00:00.000Z');
const later = (seconds: number) => new Date(NOW.getTime() + seconds * 1000);

describe('verifying a callback', () => {
  it.each(callbackSigning.cases)('vector, both ways: $name', ({ timestamp, body, signature }) => {
    const named = signature.split(',').map((entry) => entry.split(':')[0]);
    const signers = named.map((keyId) => {
      const secret = callbackSigning.keys[keyId ?? ''] ?? '';
      return callbackKey(keyId ?? '', Buffer.from(secret, 'base64'));
    });
    expect(signCallback(signers, timestamp, Buffer.from(body))).toBe(signature);
    const headers = { 'x-service-timestamp': timestamp, 'x-service-signature': signature };
    const result = verifyCallback(Buffer.from(body), headers, KEYS, new Date(Number(timestamp) * 1000));
    // The bodies of the vectors are not complete events: "malformed" means that the signature was accepted.
    expect(result).toMatchObject({ ok: false, reason: 'malformed' });
  });

  const signatures = JSON.parse(readFileSync(new URL('../../../sdks/conformance/signatures.json', import.meta.url), 'utf8')) as {
    cases: readonly { name: string; signature: string; reason: string | null }[];
  };
  it.each(signatures.cases)('reads eight signatures, here and with WebCrypto: $name (N14)', async (one) => {
    const [first] = callbackSigning.cases;
    if (first === undefined) throw new Error('the vectors have a case');
    const { eventId } = JSON.parse(first.body) as { eventId: string };
    const headers = {
      'x-service-timestamp': first.timestamp,
      'x-service-signature': one.signature,
      'x-service-event-id': eventId,
    };
    const given = [Buffer.from(first.body), headers, KEYS, new Date(Number(first.timestamp) * 1000)] as const;
    const expected = one.reason === null ? { ok: true } : { ok: false, reason: one.reason };
    expect(verifyCallback(...given)).toMatchObject(expected);
    expect(await verifyByWebCrypto(...given)).toMatchObject(expected);
  });

  it.each([
    ['withdrawal.approved', { withdrawalRequestId: '4b7e3b0e-4f0f-4b6b-8c39-6a2b6c1d2e3f', status: 'APPROVED' }],
    ['comet.sighted', { cometId: 'C/2026' }],
  ])('19.4: takes %s: an extra event, or one that is newer than this version, is verified like any other', (type, data) => {
    const other = { ...event, type, data };
    const body = Buffer.from(JSON.stringify(other));
    const timestamp = String(NOW.getTime() / 1000);
    const headers = {
      'x-service-event-id': event.eventId,
      'x-service-timestamp': timestamp,
      'x-service-signature': signCallback([callbackKey(NEW.keyId, Buffer.from(NEW.secret, 'base64'))], timestamp, body),
    };
    expect(verifyCallback(body, headers, [NEW], NOW)).toEqual({ ok: true, event: other });
  });

  it('takes a signed event and hands it over, typed', () => {
    const { headers, body } = signTestCallback(event, [NEW], NOW);
    expect(verifyCallback(body, headers, [NEW], NOW)).toEqual({ ok: true, event });
  });

  it('takes the headers of fetch as well, and of node', () => {
    const { headers, body } = signTestCallback(event, [NEW], NOW);
    expect(verifyCallback(body, new Headers(headers), [NEW], NOW).ok).toBe(true);
    const lower = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
    expect(verifyCallback(body, lower, [NEW], NOW).ok).toBe(true);
  });

  it('during a rotation one known key of two is enough, whichever it is', () => {
    const { headers, body } = signTestCallback(event, [NEW, OLD], NOW);
    expect(verifyCallback(body, headers, [NEW], NOW).ok).toBe(true);
    expect(verifyCallback(body, headers, [OLD], NOW).ok).toBe(true);
  });

  it.each([
    [300, true],
    [301, false],
    [-300, true],
    [-301, false],
  ])('%d seconds late: believed %s', (seconds, ok) => {
    const { headers, body } = signTestCallback(event, [NEW], NOW);
    const result = verifyCallback(body, headers, [NEW], later(seconds));
    expect(result.ok).toBe(ok);
    expect(result).toMatchObject(ok ? { ok } : { reason: 'stale' });
  });

  it.each([
    ['one space more in the body', (body: Buffer) => Buffer.concat([body, Buffer.from(' ')])],
    ['another amount', (body: Buffer) => Buffer.from(body.toString().replace('10.50', '99.50'))],
  ])('refuses %s', (_name, change) => {
    const { headers, body } = signTestCallback(event, [NEW], NOW);
    expect(verifyCallback(change(body), headers, [NEW], NOW)).toMatchObject({ ok: false, reason: 'bad signature' });
  });

  it('refuses the signature of another key under a known name, and a name it does not know', () => {
    const forged = signTestCallback(event, [{ keyId: NEW.keyId, secret: OLD.secret }], NOW);
    expect(verifyCallback(forged.body, forged.headers, [NEW], NOW)).toMatchObject({ reason: 'bad signature' });
    const { headers, body } = signTestCallback(event, [OLD], NOW);
    expect(verifyCallback(body, headers, [NEW], NOW)).toMatchObject({ reason: 'unknown key' });
  });

  it.each([
    ['unsigned', 'no timestamp', { 'X-Service-Timestamp': undefined }],
    ['unsigned', 'a timestamp in milliseconds', { 'X-Service-Timestamp': '1790000000000' }],
    ['unsigned', 'no signature', { 'X-Service-Signature': undefined }],
    ['malformed', 'another event id', { 'X-Service-Event-ID': '3b7e3b0e-4f0f-4b6b-8c39-6a2b6c1d2e3f' }],
  ])('%s: %s in the headers', (reason, _name, change) => {
    const { headers, body } = signTestCallback(event, [NEW], NOW);
    expect(verifyCallback(body, { ...headers, ...change }, [NEW], NOW)).toMatchObject({ ok: false, reason });
  });

  it('a secret that is not what was issued is a mistake of the program, not of the sender', () => {
    expect(() => signTestCallback(event, [{ keyId: 'k', secret: 'short' }], NOW)).toThrow('k is not base64 of 32 bytes');
  });
});

describe('the receiver', () => {
  let server: Server | undefined;
  afterEach(async () => {
    server?.closeAllConnections();
    await new Promise((resolve) => server?.close(resolve));
  });

  async function serve(listener: RequestListener): Promise<string> {
    server = createServer(listener);
    await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('no TCP address');
    return `http://127.0.0.1:${String(address.port)}`;
  }

  /** A receiver that records what it applied; it throws the first `fails` times. */
  function noting(fails = 0): {
    applied: PartnerEvent[];
    refused: string[];
    receiver: ReturnType<typeof callbackReceiver>;
  } {
    const applied: PartnerEvent[] = [];
    const refused: string[] = [];
    let left = fails;
    const receiver = callbackReceiver({
      keys: KEYS,
      store: memoryEventStore(),
      onEvent: (received) => {
        if (left > 0) {
          left -= 1;
          return Promise.reject(new Error('the database is away'));
        }
        applied.push(received);
        return Promise.resolve();
      },
      onRefused: ({ message }) => refused.push(message),
    });
    return { applied, refused, receiver };
  }

  const post = async (url: string, sent: PartnerEvent, keys: readonly CallbackKey[] = [NEW]): Promise<number> => {
    const { headers, body } = signTestCallback(sent, keys, new Date());
    return (await fetch(url, { method: 'POST', headers, body: new Uint8Array(body) })).status;
  };
  const number = (aggregateVersion: number, eventId: string): PaymentCompletedEvent => ({
    ...event,
    aggregateVersion,
    eventId,
  });

  it('200 and applied once, however often and however parallel the event comes', async () => {
    const { applied, receiver } = noting();
    const url = await serve((req, res) => void receiver(req, res));
    expect(await Promise.all([1, 2, 3, 4].map(() => post(url, event)))).toEqual([200, 200, 200, 200]);
    expect(applied).toEqual([event]);
  });

  it('200 and ignored: a version lower than one applied; another payment is another count', async () => {
    const { applied, receiver } = noting();
    const url = await serve((req, res) => void receiver(req, res));
    expect(await post(url, number(2, 'e-2'))).toBe(200);
    expect(await post(url, number(1, 'e-1'))).toBe(200);
    const other = { ...number(1, 'e-3'), data: { ...event.data, orderId: 'another' } };
    expect(await post(url, other)).toBe(200);
    expect(applied.map(({ eventId }) => eventId)).toEqual(['e-2', 'e-3']);
  });

  it('500 when the order could not be changed; nothing is remembered, the next delivery is applied', async () => {
    const { applied, refused, receiver } = noting(1);
    const url = await serve((req, res) => void receiver(req, res));
    expect(await post(url, event)).toBe(500);
    expect(refused).toEqual(['the database is away']);
    expect(await post(url, event)).toBe(200);
    expect(applied).toEqual([event]);
  });

  it('401 for a signature that is not ours, without saying why; the log learns it', async () => {
    const { applied, refused, receiver } = noting();
    const url = await serve((req, res) => void receiver(req, res));
    expect(await post(url, event, [{ keyId: NEW.keyId, secret: OLD.secret }])).toBe(401);
    expect(applied).toEqual([]);
    expect(refused[0]).toMatch(/^bad signature/);
  });

  it('405 for GET, 413 for a body of megabytes', async () => {
    const { receiver } = noting();
    const url = await serve((req, res) => void receiver(req, res));
    // See spec/service-contract#delivery-and-partner-response/receiver-rules-read-the-raw-body.
    expect((await fetch(url, { method: 'POST', body: '{}' })).status).toBe(401);
    expect((await fetch(url)).status).toBe(405);
    expect((await fetch(url, { method: 'POST', body: 'x'.repeat(300_000) })).status).toBe(413);
  });

  it('takes the bytes of express.raw', async () => {
    const { applied, receiver } = noting();
    const app = express();
    app.use(express.raw({ type: '*/*', limit: '1mb' }));
    app.post('/callbacks', receiver);
    const url = await serve(app);
    expect((await fetch(`${url}/callbacks`, { method: 'POST', body: 'x'.repeat(300_000) })).status).toBe(413);
    expect(await post(`${url}/callbacks`, event)).toBe(200);
    expect(await post(`${url}/callbacks`, event, [{ keyId: NEW.keyId, secret: OLD.secret }])).toBe(401);
    expect(applied).toEqual([event]);
  });

  it('works as an express route, and says so when a body parser came before it', async () => {
    const { applied, refused, receiver } = noting();
    const app = express();
    app.post('/before', receiver);
    app.use(express.json());
    app.post('/after', receiver);
    const url = await serve(app);
    expect(await post(`${url}/before`, event)).toBe(200);
    expect(applied).toEqual([event]);
    expect(await post(`${url}/after`, event)).toBe(500);
    expect(refused).toEqual(['the body was already read: mount the callback receiver before express.json()']);
  });
});
