import { eq } from 'drizzle-orm';
import type { Reader, Tx } from '@pay/shared/postgres/db.ts';
import type { SavedCard } from '../domain/outcome.ts';
import { savedCards } from './schema.ts';

/** The card that the bank saved under this token; undefined if it did not issue the token. */
export async function findSavedCard(reader: Reader, token: string): Promise<SavedCard | undefined> {
  const [row] = await reader
    .select({ mask: savedCards.mask, expiry: savedCards.expiry, outcome: savedCards.outcome })
    .from(savedCards)
    .where(eq(savedCards.token, token));
  return row;
}

/** Saves a card under a new token. */
export async function insertSavedCard(tx: Tx, token: string, card: SavedCard): Promise<void> {
  await tx.insert(savedCards).values({ token, ...card });
}

/** Deletes every saved card. */
export async function deleteSavedCards(tx: Tx): Promise<void> {
  await tx.delete(savedCards);
}
