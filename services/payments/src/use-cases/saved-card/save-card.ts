import { cardExpiry, cardMask, type PaymentCompleted } from '@pay/contract/messages.ts';
import type { Tx } from '@pay/shared/postgres/db.ts';
import { decrypt, encrypt } from '@pay/shared/encryption/encryption.ts';
import type { Payment } from '../../db/payment/payments.ts';
import { insertSavedCard, type SavedCard } from '../../db/saved-card/saved-cards.ts';
import type { Deps } from '../../deps.ts';
import type { CardFacts } from '../../domain/acquiring/acquirer-result.ts';

/** The fields of `payment.completed` about a saved card. */
export type SavedCardFact = NonNullable<PaymentCompleted['savedCard']>;

/** Binds a token to its binding: copied to another row, it cannot be decrypted. */
export const cardTokenContext = (bindingId: string): string => `card-token:${bindingId}`;

/**
 * Saves the card of a payment that is being booked, in the same transaction. Undefined if there is nothing to save:
 * the buyer did not agree, or the bank returned no token (then there is no binding, and the payment is an ordinary one).
 */
export async function saveCard(
  deps: Deps,
  tx: Tx,
  payment: Payment,
  card: CardFacts,
): Promise<SavedCardFact | undefined> {
  const { bindingId, consentId, savePeriod: period, customerId } = payment;
  // Only a given consent has an id (a constraint of the table).
  if (bindingId === null || consentId === null || period === null) return undefined;
  if (card.token === null) {
    deps.log.error('the bank returned no token for a card to be saved', { paymentId: payment.paymentId });
    return undefined;
  }
  const mask = cardMask.safeParse(card.mask ?? payment.cardMask);
  const expiry = cardExpiry.safeParse(card.expiry ?? payment.cardExpiry);
  await insertSavedCard(tx, {
    bindingId,
    partnerId: payment.partnerId,
    customerId,
    paymentId: payment.paymentId,
    paymentPointId: payment.paymentPointId,
    cardTokenEncrypted: encrypt(deps.encryptionKeys, Buffer.from(card.token), cardTokenContext(bindingId)),
    cardMask: mask.success ? mask.data : null,
    cardExpiry: expiry.success ? expiry.data : null,
  });
  return {
    bindingId,
    consentId,
    customerId,
    period,
    ...(mask.success ? { cardMask: mask.data } : {}),
    ...(expiry.success ? { cardExpiry: expiry.data } : {}),
  };
}

/** Decrypts the bank's token of a saved card, to send it to the bank. */
export function tokenOf(deps: Deps, card: SavedCard): string {
  return decrypt(deps.encryptionKeys, card.cardTokenEncrypted, cardTokenContext(card.bindingId)).toString();
}
