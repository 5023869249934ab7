import { eq } from 'drizzle-orm';
import type { Reader, Tx } from '@pay/shared/postgres/db.ts';
import { consents } from './schema.ts';

/** A consent as it is stored, with all its evidence. */
export type Consent = Readonly<typeof consents.$inferSelect>;

/** Stores what a buyer agreed to; an existing consent is left as it is. */
export async function insertConsent(tx: Tx, consent: typeof consents.$inferInsert): Promise<void> {
  await tx.insert(consents).values(consent).onConflictDoNothing();
}

/** Finds a consent of any partner. For operators. */
export async function findConsent(reader: Reader, consentId: string): Promise<Consent | undefined> {
  const [row] = await reader.select().from(consents).where(eq(consents.consentId, consentId));
  return row;
}
