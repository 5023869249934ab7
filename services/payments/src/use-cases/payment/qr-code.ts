import { whyHeld } from '../../db/payment/standings.ts';
import type { Payment } from '../../db/payment/payments.ts';
import type { Deps } from '../../deps.ts';
import { isOpen } from '../../domain/payment/payment-status.ts';
import { qrImage } from './qr-image.ts';

/** What a partner shows a buyer: the bank's link, and the same link as a QR code (a PNG data URI). */
export type QrCode = { readonly nspkurl: string; readonly qrImage: string };

/**
 * The QR code of a payment while it may be paid: not after the payment has ended, and not while its partner, point or route is
 * suspended or closed, when nothing new is accepted (spec/findings#m4). A buyer who scanned it earlier can still pay at the bank.
 */
export async function qrCode(deps: Deps, payment: Payment): Promise<QrCode | undefined> {
  const { nspkUrl, status } = payment;
  if (nspkUrl === null || !isOpen(status) || (await whyHeld(deps.db, payment)) !== undefined) return undefined;
  return { nspkurl: nspkUrl, qrImage: await qrImage(nspkUrl) };
}
