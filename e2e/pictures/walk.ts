import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import type { Album, OpenAlbum } from './album.ts';
import { openCamera, openDarkroom, picturedIn, showAs, type Compared, type Variant } from './contact-sheets.ts';
import { openStill, settle, type Language } from './still-pages.ts';

/** The contact sheets that the pages are compared with: a folder for each album, and one for each page, state and language. */
export const REFERENCES = fileURLToPath(new URL('sheets/', import.meta.url));

/** How many blocks may differ: the end of a line, or the corner of a border. */
const DIFFERENT_MAX = 3;

/** Looks like a session: those who play the services know it. */
const SESSION = 's'.repeat(43);

/** `name`: of the page, its state and the language. */
export type Walked = Compared & { readonly name: string; readonly looksDifferent: boolean };

type Walk = {
  readonly browser: Browser;
  readonly album: Album;
  readonly opened: OpenAlbum;
  readonly language: Language;
  /** All that are on the sheets are among them. */
  readonly variants: readonly Variant[];
};

/** Shows every page in every state in this language, and each in these variants: `look` sees them all. */
export async function walk(
  { browser, album, opened, language, variants }: Walk,
  look: (page: Page, name: string, variant: Variant) => Promise<void>,
): Promise<Walked[]> {
  const { origin, sessionCookie } = opened;
  const pictured = picturedIn(language, album.languages);
  const open = async (cookie?: string) => {
    const context = await openStill(browser, language);
    if (cookie !== undefined) await context.addCookies([{ name: cookie, value: SESSION, url: origin }]);
    const page = await context.newPage();
    return { page, take: await openCamera(page) };
  };
  const [known, strangers] = [await open(sessionCookie), await open()];
  if (sessionCookie !== undefined) await known.page.goto(`${origin}/nowhere`);
  const darkroom = await openDarkroom(browser);
  const walked: Walked[] = [];
  for (const { name, path, act, isForStrangers = false } of await opened.shown(language)) {
    const { page, take } = isForStrangers ? strangers : known;
    if (sessionCookie === undefined || isForStrangers) {
      await page.goto(`${origin}${path}`);
      await settle(page);
    } else await show(page, path);
    if (act !== undefined) {
      await act(page);
      // Where nothing is under the pointer.
      await page.mouse.move(0, 0);
      await settle(page);
    }
    const shots: string[] = [];
    for (const variant of variants) {
      await showAs(page, variant);
      if (pictured.includes(variant)) shots.push(await take(variant));
      await look(page, name, variant);
    }
    const sheet = `${name}-${language}`;
    const reference = await readFile(`${REFERENCES}${album.name}/${sheet}.webp`, 'base64').catch(() => undefined);
    const compared = await darkroom.compare(shots, reference);
    const { differentBlocks } = compared;
    walked.push({ ...compared, name: sheet, looksDifferent: differentBlocks < 0 || differentBlocks > DIFFERENT_MAX });
  }
  for (const { page } of [known, strangers]) await page.context().close();
  await darkroom.close();
  return walked;
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
