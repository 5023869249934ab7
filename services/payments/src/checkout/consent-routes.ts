import { randomBytes } from 'node:crypto';
import type { Request, RequestHandler } from 'express';
import { containsCardData } from '@pay/shared/content/card-data.ts';
import { clientAddress } from '@pay/shared/net/client-address.ts';
import type { CheckoutPayment } from '../use-cases/checkout/open-checkout.ts';
import type { ShownConsent } from '../use-cases/saved-card/publish-consent.ts';
import { consentDocument, type ConsentDocument } from './consent/consent-document.ts';
import { LANGUAGES, type Language } from '../wording/language.ts';
import { link, paths } from './links.ts';
import { renderConsentPage, renderConsentTextPage } from './pages/consent-page.ts';
import type { CheckoutPort } from './port.ts';
import { findPayment, formFields, readerOf, tokenOf } from './request.ts';

/**
 * Set on every page that follows the question. Chromium keeps a left page in memory in spite of `no-store`, and restores
 * it with its box ticked, until a cookie of the site changes. The script clears the box; without scripts,
 * this cookie makes the browser discard the page. It carries no information, is never read, and expires after a second.
 */
export const forgetEarlierPages: RequestHandler = (req, res, next) => {
  const value = randomBytes(8).toString('base64url');
  res.set('Set-Cookie', `left=${value}; Path=${paths.payment(tokenOf(req))}; Max-Age=1; HttpOnly; SameSite=Strict`);
  next();
};

/** GET: the question, asked first or again; a redirect to the payment's page if there is nothing left to ask. */
export function showConsent(port: CheckoutPort): RequestHandler {
  return async (req, res) => {
    const [reader, payment] = [readerOf(req), await findPayment(port, req)];
    const document = documentOf(payment, reader.language.language);
    if (document === undefined) res.redirect(303, link(paths.payment(payment.checkoutToken), reader.language));
    else res.type('html').send(renderConsentPage(reader, payment, document));
  };
}

/** GET: the full text. */
export function showConsentText(port: CheckoutPort): RequestHandler {
  return async (req, res) => {
    const [reader, payment] = [readerOf(req), await findPayment(port, req)];
    const document = documentOf(payment, reader.language.language);
    if (document === undefined) res.redirect(303, link(paths.payment(payment.checkoutToken), reader.language));
    else res.type('html').send(renderConsentTextPage(reader, payment, document));
  };
}

/**
 * POST of the answer. A tick counts only for the exact text beside it, in either language; if the text has changed since,
 * the question is asked again (409). Ends with a redirect, so that a second click and a reload do no harm.
 */
export function takeConsent(port: CheckoutPort): RequestHandler {
  return async (req, res) => {
    const [reader, payment, fields] = [readerOf(req), await findPayment(port, req), formFields(req)];
    const present = documentOf(payment, reader.language.language);
    if (present !== undefined) {
      const isTicked = fields.get('agree') === 'yes';
      const shown = LANGUAGES.map((language) => documentOf(payment, language)).find((document) => document?.sha256 === fields.get('text'));
      if (isTicked && shown === undefined) {
        res
          .status(409)
          .type('html')
          .send(renderConsentPage(reader, payment, present, true));
        return;
      }
      const agreed = isTicked && shown !== undefined ? evidenceOf(port, req, shown) : undefined;
      await port.answerConsent({ checkoutToken: payment.checkoutToken, agreed });
    }
    res.redirect(303, link(paths.payment(payment.checkoutToken), reader.language));
  };
}

/** The question for the buyer of this payment; undefined if there is nothing to ask. */
export function documentOf({ saving, storeName }: CheckoutPayment, language: Language): ConsentDocument | undefined {
  return saving?.canAnswer === true ? consentDocument(language, { shop: storeName, period: saving.period }) : undefined;
}

/** Real user agents have a few hundred characters. */
const USER_AGENT_CHARACTERS_MAX = 512;

function evidenceOf(port: CheckoutPort, req: Request, { text, version, sha256 }: ConsentDocument): ShownConsent {
  const userAgent = req.headers['user-agent']?.slice(0, USER_AGENT_CHARACTERS_MAX);
  return {
    text,
    version,
    sha256,
    address: clientAddress(req, port.proxies),
    userAgent: userAgent === undefined || containsCardData(userAgent) ? undefined : userAgent,
  };
}
