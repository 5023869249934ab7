import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { startStories, type Stories } from '../services/payments/test/checkout-pages.ts';
import { TEXTS } from '../services/payments/src/checkout/texts/texts.ts';
import { findingsOf, openBrowser, visit, withPage } from './browser.ts';

let stories: Stories;
let browser: Browser;

beforeAll(async () => {
  stories = await startStories({ unknownLinks: 1 });
  browser = await openBrowser();
});

afterAll(async () => {
  await browser.close();
  await stories.stop();
});

it.each([true, false])(
  'a card that is held back leaves the buyer on the form, who pays with another one (script: %s) (M8)',
  async (javaScript) => {
    await withPage(browser, { screen: 'phone', language: 'ru', javaScript }, async (page) => {
      const pay = async () => {
        await page.locator('#number').fill('4111 1111 1111 1111');
        await page.locator('#expiry').fill('12/30');
        await page.locator('#cvv').fill('123');
        await page.locator('#cvv').press('Enter');
      };
      await page.goto(stories.origin + stories.tell({}));
      stories.holdBack(true);
      await pay();
      await page.locator('.alert', { hasText: TEXTS.ru.card.heldBack.what }).waitFor();
      expect(javaScript ? await findingsOf(page) : []).toEqual([]);
      stories.holdBack(false);
      await pay();
      await page.getByRole('heading', { name: TEXTS.ru.paid.title, exact: true }).waitFor();
    });
  },
);

it('past the limit a page says so in the buyer’s language (M8)', async () => {
  await withPage(browser, { screen: 'desk', language: 'en', javaScript: true }, async (page) => {
    await page.goto(`${stories.origin}/pay/nobody-has-this-token-1`);
    const answer = await page.goto(`${stories.origin}/pay/nobody-has-this-token-2`);
    expect(answer?.status()).toBe(429);
    await page.getByRole('heading', { name: TEXTS.en.tooMany.title, exact: true }).waitFor();
    expect(await findingsOf(page)).toEqual([]);
  });
});

it('11.6.1: a script that does not belong to a page is not run, and neither is ours with other bytes', async () => {
  const context = await visit(browser, { screen: 'desk', language: 'ru', javaScript: true });
  const page = await context.newPage();
  const steal = 'document.title = "stolen"';
  await page.route(`${stories.origin}/assets/*.js`, (route) => route.fulfill({ body: steal, contentType: 'text/javascript' }));
  await page.goto(stories.origin + stories.tell({}));
  const blocked = await page.evaluate(`new Promise((resolve) => {
    document.addEventListener('securitypolicyviolation', (event) => resolve(event.effectiveDirective));
    const script = document.createElement('script');
    script.textContent = '${steal}';
    document.head.append(script);
  })`);
  expect(blocked).toBe('script-src-elem');
  expect(await page.title()).not.toBe('stolen');
  await context.close();
});
