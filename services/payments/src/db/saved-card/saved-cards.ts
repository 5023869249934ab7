import { and, eq, isNull, sql, type SQL } from 'drizzle-orm';
import type { Reader, Tx } from '@pay/shared/postgres/db.ts';
import { compiledInsertAll } from '@pay/shared/postgres/fast/compiled.ts';
import type { PartnerId } from '@pay/shared/identities/identities.ts';
import { payments } from '../payment/schema.ts';
import { movedPartners } from '../schema.ts';
import { savedCards } from './schema.ts';

/** A saved card as it is stored, with its token encrypted. */
export type SavedCard = Readonly<typeof savedCards.$inferSelect>;

/** A saved card as it is inserted. */
export type NewSavedCard = typeof savedCards.$inferInsert;

/** The statement that saves a card, not sent yet. */
export const savedCardStatement = (tx: Tx, card: NewSavedCard) => insertSavedCard(tx, [card]);

const insertSavedCard = compiledInsertAll(savedCards, savedCards.bindingId);

/** A partner's saved card; undefined if it belongs to another partner. */
export async function findSavedCard(reader: Reader, partnerId: PartnerId, bindingId: string): Promise<SavedCard | undefined> {
  const [row] = await reader
    .select()
    .from(savedCards)
    .where(and(eq(savedCards.bindingId, bindingId), eq(savedCards.partnerId, partnerId)));
  return row;
}

/** Records that the card's binding is revoked. Safe to repeat. A card that does not exist cannot be charged either. */
export async function revokeSavedCard(tx: Tx, partnerId: PartnerId, bindingId: string): Promise<void> {
  await tx
    .update(savedCards)
    .set({ revokedAt: sql`clock_now()` })
    .where(and(eq(savedCards.bindingId, bindingId), eq(savedCards.partnerId, partnerId), isNull(savedCards.revokedAt)));
}

/** A condition: the card that a payment charges is not revoked. */
export const cardIsNotRevoked = (): SQL =>
  sql`not exists (select from ${savedCards} where ${savedCards.bindingId} = ${payments.bindingId}
    and ${savedCards.revokedAt} is not null)`;

/** The saved card of a binding of any partner, while its link is valid: for the buyer, who opened a link that we signed. */
export async function findSavedCardByLink(reader: Reader, bindingId: string): Promise<SavedCard | undefined> {
  const [row] = await reader
    .select()
    .from(savedCards)
    .where(and(eq(savedCards.bindingId, bindingId), sql`link_expires_at > clock_now()`));
  return row;
}

/** The origin of the checkout that has a partner's cards now, if the partner was moved to another cell. */
export async function findNewCheckout(reader: Reader, partnerId: PartnerId): Promise<string | undefined> {
  const [row] = await reader.select().from(movedPartners).where(eq(movedPartners.partnerId, partnerId));
  return row?.checkoutUrl;
}

/** Extends the buyer's link to a card. */
export async function moveLinkExpiry(tx: Tx, bindingId: string, linkExpiresAt: Date): Promise<void> {
  await tx.update(savedCards).set({ linkExpiresAt }).where(eq(savedCards.bindingId, bindingId));
}

/** Locks up to `limit` cards whose token is not encrypted with `encryptionKeyId`, until the transaction ends. */
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
