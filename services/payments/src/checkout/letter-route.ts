import type { RequestHandler } from 'express';
import { link, paths } from './links.ts';
import { renderEndPage } from './pages/end-page.ts';
import type { LetterTrouble } from './pages/letter-part.ts';
import type { CheckoutPort } from './port.ts';
import { readEmail } from './read-email.ts';
import { findPayment, formFields, readerOf } from './request.ts';

/** What is shown again of a wrong address: no address is longer. */
const TYPED_CHARACTERS_MAX = 254;

/**
 * POST of the address for a payment confirmation. 400 with the form for a wrong one, 429 beyond a limit; otherwise a redirect to the result, so
 * that a reload asks for nothing.
 */
export function takeLetterRequest(port: CheckoutPort): RequestHandler {
  return async (req, res) => {
    const reader = readerOf(req);
    const payment = await findPayment(port, req);
    const typed = formFields(req).get('email') ?? '';
    const next = link(paths.result(payment.checkoutToken), reader.language);
    if (payment.letters === undefined) {
      res.redirect(303, next);
      return;
    }
    const refuse = (status: number, problem: LetterTrouble['problem']) => {
      const trouble = { problem, typed: typed.slice(0, TYPED_CHARACTERS_MAX) };
      res
        .status(status)
        .type('html')
        .send(renderEndPage(reader, payment, 'paid', { from: 'result', trouble }));
    };
    const address = readEmail(typed);
    if (address === undefined) {
      refuse(400, 'address');
      return;
    }
    const { language } = reader.language;
    const outcome = await port.askForLetter({ checkoutToken: payment.checkoutToken, address, language });
    if (outcome === 'too-many') refuse(429, 'tooMany');
    else res.redirect(303, next);
  };
}
