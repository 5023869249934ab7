import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { runHere } from '../packages/cli/test/run-cli.ts';
import { startTestTBank, type TestTBank } from '../services/payments/test/t-bank.ts';
import { CARDS, openWorld, type World } from './world.ts';

const POINT = `t-bank-${randomUUID()}`;
const item = { price: '10.50', vat: 'VAT22', paymentMethod: 'FULL_PAYMENT', paymentObject: 'COMMODITY' } as const;
const receipt = (quantity: string, amount: string) => ({
  taxation: 'OSN' as const,
  email: 'canary.receipt@shop.example',
  items: [{ ...item, name: 'Canary tea', quantity, amount }],
});

let world: World;
let tBank: TestTBank;
/** Adds a route to T-Bank, simulated by the test, and a point there. */
beforeAll(async () => {
  world = await openWorld();
  tBank = await startTestTBank();
  const env = {
    T_BANK_TERMINAL_KEY: tBank.terminalKey,
    T_BANK_PASSWORD: tBank.password,
    T_BANK_CARD_KEY: tBank.cardKey.export({ format: 'der', type: 'spki' }).toString('base64'),
    T_BANK_URL: tBank.url,
  };
  for (const program of ['payments', 'checkout'] as const) await world.system.restart(program, 1, env);
  await world.query(`insert into payments.routes (route_id, connector) values ($1, 't-bank')`, [POINT]);
  await world.query(
    `insert into payments.payment_points (payment_point_id, store_id, partner_id, name, payment_methods, route_id)
     select $1, store_id, partner_id, 'T-Bank', '{CARD}', $1 from payments.payment_points where payment_point_id = $2`,
    [POINT, world.partner.paymentPoints.card],
  );
});
afterAll(async () => {
  await world.query(`update payments.payment_points set status = 'CLOSED' where payment_point_id = $1`, [POINT]);
  await world.query(`update payments.routes set status = 'SUSPENDED' where route_id = $1`, [POINT]);
  await tBank.close();
  await world.close();
});

it('19: a receipt goes from the partner’s signed call to T-Bank, with the payment and with what is given back; it is in no log and no callback', async () => {
  const order = { ...world.order('21.00'), paymentPointID: POINT };
  const payment = await world.client.createCardPayment({ ...order, receipt: receipt('2', '21.00') });
  await world.pay(payment, CARDS.approved);
  expect(await world.ended(payment.id)).toMatchObject({ status: 'COMPLETED' });

  const file = join(world.system.folder, 'receipt.json');
  writeFileSync(file, JSON.stringify(receipt('1', '10.50')));
  const profile = ['--profile', join(world.system.folder, 'demo.json'), '--json'];
  const without = await runHere([...profile, 'refund', 'create', payment.id, '--amount', '10.50']);
  expect(JSON.parse(without.stdout)).toMatchObject({ code: 'VALIDATION_FAILED', details: [{ field: 'receipt' }] });
  const refund = await runHere([...profile, 'refund', 'create', payment.id, '--amount', '10.50', '--receipt', file]);
  expect(JSON.parse(refund.stdout)).toMatchObject({ status: 'COMPLETED', amount: '10.50' });

  const sent = tBank.calls.flatMap(({ method, body }) => (body['Receipt'] === undefined ? [] : [[method, body['Receipt']]]));
  const wanted = (Quantity: number, Amount: number) => ({
    FfdVersion: '1.05',
    Taxation: 'osn',
    Email: 'canary.receipt@shop.example',
    Items: [
      { Name: 'Canary tea', Price: 1_050, Quantity, Amount, Tax: 'vat22', PaymentMethod: 'full_payment', PaymentObject: 'commodity' },
    ],
  });
  expect(sent).toEqual([
    ['Init', wanted(2, 2_100)],
    ['Cancel', wanted(1, 1_050)],
  ]);

  const { bytes } = await world.told(payment.id);
  const logs = readdirSync(world.system.logs).map((name) => readFileSync(join(world.system.logs, name), 'utf8'));
  expect([bytes, ...logs].filter((text) => /canary\.receipt|Canary tea/.test(text))).toEqual([]);
});

it('19: at the sandbox bank, which makes none, it is 400 and nothing is stored', async () => {
  const order = { ...world.order('10.50'), receipt: receipt('1', '10.50') };
  await expect(world.client.createCardPayment(order)).rejects.toMatchObject({ status: 400, details: [{ field: 'receipt' }] });
  expect(await world.query('select 1 from payments.payments where merchant_order_id = $1', [order.orderID])).toEqual([]);
});
