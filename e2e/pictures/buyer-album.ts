import type { Page } from 'playwright-core';
import type { Shown } from '../../services/console/test/shown.ts';
import { ENGLISH_SHOP, tellBuyerPages } from '../../services/payments/test/buyer-pages.ts';
import { startStories, type Stories } from '../../services/payments/test/checkout-pages.ts';
import type { Album } from './album.ts';

export const BUYER: Album = {
  name: 'buyer',
  languages: ['ru', 'en'],
  async open() {
    const stories = await startStories();
    return {
      origin: stories.origin,
      shown: async (language) => {
        const shop = language === 'en' ? ENGLISH_SHOP : {};
        const pages = await tellBuyerPages(stories, shop);
        const unfolded = pages.filter(({ name }) => name === 'qr').map(({ path }) => ({ name: 'qr-open', path, act: unfold }));
        return [...pages, ...unfolded, ...afterAnAct(stories, shop)];
      },
      hasScrolledParts: false,
      close: () => stories.stop(),
    };
  },
};

/** What a plain visit does not show. */
const afterAnAct = (stories: Stories, shop: Parameters<Stories['tell']>[0]): readonly Shown[] => [
  { name: 'card-problems', path: stories.tell(shop), act: mistype },
  { name: 'card-or-sbp-problems', path: stories.tell({ ...shop, offersSbp: true }), act: mistype },
  { name: 'card-open', path: stories.tell(shop), act: unfold },
  {
    name: 'saved-card-unavailable',
    path: stories.tellCard({}, shop),
    act: async (page) => {
      stories.setBindings(false);
      await page.reload();
      stories.setBindings(true);
    },
  },
];

async function unfold(page: Page): Promise<void> {
  for (const summary of await page.locator('summary').all()) if (await summary.isVisible()) await summary.click();
  await page.evaluate('scrollTo(0, 0)');
}

async function mistype(page: Page): Promise<void> {
  await page.locator('#number').fill('4111 1111 1111 1112');
  await page.locator('#expiry').fill('13/28');
  await page.locator('button.primary').click();
  await page.locator('#number[aria-invalid=true]').waitFor();
}
