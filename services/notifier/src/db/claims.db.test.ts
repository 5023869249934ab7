import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { onlyRow } from '@pay/shared/postgres/only-row.ts';
import { openDatabase, type Database } from '@pay/shared/postgres/connect/pool.ts';
import { createTestDatabase, type TestDatabase } from '../../../../tools/testing/database.ts';
import { insertBacklog, insertPartners } from '../../test/facts.ts';
import { PARTNER_CONCURRENCY_MAX, type Among } from './claim-statement.ts';
import { claimDeliveries, storeAndClaim } from './claims.ts';

let testDatabase: TestDatabase;
let database: Database;
beforeEach(async () => {
  testDatabase = await createTestDatabase('notifier');
  // One connection: PostgreSQL plans once per connection and counts what it reads.
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

/** How many rows and index entries of a table have been read so far. */
async function readOf(table: 'aggregates' | 'receivers'): Promise<number> {
  await database.pool.query('select pg_stat_force_next_flush()');
  const { rows } = await database.pool.query<{ read: number }>(
    `select (seq_tup_read + (select sum(idx_tup_read) from pg_stat_user_indexes where relname = $1))::int as read
     from pg_stat_user_tables where relname = $1`,
    [table],
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
    await insertPartners(database.pool, [
      { partnerId: 'backlogged', url },
      { partnerId: 'other', url },
    ]);
    await givenBefore();
    expect(await claim()).toBe(0);
    await insertBacklog(database.pool, ['backlogged'], 3_000);
    await insertBacklog(database.pool, ['other'], 1);
    const before = await readOf('aggregates');
    expect(await claim()).toBe(PARTNER_CONCURRENCY_MAX + 1);
    // The partner is at its cap: its leases are counted, and one more is searched for.
    for (let time = 0; time < 5; time += 1) expect(await claim()).toBe(0);
    // Six claims. If each read everything that waits, that would be 3,000.
    expect((await readOf('aggregates')) - before).toBeLessThan(3_000);
  });
});

it('says of each event whether its receiver is held back: slow a moment ago, failing or dead', async () => {
  const states = {
    fast: 'failures_in_a_row = 19',
    'slow before': `slow_until = clock_now() - interval '1 second'`,
    slow: `slow_until = clock_now() + interval '1 minute'`,
    failing: 'failures_in_a_row = 20',
    dead: 'dead_since = clock_now()',
  };
  const partnerIds = Object.keys(states);
  await insertPartners(
    database.pool,
    partnerIds.map((partnerId) => ({ partnerId, url: 'http://127.0.0.1:9/' })),
  );
  for (const [partnerId, state] of Object.entries(states)) {
    await database.pool.query(`update receivers set ${state} where partner_id = $1`, [partnerId]);
  }
  await insertBacklog(database.pool, partnerIds, 1);
  const { claimed } = await claimDeliveries(database.db, randomUUID(), 64);
  expect(Object.fromEntries(claimed.map(({ partnerId, isHeldBack }) => [partnerId, isHeldBack]))).toEqual({
    fast: false,
    'slow before': false,
    slow: true,
    failing: true,
    dead: true,
  });
});

describe('a claim behind new events', () => {
  const partnersWithEvents = async (count: number) => {
    const partnerIds = Array.from({ length: count }, (_none, index) => `partner-${String(index)}`);
    await insertPartners(
      database.pool,
      partnerIds.map((partnerId) => ({ partnerId, url: 'http://127.0.0.1:9/' })),
    );
    await insertBacklog(database.pool, partnerIds, 1);
  };
  const event = (partnerId: string) => ({
    eventId: randomUUID(),
    type: 'payment.completed',
    partnerId,
    aggregateId: randomUUID(),
    aggregateVersion: 1,
    body: Buffer.from('{}'),
    requestId: null,
    traceparent: null,
  });
  const storeAndClaimAmong = async (partnerId: string, among: Among) => {
    const request = { leaseId: randomUUID(), holder: null, room: 64, among };
    const { stored, claim } = await storeAndClaim(database.db, [event(partnerId)], request);
    await stored;
    return (await claim).claimed.map((claimed) => claimed.partnerId);
  };

  it('takes of their partners what waits, and of nobody else', async () => {
    await partnersWithEvents(3);
    expect(await storeAndClaimAmong('partner-1', ['partner-1'])).toEqual(['partner-1', 'partner-1']);
    expect(await storeAndClaimAmong('partner-1', 'everybody')).toEqual(expect.arrayContaining(['partner-0', 'partner-1', 'partner-2']));
  });

  it('reads of their partners only, however many others have something due', async () => {
    await partnersWithEvents(500);
    const both = async () => (await readOf('aggregates')) + (await readOf('receivers'));
    const before = await both();
    expect(await storeAndClaimAmong('partner-1', ['partner-1'])).toHaveLength(2);
    expect((await both()) - before).toBeLessThan(100);
  });
});
