import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { workOff } from '../../../../../packages/shared/test/work-off.ts';
import { startTBankApp, type TBankApp } from '../../../test/t-bank-app.ts';
import { reconcileNow } from './reconciliation-loop.ts';
import { returnLateMoneyLoop } from '../money-return/return-late-money.ts';

let t: TBankApp;
beforeAll(async () => {
  t = await startTBankApp();
});
afterAll(() => t.close());

async function givenPaid(): Promise<string> {
  const { id, checkoutToken } = await t.givenPayment({ amount: 990 });
  await t.pay(checkoutToken);
  return id;
}
async function reconcile() {
  const [today] = await t.rows(`select to_char(clock_now() at time zone 'utc', 'YYYY-MM-DD') as day`);
  return reconcileNow(t.deps, { routeId: 'sandbox-bank', day: String(today?.['day']) }, 'anna');
}
const resultOf = async (id: string) =>
  (await t.rows('select result from reconciliation_items where operation_id = $1', [id]))[0]?.['result'];
const exceptionsOf = async (id: string) =>
  (await t.rows('select kind from exceptions where payment_id = $1', [id])).map(({ kind }) => kind);

it('a day of a bank without a register is compared by reading every order back; what was taken twice is found and returned (S1)', async () => {
  const [fine, refunded, twice, gone, lost] = [
    await givenPaid(),
    await givenPaid(),
    await givenPaid(),
    await givenPaid(),
    await givenPaid(),
  ];
  await t.call('POST', `/api/card/${refunded}/refunds`, { body: {} });
  // No notification of any of these ever came.
  t.tBank.again(twice).Status = 'CONFIRMED';
  for (const payment of t.tBank.of(gone)) payment.Status = 'REFUNDED';
  for (const payment of t.tBank.of(lost)) payment.OrderId = 'somebody else';
  const run = await reconcile();
  expect(run).toMatchObject({ status: 'COMPLETED' });
  expect([await resultOf(fine), await resultOf(refunded), await resultOf(twice)]).toEqual(['MATCHED', 'MATCHED', 'MATCHED']);
  expect([await resultOf(gone), await resultOf(lost)]).toEqual(['DIFFERENT_STATE', 'MISSING_THERE']);
  expect(await exceptionsOf(twice)).toEqual(['PAID_TWICE']);
  expect(await exceptionsOf(gone)).toContain('STATE_MISMATCH');
  expect(await exceptionsOf(lost)).toEqual(['MISSING_THERE']);
  await workOff(returnLateMoneyLoop(t.deps));
  expect(t.tBank.of(twice).map(({ Status }) => Status)).toEqual(['CONFIRMED', 'REFUNDED']);
  expect([await exceptionsOf(fine), await exceptionsOf(refunded)]).toEqual([[], []]);
});

it('a charge whose money is gone, and whose order could be paid once more, does not stop the day: both are found (S1)', async () => {
  const { bindingId } = await t.givenSavedCard();
  const paymentId = randomUUID();
  const [now] = await t.rows('select clock_now() as now');
  await t.charge(bindingId, { paymentId, amountKopecks: '99000', createdAt: now?.['now'] });
  for (const payment of t.tBank.of(paymentId)) payment.Status = 'REFUNDED';
  t.tBank.again(paymentId);
  expect(await reconcile()).toMatchObject({ status: 'COMPLETED' });
  expect(await resultOf(paymentId)).toBe('DIFFERENT_STATE');
  expect(await exceptionsOf(paymentId)).toContain('STATE_MISMATCH');
  expect(t.tBank.of(paymentId).map(({ Status }) => Status)).toEqual(['REFUNDED', 'CANCELED']);
});

it('a bank that goes away in the middle leaves the run open; taken up again it asks about the rest only (S1)', async () => {
  const before = await givenPaid();
  const last = await givenPaid();
  t.tBank.interrupt('CheckOrder', 'before', ({ res, answer, body }) => {
    if (body['OrderId'] === last) res.destroy();
    else answer();
  });
  expect(await reconcile()).toMatchObject({ status: 'RUNNING' });
  t.tBank.interruptNothing();
  const asked = t.tBank.calls.filter(({ body }) => body['OrderId'] === before).length;
  await t.moveClock('61 seconds');
  expect(await reconcile()).toMatchObject({ status: 'COMPLETED' });
  expect(t.tBank.calls.filter(({ body }) => body['OrderId'] === before)).toHaveLength(asked);
  expect([await resultOf(before), await resultOf(last)]).toEqual(['MATCHED', 'MATCHED']);
});

it('an order that the bank says nothing clear about keeps the day open, and stops none of the others (S1)', async () => {
  const [unclear, fine] = [await givenPaid(), await givenPaid()];
  for (const payment of t.tBank.of(unclear)) payment.Status = 'SOMETHING_NEW';
  await t.moveClock('61 seconds');
  expect(await reconcile()).toMatchObject({ status: 'RUNNING' });
  expect([await resultOf(unclear), await resultOf(fine)]).toEqual([undefined, 'MATCHED']);
  for (const payment of t.tBank.of(unclear)) payment.Status = 'CONFIRMED';
  await t.moveClock('61 seconds');
  expect(await reconcile()).toMatchObject({ status: 'COMPLETED' });
  expect(await resultOf(unclear)).toBe('MATCHED');
});

it('orders that are unclear each time a day is taken up again stop none of those behind them (S1)', async () => {
  const unclear = [await givenPaid(), await givenPaid(), await givenPaid(), await givenPaid()];
  const behind = [await givenPaid(), await givenPaid()];
  for (const id of unclear) for (const payment of t.tBank.of(id)) payment.Status = 'SOMETHING_NEW';
  await t.moveClock('61 seconds');
  expect(await reconcile()).toMatchObject({ status: 'RUNNING' });
  expect(await Promise.all(behind.map(resultOf))).toEqual(['MATCHED', 'MATCHED']);
  for (const id of unclear) for (const payment of t.tBank.of(id)) payment.Status = 'CONFIRMED';
  await t.moveClock('61 seconds');
  expect(await reconcile()).toMatchObject({ status: 'COMPLETED' });
});

it('a bank that is away is not asked about every order of the day (S1)', async () => {
  for (let order = 0; order < 5; order += 1) await givenPaid();
  const before = t.tBank.calls.length;
  t.tBank.interrupt('CheckOrder', 'before', ({ res }) => {
    res.destroy();
  });
  await t.moveClock('61 seconds');
  expect(await reconcile()).toMatchObject({ status: 'RUNNING' });
  t.tBank.interruptNothing();
  expect(new Set(t.tBank.calls.slice(before).map(({ body }) => body['OrderId'])).size).toBe(3);
});

it('each order of a payment of several cards is read back; money for a declined one is found and returned (S1)', async () => {
  const { partner, point } = await t.givenPartner({ cardAttempts: 2 });
  const { body } = await t.create({ paymentPointID: point }, { partner });
  const id = String(body['id']);
  const checkoutToken = String((await t.payment(id))['form_token']);
  await t.pay(checkoutToken, { number: '4000000000009995' });
  await t.pay(checkoutToken);
  const paid = String((await t.payment(id))['operation_id']);
  expect([t.tBank.of(id), t.tBank.of(paid)].flat().map(({ Status }) => Status)).toEqual(['REJECTED', 'CONFIRMED']);
  for (const payment of t.tBank.of(id)) payment.Status = 'CONFIRMED';
  await t.moveClock('61 seconds');
  expect(await reconcile()).toMatchObject({ status: 'COMPLETED' });
  expect([await resultOf(id), await resultOf(paid)]).toEqual(['MATCHED', 'MATCHED']);
  expect(await exceptionsOf(id)).toEqual(['PAID_TWICE']);
  await workOff(returnLateMoneyLoop(t.deps));
  expect([t.tBank.of(id), t.tBank.of(paid)].flat().map(({ Status }) => Status)).toEqual(['REFUNDED', 'CONFIRMED']);
});

/** A payment of two cards, the first of which is declined by now. */
async function givenDeclined() {
  const { partner, point } = await t.givenPartner({ cardAttempts: 2 });
  const { body } = await t.create({ paymentPointID: point }, { partner });
  const id = String(body['id']);
  const checkoutToken = String((await t.payment(id))['form_token']);
  await t.pay(checkoutToken, { number: '4000000000009995' });
  return { id, checkoutToken };
}

it('a notification about a declined order that led to no clear answer is to be repeated', async () => {
  const { id } = await givenDeclined();
  const [order] = t.tBank.of(id);
  if (order === undefined) throw new Error('the bank has no such order');
  order.Status = 'CONFIRMED';
  t.tBank.interrupt('CheckOrder', 'before', ({ res }) => {
    res.destroy();
  });
  expect(await t.notify(order)).toBe(503);
  t.tBank.interruptNothing();
  expect(await t.notify(order)).toBe(200);
  expect(await exceptionsOf(id)).toEqual(['PAID_TWICE']);
});

it('an order whose card is declined while the day is read is compared as a declined one, not with the answer about the next', async () => {
  await t.rows(`update payments set created_at = created_at - interval '3 days'`);
  await t.rows(`update declined_cards set sent_at = sent_at - interval '3 days'`);
  const first = await givenPaid();
  const { partner, point } = await t.givenPartner({ cardAttempts: 2 });
  const id = String((await t.create({ paymentPointID: point }, { partner })).body['id']);
  const checkoutToken = String((await t.payment(id))['form_token']);
  t.tBank.interrupt('CheckOrder', 'before', ({ answer, body }) => {
    if (body['OrderId'] !== first) {
      answer();
      return;
    }
    t.tBank.interruptNothing();
    void t
      .pay(checkoutToken, { number: '4000000000009995' })
      .then(() => t.pay(checkoutToken))
      .then(answer);
  });
  await t.moveClock('61 seconds');
  expect(await reconcile()).toMatchObject({ status: 'RUNNING' });
  expect(await resultOf(id)).toBeUndefined();
  await t.moveClock('61 seconds');
  expect(await reconcile()).toMatchObject({ status: 'COMPLETED' });
  const paid = String((await t.payment(id))['operation_id']);
  expect([await resultOf(id), await resultOf(paid)]).toEqual(['MATCHED', 'MATCHED']);
  expect(await exceptionsOf(id)).toEqual([]);
});

it('all that was taken for a payment that had ended unpaid is known, however often it was taken (S1)', async () => {
  const { id } = await t.givenPayment({ amount: 990 });
  await t.rows(`update payments set status = 'EXPIRED', failure_code = 'SESSION_EXPIRED', next_read_at = null where payment_id = $1`, [id]);
  t.tBank.again(id);
  for (const payment of t.tBank.of(id)) payment.Status = 'CONFIRMED';
  await t.moveClock('61 seconds');
  expect(await reconcile()).toMatchObject({ status: 'COMPLETED' });
  expect(await resultOf(id)).toBe('MATCHED');
  expect((await exceptionsOf(id)).toSorted()).toEqual(['LATE_SUCCESS', 'PAID_TWICE']);
});
