import { readFileSync } from 'node:fs';
import type { Request, RequestHandler, Response } from 'express';
import type { VNode } from 'preact';
import { render } from 'preact-render-to-string';
import { ApiError, invalidField } from '@pay/shared/errors/api-error.ts';
import { rawBody } from '@pay/shared/http/app.ts';
import { LANGUAGES, WORDS, type Words } from '../pages/words.ts';

/** No script, no third party, no frame; styles from this origin only. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  'img-src data:',
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

const HEADERS = {
  'Content-Security-Policy': CONTENT_SECURITY_POLICY,
  'Cache-Control': 'no-store',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
};

/** The headers of every page. A form sent from another site is refused before any route. */
export const pageHeaders: RequestHandler = (req, res, next) => {
  res.set(HEADERS);
  const from = req.headers['sec-fetch-site'];
  if (req.method === 'POST' && from !== undefined && from !== 'same-origin') throw new ApiError('FORBIDDEN');
  next();
};

/** The language of a request: `?lang=` first, then Accept-Language, then Russian. */
export function wordsOf(req: Request): Words {
  const asked = LANGUAGES.find((language) => language === req.query['lang']);
  const accepted = req.acceptsLanguages([...LANGUAGES]);
  return WORDS[asked ?? (accepted === 'en' ? 'en' : 'ru')];
}

/** Sends a page with its headers. */
export function sendPage(res: Response, page: VNode): void {
  res
    .set(HEADERS)
    .type('html')
    .send(`<!doctype html>${render(page)}`);
}

/** The button that was pressed. @throws ApiError VALIDATION_FAILED for a form without one of `values` */
export function pressedButton<T extends string>(req: Request, values: readonly T[]): T {
  const decision = new URLSearchParams(rawBody(req).toString('utf8')).get('decision');
  const value = values.find((known) => known === decision);
  if (value === undefined) throw invalidField('decision', 'is not a button of this page');
  return value;
}

const CSS = readFileSync(new URL('../pages/bank.css', import.meta.url), 'utf8');

/** GET /assets/bank.css */
export const assetRoute: RequestHandler = (_req, res) => {
  res.set({ 'Cache-Control': 'public, max-age=300', 'X-Content-Type-Options': 'nosniff' }).type('css').send(CSS);
};
