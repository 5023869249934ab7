import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { openDatabase, type Database } from '@pay/shared/postgres/connect/pool.ts';
import { allowPipeline } from '@pay/shared/postgres/fast/pipeline.ts';
import { startCutter } from '../../../../../packages/shared/test/cutter.ts';
import { until } from '../../../../../packages/shared/test/mechanisms.ts';
import { CARD, payAtCheckout, startTestApp, type TestApp } from '../../../test/app.ts';
import { cardRequest } from '../../../test/requests.ts';
import { createCardPayment } from './create-card-payment.ts';
import { recordOutcome } from './record-outcome.ts';

let t: TestApp;
let cut: Awaited<ReturnType<typeof startCutter>>;
let database: Database;
beforeAll(async () => {
  t = await startTestApp();
  cut = await startCutter(t.databaseUrl);
  database = openDatabase({ url: cut.url, applicationName: 'payments-cut', onIdleError: () => undefined });
});
afterAll(async () => {
  await database.close();
  cut.close();
  await t.close();
});

it('the COMMIT of the intent is stored and its answer lost: the card goes to the bank, and the buyer pays', async () => {
  const { id, checkoutToken } = await t.givenPayment();
  cut.cutter.cutNext = 'after';
  expect(await payAtCheckout({ ...t.deps, db: database.db }, checkoutToken, CARD)).toBe('accepted');
  expect(cut.cutter.cuts).toBe(1);
  expect(await t.payment(id)).toMatchObject({ status: 'COMPLETED' });
});

it('the COMMIT of the intent never arrives: nothing is stored, and the buyer pays at the second try', async () => {
  const { id, checkoutToken } = await t.givenPayment();
  cut.cutter.cutNext = 'before';
  const pay = () => payAtCheckout({ ...t.deps, db: database.db }, checkoutToken, CARD);
  await expect(pay()).rejects.toThrow();
  expect(t.bank.calls.some(({ call, operationId }) => call === 'authorize' && operationId === id)).toBe(false);
  expect(await t.payment(id)).toMatchObject({ status: 'SUBMITTED', card_sent_at: null });
  expect(await pay()).toBe('accepted');
  expect(await t.payment(id)).toMatchObject({ status: 'COMPLETED' });
});

it('the COMMIT of the intent is stored and the database stays away: it is taken back once it is there, and the buyer pays', async () => {
  const { id, checkoutToken } = await t.givenPayment();
  Object.assign(cut.cutter, { cutNext: 'after', staysAway: true });
  const pay = () => payAtCheckout({ ...t.deps, db: database.db }, checkoutToken, CARD);
  await expect(pay()).rejects.toThrow();
  expect(await t.payment(id)).toMatchObject({ status: 'SUBMITTED', card_sent_at: expect.any(Date) });
  Object.assign(cut.cutter, { staysAway: false, isAway: false });
  await until(async () => (await t.payment(id))['card_sent_at'] === null);
  expect(await pay()).toBe('accepted');
  expect(await t.payment(id)).toMatchObject({ status: 'COMPLETED' });
});

it.each(['before', 'after'] as const)('the COMMIT of an outcome is cut, %s it arrives: it is booked all the same, once', async (when) => {
  const { id } = await t.givenPayment();
  cut.cutter.cutNext = when;
  const outcome = { kind: 'ended', failureCode: 'PROCESSING_ERROR' } as const;
  await recordOutcome({ ...t.deps, db: database.db }, { paymentId: id, operationId: null }, outcome);
  expect(cut.cutter.cutNext).toBeUndefined();
  expect(await t.payment(id)).toMatchObject({ status: 'FAILED' });
});

it.each(['before', 'after'] as const)(
  'the COMMIT of a new payment is cut, %s it arrives: the partner is answered as if it were not',
  async (when) => {
    const merchantOrderId = `lost-${randomUUID()}`;
    const { partner, point } = await t.givenPartner();
    const request = { partnerId: partner, key: randomUUID(), operation: 'POST /api/card', bodySha256: '0'.repeat(64) };
    const command = cardRequest(point, 1_050n, merchantOrderId);
    cut.cutter.cutNext = when;
    const created = await createCardPayment({ ...t.deps, db: database.db }, request, command);
    expect(cut.cutter.cutNext).toBeUndefined();
    expect(created).toMatchObject({ status: 201, replayed: false, payment: { status: 'SUBMITTED', merchantOrderId } });
  },
);

it('a create whose lease somebody else took before it went on is theirs to register', async () => {
  const open = (url: string) => openDatabase({ url, applicationName: 'payments-slow', onIdleError: () => undefined });
  const [stepwise, nowhere] = [open(t.databaseUrl), open('postgres://127.0.0.1:1/none')];
  // So that a transaction decides, as after a COMMIT without an answer.
  allowPipeline(stepwise.db, nowhere.pool);
  const merchantOrderId = `taken-${randomUUID()}`;
  const { partner, point } = await t.givenPartner();
  const request = { partnerId: partner, key: randomUUID(), operation: 'POST /api/card', bodySha256: '0'.repeat(64) };
  // Somebody is there right behind the COMMIT.
  await t.rows(`create function take_lease() returns trigger language plpgsql as $$ begin
    update payments set lease_number = lease_number + 1 where payment_id = new.payment_id; return null; end $$`);
  await t.rows(`create constraint trigger take_lease after insert on payments deferrable initially deferred
    for each row execute function take_lease()`);
  try {
    const { payment } = await createCardPayment({ ...t.deps, db: stepwise.db }, request, cardRequest(point, 1_050n, merchantOrderId));
    expect(payment).toMatchObject({ status: 'CREATED', merchantOrderId });
    expect(t.bank.calls.filter(({ operationId }) => operationId === payment.paymentId)).toEqual([]);
  } finally {
    await t.rows('drop function take_lease cascade');
    await Promise.all([stepwise.close(), nowhere.close()]);
  }
});
