import type { Reader, Tx } from '@pay/shared/database/database.ts';
import { clockOffset } from './schema.ts';

/** How far the bank's clock runs ahead of the real one, in milliseconds. */
export async function readClockOffset(reader: Reader): Promise<number> {
  const [row] = await reader.select({ milliseconds: clockOffset.milliseconds }).from(clockOffset);
  return row?.milliseconds ?? 0;
}

/** The offset, locked: two movements at once add up instead of overwriting each other. */
export async function lockClockOffset(tx: Tx): Promise<number> {
  const [row] = await tx.select({ milliseconds: clockOffset.milliseconds }).from(clockOffset).for('update');
  return row?.milliseconds ?? 0;
}

/** Sets the offset; `clock_now()` follows from the next statement on. */
export async function setClockOffset(tx: Tx, milliseconds: number): Promise<void> {
  await tx.update(clockOffset).set({ milliseconds });
}
