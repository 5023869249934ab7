import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { startStories, type Stories } from '../services/payments/test/checkout-pages.ts';
import { TEXTS } from '../services/payments/src/checkout/texts/texts.ts';
import { keepScreenshot, openBrowser, SCREENS, visit, withPage, type Visitor } from './browser.ts';

/** 3DS Method: the issuer inspects the buyer's browser in a hidden frame of the card page, before the card is sent. */
let stories: Stories;
let browser: Browser;

beforeAll(async () => {
  stories = await startStories();
  browser = await openBrowser();
});

afterAll(async () => {
  await browser.close();
  await stories.stop();
});

const VISITOR = { screen: 'phone', language: 'ru', javaScript: true } as const satisfies Visitor;
const NUMBER = '4000 0000 0000 3220';
const texts = TEXTS.ru;

async function typeCard(page: Page, path: string, number = NUMBER): Promise<void> {
  await page.goto(stories.origin + path);
  await page.locator('#number').fill(number);
  await page.locator('#expiry').fill('12 / 34');
  await page.locator('#cvv').fill('123');
}
const press = (page: Page) => page.locator('button.primary').click();
/**
 * Types a card and sends it. From then on the page's clock is stopped unless the test moves it, however slow this
 * machine is.
 */
async function payInStoppedTime(page: Page, path: string): Promise<void> {
  await page.clock.install();
  await typeCard(page, path);
  await page.clock.pauseAt(Date.now() + 60_000);
  await press(page);
}
const atTheBank = (page: Page) => page.waitForURL(`${stories.bank}/3ds/**`);
const paid = (page: Page) => page.getByRole('heading', { name: texts.paid.title, exact: true }).waitFor();
/** Keeps the buyer on the page that confirms the payment. */
const stay = (page: Page) => page.route(`${stories.shop}/**`, (route) => route.fulfill({ status: 204 }));

describe('3DS Method in a browser', () => {
  it('runs in a hidden frame, and the card goes once, with its word and what was measured', async () => {
    stories.setMethod('done');
    await withPage(browser, VISITOR, async (page) => {
      await stay(page);
      const path = stories.tell({});
      await typeCard(page, path);
      await press(page);
      await paid(page);
      expect([stories.cardsPrepared(path), stories.cardsTaken(path)]).toEqual([1, 1]);
      expect(stories.sentWith(path)).toMatchObject({
        isMethodDone: true,
        buyer: {
          accept: expect.stringContaining('text/html'),
          userAgent: expect.stringContaining('Chrome'),
          browser: {
            colorDepth: 24,
            screenHeight: SCREENS.phone.height,
            screenWidth: SCREENS.phone.width,
            timezoneOffsetMinutes: expect.any(Number),
            language: 'ru-RU',
            isJavaEnabled: false,
          },
        },
      });
    });
  });

  it('nobody sees it: the page stays where it is, nothing to scroll, and the button says what goes on', async () => {
    stories.setMethod('silent');
    await withPage(browser, VISITOR, async (page) => {
      const path = stories.tell({});
      await payInStoppedTime(page, path);
      await page.locator('iframe[name=method]').waitFor({ state: 'attached' });
      expect(await page.locator('iframe[name=method]').isVisible()).toBe(false);
      expect(await page.locator('form.busy').count()).toBe(1);
      await keepScreenshot(page, 'form-three-ds-method');
      expect(page.url()).toBe(stories.origin + path);
      expect(stories.cardsTaken(path)).toBe(0);
    });
  });

  it('an issuer who never answers is waited for ten seconds and no longer: the card goes, and the bank asks the buyer', async () => {
    stories.setMethod('silent');
    await withPage(browser, VISITOR, async (page) => {
      const path = stories.tell({});
      await payInStoppedTime(page, path);
      await page.locator('iframe[name=method]').waitFor({ state: 'attached' });
      await page.clock.runFor(9_900);
      // The frame is removed when the waiting ends, and then the card is sent.
      expect(await page.locator('iframe[name=method]').count()).toBe(1);
      await page.clock.runFor(200);
      await atTheBank(page);
      expect([stories.cardsTaken(path), stories.sentWith(path)?.isMethodDone]).toEqual([1, false]);
    });
  });

  it('the word for another authentication counts for nothing', async () => {
    stories.setMethod('other');
    await withPage(browser, VISITOR, async (page) => {
      const path = stories.tell({});
      const notified = page.waitForResponse(`${stories.origin}${path}/method/done`);
      await payInStoppedTime(page, path);
      await notified;
      await page.clock.runFor(10_100);
      await atTheBank(page);
      expect([stories.cardsTaken(path), stories.sentWith(path)?.isMethodDone]).toEqual([1, false]);
    });
  });

  it('an issuer’s page that wants the whole window does not get it', async () => {
    stories.setMethod('escape');
    const context = await visit(browser, VISITOR);
    const page = await context.newPage();
    const refused = page.waitForEvent('console', (message) => message.text().includes('is sandboxed'));
    const path = stories.tell({});
    await payInStoppedTime(page, path);
    await refused;
    expect(page.url()).toBe(stories.origin + path);
    await page.clock.runFor(10_100);
    await atTheBank(page);
    expect(stories.cardsTaken(path)).toBe(1);
    await context.close();
  });

  it('two presses of the button send the card once', async () => {
    stories.setMethod('done');
    await withPage(browser, VISITOR, async (page) => {
      await stay(page);
      const path = stories.tell({});
      await typeCard(page, path);
      await page.locator('button.primary').dblclick();
      await paid(page);
      expect([stories.cardsPrepared(path), stories.cardsTaken(path)]).toEqual([1, 1]);
    });
  });

  it('a page that is reloaded or left meanwhile sends nothing, and the payment can be paid afterwards', async () => {
    stories.setMethod('silent');
    await withPage(browser, VISITOR, async (page) => {
      await stay(page);
      const path = stories.tell({});
      await typeCard(page, path);
      await press(page);
      await page.locator('iframe[name=method]').waitFor({ state: 'attached' });
      await page.reload();
      expect(await page.locator('#number').inputValue()).toBe('');
      expect(stories.cardsTaken(path)).toBe(0);
      stories.setMethod('done');
      await typeCard(page, path);
      await press(page);
      await paid(page);
      expect(stories.cardsTaken(path)).toBe(1);
    });
  });

  it('a question that fails keeps no card back', async () => {
    const context = await visit(browser, VISITOR);
    const page = await context.newPage();
    await stay(page);
    await page.route('**/card/prepare', (route) => route.abort());
    const path = stories.tell({});
    await typeCard(page, path, '4111 1111 1111 1111');
    await press(page);
    await paid(page);
    expect([stories.cardsPrepared(path), stories.cardsTaken(path)]).toEqual([0, 1]);
    await context.close();
  });

  it('without JavaScript the card goes at once, and the bank asks the buyer', async () => {
    stories.setMethod('done');
    await withPage(browser, { ...VISITOR, javaScript: false }, async (page) => {
      const path = stories.tell({});
      await typeCard(page, path);
      await press(page);
      await atTheBank(page);
      expect([stories.cardsPrepared(path), stories.cardsTaken(path)]).toEqual([0, 1]);
      expect(stories.sentWith(path)).toMatchObject({ isMethodDone: false, buyer: { browser: undefined } });
    });
  });
});
