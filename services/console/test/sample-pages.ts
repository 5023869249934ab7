import { createLog } from '@pay/shared/logging/logger.ts';
import { createApp } from '@pay/shared/http/app.ts';
import { listen } from '@pay/shared/http/server.ts';
import type { RequestHandler } from 'express';
import type { Browser, Page } from 'playwright-core';
import { obtainBundle } from '../src/bundle/bundle.ts';
import { addNotFoundPage, addPages, CONSOLE_PAGES } from '../src/http/pages.ts';
import { OPERATED_SERVICES } from '../src/operator-apis/operator-api.ts';
import { OWN_ANSWERS, sampleAnswer } from './sample-answers.ts';
import { SAMPLE_FONT } from './sample-font.ts';

/** The console's pages over answers that never change, without a database: for pictures, and for what all pages have in common. */
export type SamplePages = {
  readonly origin: string;
  close(): Promise<void>;
};

const HOST = '127.0.0.1';
const SESSION = CONSOLE_PAGES.sessionCookie;

export async function startSamplePages(): Promise<SamplePages> {
  const bundle = await obtainBundle('console');
  const app = createApp({
    listener: 'console',
    log: createLog('console', 'silent'),
    requestIdFrom: 'edge',
    routes: (routes) => {
      addPages(routes, bundle, CONSOLE_PAGES);
      routes.get('/api/{*path}', answerRoute);
      addNotFoundPage(routes, bundle, CONSOLE_PAGES);
    },
  });
  const listener = await listen(app, HOST, 0);
  return { origin: `http://${HOST}:${String(listener.port)}`, close: () => listener.drain(0) };
}

const answerRoute: RequestHandler = (req, res) => {
  const path = req.path.slice('/api/'.length);
  if (path === 'session' && req.headers.cookie?.includes(SESSION) !== true) {
    res.status(401).json({ error: 'nobody is signed in' });
    return;
  }
  const own = OWN_ANSWERS[path];
  const service = OPERATED_SERVICES.find((one) => path.startsWith(`${one}/`));
  if (own !== undefined || service === undefined) res.json(own ?? {});
  else res.type('json').send(sampleAnswer({ service, path: req.originalUrl.slice(`/api/${service}`.length) }).text);
};

export type Language = 'en' | 'ru';

/** The same moment, font and colours on every machine, and nothing that moves. */
const STILL = `${SAMPLE_FONT} *, *::before, *::after { transition: none !important; animation: none !important; caret-color: transparent !important; }`;

/** Counts what the page asks for, so that `settle` knows when everything has arrived. */
const COUNT_FETCHES = `(() => {
  const ask = window.fetch;
  window.asking = 0;
  window.fetch = (...given) => { window.asking += 1; return ask(...given).finally(() => { window.asking -= 1; }); };
  document.addEventListener('DOMContentLoaded', () => {
    const still = document.createElement('style');
    still.textContent = ${JSON.stringify(STILL)};
    document.head.append(still);
  });
})();`;

/** A page of the console in this language, signed in, with what it shows standing still. */
export async function openSample(
  browser: Browser,
  { origin }: SamplePages,
  language: Language,
  { isStranger = false } = {},
): Promise<Page> {
  const context = await browser.newContext({ bypassCSP: true, reducedMotion: 'reduce', timezoneId: 'Europe/Moscow' });
  await context.addInitScript(COUNT_FETCHES);
  await context.addCookies([{ name: 'language', value: language, url: origin }]);
  if (!isStranger) await context.addCookies([{ name: SESSION, value: 'sample', url: origin }]);
  const page = await context.newPage();
  await page.clock.setFixedTime('2026-11-21T12:00:00.000Z');
  await page.goto(`${origin}/nowhere`);
  return page;
}

/** Until everything has arrived that the page asked for, and what that led to. */
const SETTLED = `(async () => {
  for (let quiet = 0; quiet < 3; ) {
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
    const isLoading = window.asking > 0 || document.querySelector('h1') === null || document.querySelector('[aria-label="Loading"], [aria-label="Загрузка"]') !== null;
    quiet = isLoading ? 0 : quiet + 1;
  }
  await document.fonts.ready;
})()`;

export const settle = (page: Page): Promise<unknown> => page.evaluate(SETTLED);

/** Shows an address as a link would, without loading the document again. */
export async function show(page: Page, path: string): Promise<void> {
  // From another page, so that nothing is left of what was opened on this one.
  for (const to of ['/nowhere', path]) {
    await page.evaluate((address) => {
      window.history.pushState(null, '', address);
    }, to);
    await settle(page);
  }
}
