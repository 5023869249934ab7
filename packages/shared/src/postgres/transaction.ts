import { sql, type ExtractTablesWithRelations } from 'drizzle-orm';
import { NodePgSession, NodePgTransaction } from 'drizzle-orm/node-postgres';
import { PgDialect } from 'drizzle-orm/pg-core';
import type pg from 'pg';
import { setClientOf } from './client-of.ts';
import type { Db, TransactionConfig, Tx } from './db.ts';
import { isAway, isUnavailable } from './errors.ts';
import { onlyRow } from './only-row.ts';
import { repeatOnConflict, repeatWhileUnavailable } from './retry.ts';
import { noteCommit } from '../logging/request-context.ts';
import { inCallSpan } from '../telemetry/tracing.ts';
import { selectRows } from './select-rows.ts';

/** Sends a statement that nothing waits for. */
export type Sender = { query(text: string): Promise<unknown> };
/** An action to run once a transaction is committed. What it sends through `sender` runs after the commit. */
type AfterCommit = (pool: pg.Pool, sender: Sender) => void;
const afterCommits = new WeakMap<Tx, AfterCommit[]>();

/**
 * Calls `action` once `tx` is committed, and never if the process dies first. If `tx` is rolled back, only a transaction that
 * was sent whole (`inPipeline`) calls it: its commit left before the failure was known. So `action` may do no harm without one.
 */
export function afterCommit(tx: Tx, action: AfterCommit): void {
  const known = afterCommits.get(tx);
  if (known === undefined) afterCommits.set(tx, [action]);
  else known.push(action);
}

/** Runs the actions of `afterCommit`: once `tx` is committed, or right behind its commit on the same connection, `sender`. */
export function runAfterCommit(pool: pg.Pool, tx: Tx, sender: Sender = pool): void {
  for (const action of afterCommits.get(tx) ?? []) action(pool, sender);
}

const dialect = new PgDialect();
/** Queries name their tables themselves: drizzle's relations are not used. */
type NoSchema = Record<string, never>;
type Tables = ExtractTablesWithRelations<NoSchema>;

/** Builds the statements of a transaction on a connection. The caller sends `begin` and `commit`. */
export function txOn(client: pg.PoolClient): Tx {
  const session = new NodePgSession<NoSchema, Tables>(client, dialect, undefined);
  const tx: Tx = new NodePgTransaction<NoSchema, Tables>(dialect, session, undefined);
  setClientOf(tx, client);
  return tx;
}

/**
 * Runs one transaction on its own connection. `begin` is not awaited: it is sent with the first statement of `work`
 * (decisions/round-trips). drizzle's own transaction awaits it, and never returns the connection if it fails: ten of
 * those after a restart of PostgreSQL, and a pool is empty.
 */
export async function runTransaction<T>(pool: pg.Pool, work: (tx: Tx) => Promise<T>, config: TransactionConfig): Promise<T> {
  const { done, tx } = await withConnection(pool, async (client) => {
    const tx = txOn(client);
    const begun = client.query(beginText(config));
    // Awaited below: without a connection the first statement fails as well, and with its error.
    begun.catch(() => undefined);
    try {
      const result = await work(tx);
      await begun;
      demandCommitted((await client.query('commit')).command);
      return { done: result, tx };
    } catch (error) {
      return rollBack(client, error);
    }
  });
  noteCommit();
  runAfterCommit(pool, tx);
  return done;
}

/**
 * PostgreSQL rolls back, and says so without an error, where a statement has failed and the error was dropped.
 * @throws Error if that is what was answered to COMMIT: nothing of the transaction is stored
 */
export function demandCommitted(command: string | undefined): void {
  if (command !== 'COMMIT') throw new Error(`a transaction was not committed: PostgreSQL answered ${String(command)}`);
}

/**
 * Ends a transaction that failed, so that its connection can be used again.
 * @throws `error`, or one that says that the connection was lost, with `error` as its cause
 */
export async function rollBack(client: pg.ClientBase, error: unknown): Promise<never> {
  await client.query('rollback').catch(() => {
    throw new Error('Connection terminated before the rollback', { cause: error });
  });
  throw error;
}

function beginText({ isolationLevel, accessMode }: NonNullable<TransactionConfig> = {}): string {
  const level = isolationLevel === undefined ? '' : ` isolation level ${isolationLevel}`;
  return `begin${level}${accessMode === undefined ? '' : ` ${accessMode}`}`;
}

/** Lends a connection and always takes it back. One in an unknown state is closed. */
export async function lendConnection<T>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
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

/** The same as a span of its own: a transaction, with the wait for its connection. */
export function withConnection<T>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  return inCallSpan(TRANSACTION_SPAN, () => lendConnection(pool, work));
}

/** A transaction. Statements are not named: their values are not for a collector. */
export const TRANSACTION_SPAN = {
  name: 'postgresql transaction',
  kind: 'client',
  attributes: { 'db.system.name': 'postgresql' },
} as const;

/**
 * Runs `work` in a transaction and repeats all of it if PostgreSQL asks for that (serialisation failure, deadlock), up
 * to three runs in total. `work` must touch nothing but the transaction.
 */
export async function inTransaction<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  return repeatOnConflict(() => db.transaction(work));
}

/** How long the caller waits for the outcome of a COMMIT, and how long it is looked up after that. */
const KNOWN_WITHIN_MS = 1_500;
const KNOWN_LATE_MS = 60_000;

/**
 * As `inTransaction`, for a transaction whose effect only its caller can continue: if COMMIT got no answer, PostgreSQL
 * is asked for the outcome. If that becomes known only after the caller was told of a failure, and it was committed,
 * `onLate` gets the result.
 * @throws the error of the COMMIT if it was rolled back, or if there is no answer within about 1.5 s
 */
export async function inKnownTransaction<T>(db: Db, work: (tx: Tx) => Promise<T>, onLate?: (result: T) => Promise<void>): Promise<T> {
  let done: Done<T> | undefined;
  try {
    return await inTransaction(db, async (tx) => {
      done = undefined;
      // Sent just before the first statement of `work`: it costs no extra round trip, and names the server that runs it.
      const naming = selectRows<Named>(tx, sql`select pg_current_xact_id()::text as xid, ${TIMELINE} as timeline`);
      const [named, result] = await Promise.all([naming, work(tx)]);
      done = { result, ...onlyRow(named) };
      return result;
    });
  } catch (error) {
    const lost: Done<T> | undefined = done;
    if (lost === undefined || !isUnavailable(error)) throw error;
    const known = await wasCommitted(db, lost, KNOWN_WITHIN_MS).catch(() => undefined);
    if (known === true) return lost.result;
    if (known === undefined && onLate !== undefined) void reportLate(db, lost, onLate);
    throw error;
  }
}

async function reportLate<T>(db: Db, lost: Done<T>, onLate: (result: T) => Promise<void>): Promise<void> {
  // If this is never called, the caller is no worse off than after a crash of the process.
  if (await wasCommitted(db, lost, KNOWN_LATE_MS).catch(() => false)) await onLate(lost.result);
}

/** How PostgreSQL finds a transaction again. */
type Named = { readonly xid: string; readonly timeline: string };
type Done<T> = Named & { readonly result: T };

/** Changes when a standby is promoted: it gives the numbers of transactions that it never got to others. */
const TIMELINE = sql.raw('left(pg_walfile_name(pg_current_wal_lsn()), 8)');

/**
 * Repeats until the outcome is known, for `forMs`. @throws the database's last error, that it is still in progress, or
 * that a standby was promoted, which may not have got that transaction
 */
function wasCommitted(db: Db, { xid, timeline }: Named, forMs: number): Promise<boolean> {
  const ask = async () => {
    const rows = await selectRows<{ status: string | null; timeline: string }>(
      db,
      sql`select pg_xact_status(${xid}::xid8) as status, ${TIMELINE} as timeline`,
    );
    const { status, timeline: now } = onlyRow(rows);
    if (now !== timeline) throw new Error('a standby was promoted: the outcome of an earlier transaction is unknown');
    if (status === 'in progress') throw new StillInProgress();
    return status === 'committed';
  };
  return repeatWhileUnavailable(forMs, ask, (error) => isUnavailable(error) || error instanceof StillInProgress);
}

/** The session of a lost connection continues until it notices. */
class StillInProgress extends Error {
  override readonly name = 'StillInProgress';
}
