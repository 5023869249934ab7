import type { Tx } from '@pay/shared/database/database.ts';
import { consents } from './schema.ts';

/** Stores what a buyer agreed to; a consent that is there stays as it is. */
export async function insertConsent(tx: Tx, consent: typeof consents.$inferInsert): Promise<void> {
  await tx.insert(consents).values(consent).onConflictDoNothing();
}
