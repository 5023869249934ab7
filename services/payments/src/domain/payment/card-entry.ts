import type { PaymentMethod, PaymentStatus } from '@pay/contract/states.ts';
import { awaitsConsent, type Consent } from './consent.ts';
import { awaitsNextOrder } from './next-card.ts';

type CardEntry = {
  readonly method: PaymentMethod;
  readonly status: PaymentStatus;
  readonly cardSentAt: Date | null;
  readonly expiresAt: Date;
  readonly consent: Consent | null;
};

/**
 * Whether the buyer may enter a card at `now`: the order is registered, the payment is within its session, and no card is under way.
 */
export function canEnterCard(
  payment: CardEntry & {
    readonly operationId: string | null;
    readonly bankOperationId: string | null;
    readonly isSbpOrder: boolean;
  },
  now: Date,
): boolean {
  return (
    payment.method === 'CARD' &&
    !payment.isSbpOrder &&
    payment.status === 'SUBMITTED' &&
    payment.cardSentAt === null &&
    !awaitsNextOrder(payment) &&
    now < payment.expiresAt
  );
}

/**
 * Whether the partner may cancel the payment: it is open, and no card is under way at the bank. A buyer who has seen a QR code
 * may still pay it; only the bank knows.
 */
export function isCancellable({ status, cardSentAt }: Pick<CardEntry, 'status' | 'cardSentAt'>): boolean {
  return (status === 'CREATED' || status === 'SUBMITTED') && cardSentAt === null;
}

/** Whether the buyer can still use the checkout page at `now`. */
export function isCheckoutUsable(payment: CardEntry, now: Date): boolean {
  const waiting = payment.status === 'SUBMITTED' || payment.status === 'PENDING' || awaitsConsent(payment);
  return payment.method !== 'CARD_BINDING' && waiting && now < payment.expiresAt;
}
