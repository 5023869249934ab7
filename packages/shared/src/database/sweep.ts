import { sql } from 'drizzle-orm';
import type { Loop } from '../service/loop.ts';
import type { Db } from './database.ts';
import { RETENTION_DAYS } from './schema.ts';

/** Rows deleted in one statement: short locks, little to undo. */
const BATCH = 5_000;
const HOUR_MS = 3_600_000;

/** Deletes inbox rows and idempotency records after 30 days, in small batches, once an hour. */
export function sweepLoop(db: Db): Loop {
  return {
    name: 'sweep',
    intervalMs: HOUR_MS,
    round: async () => {
      const counts = [await sweep(db, 'inbox', 'received_at'), await sweep(db, 'idempotency_records', 'created_at')];
      return counts.some((count) => count === BATCH) ? 'more' : 'done';
    },
  };
}

async function sweep(db: Db, table: string, column: string): Promise<number> {
  const old = sql`clock_now() - make_interval(days => ${RETENTION_DAYS})`;
  const result = await db.transaction((tx) =>
    tx.execute(sql`delete from ${sql.identifier(table)} where ctid in (
      select ctid from ${sql.identifier(table)} where ${sql.identifier(column)} < ${old} limit ${BATCH})`),
  );
  return result.rowCount ?? 0;
}
