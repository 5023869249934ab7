import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { startTestApp, type TestApp } from '../../../test/app.ts';
import { findIntent, takeStatement } from '../../db/checkout/card-entry.ts';
import { takeLease, UNBOOKED } from '../../db/payment/leases.ts';
import { findPayment } from '../../db/payment/payments.ts';
import { forgetIntent, intendOptimistically } from './intend-card.ts';

let t: TestApp;
beforeAll(async () => {
  t = await startTestApp();
});
afterAll(() => t.close());
afterEach(() => {
  t.bank.interrupt('authorize', 'before', undefined);
});

async function given() {
  const payment = await findPayment(t.deps.db, (await t.givenPayment()).id);
  if (payment === undefined) throw new Error('no payment');
  return payment;
}

it('an intent without an answer that is looked up too early can no longer be carried out', async () => {
  const read = await given();
  const intent = { intentId: randomUUID(), payerKeySha256: null, declinedCount: 0 };
  expect(await t.deps.db.transaction((tx) => findIntent(tx, read, intent.intentId))).toBeUndefined();
  expect(await t.deps.db.transaction((tx) => takeStatement(tx, read, intent))).toEqual([]);
  expect(await t.payment(read.paymentId)).toMatchObject({ card_sent_at: null });
});

it('an intent is found by its id, and by no other', async () => {
  const read = await given();
  const intended = await intendOptimistically(t.deps, read, undefined);
  const intentId = String(intended?.seen.payment.cardIntentId);
  const find = (id: string) => t.deps.db.transaction((tx) => findIntent(tx, read, id));
  expect(await find(randomUUID())).toBeUndefined();
  expect((await find(intentId))?.payment).toEqual(intended?.seen.payment);
});

it('an intent whose lease somebody else took before it was found is not ours to send', async () => {
  const read = await given();
  const intended = await intendOptimistically(t.deps, read, undefined);
  const intentId = String(intended?.seen.payment.cardIntentId);
  await t.rows('update payments set lease_until = clock_now() where payment_id = $1', [read.paymentId]);
  expect(await t.deps.db.transaction((tx) => takeLease(tx, read.paymentId, UNBOOKED))).toBeDefined();
  expect(await t.deps.db.transaction((tx) => findIntent(tx, read, intentId))).toBeUndefined();
});

it('a payment whose lease somebody had since it was read is not taken optimistically', async () => {
  const read = await given();
  await t.rows('update payments set lease_number = lease_number + 1 where payment_id = $1', [read.paymentId]);
  expect(await intendOptimistically(t.deps, read, undefined)).toBeUndefined();
});

it('an intent that is forgotten leaves the payment as it was, but for the number of its lease', async () => {
  const read = await given();
  const before = await t.payment(read.paymentId);
  const intended = await intendOptimistically(t.deps, read, undefined);
  if (intended === undefined) throw new Error('not taken');
  await forgetIntent(t.deps, intended.seen.payment);
  const own = { lease_number: 2, card_intent_id: expect.any(String), when_not_authenticated: 'ACCEPT', updated_at: expect.any(Date) };
  expect(await t.payment(read.paymentId)).toEqual({ ...before, ...own });
});

it('an outcome has the database’s time, also where its clock jumped while the bank had the card', async () => {
  const { id, checkoutToken } = await t.givenPayment();
  t.bank.interrupt('authorize', 'before', async ({ respond }) => {
    await t.moveClock('10 seconds');
    respond();
  });
  await t.pay(checkoutToken);
  const { status, last_read_at: booked, card_sent_at: sent } = await t.payment(id);
  expect(status).toBe('COMPLETED');
  expect(Number(booked) - Number(sent)).toBeGreaterThanOrEqual(10_000);
});
