import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import type { Tx } from '../src/postgres/db.ts';
import { openDatabase, type Database } from '../src/postgres/connect/pool.ts';
import { APPENDED, CONSUMER_GRANTS, OPERATOR_GRANTS, OUTBOX_GRANTS } from '../src/postgres/grants.ts';
import { migrateDatabase } from '../src/postgres/migrate.ts';
import { createLog, type Log } from '../src/logging/logger.ts';
import { effects } from './mechanisms-tables.ts';
import { withClient } from '../../../tools/infrastructure/provision.ts';
import { createTestDatabase, type Addition } from '../../../tools/testing/database.ts';

/** The migrations of a service that has only the shared tables and a table of effects. */
export const MIGRATIONS = fileURLToPath(new URL('./migrations', import.meta.url));
const SCHEMA = 'mechanisms';

export const silent: Log = createLog('test', 'silent');

/** A database with the tables of the shared mechanisms, opened as a service opens its own. */
export type Mechanisms = {
  readonly url: string;
  readonly database: Database;
  /** Runs SQL outside the pool, as another client. */
  query<T extends pg.QueryResultRow>(sql: string, values?: unknown[]): Promise<T[]>;
  /** Names of the effects so far, oldest first. */
  effectNames(): Promise<string[]>;
  /** Records an effect in a transaction. */
  recordEffect(tx: Tx, name: string): Promise<void>;
  /** Waits until `count` sessions wait for a lock. */
  untilBlocked(count?: number): Promise<void>;
  close(): Promise<void>;
};

const searchPath = (database: string) => `alter database ${pg.escapeIdentifier(database)} set search_path = ${SCHEMA}`;

async function createSchema(adminUrl: string): Promise<void> {
  await withClient(adminUrl, (client) => client.query(`create schema ${SCHEMA}`));
}

/** The URL of a fresh, empty database whose search path is the schema of these tests. */
export async function emptyDatabase(): Promise<{ url: string; schema: string; drop: () => Promise<void> }> {
  const { adminUrl: url, drop } = await createTestDatabase('gateway');
  await createSchema(url);
  await withClient(url, (client) => client.query(searchPath(new URL(url).pathname.slice(1))));
  return { url, schema: SCHEMA, drop };
}

/** Creates the tables of the shared mechanisms. The grants are a service's, but these tests run as the superuser. */
export async function migrateMechanisms(url: string, environment: 'TEST' | 'LIVE' = 'TEST'): Promise<void> {
  const grants = { ...CONSUMER_GRANTS, ...OUTBOX_GRANTS, ...OPERATOR_GRANTS, effects: APPENDED };
  await migrateDatabase({ url, schema: SCHEMA, folder: MIGRATIONS, environment, role: 'gateway', grants });
}

const TABLES: Addition = {
  name: SCHEMA,
  madeFrom: ['packages/shared/test/migrations', 'packages/shared/test/mechanisms.ts'],
  fill: async ({ adminUrl }) => {
    await createSchema(adminUrl);
    await migrateMechanisms(adminUrl);
  },
  settings: searchPath,
};

export async function openMechanisms(): Promise<Mechanisms> {
  const { adminUrl: url, drop } = await createTestDatabase('gateway', TABLES);
  const database = openDatabase({ url, applicationName: 'mechanisms-test', onIdleError: () => undefined });
  const outside = new pg.Pool({ connectionString: url, max: 3, application_name: 'outside' });
  outside.on('error', () => undefined);
  const query = async <T extends pg.QueryResultRow>(sql: string, values: unknown[] = []): Promise<T[]> =>
    (await outside.query<T>(sql, values)).rows;
  return {
    url,
    database,
    query,
    effectNames: async () => (await query<{ name: string }>('select name from effects order by id')).map((row) => row.name),
    recordEffect: async (tx, name) => {
      await tx.insert(effects).values({ name });
    },
    untilBlocked: (count) => untilBlocked(query, count),
    close: async () => {
      await database.close();
      await outside.end();
      await drop();
    },
  };
}

const DEADLINE_MS = 120_000;

/** Polls until the condition holds. The deadline only catches a broken program; it is not part of what is tested. */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = AbortSignal.timeout(DEADLINE_MS);
  while (!(await isSo())) {
    if (deadline.aborted) throw new Error('the condition did not become true in time');
    await wait(20);
  }
}

/**
 * Waits until PostgreSQL reports that this many sessions wait for a lock of the database that `query` asks: from then on
 * who is first is decided.
 */
export const untilBlocked = (query: (sql: string) => Promise<readonly unknown[]>, count = 1): Promise<void> =>
  until(async () => (await query(LOCK_WAITS)).length >= count);

const LOCK_WAITS = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;

/** A promise with its resolvers, for holding something up. */
export const gate = (): PromiseWithResolvers<undefined> => Promise.withResolvers<undefined>();

export const uniqueName = (): string => randomUUID().slice(0, 8);
