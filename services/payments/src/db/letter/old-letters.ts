import { sql } from 'drizzle-orm';
import type { Tx } from '@pay/shared/postgres/db.ts';

/** Rows deleted in one statement. */
const BATCH = 5_000;

/** Deletes a batch of letters that the previous version has sent or given up: it tries for three days. Returns how many. */
export async function deleteOldLetters(tx: Tx): Promise<number> {
  const result = await tx.execute(sql`delete from letters where ctid in (
    select ctid from letters where created_at < clock_now() - interval '3 days' limit ${BATCH})`);
  return result.rowCount ?? 0;
}
