import { randomUUIDv7 } from 'node:crypto';
import type { ConsentGiven } from '@pay/contract/messages.ts';
import type { Tx } from '@pay/shared/postgres/db.ts';
import { appendToOutbox } from '@pay/shared/outbox/outbox.ts';
import type { Payment, PaymentChange } from '../../db/payment/payments.ts';
import type { MerchantConsent, Saving } from '../../domain/saved-card/saving.ts';

/** New ids for a consent given now, and for the binding that it creates if the payment succeeds. */
export const givenConsent = () => ({ consent: 'GIVEN', consentId: randomUUIDv7(), bindingId: randomUUIDv7() }) as const;

/** The consent columns of a new payment that is to save its card: the buyer has yet to be asked, or the shop has asked. */
export function consentOf({ period, merchant }: Saving): PaymentChange {
  return merchant === undefined
    ? { savePeriod: period, consentCapture: 'SERVICE', consent: 'AWAITED' }
    : { savePeriod: period, consentCapture: 'MERCHANT', ...givenConsent() };
}

/** What our own page showed when the buyer ticked the box, and from where they did. */
export type ShownConsent = {
  /** The exact text that the buyer saw. */
  readonly text: string;
  readonly version: string;
  /** Lowercase hex SHA-256 of the text. */
  readonly sha256: string;
  readonly address: string | undefined;
  readonly userAgent: string | undefined;
};

/** Publishes `consent.given` with the evidence of our own page, in the transaction of the consent. */
export async function publishShownConsent(
  tx: Tx,
  payment: Payment,
  storeName: string | undefined,
  { text, version, sha256, address, userAgent, acceptedAt }: ShownConsent & { readonly acceptedAt: Date },
): Promise<void> {
  await tell(tx, payment, acceptedAt, {
    ...(storeName === undefined ? {} : { storeName }),
    text,
    version,
    sha256,
    acceptedAt: acceptedAt.toISOString(),
    ...(address === undefined ? {} : { address }),
    ...(userAgent === undefined ? {} : { userAgent }),
  });
}

/** Publishes `consent.given` with the shop's evidence, in the transaction that inserts the payment. */
export async function publishMerchantConsent(
  tx: Tx,
  payment: Payment,
  storeName: string | undefined,
  { reference, version, acceptedAt, evidenceHash }: MerchantConsent,
): Promise<void> {
  await tell(tx, payment, payment.createdAt, {
    ...(storeName === undefined ? {} : { storeName }),
    text: null,
    version,
    sha256: evidenceHash,
    reference,
    acceptedAt: acceptedAt.toISOString(),
  });
}

type Evidence = Omit<ConsentGiven, 'consentId' | 'bindingId' | 'paymentId' | 'partnerId' | 'customerId' | 'period' | 'capture'>;

async function tell(tx: Tx, payment: Payment, occurredAt: Date, evidence: Evidence): Promise<void> {
  const { consentId, bindingId, paymentId, partnerId, customerId, savePeriod: period, consentCapture } = payment;
  if (consentId === null || bindingId === null || period === null || consentCapture === null) {
    throw new Error('a consent was published that was not given');
  }
  const payload: ConsentGiven = {
    consentId,
    bindingId,
    paymentId,
    partnerId,
    customerId,
    period,
    capture: consentCapture,
    ...evidence,
  };
  // With the payment's id, so that it is published before the `payment.completed` that creates the binding.
  await appendToOutbox(tx, { type: 'consent.given', aggregateId: paymentId, occurredAt, payload });
}
