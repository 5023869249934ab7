import { and, desc, eq, sql } from 'drizzle-orm';
import type { Reader, Tx } from '@pay/shared/postgres/db.ts';
import type { PartnerId } from '@pay/shared/identities/identities.ts';
import { callbackKeys } from './schema.ts';

export type CallbackKeyRow = typeof callbackKeys.$inferSelect;

/** The newest key of a partner, even if it has expired. */
export async function findNewestKey(reader: Reader, partnerId: PartnerId): Promise<CallbackKeyRow | undefined> {
  const [row] = await reader
    .select()
    .from(callbackKeys)
    .where(eq(callbackKeys.partnerId, partnerId))
    .orderBy(desc(callbackKeys.issuedAt))
    .limit(1);
  return row;
}

export async function insertKey(tx: Tx, key: Omit<CallbackKeyRow, 'expiresAt'>): Promise<void> {
  await tx.insert(callbackKeys).values(key);
}

/** The partner's current keys sign for another `overlapSeconds`, or less if they already expire sooner. */
export async function endKeys(tx: Tx, partnerId: PartnerId, overlapSeconds: number): Promise<void> {
  const end = sql`clock_now() + make_interval(secs => ${overlapSeconds})`;
  await tx
    .update(callbackKeys)
    .set({ expiresAt: sql`least(${callbackKeys.expiresAt}, ${end})` })
    .where(eq(callbackKeys.partnerId, partnerId));
}

/** Locks up to `limit` keys that are not encrypted under `encryptionKeyId`. */
export async function lockKeysNotUnder(tx: Tx, encryptionKeyId: string, limit: number): Promise<CallbackKeyRow[]> {
  return tx
    .select()
    .from(callbackKeys)
    .where(sql`split_part(${callbackKeys.encryptedSecret}, '.', 2) <> ${encryptionKeyId}`)
    .limit(limit)
    .for('update');
}

/** Replaces the ciphertext of one key. */
export async function saveEncryptedSecret(tx: Tx, keyId: string, encryptedSecret: string): Promise<void> {
  await tx
    .update(callbackKeys)
    .set({ encryptedSecret })
    .where(and(eq(callbackKeys.keyId, keyId)));
}

/** A partner's keys without their secrets, newest first. */
export async function listKeys(reader: Reader, partnerId: PartnerId): Promise<Pick<CallbackKeyRow, 'keyId' | 'issuedAt' | 'expiresAt'>[]> {
  return reader
    .select({ keyId: callbackKeys.keyId, issuedAt: callbackKeys.issuedAt, expiresAt: callbackKeys.expiresAt })
    .from(callbackKeys)
    .where(eq(callbackKeys.partnerId, partnerId))
    .orderBy(desc(callbackKeys.issuedAt))
    .limit(100);
}
