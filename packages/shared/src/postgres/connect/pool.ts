import { drizzle } from 'drizzle-orm/node-postgres';
import pg from 'pg';
import { setClientOf } from '../client-of.ts';
import type { Db } from '../db.ts';
import { allowOneRoundTrip } from '../fast/one-round-trip.ts';
import { allowOneStatement } from '../fast/one-statement.ts';
import { allowPipeline } from '../fast/pipeline.ts';
import { prepareStatements } from '../fast/prepared.ts';
import { corkWrites } from '../../net/cork-writes.ts';
import { shareWithPartners } from './share-of-partner.ts';
import { measurePool } from './measure-pool.ts';
import { runTransaction } from '../transaction.ts';

/** The pool of one process. */
export type Database = {
  readonly db: Db;
  readonly pool: pg.Pool;
  close(): Promise<void>;
};

type Options = {
  readonly url: string;
  readonly applicationName: string;
  /** The URL is a pooler's, possibly in transaction mode (decisions/pooler). */
  readonly viaPooler?: boolean;
  /** Maximum connections of this process. 10 by default: with two cores PostgreSQL is no faster with more. */
  readonly poolSize?: number;
  /** Called for a connection that broke while idle: the pool replaces it, but it should be logged. */
  readonly onIdleError: (error: Error) => void;
};

/** Waiting longer than this for a free connection is answered 503: the pool is exhausted or the database is down. */
const POOL_WAIT_MS = 3_000;
/**
 * A partner's call waits so long for those of its own that came before: longer than for the pool, because nobody else is kept
 * waiting, and not as long as whoever called.
 */
const SHARE_WAIT_MS = 8_000;
/**
 * A connection that nobody used for so long is closed. Not sooner, because opening one takes milliseconds of both sides, and it has to
 * prepare every statement again; not later, because firewalls forget idle connections after some minutes.
 */
const IDLE_MS = 60_000;
/** For a server that does not answer at all: longer than its own limit, so that its answer wins if there is one. */
const QUERY_TIMEOUT_MS = 7_000;
/** Limits enforced by PostgreSQL itself, by the name of the setting, in milliseconds. */
export const LIMITS_MS = {
  /** One statement; every statement of a request touches a few rows, so 5 s means something is badly wrong. */
  statement_timeout: 5_000,
  /**
   * Waiting for a row locked by another request, including a repeat of a command that is still running
   * (spec/decisions#repeat-of-a-request: up to two seconds).
   */
  lock_timeout: 2_000,
  /** A transaction that waits for its own process: only the database may be awaited inside one. */
  idle_in_transaction_session_timeout: 10_000,
} as const;

/** Opens the pool of one process with the limits that apply to every statement. Connects on first use. */
export function openDatabase(options: Options): Database {
  const pool = new pg.Pool({
    connectionString: options.url,
    application_name: options.applicationName,
    max: options.poolSize ?? 10,
    connectionTimeoutMillis: POOL_WAIT_MS,
    query_timeout: QUERY_TIMEOUT_MS,
    idleTimeoutMillis: IDLE_MS,
    // A pooler does not accept settings: there they belong to the role (`demandSessions`).
    ...(options.viaPooler === true ? {} : LIMITS_MS),
    keepAlive: true,
    // Queries that are not awaited are pipelined (`inOneRoundTrip`); awaited queries behave as before.
    pipeline: true,
  });
  pool.on('error', options.onIdleError);
  // A connection that breaks while a transaction waits between two statements notifies only its own listeners, and
  // an 'error' without one ends the process. The transaction's next statement fails, which is handled there.
  pool.on('connect', (client) => {
    client.on('error', () => undefined);
    prepareStatements(client);
    corkWrites(client.connection.stream);
  });
  shareWithPartners(pool, SHARE_WAIT_MS);
  const forgetPool = measurePool(pool, options.applicationName);
  const db = drizzle(pool);
  db.transaction = (work, config) => runTransaction(pool, work, config);
  setClientOf(db, pool);
  allowOneRoundTrip(db, pool);
  allowOneStatement(db, db);
  allowPipeline(db, pool);
  const close = () => {
    forgetPool();
    return pool.end();
  };
  return { db, pool, close };
}
