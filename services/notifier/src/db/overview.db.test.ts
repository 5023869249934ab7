import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { openDatabase, type Database } from '@pay/shared/postgres/connect/pool.ts';
import { createTestDatabase, type TestDatabase } from '../../../../tools/testing/database.ts';
import { insertBacklog, insertPartners } from '../../test/facts.ts';
import { countDue, readWaiting } from './overview.ts';

let testDatabase: TestDatabase;
let database: Database;
beforeAll(async () => {
  testDatabase = await createTestDatabase('notifier');
  database = openDatabase({
    url: testDatabase.url,
    applicationName: 'overview-test',
    poolSize: 1,
    onIdleError: () => undefined,
  });
});
afterAll(async () => {
  await database.close();
  await testDatabase.drop();
});

it('counts the events that wait, not their payments, and at most 10,000', async () => {
  await insertPartners(database.pool, [{ partnerId: 'partner-a', url: 'http://127.0.0.1:9/' }]);
  expect(await readWaiting(database.db)).toEqual({ waiting: 0, oldestAt: null });
  await insertBacklog(database.pool, ['partner-a'], 1);
  await database.pool.query(
    `insert into events (event_id, partner_id, type, aggregate_id, aggregate_version, body, status)
     select gen_random_uuid(), partner_id, type, aggregate_id, version, body, 'WAITING'
     from events cross join generate_series(2, 3) as version`,
  );
  expect((await readWaiting(database.db)).waiting).toBe(3);
  await insertBacklog(database.pool, ['partner-a'], 9_999);
  expect((await readWaiting(database.db)).waiting).toBe(10_000);
});

it('counts what is due and could be sent: not what waits for a retry, a pause, an address or a secret', async () => {
  const states = {
    ready: 'slow_until = null',
    paused: `paused_until = clock_now() + interval '1 minute'`,
    'without an address': 'callback_url = null',
    'without a secret': 'slow_until = null',
    retrying: 'slow_until = null',
  };
  await database.pool.query('update aggregates set due_at = null');
  const partnerIds = Object.keys(states);
  await insertPartners(
    database.pool,
    partnerIds.map((partnerId) => ({ partnerId, url: 'http://127.0.0.1:9/' })),
  );
  for (const [partnerId, state] of Object.entries(states)) {
    await database.pool.query(`update receivers set ${state} where partner_id = $1`, [partnerId]);
  }
  await database.pool.query(`update callback_keys set expires_at = clock_now() where partner_id = 'without a secret'`);
  await insertBacklog(database.pool, partnerIds, 1);
  await database.pool.query(`update aggregates set due_at = clock_now() + interval '1 hour' where partner_id = 'retrying'`);
  expect(await countDue(database.db)).toBe(1);
});
