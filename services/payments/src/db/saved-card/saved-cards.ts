import { and, eq, isNull, sql, type SQL } from 'drizzle-orm';
import type { Reader, Tx } from '@pay/shared/postgres/db.ts';
import type { PartnerId } from '@pay/shared/identities/identities.ts';
import { payments } from '../payment/schema.ts';
import { savedCards } from './schema.ts';

/** A saved card as it is stored; its token only encrypted. */
export type SavedCard = Readonly<typeof savedCards.$inferSelect>;

export async function insertSavedCard(tx: Tx, card: typeof savedCards.$inferInsert): Promise<void> {
  await tx.insert(savedCards).values(card);
}

/** A partner's saved card. Another partner's is not there. */
export async function findSavedCard(
  reader: Reader,
  partnerId: PartnerId,
  bindingId: string,
): Promise<SavedCard | undefined> {
  const [row] = await reader
    .select()
    .from(savedCards)
    .where(and(eq(savedCards.bindingId, bindingId), eq(savedCards.partnerId, partnerId)));
  return row;
}

/** Notes that the card's binding is revoked. Safe to repeat; a card that is not there is not charged either. */
export async function revokeSavedCard(tx: Tx, partnerId: PartnerId, bindingId: string): Promise<void> {
  await tx
    .update(savedCards)
    .set({ revokedAt: sql`clock_now()` })
    .where(and(eq(savedCards.bindingId, bindingId), eq(savedCards.partnerId, partnerId), isNull(savedCards.revokedAt)));
}

/** That the card which a payment charges is not revoked. */
export const cardIsNotRevoked = (): SQL =>
  sql`not exists (select from ${savedCards} where ${savedCards.bindingId} = ${payments.bindingId}
    and ${savedCards.revokedAt} is not null)`;

/** The saved card of a binding, whoever's it is, while its link is good: for the buyer, who came by one that we signed. */
export async function findSavedCardByLink(reader: Reader, bindingId: string): Promise<SavedCard | undefined> {
  const [row] = await reader
    .select()
    .from(savedCards)
    .where(and(eq(savedCards.bindingId, bindingId), sql`link_expires_at > clock_now()`));
  return row;
}

/** Lets the buyer's link of a card open until then. */
export async function moveLinkExpiry(tx: Tx, bindingId: string, linkExpiresAt: Date): Promise<void> {
  await tx.update(savedCards).set({ linkExpiresAt }).where(eq(savedCards.bindingId, bindingId));
}

/** Up to `limit` cards whose token is not encrypted under `encryptionKeyId`, held until the transaction ends. */
export async function lockCardsNotUnder(tx: Tx, encryptionKeyId: string, limit: number): Promise<SavedCard[]> {
  return tx
    .select()
    .from(savedCards)
    .where(sql`split_part(${savedCards.cardTokenEncrypted}, '.', 2) <> ${encryptionKeyId}`)
    .limit(limit)
    .for('update');
}

/** Replaces the ciphertext of one card's token. */
export async function saveCardToken(tx: Tx, bindingId: string, cardTokenEncrypted: string): Promise<void> {
  await tx.update(savedCards).set({ cardTokenEncrypted }).where(eq(savedCards.bindingId, bindingId));
}
