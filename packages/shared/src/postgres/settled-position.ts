import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import type { Db } from './db.ts';
import { selectRows } from './select-rows.ts';

type Options = {
  readonly db: Db;
  /** Whose rows take their number from a sequence as they are inserted. */
  readonly table: string;
  /** The highest number that is visible now; undefined if there is nothing new. */
  readonly newest: () => Promise<bigint | undefined>;
  readonly ended: AbortSignal;
};

/** Transactions that write are milliseconds long. */
const LOOK_AGAIN_MS = 10;

/**
 * A number below which no row can appear any more: a cursor may pass it. Numbers are taken before a transaction commits, so
 * a row with a lower one may become visible later; but whoever took it was writing to the table when the newest became
 * visible, and has ended now. Undefined if there is nothing new, or `ended` came first. ADR 0204.
 */
export async function settledPosition({ db, table, newest, ended }: Options): Promise<bigint | undefined> {
  const position = await newest();
  if (position === undefined) return undefined;
  let writing = await writersOf(db, table);
  while (writing.length > 0) {
    await wait(LOOK_AGAIN_MS, undefined, { signal: ended }).catch(() => undefined);
    if (ended.aborted) return undefined;
    const still = new Set(await writersOf(db, table));
    writing = writing.filter((one) => still.has(one));
  }
  return position;
}

/** The transactions that have written to a table, or are about to. They hold this lock until they have ended. */
async function writersOf(db: Db, table: string): Promise<string[]> {
  const rows = await selectRows<{ writer: string }>(
    db,
    sql`select distinct virtualtransaction as writer from pg_locks where locktype = 'relation' and mode = 'RowExclusiveLock'
      and database = (select oid from pg_database where datname = current_database()) and relation = ${table}::regclass`,
  );
  return rows.map(({ writer }) => writer);
}
