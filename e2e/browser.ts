import { AxeBuilder } from '@axe-core/playwright';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { chromium, type Browser, type BrowserContext, type BrowserContextOptions, type Page } from 'playwright-core';
import { findChromium } from '../tools/testing/chromium.ts';

/** Screenshots of a test run; not part of the repository. */
const SCREENSHOTS = join(import.meta.dirname, '..', 'artifacts', 'screenshots');

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
export function visit(browser: Browser, visitor: Visitor): Promise<BrowserContext> {
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

/** Keeps what the page looks like now as `artifacts/screenshots/<name>.png`: the whole of it, or what is in sight. */
export async function keepScreenshot(page: Page, name: string, { fullPage = true } = {}): Promise<void> {
  await page.screenshot({ path: join(SCREENSHOTS, `${name}.png`), fullPage, animations: 'disabled' });
}

/** What axe finds on the page as it is now, a line each; by all its rules, or by those named. Needs scripts to run. */
export async function findingsOf(page: Page, rules?: readonly string[]): Promise<string[]> {
  const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'] });
  const { violations } = await (rules === undefined ? axe : axe.withRules([...rules])).analyze();
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
}
