import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { startStories, type Stories } from '../services/payments/test/checkout-pages.ts';
import { TEXTS } from '../services/payments/src/checkout/texts/texts.ts';
import { WAY_TEXTS } from '../services/payments/src/checkout/texts/way.ts';
import type { CheckoutPayment } from '../services/payments/src/use-cases/checkout/open-checkout.ts';
import { qrImage } from '../services/payments/src/use-cases/payment/qr-image.ts';
import { findingsOf, openBrowser, visit, VISITORS, withPage, type Visitor } from './browser.ts';

/** The page with the QR code, with simulated payments: see `qr-payment` for the whole path. */
const LINK = 'https://bank.example/sbp/5f0c7a52-6a0a-4d0e-9a52-0e6a2a4a9f11';
let stories: Stories;
let browser: Browser;
let qr: Partial<CheckoutPayment>;

beforeAll(async () => {
  stories = await startStories();
  browser = await openBrowser();
  qr = { method: 'SBP_DYNAMIC_QR', merchantOrderId: '', code: { link: LINK, image: await qrImage(LINK) } };
});

afterAll(async () => {
  await browser.close();
  await stories.stop();
});

const withQrPage = (visitor: Visitor, work: (page: Page) => Promise<void>, everyStatus = true) =>
  withPage(browser, visitor, work, { everyStatus });

describe.each(VISITORS)('on a $screen in $language, script: $javaScript', (visitor) => {
  const { qr: words } = TEXTS[visitor.language];
  const isPhone = visitor.screen === 'phone';

  it('shows what this screen can use, and moves on when the bank has the money', async () => {
    await withQrPage(visitor, async (page) => {
      const path = stories.tell(qr);
      await page.goto(stories.origin + path);
      const button = page.getByRole('link', { name: words.openBank });
      expect(await button.isVisible()).toBe(isPhone);
      if (isPhone) await page.getByText(words.otherDevice).click();
      const ways = page.getByRole('link', { name: isPhone ? words.openBank : words.openLink });
      expect(await ways.getAttribute('href')).toBe(LINK);
      const pictures = await page.getByRole('img', { name: words.picture }).all();
      expect(await Promise.all(pictures.map((picture) => picture.isVisible()))).toEqual([true]);
      expect(await pictures[0]?.getAttribute('alt')).toMatch(/1.250[.,]00/);
      expect(await page.getByText(LINK, { exact: true }).isVisible()).toBe(true);
      expect(await page.getByText(words.waiting).isVisible()).toBe(visitor.javaScript);
      stories.change(path, { status: 'COMPLETED' });
      if (!visitor.javaScript) await page.getByRole('link', { name: words.check }).click();
      await page.getByRole('heading', { name: TEXTS[visitor.language].paid.title, exact: true }).waitFor();
    });
  });
});

const AT_DESK = { screen: 'desk', language: 'ru', javaScript: true } as const satisfies Visitor;
const ru = TEXTS.ru;

it('copies the link, and says so', async () => {
  const context = await visit(browser, AT_DESK);
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: stories.origin });
  const page = await context.newPage();
  await page.goto(stories.origin + stories.tell(qr));
  await page.getByRole('button', { name: ru.qr.copy }).click();
  await page.getByText(ru.qr.copied).waitFor();
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(LINK);
  await context.close();
});

it('counts down, says once that two minutes are left, and ends by itself', async () => {
  const context = await visit(browser, AT_DESK);
  const page = await context.newPage();
  // From here on time passes only in the steps below, however long the machine takes.
  await page.clock.install({ time: '2026-11-21T11:00:00Z' });
  await page.clock.pauseAt('2026-11-21T11:00:01Z');
  const path = stories.tell(qr);
  await page.goto(stories.origin + path);
  await page.clock.runFor('00:02');
  expect(await page.locator('[role=timer]').textContent()).toBe('59:28');
  await page.clock.fastForward('57:35');
  expect(await page.locator('[data-announcement]').textContent()).toBe(ru.time.twoMinutesLeft);
  stories.change(path, { status: 'EXPIRED', failureCode: 'SESSION_EXPIRED' });
  await page.clock.fastForward('02:10');
  await page.clock.resume();
  await page.getByRole('heading', { name: ru.expired.title }).waitFor();
  await context.close();
});

it.each([true, false])('a check says that the payment has not arrived, and the focus is there (script: %s)', async (javaScript) => {
  await withQrPage({ screen: 'phone', language: 'ru', javaScript }, async (page) => {
    await page.goto(stories.origin + stories.tell(qr));
    expect(await page.getByText(ru.qr.notYet).count()).toBe(0);
    await page.getByRole('link', { name: ru.qr.check }).click();
    await page.locator('[role=status]:focus', { hasText: ru.qr.notYet }).waitFor();
    expect(javaScript ? await findingsOf(page) : []).toEqual([]);
  });
});

it.each([true, false])('card or SBP on one page: SBP, the card again, and a bank that does not answer (script: %s)', async (javaScript) => {
  await withQrPage(
    { screen: 'phone', language: 'ru', javaScript },
    async (page) => {
      await page.route(`${stories.shop}/**`, (route) => route.fulfill({ status: 204 }));
      const path = stories.tell({ offersSbp: true });
      const choose = (name: string) => page.getByRole('button', { name, exact: true }).click();
      await page.goto(stories.origin + path);
      const pay = await page.locator('button.primary').boundingBox();
      expect((pay?.y ?? Infinity) + (pay?.height ?? 0)).toBeLessThanOrEqual(844);
      stories.setRoute(false);
      await choose(WAY_TEXTS.ru.SBP);
      await page.getByText(WAY_TEXTS.ru.unavailable.what).waitFor();
      stories.setRoute(true);
      await choose(WAY_TEXTS.ru.SBP);
      await page.getByRole('link', { name: ru.qr.openBank }).waitFor();
      stories.setRoute(false);
      await choose(WAY_TEXTS.ru.CARD);
      await page.locator('[role=status]:focus', { hasText: WAY_TEXTS.ru.notWithdrawn }).waitFor();
      expect(javaScript ? await findingsOf(page) : []).toEqual([]);
      stories.setRoute(true);
      await choose(WAY_TEXTS.ru.CARD);
      await page.locator('#number').fill('4111 1111 1111 1111');
      await page.locator('#expiry').fill('12/30');
      await page.locator('#cvv').fill('739');
      await page.locator('#cvv').press('Enter');
      await page.getByRole('heading', { name: ru.paid.title, exact: true }).waitFor();
      expect(stories.cardsTaken(path)).toBe(1);
      // A bank that does not answer is an error response, and the browser reports it.
    },
    false,
  );
});

it('cancelling takes a second press', async () => {
  await withQrPage({ ...AT_DESK, javaScript: false }, async (page) => {
    await page.goto(stories.origin + stories.tell(qr));
    expect(await page.getByRole('button', { name: ru.cancel.confirm }).isVisible()).toBe(false);
    await page.getByText(ru.cancel.summary, { exact: true }).click();
    await page.getByRole('button', { name: ru.cancel.confirm }).click();
    await page.getByRole('heading', { name: ru.cancelled.title }).waitFor();
  });
});

it.each([
  ['declined', { status: 'REJECTED', failureCode: 'INSUFFICIENT_FUNDS' }, ru.qr.failures.INSUFFICIENT_FUNDS?.what],
  ['refunded', { status: 'REFUNDED' }, ru.qr.refunded],
] as const)('a %s one speaks of an account, not of a card', async (_name, story, sentence) => {
  await withQrPage({ ...AT_DESK, javaScript: false }, async (page) => {
    const { code: _gone, ...ended } = qr;
    await page.goto(stories.origin + stories.tell({ ...ended, ...story }));
    const words = (await page.locator('main').textContent()) ?? '';
    expect(words).toContain(sentence);
    expect(words).not.toMatch(/карт/i);
  });
});
