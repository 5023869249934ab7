import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { createLog } from '@pay/shared/logging/logger.ts';
import { withClient } from '../../../../tools/infrastructure/provision.ts';
import { createTestDatabase, type TestDatabase } from '../../../../tools/testing/database.ts';
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
async function replica() {
  const heard = { times: 0 };
  const wakes = startWakes({
    databaseUrl: database.url,
    log: createLog('notifier', 'error'),
    onAnnounced: () => (heard.times += 1),
  });
  started.push(wakes);
  // Announcements from before it listened have to be found by a claim.
  while (heard.times === 0) await setImmediate();
  heard.times = 0;
  return { announce: wakes.announce, heard };
}

it('tells every other replica, and not the one that announces', async () => {
  const [first, second] = [await replica(), await replica()];
  first.announce();
  while (second.heard.times === 0) await setImmediate();
  // Notifications arrive in order, and those of one transaction together: its own would have arrived before.
  await withClient(database.url, (client) =>
    client.query(`begin; notify "notifier.deliveries", 'third'; notify "notifier.deliveries", 'fourth'; commit`),
  );
  while (first.heard.times < 2) await setImmediate();
  expect(first.heard.times).toBe(2);
});
