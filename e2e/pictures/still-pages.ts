import type { Browser, BrowserContext, Page } from 'playwright-core';
import { SAMPLE_FONT } from './sample-font.ts';

export type Language = 'en' | 'ru';

const SIZES = { desk: { width: 1_440, height: 1_000 }, phone: { width: 390, height: 1_200 } } as const;
const SCREENS = ['desk', 'phone'] as const;
const SCHEMES = ['light', 'dark'] as const;
export type Variant = { readonly screen: (typeof SCREENS)[number]; readonly scheme: (typeof SCHEMES)[number] };
export const VARIANTS: readonly Variant[] = SCREENS.flatMap((screen) => SCHEMES.map((scheme) => ({ screen, scheme })));

/** The same font and colours on every machine, and nothing that moves. */
const STILL = `${SAMPLE_FONT} *, *::before, *::after { transition: none !important; animation: none !important; caret-color: transparent !important; }`;

/** Counts what the page asks for, so that `settle` knows when everything has arrived. Nothing happens by the second. */
const STAND_STILL = `(() => {
  const ask = window.fetch;
  window.asking = 0;
  window.fetch = (...given) => { window.asking += 1; return ask(...given).finally(() => { window.asking -= 1; }); };
  window.setInterval = () => 0;
  document.addEventListener('DOMContentLoaded', () => {
    const still = document.createElement('style');
    still.textContent = ${JSON.stringify(STILL)};
    document.head.append(still);
  });
})();`;

/** A browser of somebody who reads this language, in which pages stand still at one moment. */
export async function openStill(browser: Browser, language: Language): Promise<BrowserContext> {
  const context = await browser.newContext({
    bypassCSP: true,
    // Pictures have a quarter of the pixels.
    deviceScaleFactor: 0.5,
    reducedMotion: 'reduce',
    timezoneId: 'Europe/Moscow',
    locale: language === 'ru' ? 'ru-RU' : 'en-GB',
  });
  // Before the script: it brings timers of its own.
  await context.clock.setFixedTime('2026-11-21T12:00:00.000Z');
  await context.addInitScript(STAND_STILL);
  return context;
}

/** Until everything has arrived that the page asked for, and what that led to; also the colours that the browser wants. */
const SETTLED = `(async (frames) => {
  const isLoading = () => {
    const { mantineColorScheme: colors } = document.documentElement.dataset;
    const wanted = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
    return window.asking > 0 || document.querySelector('h1') === null || (colors ?? wanted) !== wanted
      || document.querySelector('[aria-label="Loading"], [aria-label="Загрузка"]') !== null;
  };
  for (let quiet = 0; quiet < frames; ) {
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
    quiet = isLoading() ? 0 : quiet + 1;
  }
  await document.fonts.ready;
})`;

/** What a page asks for may lead to another question; a new width only makes it measure itself again. */
export const settle = (page: Page, cause: 'address' | 'width' = 'address'): Promise<unknown> =>
  page.evaluate(`${SETTLED}(${cause === 'address' ? '3' : '2'})`);

/** Shows the page in this width and scheme. */
export async function showAs(page: Page, { screen, scheme }: Variant): Promise<void> {
  if (page.viewportSize()?.width !== SIZES[screen].width) await page.setViewportSize(SIZES[screen]);
  await page.emulateMedia({ colorScheme: scheme });
  await settle(page, 'width');
}
