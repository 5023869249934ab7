import { readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from '@jest/globals';
import { chromium, type Browser, type BrowserContext, type BrowserContextOptions, type Page } from 'playwright-core';
import { findChromium, findFullChromium } from '../tools/testing/chromium.ts';

/** Screenshots of a test run; not part of the repository. */
const SCREENSHOTS = join(import.meta.dirname, '..', 'artifacts', 'screenshots');
const WAIT_MS = 120_000;

/**
 * A headless browser that can reach only the pages under test. `keepsPages`: a page that is left may stay in memory and
 * be restored, as in real browsers; the driver turns that off, and only a full Chromium does it (decisions/tests).
 */
export async function openBrowser({ keepsPages = false } = {}): Promise<Browser> {
  await mkdir(SCREENSHOTS, { recursive: true });
  const executablePath = keepsPages ? findFullChromium() : findChromium();
  if (executablePath === undefined) throw new Error('no Chromium: install one, or set CHROMIUM_PATH to its program');
  const browser = await chromium.launch({
    executablePath,
    ignoreDefaultArgs: keepsPages ? ['--disable-back-forward-cache'] : false,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
  // Limits waiting for what never comes; every test has such a limit.
  browser.on('context', (context) => {
    context.setDefaultTimeout(WAIT_MS);
  });
  return browser;
}

/** The two screens of the tests: a phone in portrait and a desktop. */
export const SCREENS = {
  phone: { width: 390, height: 844 },
  desk: { width: 1280, height: 800 },
} as const;

export type Visitor = {
  readonly screen: keyof typeof SCREENS;
  readonly language: 'ru' | 'en';
  readonly javaScript: boolean;
  readonly colors?: 'light' | 'dark';
};

/** Buyers of every kind: each pair of screen, language and script setting at least once. */
export const VISITORS = [
  { screen: 'phone', language: 'ru', javaScript: true },
  { screen: 'desk', language: 'en', javaScript: true },
  { screen: 'desk', language: 'ru', javaScript: false },
  { screen: 'phone', language: 'en', javaScript: false },
] as const satisfies readonly Visitor[];

/**
 * Who takes a journey through the whole system, or gives consent: each screen, language and script setting once. The pages themselves are
 * seen by all of `VISITORS`.
 */
export const TRAVELLERS = [
  { screen: 'phone', language: 'ru', javaScript: true },
  { screen: 'desk', language: 'en', javaScript: false },
] as const satisfies readonly Visitor[];

/** A buyer's browser without data from previous buyers. */
export async function visit(browser: Browser, visitor: Visitor): Promise<BrowserContext> {
  const options: BrowserContextOptions = {
    viewport: SCREENS[visitor.screen],
    locale: visitor.language === 'ru' ? 'ru-RU' : 'en-GB',
    javaScriptEnabled: visitor.javaScript,
    colorScheme: visitor.colors ?? 'light',
    reducedMotion: 'reduce',
    ...(visitor.screen === 'phone' ? { isMobile: true, hasTouch: true, deviceScaleFactor: 2 } : {}),
  };
  return browser.newContext(options);
}

/**
 * A visitor's own page, closed when `work` is done. Any browser error fails the test. `everyStatus`: including error
 * responses, if the test expects none.
 */
export async function withPage(
  browser: Browser,
  visitor: Visitor,
  work: (page: Page) => Promise<void>,
  { everyStatus = false } = {},
): Promise<void> {
  const context = await visit(browser, visitor);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    // A response's status is checked where it matters; a policy violation is not a response.
    const text = message.text();
    const isStatus = text.includes('the server responded with a status');
    if (message.type() === 'error' && (everyStatus || !isStatus)) complaints.push(text);
  });
  try {
    await work(page);
  } finally {
    await context.close();
  }
  expect(complaints).toEqual([]);
}

/**
 * axe is a script itself and needs a browser that runs scripts. So the page as seen without our script is checked in a
 * browser that never received it.
 */
export async function withholdScript(page: Page, origin: string): Promise<void> {
  await page.route(`${origin}/assets/*.js`, (route) => route.fulfill({ status: 404 }));
}

/** `SCREENSHOTS=all`: every screen is saved for inspection, which takes about half a second each. */
const KEEPS_SCREENSHOTS = process.env['SCREENSHOTS'] === 'all';

/**
 * With `SCREENSHOTS=all`, saves a screenshot as `artifacts/screenshots/<name>.png`: the whole page, or the visible part.
 */
export async function keepScreenshot(page: Page, name: string, { fullPage = true } = {}): Promise<void> {
  if (!KEEPS_SCREENSHOTS) return;
  await page.screenshot({ path: join(SCREENSHOTS, `${name}.png`), fullPage, animations: 'disabled' });
}

/** Read, not imported: it runs in the page only. */
const AXE = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

/** Colours in transition between light and dark are neither. */
const END_TRANSITIONS = `for (const moving of document.getAnimations())
  if (Number.isFinite(moving.effect.getComputedTiming().endTime)) moving.finish();`;

/**
 * axe's findings on the current page, one per line; by all its rules, or the named ones. Needs scripts. Our pages have
 * no frames, so axe is injected once, at the top level.
 */
export async function findingsOf(page: Page, rules?: readonly string[]): Promise<string[]> {
  if ((await page.evaluate('typeof axe')) === 'undefined') {
    await page.evaluate(AXE);
    // What is opened next brings it along, which costs half as much.
    await page.addInitScript(AXE);
  }
  await page.evaluate(END_TRANSITIONS);
  const options = { resultTypes: ['violations'], ...(rules === undefined ? {} : { runOnly: rules }) };
  return page.evaluate(`axe.run(document, ${JSON.stringify(options)}).then(({ violations }) =>
    violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join(' ')))`);
}
