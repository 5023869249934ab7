import { factKeysOf } from '../../../tools/infrastructure/fact-keys.ts';
import { TEST_FACT_SECRET } from '../../../tools/testing/database.ts';
import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { CallbackKey } from '@pay/signing/callback-signature.ts';
import pg from 'pg';
import { testConsoleKey } from '../../../packages/shared/test/operators.ts';
import { createTestBroker, createTestDatabase, type TestBroker, type TestDatabase } from '../../../tools/testing/database.ts';
import { startService } from '../../../tools/testing/process.ts';
import { startArrivals } from '../test/arrivals.ts';
import { startFactsRelay } from '../test/broker.ts';
import { commitFacts, ENCRYPTION, insertPartners } from '../test/facts.ts';

// The short form of `npm run bench -- soak`, which has 100,000 events and also kills the database and the broker.
const PAYMENTS = 150;
const VERSIONS = 4;
const KILLS = 3;
let database: TestDatabase;
let payments: TestDatabase;
let broker: TestBroker;
let pool: pg.Pool;
let paymentsPool: pg.Pool;

beforeAll(async () => {
  [database, payments, broker] = await Promise.all([
    createTestDatabase('notifier'),
    createTestDatabase('payments'),
    createTestBroker('services'),
  ]);
  pool = new pg.Pool({ connectionString: database.ownerUrl, max: 2 });
  paymentsPool = new pg.Pool({ connectionString: payments.url, max: 2 });
});
afterAll(async () => {
  await Promise.all([pool.end(), paymentsPool.end()]);
  await Promise.all([database.drop(), payments.drop(), broker.drop()]);
});

it('replicas are killed at work: no event is lost, none has two bodies, each payment’s come in order', async () => {
  let keys: readonly CallbackKey[] = [];
  const arrivals = await startArrivals(() => keys);
  const partners = ['partner-a', 'partner-b', 'partner-c'].map((partnerId) => ({ partnerId, url: arrivals.url }));
  keys = await insertPartners(pool, partners);
  const start = () =>
    startService('notifier', {
      ENVIRONMENT: 'TEST',
      DATABASE_URL: database.url,
      AMQP_URL: broker.urls.notifier,
      ...factKeysOf('notifier', TEST_FACT_SECRET),
      PAYMENTS_URL: 'http://127.0.0.1:1',
      BINDINGS_URL: 'http://127.0.0.1:1',
      WITHDRAWALS_URL: 'http://127.0.0.1:1',
      INTERNAL_TOKEN_KEY: randomBytes(32).toString('base64'),
      OPERATOR_IDENTITY_PUBLIC_KEYS: testConsoleKey().publicKey,
      CALLBACK_ALLOW_PRIVATE: 'true',
      ...ENCRYPTION,
    });
  const relay = await startFactsRelay({ databaseUrl: payments.url, amqpUrl: broker.urls.payments });
  const replicas = await Promise.all([start(), start()]);
  const expected = new Set<string>();
  for (let kill = 0; kill < KILLS; kill += 1) {
    const facts = Array.from({ length: PAYMENTS / KILLS }, (_none, index) => ({
      partnerId: partners[index % partners.length]?.partnerId ?? '',
      paymentId: randomUUID(),
      versions: VERSIONS,
    }));
    for (const eventId of await commitFacts(paymentsPool, facts)) expected.add(eventId);
    // In the middle of its work: some events have arrived, most have not.
    const before = arrivals.events();
    while (arrivals.events() < before + 20) await wait(5);
    const victim = kill % replicas.length;
    await replicas[victim]?.kill();
    replicas[victim] = await start();
  }
  const waiting = `select count(*)::int as count from events where status = 'WAITING'`;
  const outstanding = async () => expected.size - arrivals.events() + ((await pool.query<{ count: number }>(waiting)).rows[0]?.count ?? 0);
  while ((await outstanding()) > 0) await new Promise((resolve) => setTimeout(resolve, 250));
  expect(arrivals.problems(expected)).toEqual([]);
  await Promise.all([relay.stop(), ...replicas.map((replica) => replica.stop())]);
  await arrivals.close();
});
