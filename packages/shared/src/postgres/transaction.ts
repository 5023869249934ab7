import { sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/node-postgres';
import type pg from 'pg';
import type { Db, TransactionConfig, Tx } from './db.ts';
import { isAway, isUnavailable } from './errors.ts';
import { onlyRow } from './only-row.ts';
import { repeatOnConflict, repeatWhileUnavailable } from './retry.ts';
import { selectRows } from './select-rows.ts';

/** What is to be done once a transaction is committed. */
type AfterCommit = (pool: pg.Pool) => void;
const afterCommits = new WeakMap<Tx, AfterCommit[]>();

/** Calls `action` once `tx` is committed; never if it is rolled back, or if the process dies first. */
export function afterCommit(tx: Tx, action: AfterCommit): void {
  const known = afterCommits.get(tx);
  if (known === undefined) afterCommits.set(tx, [action]);
  else known.push(action);
}

/**
 * Runs one transaction on a connection of its own. (drizzle's own never returns the connection when `begin` fails: ten of
 * those, after a restart of PostgreSQL, and a pool is empty.)
 */
export async function runTransaction<T>(
  pool: pg.Pool,
  work: (tx: Tx) => Promise<T>,
  config: TransactionConfig,
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

/** Lends a connection and always takes it back. One in an unknown state is closed. */
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

/**
 * Runs `work` in a transaction and repeats the whole of it when PostgreSQL asks for that (serialisation failure,
 * deadlock), at most three times in all. `work` must not touch anything but the transaction.
 */
export async function inTransaction<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  return repeatOnConflict(() => db.transaction(work));
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
      // Sent together with the first statement of `work`: it costs no round trip.
      const [{ rows }, result] = await Promise.all([
        tx.execute<{ xid: string }>(sql`select pg_current_xact_id()::text as xid`),
        work(tx),
      ]);
      done = { result, xid: onlyRow(rows).xid };
      return result;
    });
  } catch (error) {
    const lost: { readonly result: T; readonly xid: string } | undefined = done;
    if (lost === undefined || !isUnavailable(error)) throw error;
    const known = await wasCommitted(db, lost.xid, KNOWN_WITHIN_MS).catch(() => undefined);
    if (known === true) return lost.result;
    if (known === undefined && onLate !== undefined) void reportLate(db, lost, onLate);
    throw error;
  }
}

async function reportLate<T>(
  db: Db,
  { result, xid }: { readonly result: T; readonly xid: string },
  onLate: (result: T) => Promise<void>,
): Promise<void> {
  // Who is not told is no worse off than after a death of the process.
  if (await wasCommitted(db, xid, KNOWN_LATE_MS).catch(() => false)) await onLate(result);
}

/** Asks until it is known, for `forMs`. @throws the database's last error, or that it is still in progress */
function wasCommitted(db: Db, xid: string, forMs: number): Promise<boolean> {
  const ask = async () => {
    const rows = await selectRows<{ status: string | null }>(db, sql`select pg_xact_status(${xid}::xid8) as status`);
    const { status } = onlyRow(rows);
    if (status === 'in progress') throw new StillInProgress();
    return status === 'committed';
  };
  return repeatWhileUnavailable(forMs, ask, (error) => isUnavailable(error) || error instanceof StillInProgress);
}

/** The session of a lost connection goes on until it notices. */
class StillInProgress extends Error {
  override readonly name = 'StillInProgress';
}
