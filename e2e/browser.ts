import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from '@jest/globals';
import axe from 'axe-core';
import { chromium, type Browser, type BrowserContext, type BrowserContextOptions, type Page } from 'playwright-core';
import { findChromium } from '../tools/testing/chromium.ts';

/** Screenshots of a test run; not part of the repository. */
const SCREENSHOTS = join(import.meta.dirname, '..', 'artifacts', 'screenshots');
const WAIT_MS = 120_000;

/**
 * A headless browser that speaks to nobody but the pages it is sent to. `keepsPages`: a page that is left may stay in
 * memory and come back as it was, as in browsers at home; the driver turns that off.
 */
export async function openBrowser({ keepsPages = false } = {}): Promise<Browser> {
  await mkdir(SCREENSHOTS, { recursive: true });
  const executablePath = findChromium();
  if (executablePath === undefined) throw new Error('no Chromium: install one, or set CHROMIUM_PATH to its program');
  return chromium.launch({
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
}

/** The two screens of the tests: a phone held upright and a desk. */
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

/** A buyer's browser, with nothing in it from the buyer before. */
export async function visit(browser: Browser, visitor: Visitor): Promise<BrowserContext> {
  const options: BrowserContextOptions = {
    viewport: SCREENS[visitor.screen],
    locale: visitor.language === 'ru' ? 'ru-RU' : 'en-GB',
    javaScriptEnabled: visitor.javaScript,
    colorScheme: visitor.colors ?? 'light',
    reducedMotion: 'reduce',
    ...(visitor.screen === 'phone' ? { isMobile: true, hasTouch: true, deviceScaleFactor: 2 } : {}),
  };
  const context = await browser.newContext(options);
  // A bound for what never comes, as every test has one.
  context.setDefaultTimeout(WAIT_MS);
  return context;
}

/**
 * A page of a visitor's own, closed when `work` is done; whatever it complains about fails the test. `everyStatus`: also
 * an answer that is an error, where the story has none.
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
    // The status of an answer is checked where it matters; a policy that blocks something is not an answer.
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
 * axe is a script itself: it cannot look at a browser without them. So the page that somebody without our script sees is
 * looked at in a browser that never got it.
 */
export async function withholdScript(page: Page, origin: string): Promise<void> {
  await page.route(`${origin}/assets/*.js`, (route) => route.fulfill({ status: 404 }));
}

/** Keeps what the page looks like now as `artifacts/screenshots/<name>.png`: the whole of it, or what is in sight. */
export async function keepScreenshot(page: Page, name: string, { fullPage = true } = {}): Promise<void> {
  await page.screenshot({ path: join(SCREENSHOTS, `${name}.png`), fullPage, animations: 'disabled' });
}

/** Colours on their way from light to dark are neither. */
const END_TRANSITIONS = `for (const moving of document.getAnimations())
  if (Number.isFinite(moving.effect.getComputedTiming().endTime)) moving.finish();`;

/**
 * What axe finds on the page as it is now, a line each; by all its rules, or by those named. Needs scripts to run. Our
 * pages have no frames, so axe goes once into the page and no further.
 */
export async function findingsOf(page: Page, rules?: readonly string[]): Promise<string[]> {
  if ((await page.evaluate('typeof axe')) === 'undefined') await page.evaluate(axe.source);
  await page.evaluate(END_TRANSITIONS);
  const options = { resultTypes: ['violations'], ...(rules === undefined ? {} : { runOnly: rules }) };
  return page.evaluate(`axe.run(document, ${JSON.stringify(options)}).then(({ violations }) =>
    violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join(' ')))`);
}
