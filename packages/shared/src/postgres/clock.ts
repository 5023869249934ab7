import { sql } from 'drizzle-orm';
import type { Reader } from './db.ts';
import { selectRows } from './select-rows.ts';

/**
 * The database's current time, to the millisecond. The only clock that decisions use (spec/decisions#clock): every
 * schema has a function `clock_now()`, which is the database's clock and, in TEST, can be moved.
 */
export async function clock(reader: Reader): Promise<Date> {
  // drizzle's raw form returns a timestamptz as text, so the moment travels as milliseconds.
  const rows = await selectRows<{ milliseconds: string }>(
    reader,
    sql`select trunc(extract(epoch from clock_now()) * 1000)::bigint as milliseconds`,
  );
  const [row] = rows;
  if (row === undefined) throw new Error('clock_now() returned no row');
  return new Date(Number(row.milliseconds));
}

/** The same as a column, for a select that reads something else anyway: `clock` alone is a round trip. */
export const databaseNow = sql`trunc(extract(epoch from clock_now()) * 1000)`.mapWith(
  (milliseconds: string) => new Date(Number(milliseconds)),
);
