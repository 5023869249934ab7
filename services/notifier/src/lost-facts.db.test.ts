import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { FACTS } from '@pay/contract/facts.ts';
import { factSigningKeys } from '@pay/shared/broker/fact-keys.ts';
import { exchangeOf, queueOf, routingKeyOf } from '@pay/shared/broker/topology.ts';
import { openDatabase, type Database } from '@pay/shared/postgres/connect/pool.ts';
import { addFactsRoutes } from '@pay/shared/facts/facts-routes.ts';
import { createApp } from '@pay/shared/http/app.ts';
import { listen } from '@pay/shared/http/server.ts';
import { createLog } from '@pay/shared/logging/logger.ts';
import type { CallbackKey } from '@pay/signing/callback-signature.ts';
import { connect } from 'amqplib';
import pg from 'pg';
import { testConsoleKey } from '../../../packages/shared/test/operators.ts';
import { factKeysOf } from '../../../tools/infrastructure/fact-keys.ts';
import {
  createTestBroker,
  createTestDatabase,
  TEST_FACT_SECRET,
  type TestBroker,
  type TestDatabase,
} from '../../../tools/testing/database.ts';
import { startService, type ServiceProcess } from '../../../tools/testing/process.ts';
import { startArrivals, type Arrivals } from '../test/arrivals.ts';
import { startFactsRelay } from '../test/broker.ts';
import { commitFacts, ENCRYPTION, insertPartners } from '../test/facts.ts';

// Facts that the broker loses before a notifier reads them, and how they arrive anyway. The owners of the facts are
// simulated by their outbox, relay and routes, over the tables of payments.

const PARTNER = 'partner-a';
let databases: readonly TestDatabase[];
let broker: TestBroker;
let pools: { readonly notifier: pg.Pool; readonly payments: pg.Pool };
let owner: Database;
let arrivals: Arrivals;
let environment: Record<string, string>;
let stops: (() => Promise<unknown>)[];

beforeEach(async () => {
  stops = [];
  const [notifier, payments] = await Promise.all([createTestDatabase('notifier'), createTestDatabase('payments')]);
  databases = [notifier, payments];
  broker = await createTestBroker('services');
  pools = {
    notifier: new pg.Pool({ connectionString: notifier.ownerUrl, max: 2 }),
    payments: new pg.Pool({ connectionString: payments.ownerUrl, max: 2 }),
  };
  owner = openDatabase({ url: payments.url, applicationName: 'owner', onIdleError: () => undefined });
  let keys: readonly CallbackKey[] = [];
  arrivals = await startArrivals(() => keys);
  keys = await insertPartners(pools.notifier, [{ partnerId: PARTNER, url: arrivals.url }]);
  environment = {
    ENVIRONMENT: 'TEST',
    DATABASE_URL: notifier.url,
    AMQP_URL: broker.urls.notifier,
    ...factKeysOf('notifier', TEST_FACT_SECRET),
    PAYMENTS_URL: await factsOf('payments'),
    BINDINGS_URL: await factsOf('bindings'),
    WITHDRAWALS_URL: await factsOf('withdrawals'),
    INTERNAL_TOKEN_KEY: randomBytes(32).toString('base64'),
    OPERATOR_IDENTITY_PUBLIC_KEYS: testConsoleKey().publicKey,
    CALLBACK_ALLOW_PRIVATE: 'true',
    ...ENCRYPTION,
  };
});
afterEach(async () => {
  for (const stop of stops.reverse()) await stop();
  await owner.close();
  await Promise.all([pools.notifier.end(), pools.payments.end(), arrivals.close()]);
  await Promise.all([...databases.map((database) => database.drop()), broker.drop()]);
});

/** The address where a producer's facts are read. */
async function factsOf(producer: string): Promise<string> {
  const keys = factSigningKeys.parse(factKeysOf(producer, TEST_FACT_SECRET)['FACT_SIGNING_KEYS']);
  const app = createApp({
    listener: 'api',
    log: createLog(producer, 'silent'),
    requestIdFrom: 'caller',
    routes: (express) => {
      addFactsRoutes(express, { db: owner.db, producer, facts: FACTS, keys });
    },
  });
  const listener = await listen(app, '127.0.0.1', 0);
  stops.push(() => listener.drain(0));
  return `http://127.0.0.1:${String(listener.port)}`;
}

async function startNotifier(): Promise<ServiceProcess> {
  const started = await startService('notifier', environment);
  stops.push(() => started.kill());
  return started;
}

async function relay(): Promise<void> {
  const started = await startFactsRelay({ databaseUrl: databases[1]?.url ?? '', amqpUrl: broker.urls.payments });
  stops.push(() => started.stop());
}

const untilPublished = async () => {
  while ((await pools.payments.query('select from outbox')).rowCount !== 0) await wait(20);
};
const untilArrived = async (expected: ReadonlySet<string>) => {
  while (arrivals.problems(expected).length > 0) await wait(50);
};
const degradedOf = async (notifier: ServiceProcess): Promise<readonly string[]> => {
  const answer = await fetch(`${notifier.urlOf('private')}/readyz`);
  return ((await answer.json()) as { degraded: readonly string[] }).degraded;
};

it('a broker that forgot everything while the notifier was down: nothing is lost, partners are told in order (F1)', async () => {
  const before = await startNotifier();
  await relay();
  await before.stop();
  const facts = [1, 2, 3].map(() => ({ partnerId: PARTNER, paymentId: randomUUID(), versions: 2 }));
  const expected = new Set(await commitFacts(pools.payments, facts));
  await untilPublished();
  await broker.reset();
  const after = await startNotifier();
  await untilArrived(expected);
  while ((await degradedOf(after)).length > 0) await wait(100);
  expect(arrivals.problems(expected)).toEqual([]);
});

it('one binding of a running notifier is deleted: nothing is lost (F1)', async () => {
  await startNotifier();
  await relay();
  const model = await connect(broker.url);
  const channel = await model.createChannel();
  await channel.unbindQueue(queueOf('notifier'), exchangeOf('payments'), routingKeyOf('notifier', 'payment.completed'));
  await model.close();
  const facts = [{ partnerId: PARTNER, paymentId: randomUUID(), versions: 2 }];
  const expected = new Set(await commitFacts(pools.payments, facts));
  await untilArrived(expected);
  expect(arrivals.events()).toBe(expected.size);
});

it('a version that was lost between two that came is asked for as soon as the later one is there (F1)', async () => {
  // The id is of ten days ago, and no comparison covers it: only the gap shows it.
  const made = (Date.now() - 864_000_000).toString(16).padStart(12, '0');
  const old = `${made.slice(0, 8)}-${made.slice(8)}-7000-8000-000000000001`;
  const facts = [{ partnerId: PARTNER, paymentId: randomUUID(), versions: 2 }];
  const [first, second = ''] = await commitFacts(pools.payments, facts);
  await pools.payments.query(
    `with lost as (delete from outbox where message_id = $1 returning *)
     insert into published (message_id, type, aggregate_id, payload, occurred_at, published_at)
     select $2, type, aggregate_id, payload, occurred_at, occurred_at - interval '1 minute' from lost`,
    [first, old],
  );
  const notifier = await startNotifier();
  await relay();
  await untilArrived(new Set([old, second]));
  const metrics = await (await fetch(`${notifier.urlOf('private')}/metrics`)).text();
  expect(metrics).toMatch(/^facts_asked_again_total 1$/m);
});
