import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { z } from 'zod';
import { HAS_TEST_CLOCK, MOVABLE_CLOCK_SQL, REAL_CLOCK_SQL } from './movable-clock.ts';
import { ADVISORY_LOCKS } from './advisory-locks.ts';
import { applyGrants, type Grants } from './grants.ts';

const LOCK_TIMEOUT_SECONDS = 60;
const CONNECT_TIMEOUT_MS = 10_000;

type Options = {
  /** URL of the schema's owner, which no service runs as (ADR 0095). */
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
    // For the advisory lock and every lock that a migration takes: a stuck session must not stall a deployment
    // silently.
    await client.query(`set lock_timeout = '${String(LOCK_TIMEOUT_SECONDS)}s'`);
    await client.query(`set search_path = ${pg.escapeIdentifier(options.schema)}`);
    await client.query('select pg_advisory_lock($1)', [ADVISORY_LOCKS.migrate]);
    await applyMigrations(client, options.folder);
    await client.query(await clockSql(client, options.environment));
    await applyGrants(client, options.schema, options.role, options.grants);
  } finally {
    await client.end();
  }
}

/** drizzle-kit's list: `when` (milliseconds since 1970) is stored in `migrations.created_at` for each applied one. */
export const Journal = z.object({ entries: z.array(z.object({ tag: z.string(), when: z.number().int() })) });

/**
 * Does what drizzle's own migrator does with the same table, all missing migrations in one transaction, but without its
 * `create schema if not exists`: a role would need the privilege to create schemas although there is none to create.
 */
async function applyMigrations(client: pg.Client, folder: string): Promise<void> {
  await client.query(
    `create table if not exists migrations (id serial primary key, hash text not null, created_at bigint)`,
  );
  const { rows } = await client.query<{ newest: string | null }>('select max(created_at) as newest from migrations');
  const newest = Number(rows[0]?.newest ?? 0);
  const { entries } = Journal.parse(JSON.parse(readFileSync(join(folder, 'meta/_journal.json'), 'utf8')));
  await client.query('begin');
  for (const { tag, when } of entries) {
    if (when <= newest) continue;
    const file = readFileSync(join(folder, `${tag}.sql`), 'utf8');
    for (const statement of file.split('--> statement-breakpoint')) await client.query(statement);
    const hash = createHash('sha256').update(file).digest('hex');
    await client.query('insert into migrations (hash, created_at) values ($1, $2)', [hash, when]);
  }
  await client.query('commit');
}

async function clockSql(client: pg.Client, environment: Options['environment']): Promise<string> {
  if (environment === 'LIVE') return REAL_CLOCK_SQL;
  const { rows } = await client.query<{ there: boolean }>(HAS_TEST_CLOCK);
  return rows[0]?.there === true ? MOVABLE_CLOCK_SQL : REAL_CLOCK_SQL;
}
