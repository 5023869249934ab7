import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { startTestApp, type TestApp } from '../../../test/app.ts';
import { startReceiver, withStatus } from '../../../test/receiver.ts';
import { openSecretRotation } from '../../use-cases/open-rotation.ts';
import { reencryptSecrets } from '../../use-cases/reencrypt-secrets.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(async () => {
  await app.stop();
});
let partnerId: string;
beforeEach(() => {
  partnerId = randomUUID();
});

const URL_OF_NOBODY = 'http://127.0.0.1:9/callback';
/** Moves the issue of the secret five minutes back. */
const windowEnds = () => app.query('update callback_keys set replay_until = clock_now() where partner_id = $1', [partnerId]);

describe('POST /api/integration/callback-secret', () => {
  it('201: the secret, with every field of the contract', async () => {
    await app.givenEndpoints(partnerId, URL_OF_NOBODY);
    const { status, headers, body } = await app.fetchSecret(partnerId);
    expect(status).toBe(201);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(Object.keys(body).sort()).toEqual(['algorithm', 'issuedAt', 'keyId', 'replayUntil', 'secret', 'signatureHeader']);
    expect(Buffer.from(body['secret'] ?? '', 'base64')).toHaveLength(32);
    expect(body).toMatchObject({ algorithm: 'HMAC-SHA256', signatureHeader: 'X-Service-Signature' });
    expect(body['keyId']).toMatch(/^k_[A-Za-z0-9_-]{12}$/);
    expect(Date.parse(body['replayUntil'] ?? '') - Date.parse(body['issuedAt'] ?? '')).toBe(300_000);
  });

  it('409 ENDPOINTS_NOT_CONFIGURED: no address after two seconds', async () => {
    expect(await app.fetchSecret(partnerId)).toMatchObject({ status: 409, body: { code: 'ENDPOINTS_NOT_CONFIGURED' } });
  });

  it('waits for an address that is on its way', async () => {
    const asked = app.fetchSecret(partnerId);
    await app.givenEndpoints(partnerId, URL_OF_NOBODY);
    expect((await asked).status).toBe(201);
  });

  it('fifty calls at once with one key get one secret; five minutes later it is 409 (K04)', async () => {
    await app.givenEndpoints(partnerId, URL_OF_NOBODY);
    const key = randomUUID();
    const answers = await Promise.all(Array.from({ length: 50 }, () => app.fetchSecret(partnerId, { key })));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    expect(answers.filter(({ headers }) => headers.get('idempotency-replayed') === 'true')).toHaveLength(49);
    await windowEnds();
    expect(await app.fetchSecret(partnerId, { key })).toMatchObject({
      status: 409,
      body: { code: 'SECRET_ALREADY_ISSUED' },
    });
  });

  it('another key is 409, also within the five minutes and when both come at once (K04)', async () => {
    await app.givenEndpoints(partnerId, URL_OF_NOBODY);
    const answers = await Promise.all([app.fetchSecret(partnerId), app.fetchSecret(partnerId)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409]);
    expect(answers.find(({ status }) => status === 409)?.body['code']).toBe('SECRET_ALREADY_ISSUED');
  });

  it('409 IDEMPOTENCY_KEY_REUSED: the same key with other bytes', async () => {
    await app.givenEndpoints(partnerId, URL_OF_NOBODY);
    const key = randomUUID();
    await app.fetchSecret(partnerId, { key });
    expect(await app.fetchSecret(partnerId, { key, body: '{ "confirmSecureStorage": true }' })).toMatchObject({
      status: 409,
      body: { code: 'IDEMPOTENCY_KEY_REUSED' },
    });
  });

  it.each([
    ['{"confirmSecureStorage":false}'],
    ['{"confirmSecureStorage":"true"}'],
    ['{"confirmSecureStorage":1}'],
    ['{}'],
    ['[]'],
    ['null'],
    ['{"confirmSecureStorage":true,"more":1}'],
    ['{"confirmSecureStorage":true,"confirmSecureStorage":true}'],
  ])('400 for %s, and nothing is issued (K06)', async (body) => {
    await app.givenEndpoints(partnerId, URL_OF_NOBODY);
    expect(await app.fetchSecret(partnerId, { body })).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED' } });
    expect(await app.query('select from callback_keys where partner_id = $1', [partnerId])).toEqual([]);
  });

  it.each([['short'], ['x'.repeat(129)]])('400 for the Idempotency-Key %s', async (key) => {
    await app.givenEndpoints(partnerId, URL_OF_NOBODY);
    expect((await app.fetchSecret(partnerId, { key })).status).toBe(400);
  });

  it('401 without an internal token', async () => {
    const response = await fetch(`${app.url}/api/integration/callback-secret`, { method: 'POST' });
    expect(response.status).toBe(401);
  });

  it('nothing reads a secret back: no GET, no operator route (K03)', async () => {
    await app.givenEndpoints(partnerId, URL_OF_NOBODY);
    const { body } = await app.fetchSecret(partnerId);
    const get = await app.call('GET', '/api/integration/callback-secret', partnerId);
    expect(get.status).toBe(404);
    const operator = await app.operate('GET', `/partners/${partnerId}`);
    expect(operator.status).toBe(200);
    expect(JSON.stringify(operator.body)).toContain(body['keyId'] ?? 'nothing');
    expect(JSON.stringify(operator.body)).not.toContain(body['secret'] ?? 'nothing');
  });

  it('no table holds a secret in plain form (K07)', async () => {
    await app.givenEndpoints(partnerId, URL_OF_NOBODY);
    const secret = Buffer.from((await app.fetchSecret(partnerId)).body['secret'] ?? '', 'base64');
    const tables = await app.query<{ name: string }>(
      `select table_name as name from information_schema.tables where table_schema = current_schema()`,
    );
    for (const { name } of tables) {
      const rows = await app.query<{ text: string }>(`select t::text as text from ${name} t`);
      const dump = rows.map(({ text }) => text).join('\n');
      for (const form of ['base64', 'base64url', 'hex'] as const) expect(dump).not.toContain(secret.toString(form));
    }
  });
});

describe('rotation', () => {
  it('after an operator opened it, a new secret is issued once and both sign, the new one first (I15)', async () => {
    const receiver = await startReceiver(withStatus(200));
    app.startEngine();
    await app.givenEndpoints(partnerId, receiver.url);
    const old = (await app.fetchSecret(partnerId)).body['keyId'] ?? '';
    expect((await app.operate('POST', `/partners/${partnerId}/secret-rotation`, {})).status).toBe(200);
    const fresh = (await app.fetchSecret(partnerId)).body['keyId'] ?? '';
    expect((await app.fetchSecret(partnerId)).status).toBe(409);
    await app.givenEvent(partnerId);
    await receiver.arrived(1);
    const keyIds = () =>
      String(receiver.received.at(-1)?.headers['x-service-signature'])
        .split(',')
        .map((one) => one.split(':')[0]);
    expect(keyIds()).toEqual([fresh, old]);

    // Ends the overlap.
    await app.query('update callback_keys set expires_at = clock_now() where key_id = $1', [old]);
    await app.givenEvent(partnerId);
    await receiver.arrived(2);
    expect(keyIds()).toEqual([fresh]);
    await app.stopEngines();
    await receiver.close();
  });

  it('the old secret signs for 24 hours after the new one was fetched', async () => {
    await app.givenEndpoints(partnerId, URL_OF_NOBODY);
    await app.fetchSecret(partnerId);
    await app.operate('POST', `/partners/${partnerId}/secret-rotation`, {});
    await app.fetchSecret(partnerId);
    const ends = await app.query(
      `select round(extract(epoch from expires_at - clock_now()) / 3600)::int as hours
      from callback_keys where partner_id = $1 order by issued_at`,
      [partnerId],
    );
    expect(ends).toEqual([{ hours: 24 }, { hours: null }]);
  });

  it('with overlap 0 the old secret signs nothing from that moment; events wait for the new one (I17)', async () => {
    const receiver = await startReceiver(withStatus(200));
    app.startEngine();
    await app.givenEndpoints(partnerId, receiver.url);
    await app.fetchSecret(partnerId);
    await openSecretRotation(app.deps, 'olga', partnerId, 0);
    const eventId = await app.givenEvent(partnerId);
    const { keyId } = (await app.fetchSecret(partnerId)).body;
    await app.until(`select status = 'DELIVERED' as ok from events where event_id = $1`, [eventId]);
    expect(receiver.received).toHaveLength(1);
    expect(receiver.received[0]?.headers['x-service-signature']).toMatch(new RegExp(`^${keyId ?? ''}:v1=[0-9a-f]{64}$`));
    await app.stopEngines();
    await receiver.close();
  });
});

it('re-encryption: every secret moves to the new key and opens with it alone', async () => {
  await app.givenEndpoints(partnerId, URL_OF_NOBODY);
  const key = randomUUID();
  const before = (await app.fetchSecret(partnerId, { key })).body;
  const fresh = { id: 'second', key: Buffer.alloc(32, 7) };
  const { current } = app.encryptionKeys;
  expect(await reencryptSecrets(app.deps.db, { current: fresh, previous: new Map([[current.id, current.key]]) })).toBeGreaterThan(0);
  expect(await app.query(`select from callback_keys where split_part(encrypted_secret, '.', 2) <> 'second'`)).toEqual([]);
  expect(await reencryptSecrets(app.deps.db, { current: fresh, previous: new Map() })).toBe(0);
  // Restored for the tests that share this database; the response contains the same secret.
  await reencryptSecrets(app.deps.db, { current, previous: new Map([[fresh.id, fresh.key]]) });
  expect((await app.fetchSecret(partnerId, { key })).body).toEqual(before);
});
