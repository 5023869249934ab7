import type { PaymentStatus } from '@pay/contract/states.ts';
import { isOpen } from './payment-status.ts';

/**
 * Who asks the buyer whether the card may be saved: our own page, or the shop. See
 * spec/service-contract#recurringconsent/capture.
 */
export type ConsentCapture = 'SERVICE' | 'MERCHANT';

/** AWAITED: the buyer has not answered yet. DECLINED: the buyer left the box empty and pays once. */
export type Consent = 'AWAITED' | 'GIVEN' | 'DECLINED';

type Asked = {
  readonly status: PaymentStatus;
  readonly consent: Consent | null;
  readonly consentCapture: ConsentCapture | null;
  readonly cardSentAt: Date | null;
  readonly expiresAt: Date;
};

/**
 * Whether the buyer may answer at `now`, or change an earlier answer: on our own page, within the session, until a
 * card has been sent. A consent that the shop captured is not changed here.
 */
export function canAnswerConsent(payment: Asked, now: Date): boolean {
  const isEarly = payment.status === 'CREATED' || payment.status === 'SUBMITTED';
  return payment.consentCapture === 'SERVICE' && isEarly && payment.cardSentAt === null && now < payment.expiresAt;
}

/** Whether the payment waits for the buyer's answer. It is registered at the bank only after that. */
export function awaitsConsent(payment: Pick<Asked, 'status' | 'consent'>): boolean {
  return isOpen(payment.status) && payment.consent === 'AWAITED';
}
