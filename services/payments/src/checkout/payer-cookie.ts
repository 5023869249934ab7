import { randomBytes } from 'node:crypto';
import type { Request, Response } from 'express';
import { SHOWN_AFTER_SESSION_MS, type CheckoutPayment } from '../use-cases/checkout/open-checkout.ts';
import { paths } from './links.ts';

/** 32 random bytes, of which only the hash is stored. */
const PAYER = /(?:^|; ?)payer=([\w-]{43})(?:;|$)/;

/** The key that this browser presents on the pages of one payment. */
export function payerKeyOf(req: Request): string | undefined {
  return PAYER.exec(req.headers.cookie ?? '')?.[1];
}

/**
 * Sets a cookie that identifies a browser that is about to send a card. It is sent to this payment's pages only, is hidden from
 * scripts, and lives as long as the pages. Lax: it is sent when the bank's page leads back.
 */
export function markBrowser(req: Request, res: Response, payment: CheckoutPayment, isHttps: boolean): void {
  if (payerKeyOf(req) !== undefined) return;
  const { checkoutToken, expiresAt, now } = payment;
  const seconds = Math.floor((expiresAt.getTime() - now.getTime() + SHOWN_AFTER_SESSION_MS) / 1_000);
  const value = randomBytes(32).toString('base64url');
  const secure = isHttps ? '; Secure' : '';
  const attributes = `Path=${paths.payment(checkoutToken)}; Max-Age=${String(seconds)}; HttpOnly; SameSite=Lax${secure}`;
  res.append('Set-Cookie', `payer=${value}; ${attributes}`);
}
