import type { Tx } from '@pay/shared/database/database.ts';
import { exceptions } from './schema.ts';

/** Puts something before a person. False when the same is there already. */
export async function raiseException(
  tx: Tx,
  exception: Omit<typeof exceptions.$inferInsert, 'exceptionId' | 'status' | 'createdAt' | 'resolvedAt'>,
): Promise<boolean> {
  const rows = await tx
    .insert(exceptions)
    .values(exception)
    .onConflictDoNothing()
    .returning({ exceptionId: exceptions.exceptionId });
  return rows.length === 1;
}
