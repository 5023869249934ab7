import type { RequestHandler, Response } from 'express';
import type { CheckoutPayment } from '../use-cases/checkout/open-checkout.ts';
import { languageOf } from './language.ts';
import { link, paths, webAddress } from './links.ts';
import { PAGE_HEADERS } from './page-headers.ts';
import type { CheckoutPort } from './port.ts';
import { findPayment } from './request.ts';

/**
 * POST that the issuer's 3-D Secure page makes the buyer's browser send. It is necessarily another site's form; nothing
 * in it is read, and the bank is asked instead. Ends with a redirect, as after any bank page.
 */
export function takeThreeDsReturn(port: CheckoutPort): RequestHandler {
  return async (req, res) => {
    const { checkoutToken } = await findPayment(port, req);
    await port.confirmThreeDs(checkoutToken);
    res.redirect(303, link(paths.returned(checkoutToken), languageOf(req)));
  };
}

/** Allows our form to post to the issuer's page, but only if that page needs one (CReq). */
export function allowFormToBank(res: Response, { acsUrl, acsRequest }: CheckoutPayment): void {
  const bank = acsRequest === undefined ? undefined : webAddress(acsUrl);
  if (bank === undefined) return;
  const policy = PAGE_HEADERS['Content-Security-Policy'];
  res.set('Content-Security-Policy', policy.replace("form-action 'self'", `form-action 'self' ${new URL(bank).origin}`));
}
