import { whyHeld } from '../../db/payment/standings.ts';
import type { Payment } from '../../db/payment/payments.ts';
import type { Deps } from '../../deps.ts';
import { isOpen } from '../../domain/payment/payment-status.ts';
import { qrImage } from './qr-image.ts';

/** What a partner shows a buyer to pay by: a link of the bank, and the same as a picture (a PNG data URI). */
export type QrCode = { readonly nspkurl: string; readonly qrImage: string };

/**
 * The code of a payment while it may be paid: not once the payment has ended, and not while its partner, point or route is
 * suspended or closed, where nothing new is taken (spec/findings#m4). A buyer who has scanned it before is the bank's.
 */
export async function qrCode(deps: Deps, payment: Payment): Promise<QrCode | undefined> {
  const { nspkUrl, status } = payment;
  if (nspkUrl === null || !isOpen(status) || (await whyHeld(deps.db, payment)) !== undefined) return undefined;
  return { nspkurl: nspkUrl, qrImage: await qrImage(nspkUrl) };
}
