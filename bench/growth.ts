import { sql } from 'drizzle-orm';
import pg from 'pg';
import { LIMITS_MS, openDatabase } from '../packages/shared/src/postgres/connect/pool.ts';
import type { Db } from '../packages/shared/src/postgres/db.ts';
import { sqlState } from '../packages/shared/src/postgres/errors.ts';
import { onlyRow } from '../packages/shared/src/postgres/only-row.ts';
import { selectRows } from '../packages/shared/src/postgres/select-rows.ts';
import { insertPartners } from '../services/notifier/test/facts.ts';
import { withClient } from '../tools/infrastructure/provision.ts';
import { createTestDatabase } from '../tools/testing/database.ts';
import { median, type Figure, type Report } from './figures.ts';
import { workOfNotifier } from './growth/notifier.ts';
import { newestPayment, workOfPayments, type Work } from './growth/payments.ts';
import { fillNotifier, fillPayments, PARTNERS, partnerOf } from './growth/rows.ts';
import { table } from './table.ts';
import { say, withServers } from './world.ts';

const SMALL = 10_000;
/** For a quick look: `GROWTH=100000 npm run bench -- growth`. */
const GROWN = Number(process.env['GROWTH'] ?? 1_000_000);
const WARM_UP = 10;
const ROUNDS = 50;
/** One run may meet a page that is split or pruned. */
const PAGE_ROUNDS = 9;
const TARGET = 1.2;
/** Of a statement that PostgreSQL ended: it reads no pages that count, and takes at least as long as a statement may. */
const ENDED_MS = LIMITS_MS.statement_timeout;
const isEnded = (error: unknown): boolean => sqlState(error) === '57014';

/**
 * What services ask PostgreSQL for with ten thousand payments and with many: two databases of one server, by turns, so that a machine
 * that slows down meanwhile does not look like growth. The newest days are alike in both. The pages that are read say the same
 * without a clock.
 */
export function benchGrowth(): Promise<Report> {
  return withServers(async ({ databaseUrl }) => {
    process.env['TEST_DATABASE_URL'] = databaseUrl;
    const measured = [
      ...(await measureSides('payments', fillPayments, async ({ db }) => workOfPayments(await newestPayment(db), new Date()))),
      ...(await measureSides('notifier', fillNotifier, () => Promise.resolve(workOfNotifier(new Date())))),
    ];
    const text = [
      `${String(SMALL)} payments against ${String(GROWN)}, made by SQL; ${String(ROUNDS)} times each, by turns; medians.`,
      '',
      table(
        ['what', 'ms', `ms of ${String(GROWN)}`, '÷', 'pages', `pages of ${String(GROWN)}`],
        measured.map(({ name, ms, pages }) => [
          name,
          median(ms[0]).toFixed(2),
          `${median(ms[1]) === ENDED_MS ? 'over ' : ''}${median(ms[1]).toFixed(2)}`,
          `${growthOf(ms).toFixed(2)}${growthOf(ms) > TARGET ? ' !' : ''}`,
          pages[0],
          pages[1] === 0 ? '–' : pages[1],
        ]),
      ),
      '',
      `The target is ≤ ${String(TARGET)} each.`,
    ].join('\n');
    const figures = measured.map(({ name, ms }): Figure => ({
      name,
      unit: '',
      better: 'lower',
      values: [growthOf(ms)],
    }));
    return { text, figures };
  });
}

type Pair<T> = readonly [small: T, grown: T];
type Measured = { readonly name: string; readonly ms: Pair<readonly number[]>; readonly pages: Pair<number> };

const growthOf = ([small, grown]: Measured['ms']): number => median(grown) / median(small);

type Service = 'payments' | 'notifier';

/** Makes the two databases of a service, measures what it does there, and removes them. */
async function measureSides(
  service: Service,
  fill: typeof fillPayments,
  workOf: (small: Side) => Promise<readonly Work[]>,
): Promise<Measured[]> {
  const sides: Pair<Side> = [await openSide(service, fill, SMALL), await openSide(service, fill, GROWN)];
  try {
    const measured: Measured[] = [];
    for (const { name, once } of await workOf(sides[0])) {
      say(name);
      measured.push({ name, ...(await alternate(sides, once)) });
    }
    return measured;
  } finally {
    for (const side of sides) await side.close();
  }
}

type Side = { readonly db: Db; readonly url: string; close(): Promise<void> };

async function openSide(service: Service, fill: typeof fillPayments, count: number): Promise<Side> {
  const made = await createTestDatabase(service);
  const administrator = new URL(made.adminUrl);
  administrator.searchParams.set('options', `-c search_path=${service}`);
  await withClient(administrator.href, async (client) => {
    await fill(client, count, (done) => {
      say(`${service}: ${String(done)} of ${String(count)} payments`);
    });
    await client.query('checkpoint');
  });
  if (service === 'notifier') {
    const pool = new pg.Pool({ connectionString: made.url, max: 1 });
    // Nobody is called.
    await insertPartners(
      pool,
      Array.from({ length: PARTNERS }, (_none, place) => ({ partnerId: partnerOf(place), url: 'http://127.0.0.1:9/' })),
    );
    await pool.end();
  }
  const database = openDatabase({ url: made.url, applicationName: 'bench', poolSize: 1, onIdleError: () => undefined });
  return {
    db: database.db,
    url: made.url,
    close: async () => {
      await database.close();
      await made.drop();
    },
  };
}

/**
 * Lets the two sides do it alternately, and counts the pages that each reads for it. What PostgreSQL ends, because it takes
 * too long, is not tried again.
 */
async function alternate([small, grown]: Pair<Side>, once: Work['once']): Promise<Omit<Measured, 'name'>> {
  const ms: Pair<number[]> = [[], []];
  const timed = async ({ db }: Side, into: number[]) => {
    const startedAt = performance.now();
    await once(db);
    into.push(performance.now() - startedAt);
  };
  try {
    await takeTurns();
  } catch (error) {
    if (!isEnded(error)) throw error;
    return { ms: [ms[0], [ENDED_MS]], pages: [await pagesOf(small, once), 0] };
  }
  return { ms, pages: [await pagesOf(small, once), await pagesOf(grown, once)] };

  async function takeTurns(): Promise<void> {
    for (let round = 0; round < WARM_UP + ROUNDS; round += 1) {
      if (round === WARM_UP) for (const side of ms) side.length = 0;
      const sides = [() => timed(small, ms[0]), () => timed(grown, ms[1])];
      for (const run of round % 2 === 0 ? sides : sides.toReversed()) await run();
    }
  }
}

async function pagesOf({ db }: Side, once: Work['once']): Promise<number> {
  const read = async (work: () => Promise<unknown>): Promise<number> => {
    const counts: number[] = [];
    for (let round = 0; round < PAGE_ROUNDS; round += 1) {
      const before = await pagesRead(db);
      await work();
      counts.push((await pagesRead(db)) - before);
    }
    return median(counts);
  };
  return (await read(() => once(db))) - (await read(() => Promise.resolve()));
}

/** Pages read in this database until now, from memory or from the disk. */
async function pagesRead(db: Db): Promise<number> {
  await selectRows(db, sql`select pg_stat_force_next_flush()`);
  const rows = await selectRows<{ pages: string }>(
    db,
    sql`select blks_hit + blks_read as pages from pg_stat_database where datname = current_database()`,
  );
  return Number(onlyRow(rows).pages);
}
