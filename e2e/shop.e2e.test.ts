import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { runCli } from '../packages/cli/test/run-cli.ts';
import { ROOT } from '../tools/infrastructure/folders.ts';
import { payAtCheckout } from '../tools/system/buyer.ts';
import { findingsOf, keepScreenshot, openBrowser, visit } from './browser.ts';
import { ADMIN_PASSWORD, openShop, type RunningShop } from './shop.ts';
import { CANARY_CVV, CARDS, openWorld, until, type World } from './world.ts';

/** The example shop with the packed SDK and the whole system: what its README says it does, in a browser. */
let world: World;
let shop: RunningShop;
let browser: Browser;
let buyer: BrowserContext;
let staff: BrowserContext;
const complaints: string[] = [];

beforeAll(async () => {
  world = await openWorld();
  shop = await openShop(world);
  browser = await openBrowser();
  buyer = await visit(browser, { screen: 'desk', language: 'en', javaScript: true });
  staff = await browser.newContext({ httpCredentials: { username: 'admin', password: ADMIN_PASSWORD } });
  for (const context of [buyer, staff]) context.on('weberror', (error) => complaints.push(error.error().message));
});
afterAll(async () => {
  await browser.close();
  await shop.close();
  await world.bank.resetClock();
  await world.close();
});

/** The shop's pages have no album of pictures. As there, a page is looked at twice (decisions/tests). */
const VARIANTS = [
  { name: 'dark-phone', colorScheme: 'dark', size: { width: 390, height: 844 } },
  { name: 'light-desk', colorScheme: 'light', size: { width: 1440, height: 900 } },
] as const;

/** Both colours, both widths: a picture of each, and no findings of axe. */
async function look(page: Page, name: string): Promise<void> {
  for (const { name: variant, colorScheme, size } of VARIANTS) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize(size);
    await keepScreenshot(page, `shop-${name}-${variant}`);
    expect(await findingsOf(page)).toEqual([]);
  }
}

const typed = (number: string) => ({ number, expiry: '12/34', cvv: CANARY_CVV });
const stateOf = (page: Page, text: string) => page.locator('section.order').getByText(text, { exact: true });

/** From the shop window to the order's page. */
async function order(page: Page, article: string, button: string): Promise<string> {
  await page.goto(shop.url);
  await page.locator('article', { hasText: article }).getByRole('button', { name: button }).click();
  await page.locator('section.order').waitFor();
  return new URL(page.url()).pathname.split('/').at(-1) ?? '';
}

async function payByCard(page: Page, number: string, choice: { agree?: boolean } = {}): Promise<void> {
  const href = await page.getByRole('link', { name: 'Go to the payment page' }).getAttribute('href');
  await payAtCheckout(href ?? '', typed(number), choice);
}

async function subscribe(page: Page, number: string): Promise<string> {
  const id = await order(page, 'Tea of the month', 'Subscribe by card');
  await payByCard(page, number, { agree: true });
  await stateOf(page, 'Paid').waitFor();
  return id;
}

/** The staff's page again and again, until it shows this. */
async function untilStaffSees(selector: string, text: string | RegExp): Promise<Page> {
  const page = staff.pages()[0] ?? (await staff.newPage());
  await until(`${selector} with ${String(text)}`, async () => {
    await page.goto(`${shop.url}/admin`);
    return (await page.locator(selector, { hasText: text }).count()) > 0 ? true : undefined;
  });
  return page;
}

it('compiles strictly against the types of the packed SDK', async () => {
  const tsc = [join(ROOT, 'node_modules/typescript-7/bin/tsc'), '--noEmit', '-p', shop.folder];
  await expect(promisify(execFile)(process.execPath, tsc)).resolves.toMatchObject({ stdout: '' });
});

it('sells by card: the open page says Paid when the callback has come', async () => {
  const page = await buyer.newPage();
  await page.goto(shop.url);
  await look(page, 'teas');
  const id = await order(page, 'Ivan tea', 'Pay by card');
  await stateOf(page, 'Not paid yet').waitFor();
  await look(page, 'order');
  await payByCard(page, CARDS.approved);
  await stateOf(page, 'Paid').waitFor();
  expect(await shop.client.findCardPayment(id)).toMatchObject({ status: 'COMPLETED', amount: '490' });
  await order(page, 'Krasnodar black', 'Pay by card');
  await payByCard(page, CARDS.declined);
  await page.goto(`${shop.url}/orders`);
  await look(page, 'orders');
  await page.close();
});

it('sells by SBP: a code on its own page, and Paid when the callback has come', async () => {
  const page = await buyer.newPage();
  await order(page, 'Glass and holder', 'Pay by SBP');
  await page.locator('img.qr').waitFor();
  await look(page, 'qr');
  const bank = await buyer.newPage();
  await bank.goto((await page.getByRole('link', { name: "open your bank's app" }).getAttribute('href')) ?? '');
  await bank.getByRole('button', { name: 'Pay', exact: true }).click();
  await stateOf(page, 'Paid').waitFor();
  expect(await page.locator('img.qr').count()).toBe(0);
  await page.close();
});

it('gives back a part, then the rest, and never more than was paid', async () => {
  const page = await untilStaffSees('li[data-order]', 'Ivan tea');
  await look(page, 'admin');
  const row = page.locator('li[data-order]', { hasText: 'Ivan tea' });
  const refund = async (amount: string) => {
    await row.getByLabel('Rubles to give back').fill(amount);
    await row.getByRole('button', { name: 'Refund' }).click();
  };
  await refund('490.01');
  await page.getByRole('alert').getByText('at most 490.00 is left').waitFor();
  await refund('100,5');
  await page.locator('.refund', { hasText: /100\.50.*COMPLETED/ }).waitFor();
  await refund('389.51');
  await page.getByRole('alert').getByText('at most 389.50 is left').waitFor();
  await refund('');
  await page.locator('.refund', { hasText: /389\.50.*COMPLETED/ }).waitFor();
  const id = (await row.getAttribute('data-order')) ?? '';
  expect(await shop.client.findCardPayment(id)).toMatchObject({ status: 'REFUNDED', refundedAmount: '490.00' });
});

it('charges saved cards each month: too early is refused, due is paid, a declined card is not tried again at once', async () => {
  const page = await buyer.newPage();
  await subscribe(page, CARDS.approved);
  await page.goto(`${shop.url}/orders`);
  await page.getByText('Your card is charged once a month.').waitFor();
  await look(page, 'subscription');
  const broke = await visit(browser, { screen: 'phone', language: 'en', javaScript: true });
  await subscribe(await broke.newPage(), '2200700000000041');
  const admin = await untilStaffSees('ul.orders', /ACTIVE[\s\S]*ACTIVE/);
  const renewals = admin.locator('li[data-order]', { hasText: 'renewal' });

  await admin.getByRole('button', { name: 'Charge them all now' }).click();
  await admin.waitForLoadState();
  expect(await renewals.count()).toBe(0);

  await world.bank.advanceClock('P1M');
  await admin.getByRole('button', { name: 'Charge them all now' }).click();
  await untilStaffSees('li[data-order]', /Paid[\s\S]*renewal/);
  await untilStaffSees('li[data-order]', /Not paid[\s\S]*renewal/);
  await admin.getByRole('button', { name: 'Charge them all now' }).click();
  await admin.waitForLoadState();
  expect(await renewals.count()).toBe(2);
  await look(admin, 'admin-renewals');
  await page.goto(`${shop.url}/orders`);
  await page.getByRole('button', { name: 'Stop it' }).click();
  await page.getByText('Ended: your card is not charged any more.').waitFor();
  await broke.close();
  await page.close();
});

it('shows its callbacks as they come, and applies one that comes twice once', async () => {
  const page = await staff.newPage();
  await page.goto(`${shop.url}/admin/events`);
  await page.getByRole('heading', { name: 'refund.completed' }).first().waitFor();
  await look(page, 'events');
  const { items } = await shop.client.listEvents({ type: 'payment.completed', limit: 1 });
  await shop.client.replayEvent(items[0]?.eventId ?? '');
  await page.getByText('came 2 times and was applied once').waitFor();
  expect(await page.getByText('and was applied once').count()).toBe(1);
  await page.close();
});

it('follows every rule for receivers', async () => {
  const { keyId, secret } = shop.secret;
  const check = ['callbacks', 'check', `${shop.url}/callbacks`, '--key', `${keyId}:${secret}`];
  expect(await runCli(check)).toMatchObject({ exitCode: 0, stdout: expect.not.stringContaining('FAIL') });
});

it('refuses a form from elsewhere, the staff’s pages without the password, and an order of another buyer', async () => {
  const post = (path: string, headers = {}) =>
    fetch(`${shop.url}${path}`, {
      method: 'POST',
      headers,
      body: new URLSearchParams({ product: 'ivan', order: 'x' }),
    });
  const authorization = `Basic ${Buffer.from(`admin:${ADMIN_PASSWORD}`).toString('base64')}`;
  expect((await post('/orders')).status).toBe(403);
  expect((await post('/admin/refunds', { authorization })).status).toBe(403);
  expect((await fetch(`${shop.url}/admin`)).status).toBe(401);
  expect((await fetch(`${shop.url}/admin`, { headers: { authorization: `${authorization}x` } })).status).toBe(401);
  const page = await buyer.newPage();
  const id = await order(page, 'Ivan tea', 'Pay by card');
  expect((await fetch(`${shop.url}/orders/${id}`)).status).toBe(404);
  await page.close();
});

it('killed between creating a payment and hearing of it, it has the order once after its restart', async () => {
  const page = await buyer.newPage();
  await page.goto(shop.url);
  shop.proxy.state.answers = 'none';
  const before = shop.proxy.state.held.length;
  const article = page.locator('article', { hasText: 'Ivan tea' });
  const clicked = article.getByRole('button', { name: 'Pay by card' }).click();
  await shop.held(before + 1);
  await shop.kill();
  await clicked.catch(() => undefined);
  const { items: unheard } = await shop.client.listCardPayments({ limit: 1 });

  shop.proxy.state.answers = 'all';
  await shop.start();
  await until('the order to be asked again', async () => {
    await page.goto(`${shop.url}/orders`);
    return (await page.locator('.orders li').first().innerText()).includes('Not paid yet') ? true : undefined;
  });
  await page.locator('.orders a').first().click();
  await payByCard(page, CARDS.approved);
  await stateOf(page, 'Paid').waitFor();
  const id = new URL(page.url()).pathname.split('/').at(-1) ?? '';
  const { items: paid } = await shop.client.listCardPayments({ limit: 2 });
  expect(paid.map((one) => one.orderID).filter((number) => number === id)).toEqual([id]);
  expect(paid[0]).toMatchObject({ id: unheard[0]?.id, orderID: id, status: 'COMPLETED' });
  await page.close();
});

it('repeats a charge of unknown outcome with its key, and charges once', async () => {
  const page = await buyer.newPage();
  await subscribe(page, CARDS.approved);
  const admin = await untilStaffSees('ul.orders', 'ACTIVE');
  await world.bank.advanceClock('P1M');
  const charges = async () => {
    const { items } = await shop.client.listCardPayments({ limit: 100 });
    return items.filter((one) => one.paymentMethod === 'CARD_BINDING' && one.status === 'COMPLETED').length;
  };
  const before = await charges();
  const open = admin.locator('li[data-order]', { hasText: /Asking the bank[\s\S]*renewal/ });

  shop.proxy.state.answers = 'cut';
  for (const _ of ['the charge', 'a second click']) {
    await admin.getByRole('button', { name: 'Charge them all now' }).click();
    await admin.waitForLoadState();
    expect(await open.count()).toBe(1);
  }
  shop.proxy.state.answers = 'all';
  const id = (await open.getAttribute('data-order')) ?? '';
  await shop.kill();
  await shop.start();
  await untilStaffSees(`li[data-order="${id}"]`, /Paid[\s\S]*renewal/);
  expect(await charges()).toBe(before + 1);
  await page.close();
});

it('runs no script that fails', () => {
  expect(complaints).toEqual([]);
});
