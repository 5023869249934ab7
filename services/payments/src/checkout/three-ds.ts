import type { RequestHandler, Response } from 'express';
import type { CheckoutPayment } from '../use-cases/checkout/open-checkout.ts';
import { languageOf } from './language.ts';
import { link, paths, webAddress } from './links.ts';
import { PAGE_HEADERS } from './page-headers.ts';
import type { CheckoutPort } from './port.ts';
import { findPayment } from './request.ts';

/**
 * POST that the issuer's 3-D Secure page makes the buyer's browser send. It is another site's form and has to be; nothing
 * in it is read, the bank is asked. Then a redirect, as from any bank's page.
 */
export function takeThreeDsReturn(port: CheckoutPort): RequestHandler {
  return async (req, res) => {
    const { checkoutToken } = await findPayment(port, req);
    await port.confirmThreeDs(checkoutToken);
    res.redirect(303, link(paths.returned(checkoutToken), languageOf(req)));
  };
}

/** The issuer's page wants a form (CReq): then, and only then, a form of ours may lead to it. */
export function allowFormToBank(res: Response, { acsUrl, acsRequest }: CheckoutPayment): void {
  const bank = acsRequest === undefined ? undefined : webAddress(acsUrl);
  if (bank === undefined) return;
  const policy = PAGE_HEADERS['Content-Security-Policy'];
  res.set(
    'Content-Security-Policy',
    policy.replace("form-action 'self'", `form-action 'self' ${new URL(bank).origin}`),
  );
}
