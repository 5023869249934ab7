import type { SQL } from 'drizzle-orm';
import { PgDialect } from 'drizzle-orm/pg-core';
import type pg from 'pg';
import type { Db } from '../db.ts';
import { isAway } from '../errors.ts';
import { repeatOnConflict } from '../retry.ts';
import { preparedName } from './prepared.ts';
import { sendWhole, type Statement } from './send-whole.ts';

/** The rows that each statement of a transaction returned. */
export type Rows<T> = readonly (readonly T[])[];
type Row = Record<string, unknown>;

const pools = new WeakMap<Db, pg.Pool>();

/** Lets `inOneRoundTrip` run on the connections of `pool`. */
export function allowOneRoundTrip(db: Db, pool: pg.Pool): void {
  pools.set(db, pool);
}

/**
 * Runs a transaction whose statements are known beforehand: it costs one round trip, and holds its locks only as long as
 * PostgreSQL works (ADR 0011). No statement can use what one before it returned. Returns the rows of each; repeated as
 * `inTransaction` is.
 */
export function inOneRoundTrip<T extends Row>(db: Db, statements: readonly SQL[]): Promise<Rows<T>> {
  return repeatOnConflict(async () => {
    const { rows } = await inOneWrite(db, (send) => ({ rows: send<T>(statements) }));
    return rows;
  });
}

/** Sends one transaction whole. Call it before the first `await`. */
export type Send = <T extends Row>(statements: readonly SQL[]) => Promise<Rows<T>>;

/**
 * Has `work` send transactions, which run one after another, in one write on one connection. Resolves when all have ended,
 * to what `work` returned: how each ended is in its own promise.
 */
export async function inOneWrite<T>(db: Db, work: (send: Send) => T): Promise<T> {
  const pool = pools.get(db);
  if (pool === undefined) throw new TypeError('this Db was not opened by openDatabase()');
  const client = await pool.connect();
  const { stream } = client.connection;
  const sent: Promise<unknown>[] = [];
  const send = <R extends Row>(statements: readonly SQL[]) => {
    const transaction = sendWhole<R>(client, statements.map(toStatement));
    sent.push(transaction);
    return transaction;
  };
  stream.cork();
  try {
    return work(send);
  } finally {
    stream.uncork();
    // All have to come back before the connection is anybody else's.
    const ended = await Promise.allSettled(sent);
    client.release(ended.some((one) => one.status === 'rejected' && isAway(one.reason)));
  }
}

const dialect = new PgDialect();

function toStatement(statement: SQL): Statement {
  const { sql: text, params: values } = dialect.sqlToQuery(statement);
  return { text, values, name: preparedName(text) };
}
