import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { onlyRow, openDatabase, type Database } from '@pay/shared/database/database.ts';
import { createTestDatabase, type TestDatabase } from '../../../../tools/testing/database.ts';
import { insertBacklog, insertPartners } from '../../test/facts.ts';
import { claimDeliveries, PARTNER_CONCURRENCY_MAX } from './claims.ts';

let testDatabase: TestDatabase;
let database: Database;
beforeEach(async () => {
  testDatabase = await createTestDatabase('notifier');
  // One connection: PostgreSQL plans once a connection, and counts what it read.
  database = openDatabase({
    url: testDatabase.url,
    applicationName: 'claims-test',
    poolSize: 1,
    onIdleError: () => undefined,
  });
});
afterEach(async () => {
  await database.close();
  await testDatabase.drop();
});

const claim = async () => (await claimDeliveries(database.db, randomUUID(), 64)).claimed.length;

/** Rows and entries of indexes that were read of the aggregates so far. */
async function readOfAggregates(): Promise<number> {
  await database.pool.query('select pg_stat_force_next_flush()');
  const { rows } = await database.pool.query<{ read: number }>(
    `select (seq_tup_read + (select sum(idx_tup_read) from pg_stat_user_indexes where relname = 'aggregates'))::int as read
     from pg_stat_user_tables where relname = 'aggregates'`,
  );
  return onlyRow(rows).read;
}

describe('beside a partner with a backlog, what a claim reads does not grow with it', () => {
  const quietHour = async () => {
    await insertBacklog(database.pool, ['backlogged', 'other'], 150);
    await database.pool.query('update aggregates set due_at = null');
    await database.pool.query('vacuum analyze aggregates');
  };

  it.each([
    ['when it was planned for empty tables', () => Promise.resolve()],
    ['when it was planned with the statistics of a quiet hour', quietHour],
  ])('%s', async (_when, givenBefore) => {
    const url = 'http://127.0.0.1:9/';
    await insertPartners(database.pool, [{ partnerId: 'backlogged', url }, { partnerId: 'other', url }]); // prettier-ignore
    await givenBefore();
    expect(await claim()).toBe(0);
    await insertBacklog(database.pool, ['backlogged'], 3_000);
    await insertBacklog(database.pool, ['other'], 1);
    const before = await readOfAggregates();
    expect(await claim()).toBe(PARTNER_CONCURRENCY_MAX + 1);
    // At its cap: its leases are counted, and one more is looked for.
    for (let time = 0; time < 5; time += 1) expect(await claim()).toBe(0);
    expect((await readOfAggregates()) - before).toBeLessThan(600);
  });
});
