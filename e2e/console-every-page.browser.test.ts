import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import texts from '../services/console/src/web/texts/russian.ts';
import { settle, startSamplePages, type SamplePages } from '../services/console/test/sample-pages.ts';
import { walk } from '../services/console/test/walk.ts';
import { findingsOf, openBrowser } from './browser.ts';

/** What holds for every page of the console in every state: in both languages, widths and colour schemes. */
let samples: SamplePages;
let browser: Browser;
beforeAll(async () => {
  [samples, browser] = [await startSamplePages(), await openBrowser()];
});
afterAll(async () => {
  await browser.close();
  await samples.close();
});

const ARTIFACTS = join(import.meta.dirname, '..', 'artifacts', 'contact-sheets');

/** `EVERY_VARIANT=yes`: axe looks at each of the eight variants, which takes about a minute; else at each width, scheme and language. */
const LOOKS_AT_ALL = process.env['EVERY_VARIANT'] === 'yes';
const LOOKED_AT = { en: 'desk light', ru: 'phone dark' } as const;

/** How much wider than the screen the page is: on the narrowest phones, and if somebody has doubled their text size. */
async function overflow(page: Page): Promise<Readonly<Record<string, number>>> {
  const wide: Record<string, number> = {};
  for (const [name, width, size] of [
    ['320 px', 320, ''],
    ['doubled text', 390, '200%'],
  ] as const) {
    await page.setViewportSize({ width, height: 800 });
    await page.evaluate((fontSize) => {
      document.documentElement.style.fontSize = fontSize;
    }, size);
    // Charts measure themselves.
    await settle(page);
    const excess = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    if (excess > 0) wide[name] = excess;
  }
  await page.evaluate(() => {
    document.documentElement.style.fontSize = '';
  });
  return wide;
}

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

describe.each(['en', 'ru'] as const)('every page in %s', (language) => {
  it('has no finding of axe, is never wider than the screen, and looks as its contact sheet does', async () => {
    const found: Record<string, unknown> = {};
    const walked = await walk({ browser, samples, language }, async (page, name, { screen, scheme }) => {
      const variant = `${screen} ${scheme}`;
      if (LOOKS_AT_ALL || LOOKED_AT[language] === variant) {
        const findings = await findingsOf(page);
        if (findings.length > 0) found[`${name} ${variant}`] = findings;
      }
      if (variant !== 'phone dark') return;
      const english = language === 'ru' ? await leftInEnglish(page) : [];
      if (english.length > 0) found[`${name} says in English`] = english;
      const wide = await overflow(page);
      if (Object.keys(wide).length > 0) found[`${name} is too wide`] = wide;
    });
    const different = walked.filter(({ looksDifferent }) => looksDifferent);
    mkdirSync(ARTIFACTS, { recursive: true });
    for (const { name, sheet } of different) writeFileSync(join(ARTIFACTS, name), sheet, 'base64');
    expect(found).toEqual({});
    // `npm run pictures` shows what is different, and with `-- --accept` it is how the pages look from now on.
    expect(different.map(({ name }) => name)).toEqual([]);
  });
});
