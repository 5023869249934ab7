import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { TEXTS } from '../services/payments/src/checkout/texts/texts.ts';
import { findingsOf, keepScreenshot, openBrowser, TRAVELLERS, visit, type Visitor } from './browser.ts';
import { CANARY_CVV, CANARY_CVV_ALONE, CARDS, openWorld, type World } from './world.ts';

/**
 * Buyers pay in a browser, through the whole system: the partner's signed request, the checkout, the
 * bank's page, and back to the shop, which has its own origin.
 */
let world: World;
let browser: Browser;

beforeAll(async () => {
  world = await openWorld();
  browser = await openBrowser();
});

afterAll(async () => {
  await browser.close();
  await world.close();
});

/** The buttons of the sandbox bank's 3-D Secure page. */
const BANK = {
  ru: { approve: 'Подтвердить', decline: 'Отказаться' },
  en: { approve: 'Approve', decline: 'Decline' },
} as const;

type Journey = { readonly page: Page; readonly id: string; readonly addresses: string[] };

/** A buyer with a payment of their own, who types a card and presses "pay". */
async function pay(visitor: Visitor, number: string, then: (journey: Journey) => Promise<void>): Promise<void> {
  const { id, paymentUrl = '' } = await world.create('1250.00');
  const context = await visit(browser, visitor);
  const page = await context.newPage();
  const addresses: string[] = [];
  page.on('request', (request) => addresses.push(request.url()));
  try {
    await page.goto(paymentUrl);
    await page.locator('#number').fill(number.replace(/(.{4})(?=.)/g, '$1 '));
    await page.locator('#expiry').fill('12 / 34');
    await page.locator('#cvv').fill(CANARY_CVV);
    await page.locator('button.primary').click();
    await then({ page, id, addresses });
    expect(addresses.join('\n')).not.toContain(number);
  } finally {
    await context.close();
  }
}

/** On a slow machine the test must not be redirected to the shop while it still checks the page. */
async function stayWhenPaid(page: Page, { javaScript, language }: Visitor): Promise<void> {
  const texts = TEXTS[language];
  const paid = page.getByRole('heading', { name: texts.paid.title, exact: true });
  const waiting = page.getByRole('heading', { name: texts.waiting.title });
  await paid.or(waiting).waitFor();
  // A slow bank: the script refreshes automatically; without it the buyer does.
  while (!javaScript && (await waiting.isVisible())) {
    await page.getByRole('link', { name: texts.waiting.check }).click();
    await paid.or(waiting).waitFor();
  }
  await paid.waitFor();
  if (javaScript) await page.getByRole('button', { name: TEXTS[language].paid.stay }).click();
}

/** The end page states the result, shows only the last digits of the card, and leads to the shop. */
async function expectEnd({ page }: Journey, visitor: Visitor, title: string, number: string): Promise<void> {
  await page.getByRole('heading', { name: title, exact: true }).waitFor();
  const document = await page.content();
  expect(document).not.toContain(number);
  expect(document).not.toMatch(CANARY_CVV_ALONE);
  // A link moves until the styles are there: a click would miss it.
  await page.waitForLoadState();
  await page.getByRole('link', { name: TEXTS[visitor.language].backToShop }).click();
  await page.waitForURL(`${String(world.system.demo['returnUrl'])}**`);
}

describe.each(TRAVELLERS)('on a $screen in $language, script: $javaScript', (visitor) => {
  const texts = TEXTS[visitor.language];
  const name = (what: string) => `payment-${what}-${visitor.language}-${visitor.screen}${visitor.javaScript ? '' : '-no-script'}`;

  it('an approved card: paid, and back to the shop', async () => {
    await pay(visitor, CARDS.approved, async (journey) => {
      await stayWhenPaid(journey.page, visitor);
      await keepScreenshot(journey.page, name('approved'));
      await expectEnd(journey, visitor, texts.paid.title, CARDS.approved);
      expect((await world.ended(journey.id)).status).toBe('COMPLETED');
    });
  });

  it('a declined card: why, that no money was taken, and back to the shop', async () => {
    await pay(visitor, CARDS.declined, async (journey) => {
      await journey.page.getByRole('heading', { name: texts.declined.title, exact: true }).waitFor();
      const words = (await journey.page.locator('main').textContent()) ?? '';
      expect(words).toContain(texts.failures.DECLINED_BY_ISSUER.what);
      expect(words).toContain(texts.noMoneyTaken);
      await keepScreenshot(journey.page, name('declined'));
      await expectEnd(journey, visitor, texts.declined.title, CARDS.declined);
      expect(await world.ended(journey.id)).toMatchObject({ status: 'REJECTED', failureCode: 'DECLINED_BY_ISSUER' });
    });
  });

  it('a 3-D Secure card: to the bank, approved there, paid here, and back to the shop', async () => {
    await pay(visitor, CARDS.threeDs, async (journey) => {
      const approve = journey.page.getByRole('button', { name: BANK[visitor.language].approve });
      await approve.waitFor();
      expect(journey.page.url()).toContain(world.system.addresses.bankUrl);
      await keepScreenshot(journey.page, name('3-d-secure'));
      // axe is a script and needs a browser that runs scripts. Our own pages are checked in `checkout-pages`.
      expect(visitor.javaScript ? await findingsOf(journey.page) : []).toEqual([]);
      await approve.click();
      await stayWhenPaid(journey.page, visitor);
      await expectEnd(journey, visitor, texts.paid.title, CARDS.threeDs);
      expect((await world.ended(journey.id)).status).toBe('COMPLETED');
    });
  });
});

it.each([true, false])(
  '3DS Method: the issuer has seen the browser and asks nothing; without the script (%s) he asks the buyer',
  async (javaScript) => {
    const visitor = { screen: 'phone', language: 'ru', javaScript } as const;
    await pay(visitor, CARDS.threeDsMethod, async (journey) => {
      if (!javaScript) await journey.page.getByRole('button', { name: BANK.ru.approve }).click();
      await stayWhenPaid(journey.page, visitor);
      const bank = world.system.addresses.bankUrl;
      const asked = (path: string) => journey.addresses.some((address) => address.startsWith(`${bank}${path}`));
      expect([asked('/three-ds-method'), asked('/3ds/')]).toEqual([javaScript, !javaScript]);
      expect((await world.ended(journey.id)).status).toBe('COMPLETED');
    });
  },
);

it('a 3-D Secure card that is declined at the bank: not confirmed, no money taken', async () => {
  const visitor = { screen: 'phone', language: 'ru', javaScript: true } as const;
  await pay(visitor, CARDS.threeDs, async (journey) => {
    await journey.page.getByRole('button', { name: BANK.ru.decline }).click();
    await journey.page.getByRole('heading', { name: TEXTS.ru.declined.title }).waitFor();
    const words = (await journey.page.locator('main').textContent()) ?? '';
    expect(words).toContain(TEXTS.ru.failures.AUTHENTICATION_FAILED.what);
    expect(words).toContain(TEXTS.ru.noMoneyTaken);
    await expectEnd(journey, visitor, TEXTS.ru.declined.title, CARDS.threeDs);
    expect(await world.ended(journey.id)).toMatchObject({ status: 'REJECTED', failureCode: 'AUTHENTICATION_FAILED' });
  });
});

it('a buyer who presses "back" at the bank is taken there again, and can still pay', async () => {
  const visitor = { screen: 'desk', language: 'en', javaScript: true } as const;
  await pay(visitor, CARDS.threeDs, async (journey) => {
    const approve = journey.page.getByRole('button', { name: BANK.en.approve });
    await approve.waitFor();
    expect(await findingsOf(journey.page)).toEqual([]);
    await journey.page.goBack({ waitUntil: 'commit' });
    await approve.waitFor();
    await approve.click();
    await stayWhenPaid(journey.page, visitor);
    await expectEnd(journey, visitor, TEXTS.en.paid.title, CARDS.threeDs);
  });
});
