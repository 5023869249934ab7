import { ApiError } from '@pay/shared/errors/api-error.ts';
import { rawBody } from '@pay/shared/http/app.ts';
import { isUtf8Of } from '@pay/shared/http/media-type.ts';
import { limitedSource } from '@pay/shared/net/client-address.ts';
import type { Request, RequestHandler, Response } from 'express';
import type { CheckoutPayment } from '../use-cases/checkout/open-checkout.ts';
import { languageOf } from './language.ts';
import { paths, savedCardPaths } from './links.ts';
import { renderErrorPage } from './pages/error-page.ts';
import type { Reader } from './pages/layout.ts';
import { payerKeyOf } from './payer-cookie.ts';
import type { CheckoutPort } from './port.ts';
import { isFromOurPage, isVisit } from './same-origin.ts';
import { TEXTS, type Failure } from './texts/texts.ts';

/** The texts and language for the answer. */
export function readerOf(req: Request): Reader {
  const language = languageOf(req);
  return { texts: TEXTS[language.language], language };
}

/** The format of a token; anything else is unknown without a query. */
const TOKEN = /^[\w-]{16,128}$/;

/** The checkout token in the path. @throws ApiError NOT_FOUND if it cannot be one */
export function tokenOf(req: Request): string {
  const token = req.params['token'];
  if (typeof token !== 'string' || !TOKEN.test(token)) throw new ApiError('NOT_FOUND');
  return token;
}

/** The source by which the limits count a request. */
export function sourceOf({ proxies }: CheckoutPort, req: Request): string {
  return limitedSource(req, proxies);
}

/** @throws ApiError RATE_LIMITED if a limit returned when to try again */
export function refuseFor(retryAfterSeconds: number | undefined): void {
  if (retryAfterSeconds !== undefined) throw new ApiError('RATE_LIMITED', { retryAfterSeconds });
}

/** Runs before every route except the files of the pages (spec/findings#m8). */
export function limitRequests(port: CheckoutPort): RequestHandler {
  return (req, _res, next) => {
    refuseFor(port.limits.request(sourceOf(port, req)));
    next();
  };
}

/** Runs before a route that always asks a bank. */
export function limitBankAsks(port: CheckoutPort): RequestHandler {
  return (req, _res, next) => {
    refuseFor(port.limits.bankAsk(sourceOf(port, req)));
    next();
  };
}

/**
 * The payment in the path.
 * @throws ApiError NOT_FOUND if there is none, RATE_LIMITED for a source that guesses links
 */
export async function findPayment(port: CheckoutPort, req: Request): Promise<CheckoutPayment> {
  const token = tokenOf(req);
  const source = sourceOf(port, req);
  refuseFor(port.limits.lookUp(source, token));
  const payment = await port.openCheckout(token, payerKeyOf(req));
  if (payment === undefined) throw new ApiError('NOT_FOUND');
  port.limits.found(source, token);
  return payment;
}

const FORM = 'application/x-www-form-urlencoded';

/** The fields of a posted form. @throws ApiError UNSUPPORTED_MEDIA_TYPE for any other body */
export function formFields(req: Request): URLSearchParams {
  const body = rawBody(req);
  if (body.length > 0 && !isUtf8Of(FORM, req.headers['content-type'])) throw new ApiError('UNSUPPORTED_MEDIA_TYPE');
  return new URLSearchParams(body.toString('utf8'));
}

/** Runs before every route that takes a form: a form from another site's page is refused with a page, 403. */
export const onlyFromOurPage: RequestHandler = (req, res, next) => {
  if (isFromOurPage(req)) next();
  else refuseForeign(req, res);
};

/**
 * Runs before the routes to which a bank's page sends a buyer: only top-level navigations are accepted
 * (spec/findings#m7).
 */
export const onlyVisits: RequestHandler = (req, res, next) => {
  if (isVisit(req)) next();
  else refuseForeign(req, res);
};

function refuseForeign(req: Request, res: Response): void {
  sendErrorPage(req, res.status(403), readerOf(req).texts.notFromOurPage);
}

/** Whether the card page's script sent this form: it shows the answer itself (decisions/checkout). */
export function asksForJson(req: Request): boolean {
  return new URLSearchParams(rawBody(req).toString('utf8')).get('answer') === 'json';
}

/** Answers with an error page, or with its words as `trouble` if JSON was asked for. `reference` identifies the request in the logs. */
export function sendErrorPage(req: Request, res: Response, words: { readonly title: string } & Failure, reference?: string): void {
  const reader = readerOf(req);
  if (asksForJson(req)) {
    const name = reference === undefined ? '' : ` ${reader.texts.reference}: ${reference}`;
    res.json({ trouble: `${words.what} ${words.advice}${name}` });
  } else {
    res.type('html').send(renderErrorPage(reader, words, ownPathOf(req), reference));
  }
}

/** Where the language switch of an error page leads: never to text that a stranger put into the address. */
function ownPathOf(req: Request): string {
  const [, kind, token] = /^\/(pay|saved-card)\/([\w.-]{16,128})(?:\/|$)/.exec(req.path) ?? [];
  if (token === undefined) return '/';
  return kind === 'pay' ? paths.payment(token) : savedCardPaths.card(token);
}
