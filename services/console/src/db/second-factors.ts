import { eq } from 'drizzle-orm';
import type { Tx } from '@pay/shared/postgres/db.ts';
import { secondFactors } from './schema.ts';

type Encrypted = Pick<typeof secondFactors.$inferSelect, 'id' | 'secret' | 'backupCodes'>;

/** Locks all of them until the transaction ends. */
export async function lockSecondFactors(tx: Tx): Promise<Encrypted[]> {
  const { id, secret, backupCodes } = secondFactors;
  return tx.select({ id, secret, backupCodes }).from(secondFactors).for('update');
}

/** Replaces the ciphertexts of one second factor. */
export async function saveSecondFactor(tx: Tx, id: string, encrypted: Omit<Encrypted, 'id'>): Promise<void> {
  await tx.update(secondFactors).set(encrypted).where(eq(secondFactors.id, id));
}
