import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { sql } from 'drizzle-orm';
import { selectRows } from '@pay/shared/postgres/select-rows.ts';
import { startTestApp, type TestApp } from '../../test/app.ts';
import { startReceiver, withStatus, type Receiver } from '../../test/receiver.ts';
import { watchGaps, type GapWatch } from '../use-cases/watch-gaps.ts';
import { listGaps } from './gaps.ts';

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
const allDelivered = (count: number) =>
  app.until(`select count(*) = $1 as ok from events where status = 'DELIVERED'`, [count]);

describe('events behind a version gap', () => {
  it('F1: a version 2 whose version 1 never came is told after the grace, and no more once version 1 arrived', async () => {
    app.startEngine();
    const paymentId = randomUUID();
    await app.givenEvent(partnerId, { paymentId, version: 2 });
    expect(await problems()).toEqual([]);
    expect(await gaps()).toEqual([]);

    await app.moveClock('61 s');
    expect(await problems()).toEqual([expect.stringMatching(/never arrived: 1, the oldest has waited \d+ s$/)]);
    expect(await gaps()).toEqual([
      { aggregateId: paymentId, partnerId, nextVersion: 1, firstWaiting: 2, since: expect.any(String) },
    ]);

    await app.givenEvent(partnerId, { paymentId, version: 1 });
    expect(await problems()).toEqual([]);
    await allDelivered(2);
    expect(await gaps()).toEqual([]);
  });

  it('F1: a gap between what was delivered and what came after it is told, also when it was found behind a backlog', async () => {
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

  it('F1: a backlog is none: a receiver that is down, a partner without an address, versions in order', async () => {
    status = 500;
    app.startEngine();
    const paymentId = randomUUID();
    for (const version of [1, 2, 3]) await app.givenEvent(partnerId, { paymentId, version });
    await app.givenEvent('partner-without-address', { version: 1 });
    await app.until('select attempt_count > 0 as ok from events where aggregate_id = $1 and aggregate_version = 1', [
      paymentId,
    ]);
    await app.moveClock('61 s');
    expect(await problems()).toEqual([]);
    expect(await gaps()).toEqual([]);
  });

  it('F1: lists the longest wait first, as many as asked for', async () => {
    const ids = [randomUUID(), randomUUID(), randomUUID()];
    for (const paymentId of ids) {
      await app.givenEvent(partnerId, { paymentId, version: 2 });
      await app.moveClock('61 s');
    }
    const { body } = await app.operate('GET', '/gaps?limit=2');
    expect(body['items']).toMatchObject([{ aggregateId: ids[0] }, { aggregateId: ids[1] }]);
    expect((await app.operate('GET', '/gaps?limit=101')).status).toBe(400);
  });

  it('F1: what waited behind a gap before the notifier was upgraded is told, too', async () => {
    const paymentId = randomUUID();
    await app.givenEvent(partnerId, { paymentId, version: 2 });
    for (const version of [1, 2]) await app.givenEvent('partner-without-address', { paymentId: IN_ORDER, version });
    await app.query('update aggregates set last_version = 0');
    const migration = await readFile(MIGRATION, 'utf8');
    await app.query(migration.slice(migration.indexOf('UPDATE "aggregates"')));
    await app.moveClock('61 s');
    expect(await gaps()).toMatchObject([{ aggregateId: paymentId }]);
    expect(await app.query('select last_version from aggregates where aggregate_id = $1', [IN_ORDER])).toEqual([
      { last_version: 0 },
    ]);
  });

  it('F1: what a look reads does not grow with what waits or was delivered', async () => {
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
