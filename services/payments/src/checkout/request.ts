import { ApiError } from '@pay/shared/errors/api-error.ts';
import { rawBody } from '@pay/shared/http/app.ts';
import type { Request, RequestHandler } from 'express';
import type { FormPayment } from '../use-cases/open-form.ts';
import { languageOf } from './language.ts';
import { paths, savedCardPaths } from './links.ts';
import { renderErrorPage } from './pages/error-page.ts';
import type { Reader } from './pages/layout.ts';
import type { FormPort } from './port.ts';
import { isFromOurPage } from './same-origin.ts';
import { TEXTS } from './texts/texts.ts';

/** Who reads the answer, and in which language. */
export function readerOf(req: Request): Reader {
  const language = languageOf(req);
  return { texts: TEXTS[language.language], language };
}

/** What a token may look like; anything else is unknown without asking the database. */
const TOKEN = /^[\w-]{16,128}$/;

/** The form token of the path. @throws ApiError NOT_FOUND for what cannot be one */
export function tokenOf(req: Request): string {
  const token = req.params['token'];
  if (typeof token !== 'string' || !TOKEN.test(token)) throw new ApiError('NOT_FOUND');
  return token;
}

/** The payment of the path. @throws ApiError NOT_FOUND when there is none */
export async function findPayment(port: FormPort, req: Request): Promise<FormPayment> {
  const payment = await port.openForm(tokenOf(req));
  if (payment === undefined) throw new ApiError('NOT_FOUND');
  return payment;
}

/** The fields of a posted form. @throws ApiError UNSUPPORTED_MEDIA_TYPE for any other body */
export function formFields(req: Request): URLSearchParams {
  if (req.is('application/x-www-form-urlencoded') === false) throw new ApiError('UNSUPPORTED_MEDIA_TYPE');
  return new URLSearchParams(rawBody(req).toString('utf8'));
}

/** Before every route that takes a form: one that somebody else's page sent is refused with a page, 403. */
export const onlyFromOurPage: RequestHandler = (req, res, next) => {
  if (isFromOurPage(req)) {
    next();
    return;
  }
  const reader = readerOf(req);
  res
    .status(403)
    .type('html')
    .send(renderErrorPage(reader, reader.texts.notFromOurPage, ownPathOf(req)));
};

/** Where the language switch of an error page leads: never to what a stranger wrote into the address. */
export function ownPathOf(req: Request): string {
  const [, kind, token] = /^\/(pay|saved-card)\/([\w.-]{16,128})(?:\/|$)/.exec(req.path) ?? [];
  if (token === undefined) return '/';
  return kind === 'pay' ? paths.payment(token) : savedCardPaths.card(token);
}
