import { is, SQL } from 'drizzle-orm';
import { PgDialect } from 'drizzle-orm/pg-core';
import type pg from 'pg';
import type { Db } from '../db.ts';
import { isAway } from '../errors.ts';
import { inCallSpan } from '../../telemetry/tracing.ts';
import { repeatOnConflict } from '../retry.ts';
import { TRANSACTION_SPAN, withConnection } from '../transaction.ts';
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
 * PostgreSQL works (decisions/round-trips). No statement can use the result of an earlier one. Returns the rows of
 * each; repeated on conflicts like `inTransaction`.
 */
export function inOneRoundTrip<T extends Row>(db: Db, statements: readonly Whole[]): Promise<Rows<T>> {
  return repeatOnConflict(() => withConnection(poolOf(db), (client) => sendStatements<T>(client, statements)));
}

/** A statement of a transaction that is sent whole: its text is built now, or was (`compiledRaw`). */
export type Whole = SQL | Statement;

/**
 * Sends a statement that is a transaction by itself, and behind it a transaction, in one write. Either may fail without the other.
 * Resolves when both have ended; what became of each is in its own promise.
 */
export async function inOneWrite<T extends Row>(
  db: Db,
  ahead: Whole,
  statements: readonly Whole[],
): Promise<{ readonly ahead: Promise<unknown>; readonly behind: Promise<Rows<T>> }> {
  return inCallSpan(TRANSACTION_SPAN, async () => {
    const client = await poolOf(db).connect();
    client.connection.stream.cork();
    const sent = { ahead: sendStatement(client, ahead), behind: sendStatements<T>(client, statements) };
    client.connection.stream.uncork();
    // Both must have returned before somebody else gets the connection.
    const ended = await Promise.allSettled([sent.ahead, sent.behind]);
    client.release(ended.some((one) => one.status === 'rejected' && isAway(one.reason)));
    return sent;
  });
}

function poolOf(db: Db): pg.Pool {
  const pool = pools.get(db);
  if (pool === undefined) throw new TypeError('this Db was not opened by openDatabase()');
  return pool;
}

const sendStatements = <T extends Row>(client: pg.PoolClient, statements: readonly Whole[]): Promise<Rows<T>> =>
  sendWhole<T>(client, statements.map(toStatement));

/** Sends a statement on a connection, as a transaction by itself. */
export const sendStatement = (client: pg.PoolClient, statement: Whole): Promise<unknown> => sendStatements(client, [statement]);

const dialect = new PgDialect();

function toStatement(statement: Whole): Statement {
  if (!is(statement, SQL)) return statement;
  const { sql: text, params: values } = dialect.sqlToQuery(statement);
  return { text, values, name: preparedName(text) };
}
