import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { connect } from 'amqplib';
import pg from 'pg';
import { exchangeOf } from '../packages/shared/src/broker/topology.ts';
import { testConsoleKey } from '../packages/shared/test/operators.ts';
import { doctorOf } from '../packages/cli/test/doctor.ts';
import { connectPublisher } from '../services/notifier/test/broker.ts';
import { movedBy, paymentMessage } from '../services/notifier/test/app.ts';
import { factKeysOf } from './infrastructure/fact-keys.ts';
import type { ServiceName } from './infrastructure/provision.ts';
import { createTestBroker, createTestDatabase, TEST_FACT_SECRET, type TestBroker, type TestDatabase } from './testing/database.ts';
import { startService, type ServiceProcess } from './testing/process.ts';

// Whatever keeps facts from being sent or received is reported by readiness, metrics and `pay doctor`, for as long as
// it lasts.

const NOBODY = 'http://127.0.0.1:1';
let broker: TestBroker;
let stops: (() => Promise<unknown>)[];
beforeEach(async () => {
  stops = [];
  broker = await createTestBroker('services');
});
afterEach(async () => {
  for (const stop of stops.reverse()) await stop();
  await broker.drop();
});

/** A database of a service, and a connection of its owner. */
async function databaseOf(service: ServiceName): Promise<{ database: TestDatabase; owner: pg.Client }> {
  const database = await createTestDatabase(service);
  const owner = new pg.Client({ connectionString: database.ownerUrl });
  await owner.connect();
  stops.push(async () => {
    await owner.end();
    await database.drop();
  });
  return { database, owner };
}

const key = () => randomBytes(32).toString('base64');

async function start(service: 'bindings' | 'notifier', database: TestDatabase): Promise<ServiceProcess> {
  const particular = {
    bindings: { PAYMENTS_INTERNAL_TOKEN_KEY: key() },
    notifier: {
      BINDINGS_URL: NOBODY,
      WITHDRAWALS_URL: NOBODY,
      ENCRYPTION_KEY: key(),
      ENCRYPTION_KEY_ID: 'k1',
      CALLBACK_ALLOW_PRIVATE: 'true',
    },
  }[service];
  const started = await startService(service, {
    ENVIRONMENT: 'TEST',
    DATABASE_URL: database.url,
    AMQP_URL: broker.urls[service],
    ...factKeysOf(service, TEST_FACT_SECRET),
    PAYMENTS_URL: NOBODY,
    INTERNAL_TOKEN_KEY: key(),
    OPERATOR_IDENTITY_PUBLIC_KEYS: testConsoleKey().publicKey,
    ...particular,
  });
  stops.push(() => started.kill());
  return started;
}

type Readiness = { readonly status: number; readonly missing: readonly string[]; readonly degraded: readonly string[] };

async function readyz(service: ServiceProcess): Promise<Readiness> {
  const answer = await fetch(`${service.urlOf('private')}/readyz`);
  return { ...((await answer.json()) as Omit<Readiness, 'status'>), status: answer.status };
}

async function untilReadiness(service: ServiceProcess, isSo: (said: Readiness) => boolean): Promise<Readiness> {
  for (;;) {
    const said = await readyz(service);
    if (isSo(said)) return said;
    await wait(50);
  }
}

const isWell = ({ status, degraded }: Readiness): boolean => status === 200 && degraded.length === 0;
const metricsOf = async (service: ServiceProcess): Promise<string> => (await fetch(`${service.urlOf('private')}/metrics`)).text();

/** What doctor reports about one service from its readiness, or about something else of it. */
async function doctorSays(name: string, service: ServiceProcess, about = name) {
  const findings = await doctorOf({ [name]: service.urlOf('private') });
  return findings.find(({ what }) => what === about);
}

describe('readiness, metrics and doctor', () => {
  it('a consumer that is connected and bound to nothing: 503 topology, until it is bound again (F2)', async () => {
    const { database } = await databaseOf('notifier');
    const notifier = await start('notifier', database);
    expect(await doctorSays('notifier-1', notifier)).toMatchObject({ ok: true, says: 'ready' });
    const model = await connect(broker.url);
    stops.push(() => model.close());
    const channel = await model.createChannel();
    // Only payments may recreate it, and payments is down: the notifier's connection learns nothing of it.
    await channel.deleteExchange(exchangeOf('payments'));
    const said = await untilReadiness(notifier, ({ status }) => status === 503);
    expect(said.missing).toEqual(['topology']);
    expect(await metricsOf(notifier)).toMatch(/^broker_topology_complete\{part="consumer"\} 0$/m);
    expect(await doctorSays('notifier-1', notifier)).toMatchObject({
      ok: false,
      says: expect.stringContaining('topology'),
    });
    await channel.assertExchange(exchangeOf('payments'), 'topic', { durable: true });
    await untilReadiness(notifier, isWell);
    expect(await metricsOf(notifier)).toMatch(/^broker_topology_complete\{part="consumer"\} 1$/m);
  });

  it('nobody leads: every replica says how many facts wait and how long the oldest does, until somebody leads; a relay that cannot see who leads says so, until it can (F5)', async () => {
    const { database, owner } = await databaseOf('bindings');
    const lease = (until: string) => owner.query(`update relay_lease set fence = fence + 1, holder = gen_random_uuid(), until = ${until}`);
    await lease(`clock_timestamp() + interval '1 hour'`);
    const [first, second] = [await start('bindings', database), await start('bindings', database)];
    const replicas = [first, second];
    await owner.query(
      `insert into outbox (message_id, type, aggregate_id, payload, occurred_at)
       values ($1, 'binding.revoked', 'a', '{}', clock_now() - interval '2 minutes')`,
      [randomUUID()],
    );
    for (const replica of replicas) {
      const { status, degraded } = await untilReadiness(replica, (said) => said.degraded.length > 0);
      expect(status).toBe(200);
      expect(degraded).toEqual([expect.stringMatching(/^outbox: the oldest fact has waited 1\d\d s$/)]);
      const metrics = await metricsOf(replica);
      expect(metrics).toMatch(/^outbox_pending 1$/m);
      expect(metrics).toMatch(/^outbox_oldest_seconds 1\d\d(\.\d+)?$/m);
      expect(await doctorSays('bindings-1', replica)).toMatchObject({
        ok: false,
        says: expect.stringContaining('outbox: the oldest fact has waited'),
      });
    }
    await lease('clock_timestamp()');
    for (const replica of replicas) await untilReadiness(replica, isWell);
    expect(await metricsOf(first)).toMatch(/^outbox_pending 0$/m);

    await owner.query('begin');
    await owner.query('lock table relay_lease in access exclusive mode');
    for (const replica of replicas) await untilReadiness(replica, ({ degraded }) => degraded.includes('relay: nobody is known to lead'));
    expect(await doctorSays('bindings-1', first)).toMatchObject({
      ok: false,
      says: expect.stringContaining('relay: nobody is known to lead'),
    });
    await owner.query('commit');
    for (const replica of replicas) await untilReadiness(replica, isWell);
  });

  it('facts that were not compared yet, and callbacks that wait behind a version that never came (F1)', async () => {
    const { database, owner } = await databaseOf('notifier');
    // A partner without an address: its events wait for nothing.
    await owner.query(`insert into receivers (partner_id, callback_url, endpoints_revision, configured_at)
      values ('partner-a', '${NOBODY}', 1, clock_now())`);
    const notifier = await start('notifier', database);
    expect(await doctorSays('notifier-1', notifier, 'facts for notifier-1')).toMatchObject({ ok: true, says: 'not compared yet' });
    const publisher = await connectPublisher(broker.url);
    stops.push(() => publisher.close());
    const paymentId = randomUUID();
    const failed = paymentMessage('partner-a', paymentId, 2, 'payment.failed');
    await publisher.publish([{ messageId: randomUUID(), type: 'payment.failed', aggregateId: paymentId, payload: failed }]);
    while ((await owner.query('select from events')).rowCount !== 1) await wait(50);
    for (const statement of movedBy('2 min')) await owner.query(statement);
    await untilReadiness(notifier, ({ degraded }) => degraded.length > 0);
    expect(await metricsOf(notifier)).toMatch(/^aggregates_behind_gap 1$/m);
    expect(await doctorSays('notifier-1', notifier)).toMatchObject({
      ok: false,
      says: expect.stringContaining('behind a version that never arrived: 1'),
    });
  });
});
