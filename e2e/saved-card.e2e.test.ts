import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { TEXTS } from '../services/payments/src/checkout/texts/texts.ts';
import { keepScreenshot, openBrowser, TRAVELLERS, visit, type Visitor } from './browser.ts';
import { CANARY_CVV, CARDS, openWorld, until, type World } from './world.ts';

/**
 * A buyer saves a card and revokes it, through the whole system: the partner's signed request, the question on the
 * checkout, the bank, the binding, its callbacks, and the buyer's own page.
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

/** A payment whose card is to be saved, opened by its own buyer. */
async function open(visitor: Visitor, work: (page: Page, id: string, customerID: string) => Promise<void>) {
  const customerID = `saver-${visitor.language}-${String(Date.now())}`;
  const created = await world.client.createCardPayment({
    ...world.order('990.00'),
    customerID,
    savePaymentMethod: true,
    recurringConsent: { period: 'P1M' },
  });
  expect(created.status).toBe('CREATED');
  const context = await visit(browser, visitor);
  try {
    const page = await context.newPage();
    await page.goto(created.paymentUrl ?? '');
    await work(page, created.id, customerID);
  } finally {
    await context.close();
  }
}

async function payByCard(page: Page): Promise<void> {
  await page.locator('#number').fill(CARDS.approved);
  await page.locator('#expiry').fill('12 / 34');
  await page.locator('#cvv').fill(CANARY_CVV);
  await page.locator('button.primary').click();
}

/** The callbacks about a binding, in order of arrival. */
const toldOf = (bindingId: string) => world.receiver.arrivals.filter(({ bytes }) => bytes.includes(bindingId)).map(({ type }) => type);

describe.each(TRAVELLERS)('on a $screen in $language, script: $javaScript', (visitor) => {
  const texts = TEXTS[visitor.language];
  const shot = (name: string) => `saved-card-${name}-${visitor.language}-${visitor.screen}`;

  it('agrees, pays, sees the saved card, and forbids further charges; the partner is told of both', async () => {
    await open(visitor, async (page, id, customerID) => {
      await keepScreenshot(page, shot('question'));
      await page.locator('#agree').check();
      await page.getByRole('button', { name: texts.consent.go }).click();
      await payByCard(page);
      await page.getByRole('heading', { name: texts.paid.title, exact: true }).waitFor();
      const { bindingId = '' } = await world.ended(id);
      await until('the binding', () => world.client.readBinding(bindingId).catch(() => undefined));
      expect(await world.client.readBinding(bindingId)).toMatchObject({ status: 'ACTIVE', period: 'P1M', customerId: customerID });

      await keepScreenshot(page, shot('paid'));
      await page.getByRole('link', { name: texts.savedCard.see }).click();
      await page.getByText('•• 1111').waitFor();
      await keepScreenshot(page, shot('active'));
      await page.getByRole('button', { name: texts.savedCard.revoke }).click();
      await page.getByRole('heading', { name: texts.savedCard.revoked.title }).waitFor();
      await keepScreenshot(page, shot('revoked'));
      expect((await world.client.readBinding(bindingId)).status).toBe('REVOKED');
      await until('both callbacks', () => (toldOf(bindingId).includes('binding.revoked') ? true : undefined));
      expect(toldOf(bindingId)).toEqual(['binding.created', 'binding.revoked']);
      const refused = world.client.createRecurringPayment({
        merchantOrderId: `after-${id}`,
        amount: '10.00',
        currency: 'RUB',
        bindingId,
        description: 'Not any more',
      });
      await expect(refused).rejects.toMatchObject({ code: 'BINDING_REVOKED' });

      const [kept] = await world.query<{ text: string; sha256: string; user_agent: string; version: string }>(
        'select text, sha256, user_agent, version from bindings.consents where binding_id = $1',
        [bindingId],
      );
      expect(createHash('sha256').update(String(kept?.text)).digest('hex')).toBe(kept?.sha256);
      expect(kept?.version).toBe(`2026-11-23.${visitor.language}`);
      expect(kept?.user_agent).toContain('Mozilla/');
    });
  });

  it('leaves the box empty and pays: no binding, and no callback about one', async () => {
    await open(visitor, async (page, id, customerID) => {
      await page.getByRole('button', { name: texts.consent.go }).click();
      await payByCard(page);
      await page.getByRole('heading', { name: texts.paid.title, exact: true }).waitFor();
      const payment = await world.ended(id);
      expect(payment.status).toBe('COMPLETED');
      expect(payment.bindingId).toBeUndefined();
      await world.told(id);
      expect((await world.client.listBindings({ customerId: customerID })).items).toEqual([]);
      expect(await page.getByRole('link', { name: texts.savedCard.see }).count()).toBe(0);
    });
  });
});
