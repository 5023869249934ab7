import { expect, test } from '@playwright/test';
import type { Album, OpenAlbum } from './album.ts';
import { BUYER } from './buyer-album.ts';
import { CONSOLE, PORTAL } from './console-albums.ts';
import { DOCS } from './docs-album.ts';
import { settle, showAs, type Language, type Variant } from './still-pages.ts';
import { openPage, perform } from './walk.ts';

type Picture = readonly [state: string, Language, Variant['screen'], Variant['scheme']];

/** Each layout once. Screens, colour schemes and languages are spread over them. */
const PICTURES: readonly (readonly [Album, readonly Picture[]])[] = [
  [
    BUYER,
    [
      ['card', 'ru', 'phone', 'light'],
      ['card-or-sbp', 'en', 'desk', 'dark'],
      ['card-problems', 'ru', 'phone', 'dark'],
      ['card-long', 'en', 'phone', 'light'],
      ['consent', 'ru', 'desk', 'light'],
      ['qr', 'en', 'desk', 'light'],
      ['qr-open', 'ru', 'phone', 'dark'],
      ['paid', 'en', 'phone', 'dark'],
      ['declined', 'ru', 'desk', 'dark'],
      ['saved-card', 'ru', 'phone', 'light'],
    ],
  ],
  [
    CONSOLE,
    [
      ['overview', 'en', 'desk', 'light'],
      ['payments', 'en', 'desk', 'dark'],
      ['payment', 'ru', 'desk', 'light'],
      ['withdrawals', 'ru', 'phone', 'light'],
      ['withdrawal', 'en', 'desk', 'light'],
      ['exceptions-book-confirm', 'ru', 'desk', 'dark'],
      ['reconciliation', 'en', 'phone', 'dark'],
      ['partner', 'en', 'phone', 'light'],
      ['point', 'ru', 'desk', 'dark'],
      ['sign-in', 'ru', 'phone', 'dark'],
    ],
  ],
  [
    PORTAL,
    [
      ['payments', 'en', 'desk', 'light'],
      ['payment', 'en', 'phone', 'dark'],
      ['menu', 'en', 'phone', 'light'],
      ['registers', 'en', 'desk', 'dark'],
      ['sign-in-own-machine', 'en', 'phone', 'light'],
    ],
  ],
  [
    DOCS,
    [
      ['home', 'en', 'desk', 'light'],
      ['guide', 'en', 'phone', 'dark'],
      ['reference', 'en', 'desk', 'dark'],
      ['decision', 'en', 'phone', 'light'],
      ['search', 'en', 'desk', 'light'],
    ],
  ],
];

for (const [album, pictures] of PICTURES)
  test.describe(album.name, () => {
    let opened: OpenAlbum;
    test.beforeAll(async () => {
      opened = await album.open();
    });
    test.afterAll(() => opened.close());

    for (const [name, language, screen, scheme] of pictures)
      test(`${name}, ${language} ${screen} ${scheme}`, async ({ browser }) => {
        const { origin, sessionCookie, shown } = opened;
        const state = (await shown(language)).find((one) => one.name === name);
        if (state === undefined) throw new Error(`the album of ${album.name} has no ${name}`);
        const { path, act, isForStrangers = false } = state;
        const page = await openPage(browser, { origin, cookie: isForStrangers ? undefined : sessionCookie, language });
        await page.goto(`${origin}${path}`);
        await settle(page);
        if (act !== undefined) await perform(page, act);
        await showAs(page, { screen, scheme });
        await expect(page).toHaveScreenshot(`${album.name}-${name}.png`);
        await page.context().close();
      });
  });
