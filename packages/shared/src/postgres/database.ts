import { setTimeout as wait } from 'node:timers/promises';
import { sql, type SQL } from 'drizzle-orm';
import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres';
import { PgDialect } from 'drizzle-orm/pg-core';
import pg from 'pg';
import { sendWhole, type Statement } from './fast/send-whole.ts';
import { statementName } from './fast/statement-name.ts';

type Full = NodePgDatabase;

/** Anything that can read: the pool or a transaction. Its raw form (`execute`) is for statements named in `db/`. */
export type Reader = Pick<Full, 'select' | 'execute'>;
/** The pool as use cases see it: it reads and opens transactions. It cannot write. */
export type Db = Pick<Full, 'select' | 'execute' | 'transaction'> & {
  /**
   * Runs transactions one after another that are sent at once, in one round trip (ADR 0011). Resolves when all are
   * through; how each of them went is for whoever awaits it.
   */
  readonly executeTogether: ExecuteTogether;
};
type ExecuteTogether = <T extends Record<string, unknown>>(
  transactions: readonly (readonly SQL[])[],
) => Promise<readonly Promise<Rows<T>>[]>;
/** What each statement of a transaction returned. */
type Rows<T> = readonly (readonly T[])[];
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
  /** The address is a pooler's, in transaction mode maybe (ADR 0125). */
  readonly viaPooler?: boolean;
  /** Connections of this process. 10 by default: two cores of PostgreSQL do not go faster with more. */
  readonly poolSize?: number;
  /** A connection that broke while idle: the pool replaces it, somebody should still read about it. */
  readonly onIdleError: (error: Error) => void;
};

/** Waiting for a free connection longer than this is answered 503: the pool is exhausted or the database is away. */
const POOL_WAIT_MS = 3_000;
/** A server that does not answer at all: longer than its own limit, so that its answer wins where there is one. */
const QUERY_TIMEOUT_MS = 7_000;
/** What PostgreSQL itself ends, by the name of its setting, in milliseconds. */
export const LIMITS_MS = {
  /** One statement; every statement of a request touches a few rows, so 5 s means something is badly wrong. */
  statement_timeout: 5_000,
  /**
   * Waiting for a row that another request holds; a repeat of a command that is still running among them (decisions,
   * "repeat": up to two seconds).
   */
  lock_timeout: 2_000,
  /** A transaction that waits for its own process: nothing may be awaited inside one but the database. */
  idle_in_transaction_session_timeout: 10_000,
} as const;

/** Opens the pool of one process with the deadlines that every statement gets. Connects on first use. */
export function openDatabase(options: Options): Database {
  const pool = new pg.Pool({
    connectionString: options.url,
    application_name: options.applicationName,
    max: options.poolSize ?? 10,
    connectionTimeoutMillis: POOL_WAIT_MS,
    query_timeout: QUERY_TIMEOUT_MS,
    // A pooler takes no settings: there they are the role's (`demandSessions`).
    ...(options.viaPooler === true ? {} : LIMITS_MS),
    keepAlive: true,
    // What is not waited for is sent at once: `inOneRoundTrip`. What is waited for goes as it always did.
    pipeline: true,
  });
  pool.on('error', options.onIdleError);
  // A connection that breaks while a transaction waits between two statements tells nobody but its own listeners, and
  // an 'error' without one ends the process. The transaction's next statement fails: that is where it is dealt with.
  pool.on('connect', (client) => {
    client.on('error', () => undefined);
    prepareStatements(client);
  });
  const full = drizzle(pool);
  full.transaction = (work, config) => transaction(pool, work, config);
  const together: ExecuteTogether = (transactions) => executeTogether(pool, transactions);
  const db = Object.assign(full, { executeTogether: together });
  return { db, pool, close: () => pool.end() };
}

/** Different texts that a process prepares, and so what PostgreSQL keeps for a connection. What comes after goes as it is. */
const PREPARED_MAX = 500;
const preparedNames = new Map<string, string>();

/**
 * Makes every statement with parameters a prepared one: PostgreSQL parses and plans it once a connection, not once a
 * request. drizzle and pg prepare only what is given a name, one by one; ADR 0010.
 */
function prepareStatements(client: pg.PoolClient): void {
  const query: unknown = Reflect.get(client, 'query');
  if (typeof query !== 'function') throw new Error('a connection of pg has no query()');
  Reflect.set(client, 'query', (...given: readonly unknown[]): unknown => {
    const answer: unknown = Reflect.apply(query, client, withName(given));
    return answer;
  });
}

/** What `query` of pg is given, with a name where there are parameters and no name yet. */
function withName(given: readonly unknown[]): readonly unknown[] {
  const [statement, values, ...rest] = given;
  const config = typeof statement === 'string' ? { text: statement } : statement;
  if (!Array.isArray(values) || values.length === 0 || !isUnnamed(config)) return given;
  const name = preparedName(config.text);
  return name === undefined ? given : [{ ...config, name }, values, ...rest];
}

function isUnnamed(config: unknown): config is { readonly text: string } {
  if (typeof config !== 'object' || config === null || ('name' in config && config.name !== undefined)) return false;
  return 'text' in config && typeof config.text === 'string';
}

function preparedName(text: string): string | undefined {
  const known = preparedNames.get(text);
  if (known !== undefined || preparedNames.size >= PREPARED_MAX) return known;
  const name = statementName(text);
  preparedNames.set(text, name);
  return name;
}

/** What is to be done once a transaction is committed. */
type AfterCommit = (pool: pg.Pool) => void;
const afterCommits = new WeakMap<Tx, AfterCommit[]>();

/** Has `action` called once `tx` is committed; not at all when it is rolled back, or when the process dies before. */
export function afterCommit(tx: Tx, action: AfterCommit): void {
  const known = afterCommits.get(tx);
  if (known === undefined) afterCommits.set(tx, [action]);
  else known.push(action);
}

/**
 * Runs one transaction on a connection of its own. (drizzle's own keeps the connection for ever when `begin` fails: ten of
 * those, after a restart of PostgreSQL, and a pool is empty.)
 */
async function transaction<T>(
  pool: pg.Pool,
  work: (tx: Tx) => Promise<T>,
  config: Parameters<Full['transaction']>[1],
): Promise<T> {
  let committed: readonly AfterCommit[] = [];
  const result = await withConnection(pool, (client) =>
    drizzle(client).transaction(async (tx) => {
      const done = await work(tx);
      committed = afterCommits.get(tx) ?? [];
      return done;
    }, config),
  );
  for (const action of committed) action(pool);
  return result;
}

const dialect = new PgDialect();

async function executeTogether<T extends Record<string, unknown>>(
  pool: pg.Pool,
  transactions: readonly (readonly SQL[])[],
): Promise<readonly Promise<Rows<T>>[]> {
  const whole = transactions.map((statements) => statements.map(asStatement));
  const client = await pool.connect();
  const { stream } = client.connection;
  stream.cork();
  const sent = whole.map((statements) => sendWhole<T>(client, statements));
  stream.uncork();
  // All have to come back before the connection is anybody else's.
  const ended = await Promise.allSettled(sent);
  client.release(ended.some((one) => one.status === 'rejected' && isAway(one.reason)));
  return sent;
}

function asStatement(statement: SQL): Statement {
  const { sql: text, params: values } = dialect.sqlToQuery(statement);
  return { text, values, name: preparedName(text) };
}

/** Lends a connection and always takes it back. One of which nobody knows what state it is in is not used again. */
async function withConnection<T>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let broken = false;
  try {
    return await work(client);
  } catch (error) {
    broken = isAway(error);
    throw error;
  } finally {
    client.release(broken);
  }
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
  return repeated(() => db.transaction(work));
}

/** How long the caller waits to be told what became of a COMMIT, and how long it is asked about after that. */
const KNOWN_WITHIN_MS = 1_500;
const KNOWN_LATE_MS = 60_000;

/**
 * As `inTransaction`, for a transaction whose effect its caller alone can carry on: where COMMIT got no answer, PostgreSQL is
 * asked what became of it. Where that is known only after the caller was told that it failed, and it was committed, `onLate`
 * gets the result: nobody carries it on. @throws the error of the COMMIT when it was rolled back, or when nobody answers
 * in about 1.5 s
 */
export async function inKnownTransaction<T>(
  db: Db,
  work: (tx: Tx) => Promise<T>,
  onLate?: (result: T) => Promise<void>,
): Promise<T> {
  let done: { readonly result: T; readonly xid: string } | undefined;
  try {
    return await inTransaction(db, async (tx) => {
      done = undefined;
      const result = await work(tx);
      const { rows } = await tx.execute<{ xid: string }>(sql`select pg_current_xact_id()::text as xid`);
      done = { result, xid: onlyRow(rows).xid };
      return result;
    });
  } catch (error) {
    const lost: { readonly result: T; readonly xid: string } | undefined = done;
    if (lost === undefined || !isUnavailable(error)) throw error;
    const known = await wasCommitted(db, lost.xid, KNOWN_WITHIN_MS).catch(() => undefined);
    if (known === true) return lost.result;
    if (known === undefined && onLate !== undefined) void tellLate(db, lost, onLate);
    throw error;
  }
}

async function tellLate<T>(
  db: Db,
  { result, xid }: { readonly result: T; readonly xid: string },
  onLate: (result: T) => Promise<void>,
): Promise<void> {
  // Who is not told is no worse off than after a death of the process.
  if (await wasCommitted(db, xid, KNOWN_LATE_MS).catch(() => false)) await onLate(result);
}

/** Asks until it is known, for `forMs`. @throws the database's last error, or that it is still in progress */
function wasCommitted(db: Db, xid: string, forMs: number): Promise<boolean> {
  return repeatWhileUnavailable(forMs, async () => {
    const { rows } = await db.execute<{ status: string | null }>(sql`select pg_xact_status(${xid}::xid8) as status`);
    const { status } = onlyRow(rows);
    if (status === 'in progress') throw new StillInProgress();
    return status === 'committed';
  });
}

/** The session of a lost connection goes on until it notices. */
class StillInProgress extends Error {
  override readonly name = 'StillInProgress';
}

/**
 * Runs statements in a transaction that is sent whole: it costs one round trip, and holds its locks only as long as
 * PostgreSQL works (ADR 0011). None of them can use what one before it returned. Returns the rows of each; repeated as
 * `inTransaction` is.
 */
export async function inOneRoundTrip<T extends Record<string, unknown>>(
  db: Db,
  statements: readonly SQL[],
): Promise<Rows<T>> {
  return repeated(async () => {
    const [rows = []] = await Promise.all(await db.executeTogether<T>([statements]));
    return rows;
  });
}

async function repeated<T>(run: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await run();
    } catch (error) {
      const state = sqlState(error);
      const repeatable = state === SERIALIZATION_FAILURE || state === DEADLOCK_DETECTED;
      if (!repeatable || attempt === ATTEMPTS) throw error;
    }
  }
}

/** Between two tries of `repeatWhileUnavailable`; doubled each time. */
const FIRST_PAUSE_MS = 50;
const LAST_PAUSE_MS = 1_000;

/**
 * Runs `work`, and again while the database is unavailable, for `forMs`: for what is safe to repeat whatever became of the
 * try before, and would otherwise be left to somebody who comes by later. @throws what the last try threw
 */
export async function repeatWhileUnavailable<T>(forMs: number, work: () => Promise<T>): Promise<T> {
  const end = performance.now() + forMs;
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, LAST_PAUSE_MS)) {
    try {
      return await work();
    } catch (error) {
      const isPassing = isUnavailable(error) || error instanceof StillInProgress;
      if (!isPassing || performance.now() + pauseMs > end) throw error;
      await wait(pauseMs);
    }
  }
}

/** The first row of a result that always has one, such as `insert … returning`. */
export function onlyRow<T>(rows: readonly T[]): T {
  const [row] = rows;
  if (row === undefined || rows.length > 1) throw new Error(`expected exactly one row, got ${String(rows.length)}`);
  return row;
}

/** PostgreSQL is away, or too busy to decide now: the caller is answered 503, nothing was decided. */
export function isUnavailable(error: unknown): boolean {
  return isAway(error) || BUSY_STATES.has(sqlState(error) ?? '');
}

/** PostgreSQL cannot be reached, or takes no work: it will pass, and says nothing about the statement. */
export function isAway(error: unknown): boolean {
  for (let current: unknown = error; Error.isError(current); current = current.cause) {
    const code = 'code' in current && typeof current.code === 'string' ? current.code : '';
    if (AWAY_CODES.has(code) || AWAY_MESSAGE.test(current.message)) return true;
  }
  return false;
}

/** What pg and its pool say without a code. */
const AWAY_MESSAGE =
  /^(timeout exceeded when trying to connect|Connection terminated|Client has encountered a connection error|Client was closed|Query read timeout)/;

/** Sockets that broke, and PostgreSQL's classes for "shutting down", "starting", "too many", "disk full", "read only". */
// prettier-ignore
const AWAY_CODES = new Set([
  'ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN',
  '57P01', '57P02', '57P03', '57P05', '25P03', '53300', '53100', '25006', '08000', '08003', '08006',
]);

/** A lock or a statement that took too long, and memory that ran out: somebody else is at work. */
const BUSY_STATES = new Set(['55P03', '57014', '53200']);
