import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { ENGLISH_SHOP, tellBuyerPages } from '../services/payments/test/buyer-pages.ts';
import { startStories, type Stories } from '../services/payments/test/checkout-pages.ts';
import { TEXTS } from '../services/payments/src/checkout/texts/texts.ts';
import { findingsOf, keepScreenshot, openBrowser, visit, VISITORS, withholdScript, withPage, type Visitor } from './browser.ts';

/** The checkout's pages in a browser, with simulated payments: see `checkout-payment` for the whole path. */
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

describe.each(VISITORS)('on a $screen in $language, script: $javaScript', (visitor) => {
  const words = visitor.language === 'en' ? ENGLISH_SHOP : {};
  const shot = (name: string) => `form-${name}-${visitor.language}-${visitor.screen}`;

  // With it: `every-page`.
  if (!visitor.javaScript)
    it('every page has no finding of axe, and nothing to scroll sideways', async () => {
      await withPage(browser, { ...visitor, javaScript: true }, async (page) => {
        await withholdScript(page, stories.origin);
        const findings: Record<string, unknown> = {};
        const look = async (name: string) => {
          await page.evaluate('for (const part of document.querySelectorAll("details")) part.open = true');
          const found = await findingsOf(page);
          const width = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
          if (found.length > 0 || width !== 0) findings[name] = { found, width };
        };
        for (const { name, path } of await tellBuyerPages(stories, words)) {
          await page.goto(stories.origin + path);
          await look(name);
        }

        await page.goto(stories.origin + stories.tell(words));
        await page.locator('#number').fill('4111 1111 1111 1112');
        await page.locator('#expiry').fill('13/28');
        await page.locator('button.primary').click();
        await page.locator('#number[aria-invalid=true]').waitFor();
        await look('problems');

        expect(findings).toEqual({});
      });
    });

  it('the hand-over to the bank has no finding while it is seen', async () => {
    await withPage(browser, { ...visitor, javaScript: true }, async (page) => {
      if (!visitor.javaScript) await withholdScript(page, stories.origin);
      // A bank that answers 204 leaves the buyer on our page.
      await page.route(`${stories.bank}/**`, (route) => route.fulfill({ status: 204 }));
      const path = stories.tell({ ...words, status: 'PENDING', acsUrl: `${stories.bank}/3ds/x` });
      // The page redirects before it has loaded.
      await page.goto(stories.origin + path, { waitUntil: 'commit' });
      await page.getByRole('heading', { name: TEXTS[visitor.language].bank.title }).waitFor();
      expect(await findingsOf(page)).toEqual([]);
      if (visitor.javaScript) await keepScreenshot(page, shot('bank'));
    });
  });
});

const AT_DESK = { screen: 'desk', language: 'ru', javaScript: true } as const satisfies Visitor;
const ru = TEXTS.ru;

describe('the card page', () => {
  it('is paid with the keyboard alone', async () => {
    await withPage(browser, AT_DESK, async (page) => {
      const path = stories.tell({ environment: 'LIVE' });
      await page.goto(stories.origin + path);
      const focused = () => page.evaluate('document.activeElement.id || document.activeElement.textContent.trim()');
      const stops: unknown[] = [];
      for (let stop = 0; stop < 3; stop += 1) {
        await page.keyboard.press('Tab');
        stops.push(await focused());
      }
      expect(stops).toEqual([ru.skipToContent, 'English', 'number']);
      await page.keyboard.type('2200700000000009');
      await page.keyboard.press('Tab');
      await page.keyboard.type('1230');
      await page.keyboard.press('Tab');
      await page.keyboard.type('123');
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: ru.paid.title, exact: true }).waitFor();
      expect(stories.cardsTaken(path)).toBe(1);
    });
  });

  it('groups the digits when the field is left, and marks the brand', async () => {
    await withPage(browser, AT_DESK, async (page) => {
      await page.goto(stories.origin + stories.tell({}));
      await page.locator('#number').pressSequentially('2200700000000009');
      expect(await page.locator('#number').inputValue()).toBe('2200700000000009');
      expect(await page.locator('.brands .here').textContent()).toBe('Мир');
      await page.locator('#number').blur();
      expect(await page.locator('#number').inputValue()).toBe('2200 7000 0000 0009');
    });
  });

  it('a double click pays once', async () => {
    await withPage(browser, AT_DESK, async (page) => {
      const path = stories.tell({});
      await page.goto(stories.origin + path);
      await page.locator('summary').first().click();
      await page.locator('[data-fill="4111 1111 1111 1111"]').click();
      await page.locator('button.primary').dblclick();
      await page.getByRole('heading', { name: ru.paid.title, exact: true }).waitFor();
      expect(stories.cardsTaken(path)).toBe(1);
    });
  });

  it('what was typed is gone after "back", and nothing of it was in an address or a page', async () => {
    await withPage(browser, AT_DESK, async (page) => {
      const addresses: string[] = [];
      page.on('request', (request) => addresses.push(request.url()));
      const path = stories.tell({ environment: 'LIVE' });
      await page.goto(stories.origin + path);
      await page.locator('#number').fill('4111 1111 1111 1111');
      await page.locator('#expiry').fill('12/30');
      await page.locator('#cvv').fill('739');
      await page.locator('button.primary').click();
      await page.getByRole('heading', { name: ru.paid.title, exact: true }).waitFor();
      expect(await page.content()).not.toMatch(/4111|739/);
      await page.goBack();
      await page.getByRole('heading', { name: ru.paid.already }).waitFor();
      expect(await page.locator('input').count()).toBe(0);
      expect(addresses.join('\n')).not.toMatch(/4111|739/);
    });
  });

  it('counts down, says once that two minutes are left, and ends by itself', async () => {
    const context = await visit(browser, AT_DESK);
    const page = await context.newPage();
    // From here on time passes only in the steps below, however long the machine takes.
    await page.clock.install({ time: '2026-11-21T11:00:00Z' });
    await page.clock.pauseAt('2026-11-21T11:00:01Z');
    const path = stories.tell({});
    await page.goto(stories.origin + path);
    const announcement = page.locator('[data-announcement]');
    await page.clock.runFor('00:02');
    expect(await page.locator('[role=timer]').textContent()).toBe('59:28');
    expect(await announcement.textContent()).toBe('');
    await page.clock.fastForward('57:35');
    expect(await page.locator('[role=timer]').textContent()).toBe('01:53');
    expect(await announcement.textContent()).toBe(ru.time.twoMinutesLeft);
    stories.change(path, { status: 'EXPIRED' });
    await page.clock.fastForward('02:10');
    await page.clock.resume();
    await page.getByRole('heading', { name: ru.expired.title }).waitFor();
    await context.close();
  });

  it('cancelling takes a second press, and leads to the shop', async () => {
    await withPage(browser, { ...AT_DESK, javaScript: false }, async (page) => {
      await page.goto(stories.origin + stories.tell({}));
      expect(await page.getByRole('button', { name: ru.cancel.confirm }).isVisible()).toBe(false);
      await page.getByText(ru.cancel.summary, { exact: true }).click();
      await page.getByRole('button', { name: ru.cancel.confirm }).click();
      await page.getByRole('heading', { name: ru.cancelled.title }).waitFor();
      await page.getByRole('link', { name: ru.backToShop }).click();
      await page.waitForURL(`${stories.shop}/thanks?order=4217&from=form`);
    });
  });
});

describe('waiting', () => {
  it('moves on by itself when the bank has answered', async () => {
    const context = await visit(browser, AT_DESK);
    const page = await context.newPage();
    const path = stories.tell({ status: 'PENDING' });
    await page.goto(stories.origin + path);
    await page.getByRole('heading', { name: ru.waiting.title }).waitFor();
    expect(await page.getByText(ru.waiting.auto).isVisible()).toBe(true);
    stories.change(path, { status: 'COMPLETED' });
    await page.getByRole('heading', { name: ru.paid.title, exact: true }).waitFor();
    await context.close();
  });

  it('moves on by a link without the script', async () => {
    await withPage(browser, { ...AT_DESK, javaScript: false }, async (page) => {
      const path = stories.tell({ status: 'PENDING' });
      await page.goto(stories.origin + path);
      expect(await page.getByText(ru.waiting.auto).isVisible()).toBe(false);
      stories.change(path, { status: 'COMPLETED' });
      await page.getByRole('link', { name: ru.waiting.check }).click();
      await page.getByRole('heading', { name: ru.paid.title, exact: true }).waitFor();
    });
  });
});

describe('back to the shop, which is another origin', () => {
  it('by itself after ten seconds, without a referrer', async () => {
    const context = await visit(browser, AT_DESK);
    const page = await context.newPage();
    await page.clock.install();
    await page.goto(`${stories.origin}${stories.tell({ status: 'COMPLETED' })}/result`);
    await page.clock.runFor('00:09');
    expect(page.url()).toContain(stories.origin);
    await page.clock.runFor('00:02');
    await page.waitForURL(`${stories.shop}/thanks?order=4217&from=form`);
    expect(await page.locator('p').textContent()).toBe('no referrer');
    await context.close();
  });

  it('not by itself for who wants to stay, nor for who opens a paid link again', async () => {
    const context = await visit(browser, AT_DESK);
    const page = await context.newPage();
    await page.clock.install();
    await page.goto(`${stories.origin}${stories.tell({ status: 'COMPLETED' })}/result`);
    await page.getByRole('button', { name: ru.paid.stay }).click();
    await page.clock.runFor('00:30');
    expect(page.url()).toContain(stories.origin);
    await page.goto(stories.origin + stories.tell({ status: 'COMPLETED' }));
    await page.clock.runFor('00:30');
    expect(page.url()).toContain(stories.origin);
    await context.close();
  });
});

it('the language that was chosen stays to the end', async () => {
  await withPage(browser, AT_DESK, async (page) => {
    await page.goto(stories.origin + stories.tell({}));
    await page.getByRole('link', { name: 'English' }).click();
    await page.locator('summary').first().click();
    await page.locator('[data-fill="4000 0000 0000 9995"]').click();
    await page.locator('button.primary').click();
    await page.getByRole('heading', { name: TEXTS.en.declined.title }).waitFor();
    expect(await page.locator('main').textContent()).toContain(TEXTS.en.failures.INSUFFICIENT_FUNDS.what);
    expect(await page.locator('main').textContent()).toContain(TEXTS.en.noMoneyTaken);
  });
});
