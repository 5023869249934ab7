import { sql, type SQL } from 'drizzle-orm';
import type { Loop } from '../time/loop.ts';
import type { Db } from '../postgres/db.ts';
import { RETENTION_DAYS } from '../postgres/schema.ts';

/** Rows deleted per statement: short locks, little to undo. */
const BATCH = 5_000;
const HOUR_MS = 3_600_000;

const OLD = sql`clock_now() - make_interval(days => ${RETENTION_DAYS})`;

/** What may be deleted, by table. A dead letter that waits for a person is a fact that was not handled: it stays. */
const OVER = {
  inbox: sql`received_at < ${OLD}`,
  idempotency_records: sql`created_at < ${OLD}`,
  dead_letters: sql`(status = 'REDRIVEN' or refused) and coalesce(redriven_at, died_at) < ${OLD}`,
} as const satisfies Record<string, SQL>;

/**
 * Deletes expired rows after 30 days, in small batches, once an hour: inbox rows, idempotency records and, in a
 * consuming service, dead letters that were redriven or refused.
 */
export function sweepLoop(db: Db, isConsumer: boolean): Loop {
  const tables = ['inbox', 'idempotency_records', ...(isConsumer ? (['dead_letters'] as const) : [])] as const;
  return {
    name: 'sweep',
    intervalMs: HOUR_MS,
    round: async () => {
      const counts: number[] = [];
      for (const table of tables) counts.push(await sweep(db, table));
      return counts.includes(BATCH) ? 'more' : 'done';
    },
  };
}

async function sweep(db: Db, table: keyof typeof OVER): Promise<number> {
  const result = await db.transaction((tx) =>
    tx.execute(sql`delete from ${sql.identifier(table)} where ctid in (
      select ctid from ${sql.identifier(table)} where ${OVER[table]} limit ${BATCH})`),
  );
  return result.rowCount ?? 0;
}
