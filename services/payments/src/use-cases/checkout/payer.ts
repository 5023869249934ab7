import { createHash, timingSafeEqual } from 'node:crypto';
import type { Payment } from '../../db/payment/payments.ts';

/** The hash of a browser's payer key: enough to recognise the browser, but not to impersonate it. */
export function payerKeySha256(payerKey: string | undefined): string | null {
  return payerKey === undefined ? null : createHash('sha256').update(payerKey).digest('hex');
}

/** Whether this is the browser that sent the payment's card. */
export function isPayer({ payerKeySha256: kept }: Payment, payerKey: string | undefined): boolean {
  const given = payerKeySha256(payerKey);
  return kept !== null && given !== null && timingSafeEqual(Buffer.from(kept), Buffer.from(given));
}
