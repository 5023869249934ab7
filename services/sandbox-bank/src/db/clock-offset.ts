import { bigint, pgSchema } from 'drizzle-orm/pg-core';
import { TEST_CLOCK } from '@pay/shared/postgres/movable-clock.ts';
import type { Reader, Tx } from '@pay/shared/postgres/db.ts';

/** One row, provisioned with the database. It is shared, so it is not in the bank's schema (decisions/clock). */
const moved = pgSchema(TEST_CLOCK.schema).table(TEST_CLOCK.table, {
  milliseconds: bigint('milliseconds', { mode: 'number' }).notNull(),
});

/** How far the clock of the whole TEST system is ahead of real time, in milliseconds. */
export async function readClockOffset(reader: Reader): Promise<number> {
  const [row] = await reader.select().from(moved);
  return row?.milliseconds ?? 0;
}

/** The offset, locked: two concurrent moves add up instead of overwriting each other. */
export async function lockClockOffset(tx: Tx): Promise<number> {
  const [row] = await tx.select().from(moved).for('update');
  return row?.milliseconds ?? 0;
}

/** Sets the offset; every service's `clock_now()` follows from its next statement on. */
export async function setClockOffset(tx: Tx, milliseconds: number): Promise<void> {
  await tx.update(moved).set({ milliseconds });
}
