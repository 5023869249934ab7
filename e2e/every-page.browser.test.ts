import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { CONSOLE_PAGES } from '../services/console/src/http/pages.ts';
import { PORTAL_PAGES } from '../services/console/src/portal/app.ts';
import texts from '../services/console/src/web/texts/russian.ts';
import { PORTAL_SHOWN } from '../services/console/test/portal-shown.ts';
import { SHOWN } from '../services/console/test/shown.ts';
import { findingsOf, openBrowser } from './browser.ts';
import type { Album, OpenAlbum } from './pictures/album.ts';
import { BUYER } from './pictures/buyer-album.ts';
import { CONSOLE, PORTAL } from './pictures/console-albums.ts';
import { DOCS } from './pictures/docs-album.ts';
import { settle, VARIANTS, type Language, type Variant } from './pictures/still-pages.ts';
import { walk } from './pictures/walk.ts';

/** What holds for every page in every state: in all of its languages, widths and colour schemes. */
let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(async () => {
  await browser.close();
});

/** `EVERY_VARIANT=yes`: axe looks at each variant with all its rules, which takes minutes; else once at each width and scheme. */
const LOOKS_AT_ALL = process.env['EVERY_VARIANT'] === 'yes';

/** A page in two languages is looked at once in each. */
function isLookedAt({ screen, scheme }: Variant, language: Language, languages: readonly Language[]): boolean {
  if (LOOKS_AT_ALL) return true;
  const isLightDesk = screen === 'desk' && scheme === 'light';
  const isDarkPhone = screen === 'phone' && scheme === 'dark';
  if (languages.length === 1) return isLightDesk || isDarkPhone;
  return language === 'en' ? isLightDesk : isDarkPhone;
}

/** How much of the page is wider than the screen: on the narrowest phones, and if somebody has doubled their text size. */
async function overflow(page: Page, { hasScrolledParts }: OpenAlbum): Promise<Readonly<Record<string, unknown>>> {
  const wide: Record<string, unknown> = {};
  await page.evaluate('for (const part of document.querySelectorAll("details")) part.open = true');
  for (const [name, width, size] of [
    ['320 px', 320, ''],
    ['doubled text', 390, '200%'],
  ] as const) {
    await page.setViewportSize({ width, height: 800 });
    await page.evaluate((fontSize) => {
      document.documentElement.style.fontSize = fontSize;
    }, size);
    // Charts measure themselves.
    await settle(page, 'width');
    const excess = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    const cutOff = hasScrolledParts ? [] : await page.evaluate<string[]>(CUT_OFF);
    if (excess > 0 || cutOff.length > 0) wide[name] = { excess, cutOff };
  }
  await page.evaluate(() => {
    document.documentElement.style.fontSize = '';
  });
  return wide;
}

/**
 * What is wider than the window it is in, or is cut off by what it is in (not what is typed): by its tag and the beginning of its words.
 */
const CUT_OFF = `[...document.querySelectorAll('body *')]
  .filter((part) => part.checkVisibility() && part.clientWidth !== 1 && !part.closest('.unseen, .skip'))
  .filter((part) => {
    const { left, right } = part.getBoundingClientRect();
    const isHidden = part.tagName !== 'INPUT' && getComputedStyle(part).overflowX !== 'visible' && part.scrollWidth > part.clientWidth + 1;
    return isHidden || left < -1 || right > document.documentElement.clientWidth + 1;
  })
  .map((part) => part.tagName + ' ' + part.textContent.trim().slice(0, 40))`;

/** Names of services are the same in every language. */
const isSaid = (text: string) => /^\p{Lu}|\p{L}\s/u.test(text);

/** What a Russian page says in English although there is Russian for it. */
const leftInEnglish = (page: Page) =>
  page.evaluate(
    (known) =>
      [...document.querySelectorAll('body *:not(style, script, noscript)')]
        .flatMap((node) => [node.getAttribute('aria-label'), ...[...node.childNodes].map((child) => child.nodeValue)])
        .map((text) => (text ?? '').trim())
        .filter((text) => known.includes(text)),
    Object.entries(texts).flatMap(([english, russian]) => (english === russian || !isSaid(english) ? [] : [english])),
  );

/** Nobody is kept from enlarging a page. */
const IS_FIXED = `/scalable|scale=[^1]/.test(document.querySelector('meta[name=viewport]')?.content ?? 'scalable')`;

/** The samples have everything that a page asks for. */
const IS_BROKEN = `/^(Couldn’t load|Не удалось загрузить)/m.test(document.body.innerText)`;

/** Walks through all pages, and answers what is wrong with them. */
async function walkThrough(album: Album, language: Language): Promise<readonly unknown[]> {
  const opened = await album.open();
  const wrong: unknown[] = [];
  const looksAt = (variant: Variant) => isLookedAt(variant, language, album.languages);
  const isDarkPhone = ({ screen, scheme }: Variant) => screen === 'phone' && scheme === 'dark';
  const variants = VARIANTS.filter((variant) => isDarkPhone(variant) || looksAt(variant));
  await walk({ browser, opened, language, variants }, async (page, state, variant) => {
    const { screen, scheme } = variant;
    const say = (what: string, ...more: readonly unknown[]) => wrong.push([state, `${screen} ${scheme}`, what, ...more]);
    if (looksAt(variant)) {
      const findings = await findingsOf(page);
      if (findings.length > 0) say('axe', findings);
    }
    if (!isDarkPhone(variant)) return;
    if (opened.sessionCookie !== undefined && (await page.evaluate<boolean>(IS_BROKEN))) say('is broken');
    if (await page.evaluate<boolean>(IS_FIXED)) say('cannot be enlarged');
    const english = language === 'ru' ? await leftInEnglish(page) : [];
    if (english.length > 0) say('says in English', english);
    const wide = await overflow(page, opened);
    if (Object.keys(wide).length > 0) say('is too wide', wide);
  });
  await opened.close();
  return wrong;
}

// Two at a time: a walk waits half of its time for the browser to draw.
it.each([
  [
    'buyers',
    [
      [BUYER, 'ru'],
      [BUYER, 'en'],
    ],
  ],
  [
    'operators',
    [
      [CONSOLE, 'ru'],
      [CONSOLE, 'en'],
    ],
  ],
  [
    'partners and readers',
    [
      [PORTAL, 'en'],
      [DOCS, 'en'],
    ],
  ],
] as const)('every page of %s has no finding of axe and is never wider than the screen', async (_who, walks) => {
  const wrong = await Promise.all(walks.map(([album, language]) => walkThrough(album, language)));
  expect(wrong).toEqual(walks.map(() => []));
});

it.each([
  ['console', CONSOLE_PAGES, SHOWN],
  ['portal', PORTAL_PAGES, PORTAL_SHOWN],
] as const)('every address of the %s is among them', (_name, { shownBy }, shown) => {
  const paths = shown.map(({ path }) => path.replace(/\?.*/, ''));
  const isShown = (address: string) => {
    const pattern = new RegExp(`^${address.replaceAll(/:\w+/g, '[^/]+')}$`);
    return paths.some((path) => pattern.test(path));
  };
  // `/` leads on.
  expect(Object.keys(shownBy).filter((address) => address !== '/' && !isShown(address))).toEqual([]);
});
