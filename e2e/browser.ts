import { accessSync, constants } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { chromium, type Browser, type BrowserContext, type BrowserContextOptions, type Page } from 'playwright-core';

/** How the distributions and the vendors call the program. */
const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome'];

/** Where browsers are that are not on the path. */
const PLACES = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

/** Screenshots of a test run; not part of the repository. */
const SCREENSHOTS = join(import.meta.dirname, '..', 'artifacts', 'screenshots');

/** The Chromium of this machine: CHROMIUM_PATH, else the first usual name on the path. @throws Error that says so. */
function findChromium(): string {
  const given = process.env['CHROMIUM_PATH'];
  if (given !== undefined && given !== '') return given;
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const candidates = [...NAMES.flatMap((name) => folders.map((folder) => join(folder, name))), ...PLACES];
  const found = candidates.find(isExecutable);
  if (found === undefined) throw new Error('no Chromium found: install one, or set CHROMIUM_PATH to its program');
  return found;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** A headless browser that speaks to nobody but the pages it is sent to. */
export async function openBrowser(): Promise<Browser> {
  await mkdir(SCREENSHOTS, { recursive: true });
  return chromium.launch({
    executablePath: findChromium(),
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

/** Keeps what the page looks like now as `artifacts/screenshots/<name>.png`. */
export async function keepScreenshot(page: Page, name: string): Promise<void> {
  await page.screenshot({ path: join(SCREENSHOTS, `${name}.png`), fullPage: true, animations: 'disabled' });
}
