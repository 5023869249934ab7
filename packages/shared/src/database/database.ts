import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres';
import pg from 'pg';

type Full = NodePgDatabase<Record<string, never>>;

/** Anything that can read: the pool or a transaction. Its raw form (`execute`) is for statements named in `db/`. */
export type Reader = Pick<Full, 'select' | 'execute'>;
/** The pool as use cases see it: it reads and opens transactions. It cannot write. */
export type Db = Pick<Full, 'select' | 'execute' | 'transaction'>;
/** An open transaction: the only thing that writes. A function that writes takes it first. */
export type Tx = Parameters<Parameters<Full['transaction']>[0]>[0];

/** The pool of one process. */
export type Database = {
  readonly db: Db;
  readonly pool: pg.Pool;
  close(): Promise<void>;
};

type Options = {
  readonly url: string;
  readonly applicationName: string;
  /** Connections of this process. 10 by default: two cores of PostgreSQL do not go faster with more. */
  readonly poolSize?: number;
  /** A connection that broke while idle: the pool replaces it, somebody should still read about it. */
  readonly onIdleError: (error: Error) => void;
};

/** Waiting for a free connection longer than this is answered 503: the pool is exhausted or the database is away. */
const POOL_WAIT_MS = 3_000;
/** One statement; every statement of a request touches a few rows, so 5 s means something is badly wrong. */
const STATEMENT_TIMEOUT_MS = 5_000;
/** Waiting for a row that another request holds. */
const LOCK_TIMEOUT_MS = 3_000;
/** A transaction that waits for its own process: nothing may be awaited inside one but the database. */
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 10_000;

/** Opens the pool of one process with the deadlines that every statement gets. Connects on first use. */
export function openDatabase(options: Options): Database {
  const pool = new pg.Pool({
    connectionString: options.url,
    application_name: options.applicationName,
    max: options.poolSize ?? 10,
    connectionTimeoutMillis: POOL_WAIT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    lock_timeout: LOCK_TIMEOUT_MS,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS,
    keepAlive: true,
  });
  pool.on('error', options.onIdleError);
  return { db: drizzle(pool), pool, close: () => pool.end() };
}

/** PostgreSQL's error code (`23505`) of an error or its cause; drizzle wraps the driver's error. */
export function sqlState(error: unknown): string | undefined {
  if (error instanceof pg.DatabaseError) return error.code;
  return error instanceof Error && error.cause !== undefined ? sqlState(error.cause) : undefined;
}

/** The constraint that a statement violated, if the error says one. */
export function violatedConstraint(error: unknown): string | undefined {
  if (error instanceof pg.DatabaseError) return error.constraint;
  return error instanceof Error && error.cause !== undefined ? violatedConstraint(error.cause) : undefined;
}

const SERIALIZATION_FAILURE = '40001';
const DEADLOCK_DETECTED = '40P01';
const ATTEMPTS = 3;

/**
 * Runs `work` in a transaction and repeats the whole of it when PostgreSQL asked for that (serialisation failure,
 * deadlock), at most three times in all. `work` must not touch anything but the transaction.
 */
export async function inTransaction<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await db.transaction(work);
    } catch (error) {
      const state = sqlState(error);
      const repeatable = state === SERIALIZATION_FAILURE || state === DEADLOCK_DETECTED;
      if (!repeatable || attempt === ATTEMPTS) throw error;
    }
  }
}

/** The first row of a result that always has one, such as `insert … returning`. */
export function onlyRow<T>(rows: readonly T[]): T {
  const [row] = rows;
  if (row === undefined || rows.length > 1) throw new Error(`expected exactly one row, got ${String(rows.length)}`);
  return row;
}

/** PostgreSQL is away, or too busy to give a connection: the caller is answered 503, nothing was decided. */
export function isUnavailable(error: unknown): boolean {
  for (let current: unknown = error; current instanceof Error; current = current.cause) {
    const code = 'code' in current && typeof current.code === 'string' ? current.code : '';
    if (UNAVAILABLE_CODES.has(code)) return true;
    if (/^(timeout exceeded when trying to connect|Connection terminated|Client has encountered a connection error)/.test(current.message)) {
      return true;
    }
  }
  return false;
}

/** Sockets that broke, and PostgreSQL's classes for "shutting down", "starting", "too many", "disk full", "read only". */
const UNAVAILABLE_CODES = new Set([
  'ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN',
  '57P01', '57P02', '57P03', '53300', '53100', '53200', '25006', '08000', '08003', '08006', '55P03', '57014',
]); // prettier-ignore
