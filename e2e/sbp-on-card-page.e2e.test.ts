import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { runHere } from '../packages/cli/test/run-cli.ts';
import { TEXTS } from '../services/payments/src/checkout/texts/texts.ts';
import { WAY_TEXTS } from '../services/payments/src/checkout/texts/way.ts';
import { laterOperationId } from '../services/payments/src/use-cases/order/later-operation-id.ts';
import { openBrowser, visit } from './browser.ts';
import { CANARY_CVV, CARDS, openWorld, until, type World } from './world.ts';

/** A card payment on whose page the buyer goes to SBP, through the whole system (decisions/orders-of-a-payment). */
let world: World;
let browser: Browser;
/** The point as it was before. */
let before: Point;

type Point = { readonly paymentMethods: readonly string[]; readonly revision: number };
const operator = async (...args: readonly string[]): Promise<Record<string, unknown>> => {
  const profile = join(world.system.folder, 'demo.json');
  const { stdout, stderr, exitCode } = await runHere(['--profile', profile, 'operator', ...args, '--json']);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  return JSON.parse(stdout) as Record<string, unknown>;
};
const readPoint = async () => (await operator('points', 'get', world.partner.paymentPoints.card)) as unknown as Point;
const changePoint = async (methods: readonly string[], isOffered: 'on' | 'off') => {
  const { revision } = await readPoint();
  const settings = ['--methods', ...methods, '--sbp-on-card-page', isOffered, '--revision', String(revision)];
  await operator('points', 'change', world.partner.paymentPoints.card, ...settings);
};

beforeAll(async () => {
  world = await openWorld();
  browser = await openBrowser();
  before = await readPoint();
  await changePoint(['CARD', 'SBP_DYNAMIC_QR'], 'on');
});
afterAll(async () => {
  await browser.close();
  await changePoint(before.paymentMethods, 'off');
  await world.close();
});

const { ru } = TEXTS;
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

async function buy(run: (page: Page) => Promise<void>): Promise<string> {
  const { id, paymentUrl = '' } = await world.create('25.51');
  const context = await visit(browser, { screen: 'phone', language: 'ru', javaScript: true });
  try {
    const page = await context.newPage();
    await page.goto(paymentUrl);
    await run(page);
    await page.getByRole('heading', { name: ru.paid.title, exact: true }).waitFor();
  } finally {
    await context.close();
  }
  return id;
}

/** How often the bank moved money for an order of the payment. */
const movedFor = async (operationId: string) => (await world.bank.operation(operationId)).counters.moneyMoved;
const callbacksOf = (id: string) => world.receiver.arrivals.filter(({ orderId }) => orderId === id);

it('paid by SBP: the partner sees the card payment that it created, one signed callback, a refund, and a day that matches', async () => {
  const id = await buy(async (page) => {
    await press(page, WAY_TEXTS.ru.SBP);
    await page.getByRole('link', { name: ru.qr.openBank }).click();
    await press(page, 'Оплатить');
  });
  const { createdAt, ...payment } = await world.ended(id);
  expect(payment).toMatchObject({ status: 'COMPLETED', paymentMethod: 'CARD', amount: '25.51' });
  const told = await world.told(id);
  expect(told).toMatchObject({ type: 'payment.completed', version: 1, signed: true });
  expect(JSON.parse(told.bytes)).toMatchObject({ data: { merchantOrderId: payment.orderID, paymentMethod: 'CARD' } });
  const bySbp = laterOperationId(id, 2, 'SBP');
  expect([await movedFor(id), await movedFor(bySbp)]).toEqual([0, 1]);

  expect(await world.client.refundCardPayment(id, { reason: 'Cold' })).toMatchObject({ status: 'COMPLETED', amount: '25.51' });
  await until('the callbacks of the refund', () => (callbacksOf(id).length >= 4 ? true : undefined));
  expect(callbacksOf(id).map(({ type }) => type)).toEqual(['payment.completed', 'refund.pending', 'refund.completed', 'payment.refunded']);

  const day = createdAt.slice(0, 10);
  await until('a comparison on demand', async () => {
    const { status, requestedBy } = await operator('reconciliations', 'create', '--date', day);
    return status === 'COMPLETED' && requestedBy === 'anna@example.com' ? true : undefined;
  });
  const { items } = await operator('reconciliations', 'get', 'sandbox-bank', day);
  const different = (items as { operationId: string }[]).map(({ operationId }) => operationId);
  expect(different.filter((one) => one === id || one === bySbp)).toEqual([]);
});

it('the card after all: the code is withdrawn, and only the last order takes money', async () => {
  const id = await buy(async (page) => {
    await press(page, WAY_TEXTS.ru.SBP);
    await press(page, WAY_TEXTS.ru.CARD);
    await page.locator('#number').fill(CARDS.approved);
    await page.locator('#expiry').fill('12/34');
    await page.locator('#cvv').fill(CANARY_CVV);
    await page.locator('button.primary').click();
  });
  expect((await world.ended(id)).status).toBe('COMPLETED');
  expect(await world.told(id)).toMatchObject({ type: 'payment.completed', version: 1, signed: true });
  const [bySbp, byCard] = [laterOperationId(id, 2, 'SBP'), laterOperationId(id, 3)];
  expect([await movedFor(id), await movedFor(bySbp), await movedFor(byCard)]).toEqual([0, 0, 1]);
  expect((await world.bank.operation(bySbp)).operation.status).toBe('CANCELLED');
  expect(callbacksOf(id)).toHaveLength(1);
});
