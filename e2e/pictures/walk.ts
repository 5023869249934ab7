import type { Browser, Page } from 'playwright-core';
import type { OpenAlbum } from './album.ts';
import { openStill, settle, showAs, type Language, type Variant } from './still-pages.ts';

/** Looks like a session: those who play the services know it. */
const SESSION = 's'.repeat(43);

/**
 * A page of somebody who reads this language and is signed in, or, without a cookie, of a stranger. Its context is the caller's to close.
 */
export async function openPage(
  browser: Browser,
  { origin, cookie, language }: { readonly origin: string; readonly cookie: string | undefined; readonly language: Language },
): Promise<Page> {
  const context = await openStill(browser, language);
  if (cookie !== undefined) await context.addCookies([{ name: cookie, value: SESSION, url: origin }]);
  return context.newPage();
}

type Walk = {
  readonly browser: Browser;
  readonly opened: OpenAlbum;
  readonly language: Language;
  readonly variants: readonly Variant[];
};

/** Shows every page in every state in this language, and each in these variants: `look` sees them all. */
export async function walk(
  { browser, opened, language, variants }: Walk,
  look: (page: Page, name: string, variant: Variant) => Promise<void>,
): Promise<void> {
  const { origin, sessionCookie: cookie } = opened;
  const known = await openPage(browser, { origin, cookie, language });
  const stranger = await openPage(browser, { origin, cookie: undefined, language });
  if (cookie !== undefined) await known.goto(`${origin}/nowhere`);
  for (const { name, path, act, isForStrangers = false } of await opened.shown(language)) {
    const page = isForStrangers ? stranger : known;
    if (cookie === undefined || isForStrangers) {
      await page.goto(`${origin}${path}`);
      await settle(page);
    } else await show(page, path);
    if (act !== undefined) await perform(page, act);
    for (const variant of variants) {
      await showAs(page, variant);
      await look(page, name, variant);
    }
  }
  for (const page of [known, stranger]) await page.context().close();
}

/** Does what leads to a state, such as opening a dialog. */
export async function perform(page: Page, act: (page: Page) => Promise<void>): Promise<void> {
  await act(page);
  // Where nothing is under the pointer.
  await page.mouse.move(0, 0);
  await settle(page);
}

/** Shows an address as a link would, without loading the document again. */
async function show(page: Page, path: string): Promise<void> {
  // From another page, so that nothing is left of what was opened on this one.
  for (const to of ['/nowhere', path]) {
    await page.evaluate((address) => {
      window.history.pushState(null, '', address);
    }, to);
    await settle(page);
  }
}
