import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { openDatabase } from '../packages/shared/src/database/database.ts';
import { claimDeliveries, releaseLeases } from '../services/notifier/src/db/claims.ts';
import { insertBacklog, insertPartners } from '../services/notifier/test/facts.ts';
import { withClient } from '../tools/infrastructure/provision.ts';
import { quantile } from './load.ts';
import { withNotifiers, type Notifiers } from './notifiers.ts';
import { table } from './table.ts';
import { say } from './world.ts';

/** `BACKLOG=100000 npm run bench -- backlog` for a look. */
const BACKLOG = Number(process.env['BACKLOG'] ?? 1_000_000);
const CHUNK = 100_000;
const HEALTHY = 98;
const PER_HEALTHY = 20;
const CLAIMS = 400;
const WARM_UP = 50;
/** As many as an engine has room for after a round. */
const ROOM = 64;

/** What a claim takes beside a dead partner with a million waiting attempts, and without one. */
export function benchBacklog(): Promise<string> {
  return withNotifiers(async ({ servers, pool, url }) => {
    const healthy = Array.from({ length: HEALTHY }, (_none, index) => ({
      partnerId: `partner-${String(index)}`,
      url: 'http://127.0.0.1:9/',
    }));
    await insertPartners(pool, healthy);
    await insertPartners(pool, [{ partnerId: 'dead', url: 'http://127.0.0.1:9/' }]);
    await insertBacklog(pool, healthy.map(({ partnerId }) => partnerId), PER_HEALTHY); // prettier-ignore
    await pool.query(`update receivers set dead_since = clock_now() where partner_id = 'dead'`);
    await settle(servers, pool);
    const before = await claims(url);
    for (let made = 0; made < BACKLOG; made += CHUNK) {
      await insertBacklog(pool, ['dead'], Math.min(CHUNK, BACKLOG - made));
      say(`${String(Math.min(made + CHUNK, BACKLOG))} attempts wait`);
    }
    await settle(servers, pool);
    const beside = await claims(url);
    // The same once more without it: a machine that got slower meanwhile must not look like a backlog.
    await pool.query(`delete from events where partner_id = 'dead'`);
    await pool.query(`delete from aggregates where partner_id = 'dead'`);
    await pool.query('vacuum full aggregates, events');
    await settle(servers, pool);
    const after = await claims(url);
    const floorMs = (before.p50Ms + after.p50Ms) / 2;
    return [
      `Claims of ${String(ROOM)} attempts of ${String(HEALTHY)} healthy partners, ${String(CLAIMS)} of them one after another, each given back.`,
      '',
      table(
        ['one claim', 'p50 ms', 'p99 ms'],
        [
          ['floor: nobody is dead, before', before.p50Ms.toFixed(2), before.p99Ms.toFixed(2)],
          [`beside ${String(BACKLOG)} waiting attempts of a dead partner`, beside.p50Ms.toFixed(2), beside.p99Ms.toFixed(2)], // prettier-ignore
          ['floor: nobody is dead, after', after.p50Ms.toFixed(2), after.p99Ms.toFixed(2)],
        ],
      ),
      '',
      `p50 with ÷ the mean of the two without: ${(beside.p50Ms / floorMs).toFixed(2)} (target < 1.1).`,
    ].join('\n');
  });
}

/** As autovacuum would have left it, and with all of it on disk: the writing of a million rows is not the claim's. */
async function settle(servers: Notifiers['servers'], pool: pg.Pool): Promise<void> {
  await pool.query('vacuum analyze aggregates, events');
  await withClient(servers.databaseUrl, (client) => client.query('checkpoint'));
}

async function claims(url: Notifiers['url']): Promise<{ p50Ms: number; p99Ms: number }> {
  const database = openDatabase({ url, applicationName: 'bench', onIdleError: () => undefined });
  const cleaner = new pg.Client({ connectionString: url });
  await cleaner.connect();
  const ms: number[] = [];
  for (let index = 0; index < WARM_UP + CLAIMS; index += 1) {
    const leaseId = randomUUID();
    const startedAt = performance.now();
    const { claimed } = await claimDeliveries(database.db, leaseId, ROOM);
    if (index >= WARM_UP) ms.push(performance.now() - startedAt);
    await releaseLeases(
      database.db,
      leaseId,
      claimed.map(({ aggregateId }) => aggregateId),
    );
    // What the leases left behind is autovacuum's, and would otherwise be measured.
    if (index % 50 === 0) await cleaner.query('vacuum aggregates');
  }
  await cleaner.end();
  await database.close();
  ms.sort((a, b) => a - b);
  return { p50Ms: quantile(ms, 0.5), p99Ms: quantile(ms, 0.99) };
}
