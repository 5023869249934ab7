import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { TEXTS } from '../services/payments/src/checkout/texts/texts.ts';
import { findingsOf, keepScreenshot, openBrowser, TRAVELLERS, visit, type Visitor } from './browser.ts';
import { openWorld, until, type Arrival, type World } from './world.ts';

/**
 * Buyers pay a QR code in a browser, through the whole system: the signed request, our page, the bank's page, and back.
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

/** The buttons of the sandbox bank's page. */
const BANK = {
  ru: { pay: 'Оплатить', refuse: 'Отказаться' },
  en: { pay: 'Pay', refuse: 'Decline' },
} as const;

const OPEN: ReadonlySet<string> = new Set(['CREATED', 'SUBMITTED', 'PENDING']);
const create = (amount: string) =>
  world.client.createQrPayment({ paymentPointID: world.partner.paymentPoints.qr, amount, description: 'Tea, 100 g' });
const ended = (id: string) =>
  until(`QR payment ${id} to end`, async () => {
    const payment = await world.client.readQrPayment(id).catch(() => undefined);
    return payment !== undefined && !OPEN.has(payment.status) ? payment : undefined;
  });
/** The first `count` callbacks of a payment, in order of arrival. */
const told = (id: string, count: number): Promise<readonly Arrival[]> =>
  until(`${String(count)} callbacks of ${id}`, () => {
    const arrivals = world.receiver.arrivals.filter(({ orderId }) => orderId === id);
    return arrivals.length >= count ? arrivals : undefined;
  });

/** From our page to the bank's: a phone by its button, a desktop by the link beside the code. */
async function toBank(page: Page, { screen, language }: Visitor): Promise<void> {
  const { qr } = TEXTS[language];
  await page.getByRole('link', { name: screen === 'phone' ? qr.openBank : qr.openLink }).click();
  await page.getByRole('button', { name: BANK[language].pay, exact: true }).waitFor();
  expect(page.url()).toContain(world.system.addresses.bankUrl);
}

describe.each(TRAVELLERS)('on a $screen in $language, script: $javaScript', (visitor) => {
  const texts = TEXTS[visitor.language];
  const name = (what: string) => `qr-${what}-${visitor.language}-${visitor.screen}${visitor.javaScript ? '' : '-no-script'}`;

  it('a code is paid at the bank: paid here, COMPLETED, told as QR', async () => {
    const { id, paymentUrl = '' } = await create('1250.00');
    const context = await visit(browser, visitor);
    const page = await context.newPage();
    try {
      await page.goto(paymentUrl);
      await keepScreenshot(page, name('code'));
      await toBank(page, visitor);
      await keepScreenshot(page, name('bank'));
      // axe is a script and needs a browser that runs scripts. Our own pages are checked in `checkout-qr-pages`.
      expect(visitor.javaScript ? await findingsOf(page) : []).toEqual([]);
      await page.getByRole('button', { name: BANK[visitor.language].pay, exact: true }).click();
      await page.getByRole('heading', { name: texts.paid.title, exact: true }).waitFor();
      if (visitor.javaScript) await page.getByRole('button', { name: texts.paid.stay }).click();
      await keepScreenshot(page, name('paid'));
      expect((await ended(id)).status).toBe('COMPLETED');
      const [arrival] = await told(id, 1);
      expect(arrival).toMatchObject({ type: 'payment.completed', version: 1, signed: true });
      expect(JSON.parse(arrival?.bytes ?? '')).toMatchObject({
        data: { orderId: id, merchantOrderId: '', paymentMethod: 'QR', amount: '1250.00', status: 'COMPLETED' },
      });
    } finally {
      await context.close();
    }
  });

  it('a code is refused at the bank: cancelled here, CANCELLED, no money taken', async () => {
    const { id, paymentUrl = '' } = await create('1250.00');
    const context = await visit(browser, visitor);
    const page = await context.newPage();
    try {
      await page.goto(paymentUrl);
      await toBank(page, visitor);
      await page.getByRole('button', { name: BANK[visitor.language].refuse, exact: true }).click();
      await page.getByRole('heading', { name: texts.cancelled.title }).waitFor();
      await keepScreenshot(page, name('refused'));
      expect(await ended(id)).toMatchObject({ status: 'CANCELLED', failureCode: 'CANCELLED_BY_CUSTOMER' });
    } finally {
      await context.close();
    }
  });
});

it('a desk that shows the code moves on by itself when another device has paid it', async () => {
  const { paymentUrl = '', nspkurl = '' } = await create('10.50');
  const [desk, other] = await Promise.all([
    visit(browser, { screen: 'desk', language: 'ru', javaScript: true }),
    visit(browser, { screen: 'desk', language: 'en', javaScript: true }),
  ]);
  const page = await desk.newPage();
  await page.goto(paymentUrl);
  const bank = await other.newPage();
  await bank.goto(nspkurl);
  await bank.getByRole('button', { name: BANK.en.pay, exact: true }).waitFor();
  expect(await findingsOf(bank)).toEqual([]);
  await bank.getByRole('button', { name: BANK.en.pay, exact: true }).click();
  await page.getByRole('heading', { name: TEXTS.ru.paid.title, exact: true }).waitFor();
  expect(page.url()).toContain(new URL(paymentUrl).pathname);
  await Promise.all([desk.close(), other.close()]);
});

it('the kopecks .91, .92 and .93 force what the sandbox’s table says', async () => {
  // Together: two of them are asked for after some seconds.
  const results = ['10.91', '10.92', '10.93'].map(async (amount) => {
    const { id, nspkurl = '' } = await create(amount);
    await press(nspkurl, 'pay');
    return await ended(id);
  });
  expect(await Promise.all(results)).toMatchObject([
    { status: 'REJECTED', failureCode: 'INSUFFICIENT_FUNDS' },
    { status: 'COMPLETED' },
    { status: 'FAILED', failureCode: 'ISSUER_UNAVAILABLE' },
  ]);
});

it('.95: the refund fails, and is told; of another amount it is returned in two parts, in version order, REFUNDED', async () => {
  const [failing, paid] = [await create('10.95'), await create('10.50')];
  for (const { nspkurl = '' } of [failing, paid]) await press(nspkurl, 'pay');
  await Promise.all([ended(failing.id), ended(paid.id)]);

  const failed = await world.client.refundQrPayment(failing.id);
  expect(failed).toMatchObject({ status: 'FAILED', failureCode: 'PROCESSING_ERROR' });
  expect((await told(failing.id, 3)).map(({ type }) => type)).toEqual(['payment.completed', 'refund.pending', 'refund.failed']);

  expect(await world.client.refundQrPayment(paid.id, { amount: '0.51', reason: 'Cold' })).toMatchObject({
    status: 'COMPLETED',
    refundedAmount: '0.51',
  });
  expect(await world.client.refundQrPayment(paid.id)).toMatchObject({ status: 'COMPLETED', amount: '9.99', refundedAmount: '10.50' });
  expect(await world.client.readQrPayment(paid.id)).toMatchObject({ status: 'REFUNDED', refundedAmount: '10.50' });
  const events = await told(paid.id, 6);
  expect(events.map(({ type, version }) => [type, version])).toEqual([
    ['payment.completed', 1],
    ['refund.pending', 2],
    ['refund.completed', 3],
    ['refund.pending', 4],
    ['refund.completed', 5],
    ['payment.refunded', 6],
  ]);
  expect(events.every(({ signed }) => signed)).toBe(true);
  const { items } = await world.client.listQrPayments(world.partner.paymentPoints.qr, { limit: 100 });
  expect(items.find(({ id }) => id === paid.id)).toEqual(await world.client.readQrPayment(paid.id));
});

/** The buyer's bank without a browser: submits its page's form, as a browser would. */
async function press(nspkurl: string, decision: 'pay' | 'refuse'): Promise<void> {
  const { origin } = new URL(nspkurl);
  const answer = await fetch(nspkurl, {
    method: 'POST',
    redirect: 'manual',
    headers: { origin, 'sec-fetch-site': 'same-origin' },
    body: new URLSearchParams({ decision }),
  });
  expect(answer.status).toBe(303);
}
