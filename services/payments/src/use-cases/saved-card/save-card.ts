import { cardExpiry, cardMask, type PaymentCompleted } from '@pay/contract/messages.ts';
import type { Tx } from '@pay/shared/postgres/db.ts';
import { decrypt, encrypt } from '@pay/shared/encryption/encryption.ts';
import type { Payment } from '../../db/payment/payments.ts';
import { insertSavedCard, type SavedCard } from '../../db/saved-card/saved-cards.ts';
import type { Deps } from '../../deps.ts';
import type { CardFacts } from '../../domain/acquiring/acquirer-result.ts';

/** What `payment.completed` says about a card that was saved. */
export type SavedCardFact = NonNullable<PaymentCompleted['savedCard']>;

/** A token is good for its own binding only: moved to another row it does not open. */
export const cardTokenContext = (bindingId: string): string => `card-token:${bindingId}`;

/**
 * Saves the card of a payment that is being booked, in the same transaction. Undefined when there is nothing to save:
 * the buyer did not agree, or the bank gave no token (then no binding comes to be, and the payment is an ordinary one).
 */
export async function saveCard(
  deps: Deps,
  tx: Tx,
  payment: Payment,
  card: CardFacts,
): Promise<SavedCardFact | undefined> {
  const { bindingId, consentId, savePeriod: period, customerId } = payment;
  // A consent that is given, and only that, has an id (a constraint of the table).
  if (bindingId === null || consentId === null || period === null) return undefined;
  if (card.token === null) {
    deps.log.error('the bank gave no token for a card that was to be saved', { paymentId: payment.paymentId });
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

/** The bank's token of a saved card, in memory on its way to the bank. */
export function tokenOf(deps: Deps, card: SavedCard): string {
  return decrypt(deps.encryptionKeys, card.cardTokenEncrypted, cardTokenContext(card.bindingId)).toString();
}
