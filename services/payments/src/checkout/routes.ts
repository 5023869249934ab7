import type { ApiError } from '@pay/shared/errors/api-error.ts';
import { createApp } from '@pay/shared/http/app.ts';
import type { Express, Request, RequestHandler, Response } from 'express';
import type { CheckoutPayment } from '../use-cases/checkout/open-checkout.ts';
import { serveAsset } from './assets.ts';
import { documentOf, forgetEarlierPages, showConsent, showConsentText, takeConsent } from './consent-routes.ts';
import { CSP_REPORTS, takeCspReports } from './csp-reports.ts';
import { languageOf } from './language.ts';
import { link, paths, savedCardPaths } from './links.ts';
import { PAGE_HEADERS, pageHeaders } from './page-headers.ts';
import { pageOf } from './page-of.ts';
import { renderCardPage } from './pages/card-page.ts';
import { renderConsentPage } from './pages/consent-page.ts';
import { renderEndPage, type Arrival } from './pages/end-page.ts';
import type { Reader } from './pages/layout.ts';
import { renderQrPage } from './pages/qr-page.ts';
import { renderBankPage, renderWaitPage } from './pages/wait-page.ts';
import { markBrowser } from './payer-cookie.ts';
import type { CheckoutPort } from './port.ts';
import type { Failure } from './texts/texts.ts';
import {
  findPayment,
  limitBankAsks,
  limitRequests,
  onlyFromOurPage,
  onlyVisits,
  readerOf,
  sendErrorPage,
  sourceOf,
  tokenOf,
} from './request.ts';
import { showSavedCard, takeRevocation } from './saved-card-routes.ts';
import { takeCard } from './take-card.ts';
import { takeWay } from './take-way.ts';
import { prepareCard, showMethodFrame, takeMethodNotification } from './three-ds-method.ts';
import { allowFormToBank, takeThreeDsReturn } from './three-ds.ts';

/** The list of the checkout's routes. */
export function createCheckout(port: CheckoutPort): Express {
  return createApp({
    listener: 'form',
    log: port.log,
    requestIdFrom: 'edge',
    onError: renderError,
    routes: (app) => {
      app.use(pageHeaders);
      app.get('/assets/:name', serveAsset);
      app.post(CSP_REPORTS, takeCspReports(port));
      app.use(limitRequests(port));
      app.use(['/pay/:token/consent', '/pay/:token/cancel'], forgetEarlierPages);
      app.get('/pay/:token', showPayment(port, 'payment'));
      app.get('/pay/:token/result', showPayment(port, 'result'));
      app.get('/pay/:token/returned', showPayment(port, 'returned'));
      app.get('/pay/:token/state', onlyFromOurPage, tellState(port));
      app.get('/pay/:token/return', onlyVisits, takeBackFromBank(port));
      app.post('/pay/:token/return', onlyVisits, limitBankAsks(port), takeThreeDsReturn(port));
      app.post('/pay/:token/card/prepare', onlyFromOurPage, limitBankAsks(port), prepareCard(port));
      app.post('/pay/:token/method', onlyFromOurPage, showMethodFrame(port));
      app.post('/pay/:token/method/done', onlyVisits, takeMethodNotification(port));
      app.post('/pay/:token/card', onlyFromOurPage, limitBankAsks(port), takeCard(port));
      app.post('/pay/:token/cancel', onlyFromOurPage, limitBankAsks(port), takeCancellation(port));
      app.post('/pay/:token/way', onlyFromOurPage, limitBankAsks(port), takeWay(port));
      app.get('/pay/:token/consent', showConsent(port));
      app.get('/pay/:token/consent/text', showConsentText(port));
      app.post('/pay/:token/consent', onlyFromOurPage, limitBankAsks(port), takeConsent(port));
      app.get('/saved-card/:link', showSavedCard(port));
      app.post('/saved-card/:link/revoke', onlyFromOurPage, takeRevocation(port));
      // An address that only takes forms was typed or reloaded: the payment's page shows the state.
      app.get(['/pay/:token/card', '/pay/:token/cancel', '/pay/:token/way'], (req, res) => {
        res.redirect(303, link(paths.payment(tokenOf(req)), languageOf(req)));
      });
      app.get('/saved-card/:link/revoke', (req, res) => {
        res.redirect(303, link(savedCardPaths.card(req.params.link), languageOf(req)));
      });
    },
  });
}

/** GET: the page for the payment's state. */
function showPayment(port: CheckoutPort, from: Arrival): RequestHandler {
  return async (req, res) => {
    const payment = await findPayment(port, req);
    allowFormToBank(res, payment);
    if (pageOf(payment) === 'card' && payment.saving?.consent === 'GIVEN') markBrowser(req, res, payment, port.isHttps);
    res.type('html').send(renderPayment(readerOf(req), payment, from));
  };
}

function renderPayment(reader: Reader, payment: CheckoutPayment, from: Arrival): string {
  const name = pageOf(payment);
  switch (name) {
    case 'card':
      return renderCardPage(reader, payment);
    case 'qr':
      return renderQrPage(reader, payment, from);
    case 'bank':
      // If the bank sent the buyer back without a decision, do not send them there again: that would be a redirect loop.
      return from === 'returned' ? renderWaitPage(reader, payment, 'bank') : renderBankPage(reader, payment);
    case 'consent':
      return renderQuestion(reader, payment);
    case 'preparing':
    case 'waiting':
      return renderWaitPage(reader, payment, name);
    default:
      return renderEndPage(reader, payment, name, from);
  }
}

function renderQuestion(reader: Reader, payment: CheckoutPayment): string {
  const document = documentOf(payment, reader.language.language);
  return document === undefined ? renderWaitPage(reader, payment, 'preparing') : renderConsentPage(reader, payment, document);
}

/**
 * GET for the pages' scripts: `page` and `declined` differ from those of the current page if there is something new to see. While
 * a buyer watches, the bank is asked as well (at most once a second, see the use case): the worker's next read may be
 * minutes away.
 */
function tellState(port: CheckoutPort): RequestHandler {
  return async (req, res) => {
    const before = await findPayment(port, req);
    const isWithBank = before.status === 'PENDING' || pageOf(before) === 'qr';
    // Beyond the limit only the worker asks the bank, and the page keeps waiting.
    const mayAsk = isWithBank && port.limits.bankAsk(sourceOf(port, req)) === undefined;
    if (mayAsk) await port.watchBank(before.checkoutToken);
    const payment = mayAsk ? await findPayment(port, req) : before;
    const { status, ordersLeft: declined } = payment;
    res.json({ status, page: pageOf(payment), ...(declined === undefined ? {} : { declined }) });
  };
}

/** GET to which the bank's page sends the buyer: the bank is asked, whatever the address says. */
function takeBackFromBank(port: CheckoutPort): RequestHandler {
  return async (req, res) => {
    const { checkoutToken } = await findPayment(port, req);
    if (port.limits.bankAsk(sourceOf(port, req)) === undefined) await port.returnFromBank(checkoutToken);
    res.redirect(303, link(paths.returned(checkoutToken), languageOf(req)));
  };
}

/** POST of "cancel". */
function takeCancellation(port: CheckoutPort): RequestHandler {
  return async (req, res) => {
    const { checkoutToken } = await findPayment(port, req);
    await port.cancelByBuyer(checkoutToken);
    res.redirect(303, link(paths.payment(checkoutToken), languageOf(req)));
  };
}

/** Answers every error. Sets the headers again, because an unreadable request never reaches the routes. */
function renderError(error: ApiError, req: Request, res: Response): void {
  const { texts } = readerOf(req);
  if (error.retryAfterSeconds !== undefined) res.set('Retry-After', String(error.retryAfterSeconds));
  res.set(PAGE_HEADERS).status(error.status);
  if (error.status >= 500) sendErrorPage(req, res, texts.trouble, String(res.getHeader('X-Request-Id')));
  else sendErrorPage(req, res, wordsFor(error.status, texts));
}

function wordsFor(status: number, texts: Reader['texts']): { readonly title: string } & Failure {
  if (status === 404) return texts.notFound;
  return status === 429 ? texts.tooMany : texts.unreadable;
}
