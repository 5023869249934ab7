import type { RequestHandler } from 'express';
import { link, paths } from './links.ts';
import { pageOf } from './page-of.ts';
import { renderCardPage } from './pages/card-page.ts';
import { renderQrPage } from './pages/qr-page.ts';
import type { CheckoutPort } from './port.ts';
import { findPayment, formFields, readerOf } from './request.ts';
import { WAY_TEXTS } from './texts/way.ts';

/**
 * POST of the other way to pay: a redirect to the payment's page, which shows it. If the bank does not answer, 503 with the page as it was,
 * which says so.
 */
export function takeWay(port: CheckoutPort): RequestHandler {
  return async (req, res) => {
    const reader = readerOf(req);
    const payment = await findPayment(port, req);
    const { checkoutToken } = payment;
    const fields = formFields(req);
    const way = fields.get('to') === 'SBP' ? 'SBP' : 'CARD';
    const ordersLeft = Number(fields.get('left') ?? 0);
    const outcome = await port.chooseWay({ checkoutToken, way, ordersLeft });
    const page = pageOf(payment);
    if (outcome !== 'unanswered' || (page !== 'card' && page !== 'qr')) {
      res.redirect(303, link(paths.payment(checkoutToken), reader.language));
      return;
    }
    res.status(503).set('Retry-After', '60').type('html');
    if (page === 'card') res.send(renderCardPage(reader, payment, { kind: 'sbp-unavailable' }));
    else res.send(renderQrPage(reader, payment, 'payment', WAY_TEXTS[reader.texts.language].notWithdrawn));
  };
}
