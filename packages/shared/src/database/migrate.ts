import { drizzle } from 'drizzle-orm/node-postgres';
import { migrate } from 'drizzle-orm/node-postgres/migrator';
import pg from 'pg';
import { HAS_TEST_CLOCK, MOVABLE_CLOCK_SQL, REAL_CLOCK_SQL } from '../time/movable-clock.ts';

/** Any number; the same for every service, because drizzle's migrator creates its schema without a lock. */
const MIGRATION_LOCK = 7_305_001;
const LOCK_TIMEOUT_SECONDS = 60;
const CONNECT_TIMEOUT_MS = 10_000;

type Options = {
  readonly url: string;
  readonly schema: string;
  readonly folder: string;
  /** Which `clock_now()` the schema has afterwards: TEST's, or LIVE's, which nobody can move. */
  readonly environment: 'TEST' | 'LIVE';
};

/**
 * Brings one schema to the newest migration. Safe to run twice and at once: one advisory lock is held on one
 * connection through the whole run (drizzle takes none).
 */
export async function migrateDatabase(options: Options): Promise<void> {
  const client = new pg.Client({
    connectionString: options.url,
    application_name: `${options.schema}-migrate`,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
  });
  // The statement that runs fails with the same error; without a listener the process would end on its own.
  client.on('error', () => undefined);
  await client.connect();
  try {
    // For the advisory lock and for every lock that a migration takes: a stuck session must not stop a deployment silently.
    await client.query(`set lock_timeout = '${String(LOCK_TIMEOUT_SECONDS)}s'`);
    await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
    await migrate(drizzle(client), {
      migrationsFolder: options.folder,
      migrationsSchema: options.schema,
      migrationsTable: 'migrations',
    });
    await client.query(await clockSql(client, options.environment));
  } finally {
    await client.end();
  }
}

async function clockSql(client: pg.Client, environment: Options['environment']): Promise<string> {
  if (environment === 'LIVE') return REAL_CLOCK_SQL;
  const { rows } = await client.query<{ there: boolean }>(HAS_TEST_CLOCK);
  return rows[0]?.there === true ? MOVABLE_CLOCK_SQL : REAL_CLOCK_SQL;
}
