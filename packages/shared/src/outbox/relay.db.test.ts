import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { connect, type ChannelModel } from 'amqplib';
import pg from 'pg';
import { management } from '../../../../tools/infrastructure/rabbitmq.ts';
import { createTestBroker, type TestBroker } from '../../../../tools/testing/database.ts';
import { startToxicProxy } from '../../../../tools/testing/toxic-proxy.ts';
import { signingKeysOf, verificationKeysOf } from '../../test/fact-keys.ts';
import { openMechanisms, silent, until, type Mechanisms } from '../../test/mechanisms.ts';
import { startConsumer, type Consumer, type IncomingMessage } from '../broker/consume.ts';
import { bindConsumer, declareConsumer, declareProducer, exchangeOf, queueOf, type FactRoutes } from '../broker/topology.ts';
import { factVerifier } from '../broker/fact-signature.ts';
import { receiveOnce } from '../inbox/inbox.ts';
import { outboxPending } from '../telemetry/metrics.ts';
import type { Log } from '../logging/logger.ts';
import { withRequestContext } from '../logging/request-context.ts';
import { movePublishedWhileHeld, TAKE_LEASE } from './lease.ts';
import { appendToOutbox } from './outbox.ts';
import { startRelay, type Relay } from './relay.ts';

const NOON = new Date('2026-03-01T12:00:00.000Z');
const TYPE = 'thing.happened';
const FACTS: FactRoutes = { [TYPE]: { owner: 'producer', consumers: ['receiver'] } };
/** A type that a second service must also receive. */
const SHARED: FactRoutes = { [TYPE]: { owner: 'producer', consumers: ['receiver', 'second'] } };

let t: Mechanisms;
let broker: TestBroker;
let stops: (() => Promise<void>)[];

beforeEach(async () => {
  [t, broker] = await Promise.all([openMechanisms(), createTestBroker()]);
  stops = [];
  // As an installation's setup does: a consumer that finds no exchange looks again after a second.
  await asBroker(async (model) => declareProducer(await model.createChannel(), 'producer'));
});

afterEach(async () => {
  for (const stop of stops.reverse()) await stop();
  await Promise.all([t.close(), broker.drop()]);
});

const relay = async (facts = FACTS, amqpUrl = broker.url, log = silent): Promise<Relay> => {
  const started = await startRelay({
    databaseUrl: t.url,
    amqpUrl,
    service: 'producer',
    facts,
    keys: signingKeysOf(SHARED, 'producer'),
    log,
  });
  stops.push(() => started.stop());
  return started;
};

/** A consumer that records what it received, in order, once per message. */
const consumer = async (received: IncomingMessage[] = [], service = 'receiver', facts = FACTS): Promise<Consumer> => {
  const started = await startConsumer({
    url: broker.url,
    service,
    facts,
    verify: factVerifier(SHARED, service, verificationKeysOf(SHARED, service)),
    log: silent,
    pauseMs: () => 0,
    handlers: {
      [TYPE]: async (message) => {
        received.push(message);
        if (service !== 'receiver') return;
        await receiveOnce(t.database.db, message.messageId, (tx) => t.recordEffect(tx, message.aggregateId));
      },
    },
  });
  stops.push(async () => {
    await started.drain();
    await started.close();
  });
  await until(() => started.isConnected);
  return started;
};

const append = (name: string, type = TYPE): Promise<string> =>
  t.database.db.transaction((tx) =>
    appendToOutbox(tx, { type, aggregateId: name, occurredAt: NOON, payload: { name, amountKopecks: '1050' } }),
  );

/** Another replica holds the lease for an hour. */
const FOREIGN_LEASE = `update relay_lease set fence = fence + 1, holder = gen_random_uuid(), until = clock_timestamp() + interval '1 hour'`;

/** Who leads, and whether somebody has since asked for the lease and was refused: a statement that changed nothing. */
const lease = () =>
  t.query<{ fence: string; asked: boolean }>(
    `select fence, exists (select from pg_stat_activity where application_name = 'producer-relay' and state = 'idle'
       and datname = current_database() and query like 'update relay_lease set fence%') as asked from relay_lease`,
  );

/** The test's fact happened in March: no outbox is that slow. */
const NOTHING_IS_OLD = `create or replace function clock_now() returns timestamptz language sql stable as $$ select '2026-03-01T12:00:00.000Z'::timestamptz $$`;

const waiting = async (): Promise<number> => (await t.query('select from outbox')).length;

async function asBroker<T>(work: (model: ChannelModel) => Promise<T>): Promise<T> {
  const model = await connect(broker.url);
  try {
    return await work(model);
  } finally {
    await model.close();
  }
}

async function closeConnections(name: string): Promise<void> {
  const answer = await management(broker.managementUrl, 'GET', `vhosts/${broker.vhost}/connections`);
  const connections: unknown = await answer.json();
  if (!Array.isArray(connections)) throw new Error('no list of connections');
  for (const connection of connections as { name: string; user_provided_name?: string }[]) {
    if (connection.user_provided_name !== name) continue;
    await management(broker.managementUrl, 'DELETE', `connections/${encodeURIComponent(connection.name)}`);
  }
}

/** A relay's log, and how many batches it could not publish as a whole. */
function countingFailures(): { readonly log: Log; readonly failures: () => number } {
  let failures = 0;
  const warn = (message: string) => {
    if (message.startsWith('outbox batch not published')) failures += 1;
  };
  return { log: { ...silent, warn }, failures: () => failures };
}

const listed = async (name: string): Promise<boolean> => {
  const answer = await management(broker.managementUrl, 'GET', `vhosts/${broker.vhost}/connections`);
  return (await answer.text()).includes(`"${name}"`);
};

describe('outbox and relay', () => {
  it('brings a committed message to its consumer, whole, and forgets it', async () => {
    const received: IncomingMessage[] = [];
    await consumer(received);
    await relay();
    const messageId = await append('first');
    await until(async () => received.length === 1 && (await waiting()) === 0);
    expect(received).toEqual([
      {
        messageId,
        type: TYPE,
        aggregateId: 'first',
        occurredAt: NOON.toISOString(),
        body: { name: 'first', amountKopecks: '1050' },
      },
    ]);
  });

  it('never reads over what was deleted: it finds what waits by its index, whatever statistics say', async () => {
    const scans = async () => {
      const [counted] = await t.query<{ whole: string; by_index: string }>(
        `select seq_scan as whole, coalesce(idx_scan, 0) as by_index from pg_stat_user_tables where relname = 'outbox'`,
      );
      return { whole: Number(counted?.whole), byIndex: Number(counted?.by_index) };
    };
    const received: IncomingMessage[] = [];
    await consumer(received);
    const before = await scans();
    const started = await relay();
    for (const name of ['first', 'second', 'third']) await append(name);
    await until(() => received.length === 3);
    // A session's counts are complete once it has ended.
    await started.stop();
    await until(async () => (await scans()).byIndex > before.byIndex);
    expect((await scans()).whole).toBe(before.whole);
  });

  it('carries the request id from the command to the handler', async () => {
    let seen: string | undefined;
    const { currentRequestId } = await import('../logging/request-context.ts');
    const started = await startConsumer({
      url: broker.url,
      service: 'receiver',
      facts: FACTS,
      verify: factVerifier(FACTS, 'receiver', verificationKeysOf(FACTS, 'receiver')),
      log: silent,
      handlers: {
        [TYPE]: () => {
          seen = currentRequestId();
          return Promise.resolve();
        },
      },
    });
    stops.push(() => started.close());
    await relay();
    await withRequestContext({ requestId: 'request-1' }, () => append('first'));
    await until(() => seen !== undefined);
    expect(seen).toBe('request-1');
  });

  it('is woken by what was committed, not by what was rolled back', async () => {
    const wakes: string[] = [];
    const listener = new pg.Client({ connectionString: t.url });
    await listener.connect();
    stops.push(() => listener.end());
    listener.on('notification', ({ payload = '' }) => wakes.push(payload));
    await listener.query('listen "outbox.mechanisms"');
    const undone = t.database.db.transaction(async (tx) => {
      await appendToOutbox(tx, { type: TYPE, aggregateId: 'undone', occurredAt: NOON, payload: {} });
      throw new Error('no');
    });
    await expect(undone).rejects.toThrow('no');
    await t.query(`select pg_notify('outbox.mechanisms', 'between')`);
    await until(() => wakes.includes('between'));
    await append('first');
    await until(() => wakes.length === 2);
    expect(wakes).toEqual(['between', '']);
  });

  it('says nothing about a transaction that rolled back', async () => {
    await consumer();
    await relay();
    await expect(
      t.database.db.transaction(async (tx) => {
        await appendToOutbox(tx, { type: TYPE, aggregateId: 'undone', occurredAt: NOON, payload: {} });
        throw new Error('refused');
      }),
    ).rejects.toThrow('refused');
    await append('done');
    await until(async () => (await t.effectNames()).includes('done'));
    expect(await t.effectNames()).toEqual(['done']);
  });

  it('keeps the order of 1200 messages, which is more than two batches', async () => {
    const names = Array.from({ length: 1_200 }, (_, index) => `m${String(index)}`);
    await t.database.db.transaction(async (tx) => {
      for (const aggregateId of names) await appendToOutbox(tx, { type: TYPE, aggregateId, occurredAt: NOON, payload: {} });
    });
    const received: string[] = [];
    const started = await startConsumer({
      url: broker.url,
      service: 'receiver',
      facts: FACTS,
      verify: factVerifier(FACTS, 'receiver', verificationKeysOf(FACTS, 'receiver')),
      log: silent,
      handlers: {
        [TYPE]: (message) => {
          received.push(message.aggregateId);
          return Promise.resolve();
        },
      },
    });
    stops.push(() => started.close());
    await relay();
    await until(async () => received.length >= names.length && (await waiting()) === 0);
    expect(received).toEqual(names);
  });

  it('keeps a message that no queue takes, and all after it, until a queue is there', async () => {
    const { log, failures } = countingFailures();
    await append('early');
    await append('second');
    await relay(FACTS, broker.url, log);
    // The relay has tried both and put them back: a queue that is declared now gets them in order.
    await until(() => failures() > 0);
    expect(await waiting()).toBe(2);
    const received: IncomingMessage[] = [];
    await consumer(received);
    await until(async () => (await waiting()) === 0 && (await t.effectNames()).length === 2);
    expect(received.map(({ aggregateId }) => aggregateId)).toEqual(['early', 'second']);
  });

  it('forgets what was taken before the message that no queue takes', async () => {
    await asBroker(async (model) => {
      const channel = await model.createChannel();
      await declareProducer(channel, 'producer');
      await declareConsumer(channel, 'receiver');
      await bindConsumer(channel, 'receiver', FACTS);
    });
    await t.database.db.transaction(async (tx) => {
      for (const type of [TYPE, 'nobody.listens', TYPE]) {
        await appendToOutbox(tx, { type, aggregateId: type, occurredAt: NOON, payload: {} });
      }
    });
    await relay();
    await until(async () => (await waiting()) === 2);
    const rows = await t.query<{ type: string }>('select type from outbox order by position');
    expect(rows.map((row) => row.type)).toEqual(['nobody.listens', TYPE]);
  });

  it('keeps a fact until every consumer that must have it can have it, and tells the others once (F1)', async () => {
    const first: IncomingMessage[] = [];
    const second: IncomingMessage[] = [];
    const { log, failures } = countingFailures();
    await consumer(first, 'receiver', SHARED);
    await relay(SHARED, broker.url, log);
    await append('early');
    await append('later');
    // The existing queue has both; the other one does not exist, so both stay, however often they are tried.
    await until(() => first.length === 2 && failures() > 1);
    expect(await waiting()).toBe(2);
    await consumer(second, 'second', SHARED);
    await until(async () => (await waiting()) === 0 && second.length === 2);
    expect(second.map(({ aggregateId }) => aggregateId)).toEqual(['early', 'later']);
    expect(first.map(({ aggregateId }) => aggregateId)).toEqual(['early', 'later']);
  });

  it('loses nothing when one binding of one consumer is deleted: it is bound again and has what waited (F1)', async () => {
    const first: IncomingMessage[] = [];
    const second: IncomingMessage[] = [];
    await consumer(first, 'receiver', SHARED);
    await consumer(second, 'second', SHARED);
    await relay(SHARED);
    await append('before');
    await until(() => first.length === 1 && second.length === 1);
    await asBroker(async (model) => {
      const channel = await model.createChannel();
      await channel.unbindQueue(queueOf('second'), exchangeOf('producer'), `second.${TYPE}`);
    });
    await append('meanwhile');
    await until(async () => second.length === 2 && (await waiting()) === 0);
    expect(second.map(({ aggregateId }) => aggregateId)).toEqual(['before', 'meanwhile']);
    expect(first).toHaveLength(2);
  });

  it('loses nothing when the broker forgets everything while a consumer is down (F1)', async () => {
    const first: IncomingMessage[] = [];
    const second: IncomingMessage[] = [];
    await consumer(first, 'receiver', SHARED);
    await relay(SHARED);
    await broker.reset();
    await append('meanwhile');
    await until(() => first.length === 1);
    await consumer(second, 'second', SHARED);
    await until(() => second.length === 1);
    expect(second.map(({ aggregateId }) => aggregateId)).toEqual(['meanwhile']);
  });

  it('makes a deleted exchange again; consumers whose connection survived are bound again by themselves (F2)', async () => {
    const received: IncomingMessage[] = [];
    const started = await consumer(received);
    await relay();
    await until(() => started.isBound);
    await asBroker(async (model) => {
      const channel = await model.createChannel();
      await channel.deleteExchange(exchangeOf('producer'));
    });
    await append('meanwhile');
    await until(async () => received.length === 1 && (await waiting()) === 0);
    expect(started.isConnected).toBe(true);
  });

  it('keeps facts while a queue is deleted with the relay running, and the consumer makes it again (F1)', async () => {
    const received: IncomingMessage[] = [];
    await consumer(received);
    await relay();
    await append('before');
    await until(() => received.length === 1);
    await asBroker(async (model) => {
      const channel = await model.createChannel();
      await channel.deleteQueue(queueOf('receiver'));
    });
    await append('meanwhile');
    await until(async () => received.length === 2 && (await waiting()) === 0);
    expect(received.map(({ aggregateId }) => aggregateId)).toEqual(['before', 'meanwhile']);
  });

  it('publishes a batch that cannot be deleted once, however often the deletion is tried (F9)', async () => {
    const received: IncomingMessage[] = [];
    await consumer(received);
    await t.query(`create function refuse() returns trigger language plpgsql as $$ begin
      perform nextval('refusals'); raise 'read only' using errcode = '25006'; end $$`);
    await t.query('create sequence refusals');
    await t.query('create trigger refuse before delete on outbox execute function refuse()');
    await relay();
    for (const name of ['one', 'two', 'three']) await append(name);
    const refusals = async () => Number((await t.query<{ n: string }>('select last_value as n from refusals'))[0]?.n);
    await until(async () => received.length >= 3 && (await refusals()) >= 2);
    expect(received.map(({ aggregateId }) => aggregateId)).toEqual(['one', 'two', 'three']);
    await t.query('drop trigger refuse on outbox');
    await until(async () => (await waiting()) === 0);
    expect(received).toHaveLength(3);
  });

  it('waits for confirms that are late instead of publishing again, and believes a return that comes late (F9)', async () => {
    const target = new URL(broker.url);
    const way = await startToxicProxy(() => ({ host: target.hostname, port: Number(target.port) }));
    stops.push(() => way.close());
    const relaying = await relay(SHARED, Object.assign(new URL(broker.url), { host: `127.0.0.1:${String(way.port)}` }).href);
    const received: IncomingMessage[] = [];
    await consumer(received, 'receiver', SHARED);
    await append('before');
    // Nobody has created the queue of the second consumer.
    await until(() => relaying.problems().includes('relay: no queue is bound for second.thing.happened'));
    await way.set({ frozen: true });
    await append('late');
    await until(() => relaying.problems().includes('relay: the broker did not confirm in time'));
    await way.set({});
    await until(() => relaying.problems().includes('relay: no queue is bound for second.thing.happened'));
    expect(await waiting()).toBe(2);
    const second: IncomingMessage[] = [];
    await consumer(second, 'second', SHARED);
    await until(async () => (await waiting()) === 0);
    expect(received.map(({ aggregateId }) => aggregateId)).toEqual(['before', 'late']);
    await until(() => second.length === 2);
  });

  it('keeps its lease while the broker has yet to confirm (F9)', async () => {
    const target = new URL(broker.url);
    const way = await startToxicProxy(() => ({ host: target.hostname, port: Number(target.port) }));
    stops.push(() => way.close());
    await consumer();
    const relaying = await relay(FACTS, Object.assign(new URL(broker.url), { host: `127.0.0.1:${String(way.port)}` }).href);
    await t.query(NOTHING_IS_OLD);
    await append('before');
    await until(async () => (await waiting()) === 0);
    await way.set({ frozen: true });
    await append('late');
    const ends = new Set<string>();
    await until(async () => {
      const [held] = await t.query<{ until: string }>('select until::text as until from relay_lease');
      ends.add(held?.until ?? '');
      return ends.size === 5 || relaying.problems().length > 0;
    });
    expect([ends.size, relaying.problems()]).toEqual([5, []]);
    await way.set({});
    await until(async () => (await waiting()) === 0);
  });

  it('repeats what cannot be deleted once a replica, with pauses that grow (F9)', async () => {
    const received: IncomingMessage[] = [];
    await consumer(received);
    await t.query(`create function refuse() returns trigger language plpgsql as $$ begin raise 'no' using errcode = '25006'; end $$`);
    await t.query('create trigger refuse before delete on outbox execute function refuse()');
    await relay();
    await append('one');
    await until(() => received.length === 1);
    await relay();
    // The lease changes hands repeatedly.
    for (let count = 0; count < 3; count += 1) {
      const [before] = await lease();
      await t.query(`update relay_lease set until = '-infinity', holder = null`);
      await until(async () => (await lease())[0]?.fence !== before?.fence);
    }
    await t.query('drop trigger refuse on outbox');
    await until(async () => (await waiting()) === 0);
    expect(received.length).toBeLessThanOrEqual(2);
  });

  it('goes on when the broker closed its connection: the rows stay and go out later', async () => {
    await consumer();
    await relay();
    await append('before');
    await until(async () => (await waiting()) === 0);
    await until(() => listed('producer-relay'));
    await closeConnections('producer-relay');
    await append('after');
    await until(async () => (await t.effectNames()).length === 2);
    expect(await t.effectNames()).toEqual(['before', 'after']);
    // The consumer may have the message before the relay knows that the broker has.
    await until(async () => (await waiting()) === 0);
  });

  it('starts while the broker is away, and publishes when it comes', async () => {
    const url = new URL(broker.url);
    url.pathname = `/${broker.vhost}-later`;
    const said: string[] = [];
    const log = {
      ...silent,
      info: (message: string) => said.push(message),
      warn: (message: string) => said.push(message),
    };
    const late = await startRelay({
      databaseUrl: t.url,
      amqpUrl: url.href,
      service: 'producer',
      facts: FACTS,
      keys: signingKeysOf(FACTS, 'producer'),
      log,
    });
    stops.push(() => late.stop());
    await append('patient');
    expect(late.isConnected).toBe(false);
    // The connection logs what is wrong, repeatedly; the relay, which leads meanwhile, does not log it as well.
    const failure = 'broker connection attempt failed';
    await until(
      () => said.includes('relay leads') && said.slice(said.indexOf('relay leads')).filter((line) => line === failure).length > 1,
    );
    expect(said.filter((line) => line !== failure)).toEqual(['relay leads']);
    const vhost = `${broker.vhost}-later`;
    await management(broker.managementUrl, 'PUT', `vhosts/${vhost}`);
    const user = new URL(broker.managementUrl).username;
    const all = { configure: '.*', write: '.*', read: '.*' };
    await management(broker.managementUrl, 'PUT', `permissions/${vhost}/${user}`, all);
    stops.push(async () => {
      await management(broker.managementUrl, 'DELETE', `vhosts/${vhost}`);
    });
    await until(() => late.isConnected);
    const received: string[] = [];
    const started = await startConsumer({
      url: url.href,
      service: 'receiver',
      facts: FACTS,
      verify: factVerifier(FACTS, 'receiver', verificationKeysOf(FACTS, 'receiver')),
      log: silent,
      handlers: {
        [TYPE]: (message) => {
          received.push(message.aggregateId);
          return Promise.resolve();
        },
      },
    });
    stops.push(() => started.close());
    await until(() => received.length === 1);
    expect(received).toEqual(['patient']);
  });

  it('has one leader; when its connection dies the facts go out all the same, in order', async () => {
    await consumer();
    await relay();
    await relay();
    await append('one');
    await until(async () => (await t.effectNames()).length === 1);
    const [before] = await lease();
    await t.query(`select pg_terminate_backend(pid) from pg_stat_activity
      where application_name = 'producer-relay' and datname = current_database()`);
    await append('two');
    await until(async () => (await t.effectNames()).length === 2);
    const [after] = await lease();
    expect(Number(after?.fence)).toBeGreaterThan(Number(before?.fence));
    expect(await t.effectNames()).toEqual(['one', 'two']);
  });

  it('takes over when the lease of a leader that froze, or whose session a pooler keeps, is over (F5)', async () => {
    const received: IncomingMessage[] = [];
    await consumer(received);
    await t.query(FOREIGN_LEASE);
    // As behind a pooler that keeps a session for nobody.
    await t.query(`select pg_advisory_lock(hashtext('relay.producer'))`);
    await relay();
    await append('patient');
    await until(async () => (await lease())[0]?.asked === true);
    expect(received).toEqual([]);
    await t.query(`update relay_lease set until = clock_timestamp()`);
    await until(async () => received.length === 1 && (await waiting()) === 0);
  });

  it('says which queue is missing, until it is there (F2)', async () => {
    const started = await relay();
    await t.query(NOTHING_IS_OLD);
    await append('early');
    await until(() => started.problems().includes(`relay: no queue is bound for receiver.${TYPE}`));
    await consumer();
    // A row leaves the outbox only after its publication is known to have succeeded.
    await until(async () => (await waiting()) === 0);
    expect(started.problems()).toEqual([]);
  });

  it('every replica sees what waits, also when none of them leads (F5)', async () => {
    await t.query(FOREIGN_LEASE);
    const replicas = [await relay(), await relay()];
    await append('stuck');
    await until(() => replicas.every((one) => one.problems().some((text) => text.startsWith('outbox: the oldest fact has waited'))));
    expect((await outboxPending.get()).values[0]?.value).toBe(1);
  });

  it('a leader that wakes up while another takes over deletes nothing (F5)', async () => {
    await append('meanwhile');
    const [row] = await t.query<{ position: string }>('select position from outbox');
    const positions = [row?.position ?? ''];
    const [before] = await t.query<{ fence: string }>(TAKE_LEASE, [randomUUID()]);
    const [frozen, other] = [new pg.Client({ connectionString: t.url }), new pg.Client({ connectionString: t.url })];
    await Promise.all([frozen.connect(), other.connect()]);
    await other.query('begin');
    await other.query(FOREIGN_LEASE);
    const { text, values } = movePublishedWhileHeld(positions, before?.fence ?? '');
    const deleting = frozen.query(text, [...values]);
    await t.untilBlocked();
    await other.query('commit');
    expect((await deleting).rowCount).toBe(0);
    expect(await waiting()).toBe(1);
    const [after] = await t.query<{ fence: string }>('select fence from relay_lease');
    const own = movePublishedWhileHeld(positions, after?.fence ?? '');
    expect((await other.query(own.text, [...own.values])).rowCount).toBe(1);
    expect(await waiting()).toBe(0);
    await Promise.all([frozen.end(), other.end()]);
  });

  it('a leader whose lease another one took steps down, and leads again when that one is gone (F5)', async () => {
    const received: IncomingMessage[] = [];
    await consumer(received);
    await relay();
    await append('before');
    await until(async () => received.length === 1 && (await waiting()) === 0);
    await t.query(FOREIGN_LEASE);
    await until(async () => (await lease())[0]?.asked === true);
    await append('meanwhile');
    expect(await waiting()).toBe(1);
    await t.query(`update relay_lease set until = clock_timestamp()`);
    await until(async () => received.length === 2 && (await waiting()) === 0);
    expect(received.map(({ aggregateId }) => aggregateId)).toEqual(['before', 'meanwhile']);
  });

  it('is not kept by a relay that stopped: its lock is free at once', async () => {
    const first = await relay();
    await consumer();
    await append('one');
    await until(async () => (await t.effectNames()).length === 1);
    await first.stop();
    await relay();
    await append('two');
    await until(async () => (await t.effectNames()).length === 2);
    expect(await t.effectNames()).toEqual(['one', 'two']);
  });

  it('sends a batch again after a crash between confirm and delete; the inbox drops the repeats', async () => {
    const received: IncomingMessage[] = [];
    await consumer(received);
    const messageId = await append('once');
    const [row] = await t.query<{ row: string }>('select row_to_json(outbox)::text as row from outbox');
    const first = await relay();
    await until(async () => (await waiting()) === 0);
    await first.stop();
    // The state after a crash right after the confirm: both the broker and the table have it.
    await t.query('insert into outbox select * from json_populate_record(null::outbox, $1)', [row?.row]);
    await relay();
    await until(() => received.length === 2);
    await until(async () => (await waiting()) === 0);
    expect(received.map((message) => message.messageId)).toEqual([messageId, messageId]);
    expect(await t.effectNames()).toEqual(['once']);
  });
});
