import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { z } from 'zod';
import { HAS_TEST_CLOCK, MOVABLE_CLOCK_SQL, REAL_CLOCK_SQL } from './movable-clock.ts';
import { ADVISORY_LOCKS } from './advisory-locks.ts';
import { sqlState } from './errors.ts';
import { applyGrants, grantSoFar, type Grants } from './grants.ts';

/** How long a migration waits for locks in all. A stuck session must not stall a deployment silently. */
const LOCKED_MS_MAX = 60_000;
/**
 * How long it waits at a time. Whoever comes later waits behind it, and our services give up after two seconds
 * (`LIMITS_MS`): this way they only wait.
 */
const LOCK_TIMEOUT_MS = 1_000;
/** In between, those behind it run. */
const RETRY_MS = 500;
/** How often the next of several migrations asks whether it may begin. */
const ASK_MS = 50;
const LOCK_NOT_AVAILABLE = '55P03';
const CONNECT_TIMEOUT_MS = 10_000;

type Options = {
  /** URL of the schema's owner, which no service runs as (decisions/hardening). */
  readonly url: string;
  readonly schema: string;
  /** drizzle-kit's output: `meta/_journal.json` and the files that it names. */
  readonly folder: string;
  /** Which `clock_now()` the schema gets: TEST's, or LIVE's, which nobody can move. */
  readonly environment: 'TEST' | 'LIVE';
  /** The role that the service runs as, and its privileges. */
  readonly role: string;
  readonly grants: Grants;
};

/**
 * Brings one schema to the newest migration and its service's role to its rights. Safe to run twice and at once: one
 * advisory lock is held on one connection through the whole run.
 */
export async function migrateDatabase(options: Options): Promise<void> {
  const client = new pg.Client({
    connectionString: options.url,
    application_name: `${options.schema}-migrate`,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
  });
  // The running statement fails with the same error; without a listener it would end the process.
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query(`set lock_timeout = ${String(LOCK_TIMEOUT_MS)}`);
    await client.query(`set search_path = ${pg.escapeIdentifier(options.schema)}`);
    await lockMigrations(client);
    await applyMigrations(client, options);
    await untilLocked(async () => {
      await client.query(await clockSql(client, options.environment));
      await applyGrants(client, options).catch(async (error: unknown) => {
        await client.query('rollback');
        throw error;
      });
    });
  } finally {
    await client.end();
  }
}

/** drizzle-kit's list: `when` (milliseconds since 1970) is stored in `migrations.created_at` for each applied one. */
export const Journal = z.object({ entries: z.array(z.object({ tag: z.string(), when: z.number().int() })) });

/**
 * Asks again and again instead of waiting in the database: an index that is built concurrently waits for every statement that
 * runs, and would wait for another migration that waits for this lock.
 */
async function lockMigrations(client: pg.Client): Promise<void> {
  await untilLocked(async () => {
    const { rows } = await client.query<{ locked: boolean }>('select pg_try_advisory_lock($1) as locked', [ADVISORY_LOCKS.migrate]);
    if (rows[0]?.locked !== true) throw new LockedError('another migration has been running for a minute');
  }, ASK_MS);
}

class LockedError extends Error {
  override readonly name = 'LockedError';
}

/** Repeats `work` while it fails for want of a lock, for a minute. @throws its last error */
async function untilLocked(work: () => Promise<void>, retryMs = RETRY_MS): Promise<void> {
  const until = performance.now() + LOCKED_MS_MAX;
  for (;;) {
    try {
      await work();
      return;
    } catch (error) {
      const isLocked = error instanceof LockedError || sqlState(error) === LOCK_NOT_AVAILABLE;
      if (!isLocked || performance.now() > until) throw error;
      await wait(retryMs);
    }
  }
}

type Migration = { readonly when: number; readonly file: string };

/**
 * Does what drizzle's own migrator does with the same table, but without its `create schema if not exists`: a role would need
 * the privilege to create schemas although there is none to create. Migrations that follow each other are one transaction; one that
 * builds or drops an index concurrently runs statement by statement, because PostgreSQL does that in no transaction
 * (decisions/rolling-updates). So does one that validates a constraint: while it reads the table, no lock of the
 * migration that added the constraint is held.
 */
async function applyMigrations(client: pg.Client, options: Options): Promise<void> {
  const { folder } = options;
  await client.query(`create table if not exists migrations (id serial primary key, hash text not null, created_at bigint)`);
  const { rows } = await client.query<{ newest: string | null }>('select max(created_at) as newest from migrations');
  const newest = Number(rows[0]?.newest ?? 0);
  const { entries } = Journal.parse(JSON.parse(readFileSync(join(folder, 'meta/_journal.json'), 'utf8')));
  let together: Migration[] = [];
  for (const { tag, when } of entries) {
    if (when <= newest) continue;
    const migration = { when, file: readFileSync(join(folder, `${tag}.sql`), 'utf8') };
    if (!runsAlone(migration)) {
      together.push(migration);
      continue;
    }
    await applyTogether(client, together, options);
    together = [];
    // It waits for every older transaction, and nobody waits behind it.
    await client.query(`set lock_timeout = ${String(LOCKED_MS_MAX)}`);
    await apply(client, migration);
    await client.query(`set lock_timeout = ${String(LOCK_TIMEOUT_MS)}`);
  }
  await applyTogether(client, together, options);
}

const runsAlone = ({ file }: Migration): boolean =>
  /\b(index concurrently|validate constraint)\b/i.test(file.replaceAll(/^--(?!>).*$/gm, ''));

/** Grants within the transaction: the old version runs on, for good if a later migration fails. */
async function applyTogether(client: pg.Client, migrations: readonly Migration[], options: Options): Promise<void> {
  await untilLocked(async () => {
    await client.query('begin');
    try {
      for (const migration of migrations) await apply(client, migration);
      await grantSoFar(client, options);
      await client.query('commit');
    } catch (error) {
      await client.query('rollback').catch(() => undefined);
      throw error;
    }
  });
}

async function apply(client: pg.Client, { file, when }: Migration): Promise<void> {
  for (const statement of file.split('--> statement-breakpoint')) await client.query(statement);
  const hash = createHash('sha256').update(file).digest('hex');
  await client.query('insert into migrations (hash, created_at) values ($1, $2)', [hash, when]);
}

async function clockSql(client: pg.Client, environment: Options['environment']): Promise<string> {
  if (environment === 'LIVE') return REAL_CLOCK_SQL;
  const { rows } = await client.query<{ there: boolean }>(HAS_TEST_CLOCK);
  return rows[0]?.there === true ? MOVABLE_CLOCK_SQL : REAL_CLOCK_SQL;
}
