import { cardExpiry, cardMask, type PaymentCompleted } from '@pay/contract/messages.ts';
import { decrypt, encrypt } from '@pay/shared/encryption/encryption.ts';
import type { Payment } from '../../db/payment/payments.ts';
import type { NewSavedCard, SavedCard } from '../../db/saved-card/saved-cards.ts';
import type { Deps } from '../../deps.ts';
import type { CardFacts } from '../../domain/acquiring/acquirer-result.ts';

/** The fields of `payment.completed` about a saved card. */
export type SavedCardFact = NonNullable<PaymentCompleted['savedCard']>;

/** Binds a token to its binding: copied to another row, it cannot be decrypted. */
export const cardTokenContext = (bindingId: string): string => `card-token:${bindingId}`;

/**
 * The card to save with a payment that is being booked. Undefined if there is nothing to save: the buyer did not agree, or the bank
 * returned no token (then there is no binding, and the payment is an ordinary one).
 */
export function savedCardOf(
  deps: Deps,
  payment: Payment,
  card: CardFacts,
): { readonly row: NewSavedCard; readonly fact: SavedCardFact } | undefined {
  const { bindingId, consentId, savePeriod: period, customerId } = payment;
  // Only a given consent has an id (a constraint of the table).
  if (bindingId === null || consentId === null || period === null) return undefined;
  if (card.token === null) {
    deps.log.error('the bank returned no token for a card to be saved', { paymentId: payment.paymentId });
    return undefined;
  }
  const mask = cardMask.safeParse(card.mask ?? payment.cardMask);
  const expiry = cardExpiry.safeParse(card.expiry ?? payment.cardExpiry);
  const row = {
    bindingId,
    partnerId: payment.partnerId,
    customerId,
    paymentId: payment.paymentId,
    paymentPointId: payment.paymentPointId,
    cardTokenEncrypted: encrypt(deps.encryptionKeys, Buffer.from(card.token), cardTokenContext(bindingId)),
    cardMask: mask.success ? mask.data : null,
    cardExpiry: expiry.success ? expiry.data : null,
  };
  const fact = {
    bindingId,
    consentId,
    customerId,
    period,
    ...(mask.success ? { cardMask: mask.data } : {}),
    ...(expiry.success ? { cardExpiry: expiry.data } : {}),
  };
  return { row, fact };
}

/** Decrypts the bank's token of a saved card, to send it to the bank. */
export function tokenOf(deps: Deps, card: SavedCard): string {
  return decrypt(deps.encryptionKeys, card.cardTokenEncrypted, cardTokenContext(card.bindingId)).toString();
}
