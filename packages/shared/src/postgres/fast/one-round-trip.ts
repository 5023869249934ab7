import { is, SQL } from 'drizzle-orm';
import { PgDialect } from 'drizzle-orm/pg-core';
import type pg from 'pg';
import type { Db } from '../db.ts';
import { isAway } from '../errors.ts';
import { inCallSpan } from '../../telemetry/tracing.ts';
import { repeatOnConflict } from '../retry.ts';
import { TRANSACTION_SPAN } from '../transaction.ts';
import { preparedName } from './prepared.ts';
import { sendWhole, type Statement } from './send-whole.ts';

/** The rows returned by each statement of a transaction. */
export type Rows<T> = readonly (readonly T[])[];
type Row = Record<string, unknown>;

const pools = new WeakMap<Db, pg.Pool>();

/** Enables `inOneRoundTrip` on the connections of `pool`. */
export function allowOneRoundTrip(db: Db, pool: pg.Pool): void {
  pools.set(db, pool);
}

/**
 * Runs a transaction whose statements are known in advance: it costs one round trip, and holds its locks only while
 * PostgreSQL works (ADR 0011). No statement can use the result of an earlier one. Returns the rows of each; repeated on
 * conflicts like `inTransaction`.
 */
export function inOneRoundTrip<T extends Row>(db: Db, statements: readonly Whole[]): Promise<Rows<T>> {
  return repeatOnConflict(async () => {
    const { rows } = await inOneWrite(db, (send) => ({ rows: send<T>(statements) }));
    return rows;
  });
}

/** A statement of a transaction that is sent whole: its text is built now, or was (`compiledRaw`). */
export type Whole = SQL | Statement;

/** Sends one transaction. Call it before the first `await`. */
export type Send = <T extends Row>(statements: readonly Whole[]) => Promise<Rows<T>>;

/**
 * Lets `work` send several transactions, which run one after another, in one write on one connection. Resolves to the
 * result of `work` when all have ended; each transaction's result is in its own promise.
 */
export function inOneWrite<T>(db: Db, work: (send: Send) => T): Promise<T> {
  return inCallSpan(TRANSACTION_SPAN, () => writeOnce(db, work));
}

async function writeOnce<T>(db: Db, work: (send: Send) => T): Promise<T> {
  const pool = pools.get(db);
  if (pool === undefined) throw new TypeError('this Db was not opened by openDatabase()');
  const client = await pool.connect();
  const { stream } = client.connection;
  const sent: Promise<unknown>[] = [];
  const send = <R extends Row>(statements: readonly Whole[]) => {
    const transaction = sendStatements<R>(client, statements);
    sent.push(transaction);
    return transaction;
  };
  stream.cork();
  try {
    return work(send);
  } finally {
    stream.uncork();
    // All must have returned before somebody else gets the connection.
    const ended = await Promise.allSettled(sent);
    client.release(ended.some((one) => one.status === 'rejected' && isAway(one.reason)));
  }
}

/** Sends a transaction on a connection, as `inOneRoundTrip`. */
export const sendStatements = <T extends Row>(client: pg.PoolClient, statements: readonly Whole[]): Promise<Rows<T>> =>
  sendWhole<T>(client, statements.map(toStatement));

const dialect = new PgDialect();

function toStatement(statement: Whole): Statement {
  if (!is(statement, SQL)) return statement;
  const { sql: text, params: values } = dialect.sqlToQuery(statement);
  return { text, values, name: preparedName(text) };
}
