import { asc, eq, or } from 'drizzle-orm';
import type { Reader, Tx } from '@pay/shared/postgres/db.ts';
import { declinedCards } from './declined-cards-schema.ts';

/** A card that the bank declined while the buyer could try another one. */
export type DeclinedCard = Readonly<typeof declinedCards.$inferSelect>;

export async function insertDeclinedCard(tx: Tx, card: DeclinedCard): Promise<void> {
  await tx.insert(declinedCards).values(card);
}

/** The declined cards of a payment, first to last. */
export async function listDeclinedCards(reader: Reader, paymentId: string): Promise<DeclinedCard[]> {
  return reader.select().from(declinedCards).where(eq(declinedCards.paymentId, paymentId)).orderBy(asc(declinedCards.attempt));
}

/** An order as the bank names it: of a card that was declined, or of the payment's present card. */
export type NamedOrder =
  | { readonly kind: 'declined'; readonly card: DeclinedCard }
  | { readonly kind: 'present'; readonly paymentId: string };

/** Which order has this operation id. One that is no declined card's is taken for a payment's own. */
export async function findNamedOrder(reader: Reader, operationId: string): Promise<NamedOrder> {
  const found = await reader
    .select()
    .from(declinedCards)
    .where(or(eq(declinedCards.operationId, operationId), eq(declinedCards.nextOperationId, operationId)));
  const card = found.find((one) => one.operationId === operationId);
  if (card !== undefined) return { kind: 'declined', card };
  return { kind: 'present', paymentId: found[0]?.paymentId ?? operationId };
}
