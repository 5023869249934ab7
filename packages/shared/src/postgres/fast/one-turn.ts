import type pg from 'pg';
import type { Db, Tx } from '../db.ts';
import { repeatOnConflict } from '../retry.ts';
import { sendStatements, type Whole } from './one-round-trip.ts';
import { runAfterCommit, txOn, withConnection } from '../transaction.ts';

const pools = new WeakMap<Db, pg.Pool>();

/** Lets `inOneTurn` run on the connections of `pool`. */
export function allowOneTurn(db: Db, pool: pg.Pool): void {
  pools.set(db, pool);
}

/** Longer than calls of an action are combined (`wakeRelay`). */
const LONG_COMMIT_MS = 10;

/** A statement of drizzle's that was built and not sent. */
type Built = { execute(): Promise<unknown> };
/** What each statement returned. */
type Results<S extends readonly Built[]> = { -readonly [Index in keyof S]: Awaited<ReturnType<S[Index]['execute']>> };

/**
 * Runs a transaction whose statements need nothing of each other's results: `begin`, the statements and `commit` leave in one
 * write and cost one round trip (ADR 0170), and so does the wake of the relay. As `inOneRoundTrip`, for statements of the query
 * builder. Where one fails, nothing is stored, and the first error is thrown. Repeated as `inTransaction` is.
 * @param ahead a transaction that is committed, or fails, before this one begins: in the same write, and whatever becomes of it
 */
export function inOneTurn<const S extends readonly Built[]>(
  db: Db,
  build: (tx: Tx) => S,
  ahead: readonly Whole[] = [],
): Promise<Results<S>> {
  const pool = pools.get(db);
  if (pool === undefined) throw new TypeError('this Db was not opened by openDatabase()');
  return repeatOnConflict(() =>
    withConnection(pool, async (client) => {
      const first = ahead.length === 0 ? undefined : sendStatements(client, ahead);
      const [results] = await Promise.allSettled([send(pool, client, build), first]);
      if (results.status === 'rejected') throw results.reason;
      return results.value;
    }),
  );
}

async function send<S extends readonly Built[]>(pool: pg.Pool, client: pg.PoolClient, build: (tx: Tx) => S) {
  const counter = { queries: 0 };
  const tx = txOn(counting(client, counter));
  const statements = build(tx);
  const begun = client.query('begin');
  const sent = sendAll(statements);
  // Behind a statement that failed, PostgreSQL takes `commit` for `rollback`. One that failed here never got there.
  const isWhole = counter.queries === statements.length;
  const ended = client.query(isWhole ? 'commit' : 'rollback');
  const sentAtMs = performance.now();
  if (isWhole) runAfterCommit(pool, tx, client);
  const [results] = await Promise.all([sent, Promise.allSettled([begun, ended])]);
  await ended;
  if (!isWhole) throw new TypeError('a statement was not sent, and nothing says why');
  // A wake that was combined with others may have gone out before a commit that waited.
  if (performance.now() - sentAtMs > LONG_COMMIT_MS) runAfterCommit(pool, tx);
  return results;
}

/** The connection, with the number of statements that were handed to it. */
function counting(client: pg.PoolClient, counter: { queries: number }): pg.PoolClient {
  return new Proxy(client, {
    get(target, name): unknown {
      const value: unknown = Reflect.get(target, name, target);
      if (name !== 'query' || typeof value !== 'function') return value;
      return (...given: unknown[]): unknown => {
        counter.queries += 1;
        return Reflect.apply(value, target, given);
      };
    },
  });
}

/** Sends all, in their order, before it returns. Rejects with the error of the first that failed: those behind it fail too. */
function sendAll<S extends readonly Built[]>(statements: S): Promise<Results<S>>;
async function sendAll(statements: readonly Built[]): Promise<unknown[]> {
  const outcomes = await Promise.allSettled(statements.map(async (statement) => statement.execute()));
  return outcomes.map((outcome) => {
    if (outcome.status === 'rejected') throw outcome.reason;
    return outcome.value;
  });
}
