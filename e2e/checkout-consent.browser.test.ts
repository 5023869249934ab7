import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { ENGLISH_SHOP } from '../services/payments/test/buyer-pages.ts';
import { ASKED, startStories, type Stories } from '../services/payments/test/checkout-pages.ts';
import { consentDocument } from '../services/payments/src/checkout/consent/consent-document.ts';
import { TEXTS } from '../services/payments/src/checkout/texts/texts.ts';
import { findingsOf, keepScreenshot, openBrowser, TRAVELLERS, visit, withholdScript, withPage } from './browser.ts';

/**
 * The question whether a card may be saved, and the page of a saved card, in a browser, with simulated payments. The
 * whole path through every service: `saved-card`.
 */
let stories: Stories;
let browser: Browser;
/** As real browsers do: a page that is left may stay in memory, to be restored by "back". */
let keeping: Browser;

beforeAll(async () => {
  stories = await startStories();
  browser = await openBrowser();
  keeping = await openBrowser({ keepsPages: true });
});

afterAll(async () => {
  await browser.close();
  await keeping.close();
  await stories.stop();
});

describe.each(TRAVELLERS)('on a $screen in $language, script: $javaScript', (visitor) => {
  const texts = TEXTS[visitor.language];
  const words = visitor.language === 'en' ? ENGLISH_SHOP : {};

  it('a text that changed meanwhile is asked about again, without a finding of axe', async () => {
    await withPage(browser, { ...visitor, javaScript: true }, async (page) => {
      // axe is a script itself: the page without scripts is checked in a browser that never received ours.
      if (!visitor.javaScript) await withholdScript(page, stories.origin);
      const path = stories.tell({ ...words, status: 'CREATED', saving: ASKED });
      await page.goto(stories.origin + path);
      await page.locator('#agree').check();
      stories.change(path, { storeName: 'Another shop' });
      await page.locator('button.primary').click();
      await page.locator('.alert').waitFor();
      await keepScreenshot(page, `consent-text-changed-${visitor.language}-${visitor.screen}`);
      expect(await findingsOf(page)).toEqual([]);
    });
  });

  it('ticks the box, goes on to the card and pays; what is kept is the text of his language', async () => {
    await withPage(browser, visitor, async (page) => {
      const path = stories.tell({ ...words, status: 'CREATED', saving: ASKED, environment: 'LIVE' });
      await page.goto(stories.origin + path);
      expect(await page.locator('#agree').isChecked()).toBe(false);
      await page.locator('label[for=agree]').click();
      await page.getByRole('button', { name: texts.consent.go }).click();
      await page.getByText(texts.consent.given).waitFor();
      const shop = visitor.language === 'en' ? ENGLISH_SHOP.storeName : 'Книжный магазин «Тихая гавань»';
      const { text, version, sha256 } = consentDocument(visitor.language, { shop, period: 'P1M' });
      expect(stories.answersOf(path)).toEqual([
        { text, version, sha256, address: '127.0.0.1', userAgent: expect.stringContaining('Mozilla/') },
      ]);
      await payWith(page, '4111 1111 1111 1111');
      await page.getByRole('heading', { name: texts.paid.title, exact: true }).waitFor();
    });
  });

  it('leaves the box empty, is told that the card is not saved, and pays', async () => {
    await withPage(browser, visitor, async (page) => {
      const path = stories.tell({ ...words, status: 'CREATED', saving: ASKED, environment: 'LIVE' });
      await page.goto(stories.origin + path);
      await page.getByRole('button', { name: texts.consent.go }).click();
      await page.getByText(texts.consent.declined).waitFor();
      expect(stories.answersOf(path)).toEqual([undefined]);
      await payWith(page, '4111 1111 1111 1111');
      await page.getByRole('heading', { name: texts.paid.title, exact: true }).waitFor();
    });
  });

  it('finds the box empty after a reload, after "back", and on coming again to change the answer (K12)', async () => {
    await withPage(keeping, visitor, async (page) => {
      const box = page.locator('#agree');
      const path = stories.tell({ ...words, status: 'CREATED', saving: ASKED });
      await page.goto(stories.origin + path);
      await box.check();
      await page.reload();
      expect(await box.isChecked()).toBe(false);

      await box.check();
      await page.getByRole('link', { name: texts.consent.fullText }).click();
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.goBack({ waitUntil: 'commit' });
      await box.waitFor();
      expect(await box.isChecked()).toBe(false);

      await box.check();
      await page.getByRole('button', { name: texts.consent.go }).click();
      await page.getByRole('link', { name: texts.consent.change }).click();
      await box.waitFor();
      expect(await box.isChecked()).toBe(false);
      await box.check();
      await page.getByRole('button', { name: texts.consent.go }).click();
      await page.getByText(texts.consent.given).waitFor();
      await page.goBack({ waitUntil: 'commit' });
      await box.waitFor();
      expect(await box.isChecked()).toBe(false);
    });
  });

  it('revokes a saved card with one press', async () => {
    await withPage(browser, visitor, async (page) => {
      await page.goto(stories.origin + stories.tellCard({}, words));
      expect(await page.getByText('•• 0009').isVisible()).toBe(true);
      await page.getByRole('button', { name: texts.savedCard.revoke }).click();
      await page.getByRole('heading', { name: texts.savedCard.revoked.title }).waitFor();
      expect(await page.locator('form').count()).toBe(0);
      await page.getByRole('link', { name: texts.backToShop }).click();
      await page.waitForURL(`${stories.shop}/**`);
    });
  });
});

it('the browser of the tests with "back" keeps a page that is left', async () => {
  const context = await visit(keeping, { screen: 'desk', language: 'ru', javaScript: true });
  const page = await context.newPage();
  await page.goto(stories.shop);
  await page.evaluate('document.title = "kept"');
  await page.goto(`${stories.shop}/another`);
  await page.goBack({ waitUntil: 'commit' });
  await page.waitForFunction('location.pathname === "/"');
  expect(await page.title()).toBe('kept');
  await context.close();
});

it('answers with the keyboard alone: the box by Space, the form by Enter', async () => {
  await withPage(browser, { screen: 'desk', language: 'ru', javaScript: true }, async (page) => {
    const path = stories.tell({ status: 'CREATED', saving: ASKED });
    await page.goto(stories.origin + path);
    await page.locator('#agree').focus();
    await page.keyboard.press('Space');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByText(TEXTS.ru.consent.given).waitFor();
    expect(stories.answersOf(path)).toHaveLength(1);
  });
});

it('whoever saved a card is not taken away from its link', async () => {
  const context = await visit(browser, { screen: 'desk', language: 'ru', javaScript: true });
  const page = await context.newPage();
  await page.clock.install();
  await page.goto(`${stories.origin}${stories.tell({ status: 'COMPLETED', savedCard: { link: 'card.signed' } })}/result`);
  await page.clock.runFor('00:30');
  expect(page.url()).toContain(stories.origin);
  expect(await page.getByRole('link', { name: TEXTS.ru.savedCard.see }).isVisible()).toBe(true);
  await context.close();
});

async function payWith(page: Page, number: string): Promise<void> {
  await page.locator('#number').fill(number);
  await page.locator('#expiry').fill('12 / 30');
  await page.locator('#cvv').fill('739');
  await page.locator('button.primary').click();
}
