import { sql } from 'drizzle-orm';
import { partitionsEnd } from '../telemetry/metrics.ts';
import type { Loop } from '../time/loop.ts';
import type { Db } from './db.ts';
import { sqlState } from './errors.ts';
import { onlyRow } from './only-row.ts';
import { selectRows } from './select-rows.ts';

/** Rows that a table's function deletes at most at a time of one partition whose younger rows stay (the migrations have it, too). */
export const SWEEP_BATCH = 5_000;
const ROUND_MS = 600_000;
/**
 * How long a partition waits for a lock on its table, which a long reader such as `pg_dump` may hold. Whoever writes meanwhile waits
 * behind it, so it gives up soon, and the next round tries again: partitions are made days ahead.
 */
const LOCK_MS_MAX = 100;
const LOCK_NOT_AVAILABLE = '55P03';

/**
 * Has a table's partitions of the coming days made and those past its retention dropped, every ten minutes, by the table's
 * function `roll_<table>_partitions()` (decisions/partitions). Safe to run in all replicas at once.
 */
export function partitionsLoop(db: Db, table: 'published' | 'attempts'): Loop {
  return {
    name: `partitions of ${table}`,
    intervalMs: ROUND_MS,
    round: async () => {
      try {
        return (await roll(db, table)) < SWEEP_BATCH ? 'done' : 'more';
      } finally {
        // Above all if none could be made: a process that just started has said nothing yet.
        partitionsEnd.set({ table }, await endOfPartitions(db, table));
      }
    },
  };
}

/** Returns how many rows it deleted one by one. */
async function roll(db: Db, table: string): Promise<number> {
  try {
    return await db.transaction(async (tx) => {
      await tx.execute(sql`select set_config('lock_timeout', ${String(LOCK_MS_MAX)}, true)`);
      const call = sql`select to_jsonb(rolled) as rolled from ${sql.identifier(`roll_${table}_partitions`)}() as rolled`;
      const { rolled } = onlyRow(await selectRows<{ rolled: { swept?: number } }>(tx, call));
      return rolled.swept ?? 0;
    });
  } catch (err) {
    if (sqlState(err) !== LOCK_NOT_AVAILABLE) throw err;
    return 0;
  }
}

/** When the last partition by day ends, in seconds since 1970. */
async function endOfPartitions(db: Db, table: string): Promise<number> {
  const bounds = sql`select coalesce(max(extract(epoch from
      substring(pg_get_expr(c.relpartbound, c.oid) from 'TO \\(''(.+)''\\)')::timestamptz)), 0)::float8 as ends
    from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = ${table}::regclass`;
  return onlyRow(await selectRows<{ ends: number }>(db, bounds)).ends;
}
