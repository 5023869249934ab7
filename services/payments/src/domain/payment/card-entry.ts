import type { PaymentMethod, PaymentStatus } from '@pay/contract/states.ts';
import { awaitsConsent, type Consent } from './consent.ts';

type CardEntry = {
  readonly method: PaymentMethod;
  readonly status: PaymentStatus;
  readonly cardSentAt: Date | null;
  readonly expiresAt: Date;
  readonly consent: Consent | null;
};

/** Whether the buyer may type a card at `now`: registered, within its session, and no card is on its way. */
export function canEnterCard(payment: CardEntry, now: Date): boolean {
  return (
    payment.method === 'CARD' &&
    payment.status === 'SUBMITTED' &&
    payment.cardSentAt === null &&
    now < payment.expiresAt
  );
}

/**
 * Whether its partner may end it: open, and no card is under way at the bank. Somebody may have seen a code and pay it all
 * the same: only the bank knows.
 */
export function isCancellable({ status, cardSentAt }: Pick<CardEntry, 'status' | 'cardSentAt'>): boolean {
  return (status === 'CREATED' || status === 'SUBMITTED') && cardSentAt === null;
}

/** Whether its page on the checkout is still of use to the buyer at `now`. */
export function isCheckoutUsable(payment: CardEntry, now: Date): boolean {
  const waiting = payment.status === 'SUBMITTED' || payment.status === 'PENDING' || awaitsConsent(payment);
  return payment.method !== 'CARD_BINDING' && waiting && now < payment.expiresAt;
}
