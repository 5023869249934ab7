import { randomUUID } from 'node:crypto';
import pg from 'pg';
import type { Db } from '../packages/shared/src/postgres/db.ts';
import { openDatabase, type Database } from '../packages/shared/src/postgres/connect/pool.ts';
import { inTransaction } from '../packages/shared/src/postgres/transaction.ts';
import { claimDeliveries, releaseLeases } from '../services/notifier/src/db/claims.ts';
import { insertBacklog, insertPartners } from '../services/notifier/test/facts.ts';
import { withClient } from '../tools/infrastructure/provision.ts';
import { createTestDatabase } from '../tools/testing/database.ts';
import type { Report } from './figures.ts';
import { quantilesOf, type Quantiles } from './load.ts';
import { withNotifiers } from './notifiers.ts';
import { table } from './table.ts';
import { say } from './world.ts';

/** For a quick run: `BACKLOG=100000 npm run bench -- backlog`. */
const BACKLOG = Number(process.env['BACKLOG'] ?? 1_000_000);
const CHUNK = 100_000;
const HEALTHY = 98;
const PER_HEALTHY = 20;
const CLAIMS = 400;
const WARM_UP = 50;
/** As many as an engine has room for after a round. */
const ROOM = 64;
/** Nobody is called. */
const NOWHERE = 'http://127.0.0.1:9/';

/**
 * The cost of a claim with and without a dead partner's million waiting attempts: two databases of one server, measured
 * alternately, so that a machine that slows down meanwhile does not look like a backlog.
 */
export function benchBacklog(): Promise<Report> {
  return withNotifiers(async ({ servers, pool, url }) => {
    const alone = await createTestDatabase('notifier');
    const withoutIt = new pg.Pool({ connectionString: alone.url, max: 1 });
    // The servers are stopped while it may still be disconnecting: that must not hide the measurement.
    withoutIt.on('error', () => undefined);
    try {
      for (const each of [pool, withoutIt]) await insertHealthy(each);
      await insertPartners(pool, [{ partnerId: 'dead', url: NOWHERE }]);
      await pool.query(`update receivers set dead_since = clock_now() where partner_id = 'dead'`);
      for (let made = 0; made < BACKLOG; made += CHUNK) {
        await insertBacklog(pool, ['dead'], Math.min(CHUNK, BACKLOG - made));
        say(`${String(Math.min(made + CHUNK, BACKLOG))} attempts wait`);
      }
      for (const each of [pool, withoutIt]) await each.query('vacuum analyze aggregates, events');
      // Everything is on disk: writing a million rows is not part of a claim.
      await withClient(servers.databaseUrl, (client) => client.query('checkpoint'));
      const [floor, beside] = await claimByTurns(alone.url, url);
      const share = beside.p50Ms / floor.p50Ms;
      const text = [
        `Claims of ${String(ROOM)} attempts of ${String(HEALTHY)} healthy partners, ${String(CLAIMS)} in each of two databases of one server, by turns; each given back.`,
        '',
        table(
          ['one claim', 'p50 ms', 'p99 ms'],
          [
            ['floor: nobody is dead', floor.p50Ms.toFixed(2), floor.p99Ms.toFixed(2)],
            [`beside ${String(BACKLOG)} waiting attempts of a dead partner`, beside.p50Ms.toFixed(2), beside.p99Ms.toFixed(2)],
          ],
        ),
        '',
        `p50 with ÷ without: ${share.toFixed(2)} (target < 1.1).`,
      ].join('\n');
      return { text, figures: [{ name: 'p50 of a claim with ÷ without', unit: '', better: 'lower', values: [share] }] };
    } finally {
      await withoutIt.end();
    }
  });
}

async function insertHealthy(pool: pg.Pool): Promise<void> {
  const healthy = Array.from({ length: HEALTHY }, (_none, index) => ({ partnerId: `partner-${String(index)}`, url: NOWHERE }));
  await insertPartners(pool, healthy);
  await insertBacklog(
    pool,
    healthy.map(({ partnerId }) => partnerId),
    PER_HEALTHY,
  );
}

async function claimByTurns(floorUrl: string, besideUrl: string): Promise<readonly [Quantiles, Quantiles]> {
  const [floor, beside] = await Promise.all([openSide(floorUrl), openSide(besideUrl)]);
  for (let index = 0; index < WARM_UP + CLAIMS; index += 1) {
    for (const side of index % 2 === 0 ? [floor, beside] : [beside, floor]) {
      const ms = await claimOnce(side.database.db);
      if (index >= WARM_UP) side.ms.push(ms);
    }
    // Dead tuples of earlier leases are autovacuum's job and would otherwise be measured.
    if (index % 50 === 0) for (const side of [floor, beside]) await side.cleaner.query('vacuum aggregates');
  }
  return [await closeSide(floor), await closeSide(beside)];
}

async function claimOnce(db: Db): Promise<number> {
  const leaseId = randomUUID();
  const startedAt = performance.now();
  const { claimed } = await claimDeliveries(db, leaseId, ROOM);
  const ms = performance.now() - startedAt;
  const aggregateIds = claimed.map(({ aggregateId }) => aggregateId);
  await inTransaction(db, (tx) => releaseLeases(tx, leaseId, aggregateIds));
  return ms;
}

type Side = { readonly database: Database; readonly cleaner: pg.Client; readonly ms: number[] };

async function openSide(url: string): Promise<Side> {
  const database = openDatabase({ url, applicationName: 'bench', onIdleError: () => undefined });
  const cleaner = new pg.Client({ connectionString: url });
  await cleaner.connect();
  return { database, cleaner, ms: [] };
}

async function closeSide({ database, cleaner, ms }: Side): Promise<Quantiles> {
  await cleaner.end();
  await database.close();
  return quantilesOf(ms);
}
