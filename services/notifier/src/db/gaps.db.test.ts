import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { sql } from 'drizzle-orm';
import pg from 'pg';
import { selectRows } from '@pay/shared/postgres/select-rows.ts';
import { startTestApp, type TestApp } from '../../test/app.ts';
import { startReceiver, withStatus, type Receiver } from '../../test/receiver.ts';
import { askForGaps } from '../use-cases/ask-for-gaps.ts';
import { watchGaps, type GapWatch } from '../use-cases/watch-gaps.ts';
import { insertStatement, type NewEvent } from './events.ts';
import { closeKnownGaps, listGaps } from './gaps.ts';

let app: TestApp;
let receiver: Receiver;
let status: number;
let watch: GapWatch;
const partnerId = 'partner';
const IN_ORDER = randomUUID();
const MIGRATION = new URL('../../migrations/0011_count_what_waits_behind_a_gap.sql', import.meta.url);
beforeEach(async () => {
  status = 200;
  app = await startTestApp();
  receiver = await startReceiver((received, res) => {
    withStatus(status)(received, res);
  });
  await app.givenEndpoints(partnerId, receiver.url);
  await app.fetchSecret(partnerId);
  watch = watchGaps(app.deps.db);
});
afterEach(async () => {
  await app.stop();
  await receiver.close();
});

const problems = async () => {
  await watch.loop.round(new AbortController().signal);
  return watch.problems();
};
const gaps = async () => (await app.operate('GET', '/gaps')).body['items'];
const allDelivered = (count: number) => app.until(`select count(*) = $1 as ok from events where status = 'DELIVERED'`, [count]);

describe('events behind a version gap', () => {
  it('a version 2 whose version 1 never came is told after the grace, and no more once version 1 arrived (F1)', async () => {
    app.startEngine();
    const paymentId = randomUUID();
    await app.givenEvent(partnerId, { paymentId, version: 2 });
    expect(await problems()).toEqual([]);
    expect(await gaps()).toEqual([]);

    await app.moveClock('61 s');
    expect(await problems()).toEqual([expect.stringMatching(/never arrived: 1, the oldest has waited \d+ s$/)]);
    expect(await gaps()).toEqual([{ aggregateId: paymentId, partnerId, nextVersion: 1, firstWaiting: 2, since: expect.any(String) }]);

    await app.givenEvent(partnerId, { paymentId, version: 1 });
    expect(await problems()).toEqual([]);
    await allDelivered(2);
    expect(await gaps()).toEqual([]);
  });

  it('a gap between what was delivered and what came after it is told, also when it was found behind a backlog (F1)', async () => {
    const paymentId = randomUUID();
    await app.givenEvent(partnerId, { paymentId, version: 1 });
    await app.givenEvent(partnerId, { paymentId, version: 4 });
    await app.givenEvent(partnerId, { paymentId, version: 3 });
    await app.moveClock('61 s');
    app.startEngine().wake();
    await allDelivered(1);
    await app.until('select due_at is null as ok from aggregates');
    expect(await gaps()).toMatchObject([{ aggregateId: paymentId, nextVersion: 2, firstWaiting: 3 }]);
    await app.givenEvent(partnerId, { paymentId, version: 2 });
    await allDelivered(4);
    expect(await problems()).toEqual([]);
  });

  it('a backlog is none: a receiver that is down, a partner without an address, versions in order (F1)', async () => {
    status = 500;
    app.startEngine();
    const paymentId = randomUUID();
    for (const version of [1, 2, 3]) await app.givenEvent(partnerId, { paymentId, version });
    await app.givenEvent('partner-without-address', { version: 1 });
    await app.until('select attempt_count > 0 as ok from events where aggregate_id = $1 and aggregate_version = 1', [paymentId]);
    await app.moveClock('61 s');
    expect(await problems()).toEqual([]);
    expect(await gaps()).toEqual([]);
  });

  it('lists the longest wait first, as many as asked for (F1)', async () => {
    const ids = [randomUUID(), randomUUID(), randomUUID()];
    for (const paymentId of ids) {
      await app.givenEvent(partnerId, { paymentId, version: 2 });
      await app.moveClock('61 s');
    }
    const { body } = await app.operate('GET', '/gaps?limit=2');
    expect(body['items']).toMatchObject([{ aggregateId: ids[0] }, { aggregateId: ids[1] }]);
    expect((await app.operate('GET', '/gaps?limit=101')).status).toBe(400);
  });

  it('what waited behind a gap before the notifier was upgraded is told, too (F1)', async () => {
    const paymentId = randomUUID();
    await app.givenEvent(partnerId, { paymentId, version: 2 });
    for (const version of [1, 2]) await app.givenEvent('partner-without-address', { paymentId: IN_ORDER, version });
    await app.query('update aggregates set last_version = 0');
    const migration = await readFile(MIGRATION, 'utf8');
    await app.query(migration.slice(migration.indexOf('UPDATE "aggregates"')));
    await app.moveClock('61 s');
    expect(await gaps()).toMatchObject([{ aggregateId: paymentId }]);
    expect(await app.query('select last_version from aggregates where aggregate_id = $1', [IN_ORDER])).toEqual([{ last_version: 0 }]);
  });

  it('what a look reads does not grow with what waits or was delivered (F1)', async () => {
    await app.query(`insert into aggregates (aggregate_id, partner_id, kind, due_at, next_version, last_version)
      select md5('a' || n)::uuid, 'p', 'payment', case when n % 2 = 0 then clock_now() end, 1 + n % 2, 1 from generate_series(1, 4000) n`);
    await app.query(`insert into events (event_id, partner_id, type, aggregate_id, aggregate_version, body, status)
      select md5('e' || n)::uuid, 'p', 'payment.completed', md5('a' || n)::uuid, 1, '', case when n % 2 = 0 then 'WAITING' else 'DELIVERED' end
      from generate_series(1, 4000) n`);
    await app.givenEvent(partnerId, { version: 2 });
    await app.moveClock('61 s');
    const read = async () => {
      const [row] = await app.query<{ read: number }>(`select sum(seq_tup_read + (select sum(idx_tup_read)
        from pg_stat_user_indexes i where i.relid = t.relid))::int as read
        from pg_stat_user_tables t where relname in ('aggregates', 'events') and schemaname = current_schema()`);
      return row?.read ?? 0;
    };
    // The reads of this check itself are flushed only by its own connection.
    const flushed = () => selectRows(app.deps.db, sql`select pg_stat_force_next_flush()`);
    await flushed();
    const before = await read();
    expect(await listGaps(app.deps.db, 100)).toHaveLength(1);
    await flushed();
    expect((await read()) - before).toBeLessThan(100);
  });
});

/** A thousand rows that wait for nothing, older than every other. */
const LEFTOVERS = `insert into aggregates (aggregate_id, partner_id, kind, next_version, last_version, created_at)
  select gen_random_uuid(), 'q', 'payment', 2, 2, clock_now() - interval '1 day' from generate_series(1, 1000)`;
/** A thousand versions 2 whose versions 1 never came, recorded so long ago. */
const gapsSince = (interval: string) => `with made as (
    insert into aggregates (aggregate_id, partner_id, kind, next_version, last_version, created_at)
    select gen_random_uuid(), 'p', 'payment', 1, 2, clock_now() - interval '1 day' from generate_series(1, 1000)
    returning aggregate_id)
  insert into events (event_id, partner_id, type, aggregate_id, aggregate_version, body, status, recorded_at, next_attempt_at)
  select gen_random_uuid(), 'p', 'refund.completed', aggregate_id, 2, '{}', 'WAITING', clock_now() - interval '${interval}', clock_now()
  from made`;

describe('a gap beside thousands of rows that are none', () => {
  it('is told beside a thousand that wait for nothing, and a thousand that just arrived (V6)', async () => {
    const paymentId = randomUUID();
    await app.givenEvent(partnerId, { paymentId, version: 2 });
    await app.moveClock('61 s');
    await app.query(LEFTOVERS);
    await app.query(gapsSince('0 s'));
    expect(await gaps()).toMatchObject([{ aggregateId: paymentId }]);
    expect(await problems()).toEqual([expect.stringMatching(/never arrived: 1, /)]);
  });

  it('is asked for beside a thousand that nobody can close (V6)', async () => {
    await app.query(gapsSince('1 day'));
    const paymentId = randomUUID();
    await app.givenEvent(partnerId, { paymentId, version: 2 });
    await app.moveClock('3 s');
    const asked: unknown[] = [];
    const owners = {
      consumer: 'notifier',
      names: ['payments'],
      parts: () => Promise.resolve([]),
      ids: () => Promise.resolve([]),
      publishAgain: (_owner: string, lacking: unknown) => {
        asked.push(lacking);
        return Promise.resolve(0);
      },
      close: () => Promise.resolve(),
    };
    const loop = askForGaps({ db: app.deps.db, owners, log: app.deps.log });
    while ((await loop.round(new AbortController().signal)) === 'more');
    expect(JSON.stringify(asked)).toContain(paymentId);
  });
});

describe('two replicas that store versions of one payment at once', () => {
  const versionOf = (aggregateId: string, aggregateVersion: number, type: NewEvent['type'], of: string): NewEvent => ({
    eventId: randomUUID(),
    partnerId: of,
    type,
    aggregateId,
    aggregateVersion,
    body: Buffer.from('{}'),
    requestId: null,
    traceparent: null,
  });
  /** The second is stored while the first is not committed: it waits for the row, then goes on. */
  async function atOnce(first: NewEvent, second: NewEvent): Promise<void> {
    const statementOf = (event: NewEvent) => {
      const statement = insertStatement([event]);
      if (!('text' in statement)) throw new Error('it is compiled');
      return { text: statement.text, values: [...statement.values] };
    };
    const clients = [new pg.Client(app.databaseUrl), new pg.Client(app.databaseUrl)] as const;
    for (const client of clients) await client.connect();
    await clients[0].query('begin');
    await clients[0].query(statementOf(first));
    const waiting = clients[1].query(statementOf(second));
    await app.until(`select exists (select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock') as ok`);
    await clients[0].query('commit');
    await waiting;
    for (const client of clients) await client.end();
  }
  const row = async (aggregateId: string) =>
    (
      await app.query('select next_version, last_version, due_at is not null as due from aggregates where aggregate_id = $1', [aggregateId])
    )[0];

  it('leave nothing behind where neither is sent (V6)', async () => {
    const id = randomUUID();
    await atOnce(versionOf(id, 2, 'refund.completed', 'nobody'), versionOf(id, 1, 'payment.completed', 'nobody'));
    expect(await row(id)).toEqual({ next_version: 3, last_version: 2, due: false });
  });

  it('make the later one due where the earlier is not sent (V6)', async () => {
    const id = randomUUID();
    await atOnce(versionOf(id, 2, 'binding.revoked', partnerId), versionOf(id, 1, 'binding.expired', partnerId));
    expect(await row(id)).toEqual({ next_version: 2, last_version: 2, due: true });
    app.startEngine().wake();
    await allDelivered(1);
  });

  it('and what earlier versions of this program left behind is closed: passed over, or sent (V6)', async () => {
    const ids = [randomUUID(), randomUUID()];
    for (const id of ids) await app.givenEvent(partnerId, { paymentId: id, version: 1, type: 'binding.expired' });
    await app.givenEvent(partnerId, { paymentId: ids[1] ?? '', version: 2, type: 'binding.revoked' });
    await app.query('update aggregates set next_version = 1, due_at = null');
    expect(await closeKnownGaps(app.deps.db)).toBe(2);
    expect(await row(ids[0] ?? '')).toEqual({ next_version: 2, last_version: 1, due: false });
    expect(await row(ids[1] ?? '')).toEqual({ next_version: 2, last_version: 2, due: true });
    expect(await closeKnownGaps(app.deps.db)).toBe(0);
  });
});
