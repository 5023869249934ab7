import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { createLog } from '@pay/shared/logging/logger.ts';
import { withClient } from '../../../../tools/infrastructure/provision.ts';
import { createTestDatabase, type TestDatabase } from '../../../../tools/testing/database.ts';
import { startToxicProxy } from '../../../../tools/testing/toxic-proxy.ts';
import { startWakes, type Wakes } from './wakes.ts';

let database: TestDatabase;
const started: Wakes[] = [];
beforeEach(async () => {
  database = await createTestDatabase('notifier');
});
afterEach(async () => {
  await Promise.all(started.splice(0).map((wakes) => wakes.stop()));
  await database.drop();
});

/** A replica's wakes, once they listen, and how often they were woken. */
async function replica(databaseUrl = database.url) {
  const heard = { times: 0, stored: 0 };
  const wakes = startWakes({
    databaseUrl,
    log: createLog('notifier', 'error'),
    onAnnounced: () => (heard.times += 1),
    onStored: () => (heard.stored += 1),
  });
  started.push(wakes);
  // Announcements from before it listened have to be found by a claim.
  while (heard.times === 0) await wait(5);
  heard.times = 0;
  return { wakes, announce: wakes.announce, announceStored: wakes.announceStored, heard };
}

it('tells every other replica, and not the one that announces', async () => {
  const [first, second] = [await replica(), await replica()];
  first.announce();
  while (second.heard.times === 0) await wait(5);
  // Notifications arrive in order, and those of one transaction together: its own would have arrived before.
  await withClient(database.url, (client) =>
    client.query(`begin; notify "notifier.deliveries", 'third'; notify "notifier.deliveries", 'fourth'; commit`),
  );
  while (first.heard.times < 2) await wait(5);
  expect(first.heard.times).toBe(2);
});

it('tells the streams of every other replica that events were stored, and not their deliveries', async () => {
  const [first, second] = [await replica(), await replica()];
  first.announceStored();
  while (second.heard.stored === 0) await wait(5);
  second.announce();
  while (first.heard.times === 0) await wait(5);
  expect([first.heard, second.heard]).toEqual([
    { times: 1, stored: 0 },
    { times: 0, stored: 1 },
  ]);
});

it('a session whose other end is gone without a word is given up, and its number held again on the next one', async () => {
  const target = new URL(database.url);
  const way = await startToxicProxy(() => ({ host: target.hostname, port: Number(target.port) }));
  const through = new URL(database.url);
  through.hostname = '127.0.0.1';
  through.port = String(way.port);
  const { wakes, heard } = await replica(through.href);
  expect(wakes.holder()).toBe(wakes.number);
  way.abandon();
  const { rows } = await withClient(database.url, (client) =>
    client.query(`select pg_terminate_backend(pid) as ok from pg_stat_activity
      where datname = current_database() and application_name = 'notifier-wakes'`),
  );
  expect(rows).toEqual([{ ok: true }]);
  while (wakes.holder() !== null) await wait(5);
  while (heard.times === 0) await wait(5);
  expect(wakes.holder()).toBe(wakes.number);
  const held = await withClient(database.url, (client) =>
    client.query(`select objid::bigint::text as number from pg_locks where locktype = 'advisory' and objsubid = 2
      and database = (select oid from pg_database where datname = current_database())`),
  );
  expect(held.rows).toEqual([{ number: String(wakes.number) }]);
  await wakes.stop();
  await way.close();
});
