import { randomUUID, randomUUIDv7 } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { connect } from 'amqplib';
import fc from 'fast-check';
import { createTestBroker, type TestBroker } from '../../../../tools/testing/database.ts';
import { signingKeysOf, verificationKeysOf } from '../../test/fact-keys.ts';
import { testConsoleKey } from '../../test/operators.ts';
import { openMechanisms, silent, until, type Mechanisms } from '../../test/mechanisms.ts';
import { startConsumer, type Consumer } from '../broker/consume.ts';
import { keepDeadLetter } from '../broker/dead-letters.ts';
import { factVerifier, type SigningKeys, type VerificationKeys } from '../broker/fact-signature.ts';
import { queueOf, type FactRoutes } from '../broker/topology.ts';
import { createApp } from '../http/app.ts';
import { listen } from '../http/server.ts';
import { receiveOnce } from '../inbox/inbox.ts';
import { operatorRoutes } from '../operators/operator-of.ts';
import { internalTokenSigner } from '../internal-auth/internal-token.ts';
import { appendToOutbox } from '../outbox/outbox.ts';
import { partitionsLoop } from '../postgres/partitions.ts';
import { startRelay, type Relay } from '../outbox/relay.ts';
import { factsMissing } from '../telemetry/metrics.ts';
import { callKeyOf } from './call-key.ts';
import { askForMissing, compareFacts } from './compare.ts';
import { addFactsRoutes } from './facts-routes.ts';
import { addFactsOperatorRoutes } from './operator-routes.ts';
import { createOwners, type Owners } from './owners.ts';
import { lowestId } from '../outbox/parts.ts';
import { watchFacts, type FactsWatch } from './watch.ts';

const TYPE = 'thing.happened';
const OTHER = 'thing.hidden';
const FACTS: FactRoutes = {
  [TYPE]: { owner: 'producer', consumers: ['receiver'] },
  [OTHER]: { owner: 'producer', consumers: ['second'] },
};
const ANY_TIME = { fromMs: 0, toMs: 1 };

let t: Mechanisms;
let broker: Promise<TestBroker> | undefined;
/** This test's own, from its first use on. */
const ownBroker = (): Promise<TestBroker> => (broker ??= createTestBroker());
let url: string;
let stops: (() => Promise<unknown>)[];

beforeEach(async () => {
  t = await openMechanisms();
  stops = [];
  url = await factsOf(signingKeysOf(FACTS, 'producer'));
});

afterEach(async () => {
  for (const stop of stops.reverse()) await stop();
  await t.close();
  await (await broker)?.drop();
  broker = undefined;
});

/** Starts the producer's side; returns its address. */
async function factsOf(keys: SigningKeys): Promise<string> {
  const app = createApp({
    listener: 'api',
    log: silent,
    requestIdFrom: 'caller',
    routes: (express) => {
      addFactsRoutes(express, { db: t.database.db, producer: 'producer', facts: FACTS, keys });
    },
  });
  const listener = await listen(app, '127.0.0.1', 0);
  stops.push(() => listener.drain(0));
  return `http://127.0.0.1:${String(listener.port)}`;
}

function ownersOf(consumer: string, keys: VerificationKeys = verificationKeysOf(FACTS, consumer), at = url): Owners {
  const owners = createOwners({ consumer, facts: FACTS, keys, urls: { producer: [at] }, log: silent });
  stops.push(() => owners.close());
  return owners;
}

/** Resolves when its exchange is there: a consumer that finds none looks again after a second. */
async function relay(): Promise<Relay> {
  const started = await startRelay({
    databaseUrl: t.url,
    amqpUrl: (await ownBroker()).url,
    service: 'producer',
    facts: FACTS,
    keys: signingKeysOf(FACTS, 'producer'),
    log: silent,
  });
  stops.push(() => started.stop());
  await until(() => started.isConnected);
  return started;
}

async function consumer(): Promise<{ started: Consumer; stop: () => Promise<void> }> {
  const started = await startConsumer({
    url: (await ownBroker()).url,
    service: 'receiver',
    facts: FACTS,
    verify: factVerifier(FACTS, 'receiver', verificationKeysOf(FACTS, 'receiver')),
    log: silent,
    keepDead: (message) => keepDeadLetter(t.database.db, message),
    handlers: {
      [TYPE]: async ({ messageId, aggregateId }) => {
        await receiveOnce(t.database.db, messageId, (tx) => t.recordEffect(tx, aggregateId));
      },
    },
  });
  const stop = async () => {
    await started.drain();
    await started.close();
  };
  stops.push(stop);
  await until(() => started.isBound);
  return { started, stop };
}

const watch = (started: Consumer, owners = ownersOf('receiver')): FactsWatch =>
  watchFacts({ db: t.database.db, owners, consumer: started, log: silent });
const look = async ({ loop }: FactsWatch) => loop.round(new AbortController().signal);

const append = (name: string): Promise<string> =>
  t.database.db.transaction((tx) => appendToOutbox(tx, { type: TYPE, aggregateId: name, occurredAt: new Date(), payload: { name } }));
const count = async (table: 'outbox' | 'published' | 'inbox'): Promise<number> => (await t.query(`select from ${table}`)).length;

/** Inserts facts that the producer published some time ago; returns their ids. */
async function givenPublished(ids: readonly string[], type = TYPE, version?: number): Promise<void> {
  await t.query(
    `insert into published (message_id, type, aggregate_id, payload, occurred_at, published_at)
     select id, $2, 'a', jsonb_build_object('aggregateVersion', $3::int), clock_now(), clock_now() - interval '1 minute'
     from unnest($1::uuid[]) as id`,
    [ids, type, version ?? null],
  );
}
const givenReceived = (ids: readonly string[]) => t.query('insert into inbox (message_id) select unnest($1::uuid[])', [ids]);
const givenDead = (ids: readonly string[], refused = false) =>
  t.query(
    `insert into dead_letters (message_id, type, aggregate_id, occurred_at, body, refused)
     select id, '', '', '', '', $2 from unnest($1::text[]) as id`,
    [ids, refused],
  );

async function deleteQueue(): Promise<void> {
  const model = await connect((await ownBroker()).url);
  const channel = await model.createChannel();
  await channel.deleteQueue(queueOf('receiver'));
  await model.close();
}

/** Puts facts into the queue while nobody consumes; they were published a minute ago. */
async function givenInTheQueue(names: readonly string[]): Promise<void> {
  await relay();
  const first = await consumer();
  await first.stop();
  for (const name of names) await append(name);
  await until(async () => (await count('published')) === names.length);
  // The first 48 bits of an id are its time. What is seconds old may still be on its way, and nobody would look for it.
  await t.query(
    `update published set published_at = published_at - interval '1 minute', message_id = ($1 || substr(message_id::text, 15))::uuid`,
    [lowestId(Date.now() - 60_000).slice(0, 14)],
  );
}

describe('facts that the broker lost', () => {
  it('come again by themselves after a queue was deleted with them, each with one effect (F1)', async () => {
    await givenInTheQueue(['one', 'two', 'three']);
    await deleteQueue();
    const { started } = await consumer();
    const facts = watch(started);
    await until(async () => {
      await look(facts);
      return (await t.effectNames()).length === 3;
    });
    expect((await t.effectNames()).sort()).toEqual(['one', 'three', 'two']);
    await until(async () => {
      await look(facts);
      return (await factsMissing.get()).values[0]?.value === 0;
    });
    expect(facts.problems()).toEqual([]);
  });

  it('come again after the broker was wiped while the consumer was down (F1)', async () => {
    await givenInTheQueue(['one', 'two']);
    await (await ownBroker()).reset();
    const { started } = await consumer();
    const facts = watch(started);
    await until(async () => {
      await look(facts);
      return (await t.effectNames()).length === 2;
    });
    expect((await t.effectNames()).sort()).toEqual(['one', 'two']);
  });

  it('are looked for at once after the broker was wiped under a consumer that is connected (F1)', async () => {
    await relay();
    const { started } = await consumer();
    const facts = watch(started);
    await look(facts);
    await givenPublished([lowestId(Date.now() - 60_000)]);
    await look(facts);
    expect(await count('outbox')).toBe(0);
    await (await ownBroker()).reset();
    await until(async () => {
      await look(facts);
      return (await t.effectNames()).length === 1;
    });
    expect(started.subscriptions).toBeGreaterThan(1);
  });

  it('are not asked for while they wait in the queue (F1)', async () => {
    await givenInTheQueue(['one']);
    const { started } = await consumer();
    const facts = watch({ ...started, isBound: true, subscriptions: 1, waiting: () => Promise.resolve(1) });
    await givenPublished([lowestId(Date.now() - 60_000)]);
    await look(facts);
    expect(await count('outbox')).toBe(0);
    expect(facts.problems()).toEqual([]);
  });

  it('behind a backlog that never ends: after an hour, what is older than what is delivered is asked for (point 6)', async () => {
    await givenInTheQueue(['one']);
    const { started } = await consumer();
    const [waiting, deliveredUpToMs] = [() => Promise.resolve(1), () => Date.now()];
    const facts = watch({ ...started, isBound: true, subscriptions: 1, waiting, deliveredUpToMs });
    const older = lowestId(Date.now() - 3_600_000);
    await givenPublished([older, lowestId(Date.now() - 60_000)]);
    await look(facts);
    expect(await count('outbox')).toBe(0);
    const clock = jest.spyOn(performance, 'now').mockReturnValue(performance.now() + 3_660_000);
    await look(facts);
    clock.mockRestore();
    expect(await t.query('select message_id as id from outbox')).toEqual([{ id: older }]);
  });

  it('say at readiness and in the metric how many are missing (F1)', async () => {
    const first = await relay();
    const { started } = await consumer();
    await first.stop();
    const facts = watch(started);
    const ids = [1, 2].map((ago) => lowestId(Date.now() - ago * 60_000));
    await givenPublished(ids);
    await look(facts);
    expect(facts.problems()).toEqual(['facts: 2 published by other services never arrived, they were requested']);
    expect((await factsMissing.get()).values[0]?.value).toBe(2);
    expect(await count('outbox')).toBe(2);
    expect(await count('published')).toBe(0);
  });
});

describe('a comparison', () => {
  const compare = (owners: Owners, stretch = ANY_TIME) =>
    compareFacts({ db: t.database.db, owners, untilMs: performance.now() + 60_000 }, stretch);

  it('finds exactly what was neither received nor kept as a dead letter, whenever it was published (F1)', async () => {
    const owners = ownersOf('receiver');
    const fate = fc.constantFrom('lost', 'received', 'dead', 'refused', 'only received', 'of another consumer');
    const fact = fc.record({ ms: fc.integer({ min: 0, max: 12 * 3_600_000 }), fate });
    await fc.assert(
      fc.asyncProperty(fc.array(fact, { maxLength: 40 }), async (given) => {
        await t.query('truncate published, inbox, dead_letters');
        const base = 1_700_000_000_000;
        const facts = given.map((one, index) => ({
          ...one,
          id: `${lowestId(base + one.ms).slice(0, 14)}7000-8000-${String(index).padStart(12, '0')}`,
        }));
        const of = (...fates: string[]) => facts.filter((one) => fates.includes(one.fate)).map(({ id }) => id);
        await givenPublished(of('lost', 'received', 'dead', 'refused'));
        await givenPublished(of('of another consumer'), OTHER);
        await givenReceived(of('received', 'only received'));
        await givenDead(of('dead'));
        await givenDead(of('refused'), true);
        const { missing, published } = await compare(owners, { fromMs: base, toMs: base + 13 * 3_600_000 });
        expect(missing.flatMap(({ messageIds }) => messageIds).sort()).toEqual(of('lost', 'refused').sort());
        expect(published).toBe(of('lost', 'received', 'dead', 'refused').length);
      }),
      { numRuns: 25 },
    );
  });

  it('finds the one that is missing among more than one answer holds (F1)', async () => {
    const owners = ownersOf('receiver');
    const base = 1_700_000_000_000;
    const ids = Array.from(
      { length: 2_500 },
      (_none, index) => `${lowestId(base + index).slice(0, 14)}7000-8000-${String(index).padStart(12, '0')}`,
    );
    await givenPublished(ids);
    await givenReceived(ids.filter((_id, index) => index !== 1_234));
    const { missing } = await compare(owners, { fromMs: base, toMs: base + 3_600_000 });
    expect(missing).toEqual([{ owner: 'producer', messageIds: [ids[1_234]] }]);
    expect(await askForMissing(owners, missing)).toBe(1);
    expect(await t.query('select message_id from outbox')).toEqual([{ message_id: ids[1_234] }]);
  });
});

describe('POST /internal/facts/…', () => {
  const ask = (path: string, body: unknown, token?: string) =>
    fetch(`${url}/internal/facts/${path}`, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        ...(token === undefined ? {} : { 'X-Internal-Token': token }),
      },
      body: JSON.stringify(body),
    });
  const keyOf = (consumer: string) => {
    const key = signingKeysOf(FACTS, 'producer').get(consumer);
    if (key === undefined) throw new Error('no key');
    return key;
  };

  it('401 UNAUTHORIZED: without a token, with one of another key, for another audience, or in the name of another', async () => {
    const [own, call] = [keyOf('receiver').key, callKeyOf(keyOf('receiver'))];
    const tokens = [
      undefined,
      'nonsense',
      // The key of facts itself, instead of the one derived from it.
      internalTokenSigner('receiver', 'producer-facts', own)('receiver'),
      internalTokenSigner('receiver', 'producer', call)('receiver'),
      internalTokenSigner('receiver', 'producer-facts', call)('second'),
    ];
    for (const path of ['parts', 'ids', 'publish-again']) {
      for (const token of tokens) expect((await ask(path, {}, token)).status).toBe(401);
    }
  });

  it('400 VALIDATION_FAILED: more ids, gaps or parts than one question may have', async () => {
    const token = internalTokenSigner('receiver', 'producer-facts', callKeyOf(keyOf('receiver')))('receiver');
    const gap = { aggregateId: 'a', from: 1, to: 2 };
    for (const [path, body] of [
      ['publish-again', { messageIds: Array.from({ length: 1_001 }, () => randomUUID()) }],
      ['publish-again', { versions: Array.from({ length: 101 }, () => gap) }],
      ['publish-again', { messageIds: [] }],
      ['publish-again', { messageIds: ['x'] }],
      ['parts', { fromMs: 0, toMs: 101, partMs: 1 }],
      ['parts', { fromMs: 1, toMs: 1, partMs: 1 }],
      ['ids', { fromMs: 2, toMs: 1 }],
    ] as const)
      expect({ path, status: (await ask(path, body, token)).status }).toEqual({ path, status: 400 });
  });

  it('tells and publishes again what the caller consumes, and nothing else', async () => {
    const [mine, hidden] = [lowestId(1_000), lowestId(2_000)];
    await givenPublished([mine]);
    await givenPublished([hidden], OTHER);
    const owners = ownersOf('receiver');
    const stretch = { fromMs: 0, toMs: 10_000 };
    expect(await owners.ids('producer', stretch)).toEqual([mine]);
    expect(await owners.parts('producer', stretch, 10_000)).toMatchObject([{ fromMs: 0, count: 1 }]);
    expect(await owners.publishAgain('producer', { messageIds: [hidden] })).toBe(0);
    expect(await owners.publishAgain('producer', { messageIds: [mine, hidden] })).toBe(1);
    expect(await t.query('select message_id from outbox')).toEqual([{ message_id: mine }]);
  });

  it('publishes one fact once, however many replicas ask at once, and not again within seconds', async () => {
    const messageId = lowestId(1_000);
    await givenPublished([messageId]);
    const [first, second] = [ownersOf('receiver'), ownersOf('receiver')];
    const counts = await Promise.all(
      [first, second, first, second].map((owners) => owners.publishAgain('producer', { messageIds: [messageId] })),
    );
    expect(counts.sort()).toEqual([0, 0, 0, 1]);
    await relay();
    await consumer();
    await until(async () => (await count('published')) === 1);
    expect(await first.publishAgain('producer', { messageIds: [messageId] })).toBe(0);
    expect(await t.effectNames()).toEqual(['a']);
  });

  it('publishes again the versions between two that came', async () => {
    const ids = [1, 2, 3, 4].map((version) => lowestId(version * 1_000));
    for (const [index, id] of ids.entries()) await givenPublished([id], TYPE, index + 1);
    const owners = ownersOf('receiver');
    const versions = [
      { aggregateId: 'a', from: 2, to: 4 },
      { aggregateId: 'b', from: 1, to: 9 },
    ];
    expect(await owners.publishAgain('producer', { versions })).toBe(2);
    expect(await t.query('select message_id from outbox order by position')).toEqual(ids.slice(1, 3).map((id) => ({ message_id: id })));
  });

  it('is called with whichever key the producer knows, while one is changed', async () => {
    const old = keyOf('receiver');
    const keys: VerificationKeys = new Map([
      [
        'producer',
        new Map([
          ['k0', Buffer.alloc(32)],
          [old.id, old.key],
        ]),
      ],
    ]);
    expect(await ownersOf('receiver', keys).ids('producer', ANY_TIME)).toEqual([]);
    const stranger: VerificationKeys = new Map([['producer', new Map([['k0', Buffer.alloc(32)]])]]);
    await expect(ownersOf('receiver', stranger).ids('producer', ANY_TIME)).rejects.toThrow('they share no key');
  });
});

describe('operators', () => {
  const AUDIENCE = 'receiver-operator';

  it('see what never came, and have it published again; outside of what is kept: 400', async () => {
    const people = testConsoleKey();
    const owners = ownersOf('receiver');
    const app = createApp({
      listener: 'operator',
      log: silent,
      requestIdFrom: 'caller',
      routes: (express) => {
        const routes = operatorRoutes(express, t.database.db, people.verifierOf(AUDIENCE));
        addFactsOperatorRoutes(routes, { db: t.database.db, owners, log: silent });
      },
    });
    const listener = await listen(app, '127.0.0.1', 0);
    stops.push(() => listener.drain(0));
    const call = async (method: string, path: string, body?: unknown) => {
      const address = `http://127.0.0.1:${String(listener.port)}${path}`;
      const answer = await people.fetchAs(AUDIENCE, 'olga', address, { method, body });
      return { status: answer.status, body: (await answer.json()) as unknown };
    };
    const [lost, came] = [lowestId(Date.now() - 60_000), lowestId(Date.now() - 120_000)];
    await givenPublished([lost, came]);
    await givenReceived([came]);
    const missing = [{ owner: 'producer', count: 1, messageIds: [lost] }];
    expect(await call('GET', '/facts')).toMatchObject({ status: 200, body: { published: 2, missing } });
    const to = new Date(Date.now() - 90_000).toISOString();
    expect(await call('GET', `/facts?to=${to}`)).toMatchObject({ body: { published: 1, missing: [], to } });
    expect(await call('POST', '/facts/republish', { to })).toMatchObject({ body: { republished: 0 } });
    expect(await count('outbox')).toBe(0);
    expect(await call('POST', '/facts/republish', {})).toMatchObject({ body: { missing, republished: 1 } });
    expect(await t.query('select message_id from outbox')).toEqual([{ message_id: lost }]);
    expect((await call('GET', '/facts?to=2020-01-01T00:00:00Z')).status).toBe(400);
  });
});

describe('what was published', () => {
  const partitions = async () =>
    (
      await t.query<{ name: string }>(
        `select inhrelid::regclass::text as name from pg_inherits where inhparent = 'published'::regclass order by 1`,
      )
    ).map(({ name }) => name);
  const dayAfter = (days: number) => `published_${new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10).replaceAll('-', '')}`;
  const roll = () => partitionsLoop(t.database.db, 'published').round(new AbortController().signal);

  it('is kept for seven days and goes a day at a time, also what came before its day had a partition', async () => {
    const at = (days: number) =>
      t.query(
        `insert into published (message_id, type, aggregate_id, payload, occurred_at)
         values ($1, $2, $3, '{}', date_trunc('day', clock_now(), 'UTC') + make_interval(days => $4))`,
        [randomUUIDv7(), TYPE, String(days), days],
      );
    for (const days of [-8, -7, 0, 2]) await at(days);
    await t.query(`create or replace function clock_now() returns timestamptz language sql stable
      as $$ select clock_timestamp() + interval '1 day' $$`);
    await roll();
    expect(await partitions()).toEqual([dayAfter(0), dayAfter(1), dayAfter(2), 'published_other']);
    const left = async () =>
      (
        await t.query<{ id: string; place: string }>(
          'select aggregate_id as id, tableoid::regclass::text as place from published order by occurred_at',
        )
      ).map(({ id, place }) => [id, place]);
    // A day has passed: both old ones happened more than seven days ago.
    expect(await left()).toEqual([
      ['0', dayAfter(0)],
      ['2', dayAfter(2)],
    ]);
    await t.query(`create or replace function clock_now() returns timestamptz language sql stable
      as $$ select clock_timestamp() + interval '8 days' $$`);
    await roll();
    expect(await left()).toEqual([['2', dayAfter(2)]]);
    expect(await partitions()).toEqual([dayAfter(1), dayAfter(2), dayAfter(8), dayAfter(9), 'published_other']);
  });
});
