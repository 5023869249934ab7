import type { Request, RequestHandler, Response } from 'express';
import type { SavedCardAnswer, SavedCardElsewhere } from '../use-cases/saved-card/open-saved-card.ts';
import { link, savedCardPaths } from './links.ts';
import { renderErrorPage } from './pages/error-page.ts';
import { renderCardNotYetPage, renderSavedCardPage } from './pages/saved-card-page.ts';
import type { CheckoutPort } from './port.ts';
import { readerOf } from './request.ts';

/** GET: the saved card behind a buyer's link. */
export function showSavedCard(port: CheckoutPort): RequestHandler {
  return async (req, res) => {
    const savedCardLink = linkOf(req);
    const answer = await port.openSavedCard(savedCardLink);
    if (answer === 'not-yet') res.type('html').send(renderCardNotYetPage(readerOf(req), savedCardLink));
    else if (typeof answer === 'string') refuse(req, res, answer);
    else if ('checkoutUrl' in answer) redirectTo(req, res, answer);
    else res.type('html').send(renderSavedCardPage(readerOf(req), answer));
  };
}

/** POST of "stop charges". Repeating it changes nothing; the page afterwards shows the state. */
export function takeRevocation(port: CheckoutPort): RequestHandler {
  return async (req, res) => {
    const savedCardLink = linkOf(req);
    const answer = await port.revokeSavedCard(savedCardLink);
    if (answer === 'unknown' || answer === 'unavailable') refuse(req, res, answer);
    else if (typeof answer !== 'string' && 'checkoutUrl' in answer) redirectTo(req, res, answer);
    else res.redirect(303, link(savedCardPaths.card(savedCardLink), readerOf(req).language));
  };
}

/** The link as received: the use case checks whether we signed it. */
function linkOf(req: Request): string {
  const { link: text } = req.params;
  return typeof text === 'string' ? text : '';
}

/** The same card at the checkout that has it now. */
function redirectTo(req: Request, res: Response, { checkoutUrl }: SavedCardElsewhere): void {
  res.redirect(303, `${checkoutUrl}${link(savedCardPaths.card(linkOf(req)), readerOf(req).language)}`);
}

function refuse(req: Request, res: Response, why: Extract<SavedCardAnswer, 'unknown' | 'unavailable'>): void {
  const reader = readerOf(req);
  const path = why === 'unknown' ? '/' : savedCardPaths.card(linkOf(req));
  if (why === 'unavailable') res.set('Retry-After', '60');
  res
    .status(why === 'unknown' ? 404 : 503)
    .type('html')
    .send(renderErrorPage(reader, reader.texts.savedCard[why], path));
}
