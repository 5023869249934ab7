import type pg from 'pg';
import { noteCommit } from '../../logging/request-context.ts';
import type { Db, Tx } from '../db.ts';
import { repeatOnConflict } from '../retry.ts';
import { nameStatement, type ReadyStatement } from './compiled.ts';
import { sendStatement, type Whole } from './one-round-trip.ts';
import { sendAnswered, type Answer } from './send-whole.ts';
import { runAfterCommit, txOn, withConnection } from '../transaction.ts';

const pools = new WeakMap<Db, pg.Pool>();

/** Lets `inPipeline` run on the connections of `pool`. */
export function allowPipeline(db: Db, pool: pg.Pool): void {
  pools.set(db, pool);
}

/** Where `inPipeline` runs. @throws TypeError if `db` is not of `openDatabase` */
export function poolOf(db: Db): pg.Pool {
  const pool = pools.get(db);
  if (pool === undefined) throw new TypeError('this Db was not opened by openDatabase()');
  return pool;
}

/** Longer than calls of an action are combined (`wakeRelay`). */
const LONG_COMMIT_MS = 10;

/** What each statement returned. */
export type Results<S extends readonly ReadyStatement<unknown>[]> = {
  -readonly [Index in keyof S]: S[Index] extends ReadyStatement<infer Rows> ? Rows : never;
};

/**
 * Runs a transaction of compiled statements that need nothing of each other's results: all leave in one write and cost one
 * round trip (decisions/round-trips), and so does the wake of the relay. As `inOneRoundTrip`, with rows decoded by
 * their columns. Where one fails, nothing is stored, and the first error is thrown. Repeated as `inTransaction` is.
 * @param ahead a statement that is committed, or fails, before this transaction begins: in the same write, and whatever becomes of it
 */
export function inPipeline<const S extends readonly ReadyStatement<unknown>[]>(
  db: Db,
  build: (tx: Tx) => S,
  ahead?: Whole,
): Promise<Results<S>> {
  const pool = poolOf(db);
  return repeatOnConflict(() =>
    withConnection(pool, async (client) => {
      const first = ahead === undefined ? undefined : sendStatement(client, ahead);
      const [results] = await Promise.allSettled([send(pool, client, build), first]);
      if (results.status === 'rejected') throw results.reason;
      return results.value;
    }),
  );
}

function send<S extends readonly ReadyStatement<unknown>[]>(
  pool: pg.Pool,
  client: pg.PoolClient,
  build: (tx: Tx) => S,
): Promise<Results<S>>;
async function send(pool: pg.Pool, client: pg.PoolClient, build: (tx: Tx) => readonly ReadyStatement<unknown>[]): Promise<unknown[]> {
  const tx = txOn(client);
  const statements = build(tx);
  const answers = sendAnswered(
    client,
    statements.map((statement) => statement.encode()),
    nameStatement,
  );
  const sentAtMs = performance.now();
  runAfterCommit(pool, tx, client);
  const results = await Promise.all(statements.map((statement, at) => statement.decode(answerAt(answers, at))));
  noteCommit();
  // A wake that was combined with others may have gone out before a commit that waited.
  if (performance.now() - sentAtMs > LONG_COMMIT_MS) runAfterCommit(pool, tx);
  return results;
}

async function answerAt(answers: Promise<readonly Answer[]>, at: number): Promise<Answer> {
  const answer = (await answers)[at];
  if (answer === undefined) throw new TypeError('a transaction that succeeded has an answer to each statement');
  return answer;
}
