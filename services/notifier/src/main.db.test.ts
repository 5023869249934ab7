import { factKeysOf } from '../../../tools/infrastructure/fact-keys.ts';
import { TEST_FACT_SECRET } from '../../../tools/testing/database.ts';
import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import pg from 'pg';
import { internalTokenSigner } from '@pay/shared/internal-auth/internal-token.ts';
import { testConsoleKey } from '../../../packages/shared/test/operators.ts';
import { createTestBroker, createTestDatabase, type TestBroker, type TestDatabase } from '../../../tools/testing/database.ts';
import { startService, type ServiceProcess } from '../../../tools/testing/process.ts';
import { movedBy, paymentMessage } from '../test/app.ts';
import { connectPublisher, type TestPublisher } from '../test/broker.ts';
import { startReceiver, withStatus } from '../test/receiver.ts';

let database: TestDatabase;
let broker: TestBroker;
let client: pg.Client;
let publisher: TestPublisher;
let environment: Record<string, string>;
const tokenKey = randomBytes(32);
const sign = internalTokenSigner('gateway', 'notifier', tokenKey);

beforeAll(async () => {
  [database, broker] = await Promise.all([createTestDatabase('notifier'), createTestBroker('services')]);
  client = new pg.Client({ connectionString: database.ownerUrl });
  await client.connect();
  publisher = await connectPublisher(broker.url);
  environment = {
    ENVIRONMENT: 'TEST',
    DATABASE_URL: database.url,
    AMQP_URL: broker.urls.notifier,
    ...factKeysOf('notifier', TEST_FACT_SECRET),
    PAYMENTS_URL: 'http://127.0.0.1:1',
    BINDINGS_URL: 'http://127.0.0.1:1',
    WITHDRAWALS_URL: 'http://127.0.0.1:1',
    INTERNAL_TOKEN_KEY: tokenKey.toString('base64'),
    OPERATOR_IDENTITY_PUBLIC_KEYS: testConsoleKey().publicKey,
    ENCRYPTION_KEY: randomBytes(32).toString('base64'),
    ENCRYPTION_KEY_ID: 'test',
    CALLBACK_ALLOW_PRIVATE: 'true',
  };
});
afterAll(async () => {
  await publisher.close();
  await client.end();
  await Promise.all([database.drop(), broker.drop()]);
});

const until = async (text: string, values: unknown[] = []) => {
  while ((await client.query<{ ok: boolean }>(text, values)).rows[0]?.ok !== true) await wait(20);
};

const endpointsMessage = (partnerId: string, callbackUrl: string) => ({
  messageId: randomUUID(),
  type: 'integration.endpoints_updated',
  aggregateId: partnerId,
  payload: {
    partnerId,
    callbackUrl,
    returnUrl: 'https://shop.example/',
    revision: 1,
    updatedAt: '2026-11-20T10:00:00.000Z',
  },
});

const completedMessage = (partnerId: string, paymentId: string = randomUUID()) => ({
  messageId: randomUUID(),
  type: 'payment.completed',
  aggregateId: paymentId,
  payload: paymentMessage(partnerId, paymentId, 1, 'payment.completed'),
});

const fetchSecret = (notifier: ServiceProcess, partnerId: string) =>
  fetch(`${notifier.urlOf('api')}/api/integration/callback-secret`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      'Idempotency-Key': randomUUID(),
      'X-Internal-Token': sign(partnerId),
    },
    body: '{"confirmSecureStorage":true}',
  });

it('messages become callbacks once; a killed replica loses nothing and another takes its attempt over long before the lease ends (J05, I21)', async () => {
  const hanging = await startReceiver(() => undefined);
  const healthy = await startReceiver(withStatus(200));
  const first = await startService('notifier', environment);
  await publisher.publish([
    endpointsMessage('partner-a', hanging.url),
    endpointsMessage('partner-b', healthy.url),
    endpointsMessage('partner-b', healthy.url),
  ]);
  expect((await fetchSecret(first, 'partner-a')).status).toBe(201);
  expect((await fetchSecret(first, 'partner-b')).status).toBe(201);

  const repeated = completedMessage('partner-b');
  await publisher.publish([repeated, repeated, completedMessage('partner-b')]);
  await healthy.arrived(2);
  await until(`select count(*) = 2 as ok from events where partner_id = 'partner-b' and status = 'DELIVERED'`);
  expect(new Set(healthy.received.map(({ headers }) => headers['x-service-event-id'])).size).toBe(2);

  const message = completedMessage('partner-a');
  await publisher.publish([message]);
  await hanging.arrived(1);
  const second = await startService('notifier', environment);
  const { rows } = await client.query<{ lease_id: string; leased_until: Date }>(
    `select lease_id, leased_until from aggregates where partner_id = 'partner-a'`,
  );
  await first.kill();
  await hanging.arrived(2);
  const taken = await client.query(
    `select lease_id <> $1 as taken, leased_until > $2 as later, clock_timestamp() < $2 as early
     from aggregates where partner_id = 'partner-a'`,
    [rows[0]?.lease_id, rows[0]?.leased_until],
  );
  expect(taken.rows).toEqual([{ taken: true, later: true, early: true }]);
  const [once, twice] = hanging.received;
  expect(twice?.headers['x-service-event-id']).toBe(message.messageId);
  expect(twice?.body.equals(once?.body ?? Buffer.alloc(0))).toBe(true);

  // Shutdown does not wait for a receiver that hangs: what it holds is given back, and no attempt is counted.
  expect(await second.stop()).toBe(0);
  const after = await client.query(`select lease_id, (select count(*)::int from attempts where partner_id = 'partner-a') as attempts
    from aggregates where partner_id = 'partner-a'`);
  expect(after.rows).toEqual([{ lease_id: null, attempts: 0 }]);
  await Promise.all([hanging.close(), healthy.close()]);
});

it('readiness and metrics name what waits for a version that never came, the service stays ready, and it ends when the version comes (F1)', async () => {
  const receiver = await startReceiver(withStatus(200));
  const notifier = await startService('notifier', environment);
  await publisher.publish([endpointsMessage('partner-gap', receiver.url)]);
  expect((await fetchSecret(notifier, 'partner-gap')).status).toBe(201);
  const paymentId = randomUUID();
  const failed = paymentMessage('partner-gap', paymentId, 2, 'payment.failed');
  await publisher.publish([{ messageId: randomUUID(), type: 'payment.failed', aggregateId: paymentId, payload: failed }]);
  await until(`select count(*) = 1 as ok from events where partner_id = 'partner-gap'`);

  const readyz = async () => {
    const response = await fetch(`${notifier.urlOf('private')}/readyz`);
    const { degraded } = (await response.json()) as { degraded: readonly string[] };
    return { httpStatus: response.status, degraded };
  };
  const gaps = async () => (await readyz()).degraded.filter((text) => text.startsWith('callbacks:'));
  expect(await gaps()).toEqual([]);
  for (const statement of movedBy('2 min')) await client.query(statement);
  while ((await gaps()).length === 0) await wait(100);
  expect(await gaps()).toEqual([
    expect.stringMatching(
      /^callbacks: payments or bindings with events behind a version that never arrived: 1, the oldest has waited 1\d\d s$/,
    ),
  ]);
  expect((await readyz()).httpStatus).toBe(200);
  const metrics = await (await fetch(`${notifier.urlOf('private')}/metrics`)).text();
  expect(metrics).toMatch(/^aggregates_behind_gap 1$/m);
  expect(metrics).toMatch(/^aggregates_behind_gap_oldest_seconds 1\d\d$/m);

  await publisher.publish([completedMessage('partner-gap', paymentId)]);
  await receiver.arrived(2);
  while ((await gaps()).length > 0) await wait(100);
  expect(await notifier.stop()).toBe(0);
  await receiver.close();
});

it('refuses CALLBACK_ALLOW_PRIVATE with ENVIRONMENT=LIVE, in one message', async () => {
  await expect(startService('notifier', { ...environment, ENVIRONMENT: 'LIVE' })).rejects.toThrow(
    'CALLBACK_ALLOW_PRIVATE: must not be true with ENVIRONMENT=LIVE',
  );
});
