import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { workOff } from '../../../../../packages/shared/test/work-off.ts';
import { startTBankApp, type TBankApp } from '../../../test/t-bank-app.ts';
import { followUpLoop } from './follow-up-payments.ts';
import { returnLateMoneyLoop } from '../money-return/return-late-money.ts';

let t: TBankApp;
beforeAll(async () => {
  t = await startTBankApp();
});
afterAll(() => t.close());
afterEach(() => {
  t.tBank.interruptNothing();
});

/** Another replica looks at what is due, when the lease of this one has run out. */
async function nextReplica(): Promise<void> {
  await t.moveClock('21 seconds');
  await workOff(followUpLoop(t.deps));
}

const chargesOf = (paymentId: string) => {
  const ids = t.tBank.of(paymentId).map(({ PaymentId }) => PaymentId);
  return t.tBank.calls.filter(({ method, body }) => method === 'Charge' && ids.includes(String(body['PaymentId'])));
};

it.each(['CheckOrder', 'Init'] as const)(
  'a charge that stands still behind %s for longer than its lease charges nothing: who took it over did (S1)',
  async (method) => {
    const { bindingId } = await t.givenSavedCard();
    const held = t.tBank.hold(method, 'after');
    const paymentId = randomUUID();
    const first = t.charge(bindingId, { paymentId, amountKopecks: '99000' });
    await held.arrived;
    await nextReplica();
    held.open();
    expect((await first).body).toMatchObject({ status: 'COMPLETED' });
    expect(t.tBank.of(paymentId)).toMatchObject([{ Status: 'CONFIRMED', Amount: 99_000 }]);
    expect(chargesOf(paymentId)).toHaveLength(1);
    expect(await t.rows('select 1 from ledger_transactions where reference_id = $1', [paymentId])).toHaveLength(1);
  },
);

it('a QR order that stands still behind CheckOrder for longer than its lease opens no second code (S1)', async () => {
  const { partner, point } = await t.givenPartner({ paymentMethods: ['SBP_DYNAMIC_QR'] });
  const held = t.tBank.hold('CheckOrder', 'after');
  const first = t.call('POST', '/api/qr', { partner, body: { amount: 500, paymentPointID: point } });
  await held.arrived;
  await nextReplica();
  held.open();
  const { body } = await first;
  expect(t.tBank.of(String(body['id']))).toHaveLength(1);
  expect(body).toMatchObject({ status: 'SUBMITTED', nspkurl: expect.stringContaining('https://qr.nspk.ru/') });
});

it('a card that stands still behind Check3dsVersion for longer than its lease is not sent (S1)', async () => {
  const { id, checkoutToken } = await t.givenPayment();
  const held = t.tBank.hold('Check3dsVersion', 'after');
  const paying = t.pay(checkoutToken);
  await held.arrived;
  await t.moveClock('21 seconds');
  held.open();
  expect(await paying).toBe('route-unavailable');
  expect(t.tBank.of(id)).toMatchObject([{ Status: 'NEW' }]);
  expect(await t.pay(checkoutToken)).toBe('accepted');
  expect(t.tBank.of(id)).toMatchObject([{ Status: 'CONFIRMED' }]);
});

it('an order that was paid while its withdrawal stood still is not cancelled: that would give booked money back (S1)', async () => {
  const { partner, point } = await t.givenPartner({ paymentMethods: ['SBP_DYNAMIC_QR'] });
  const { body } = await t.call('POST', '/api/qr', { partner, body: { amount: 500, paymentPointID: point } });
  const id = String(body['id']);
  await t.moveClock('2 hours');
  // The read before the withdrawal, and the withdrawal's own CheckOrder, are answered from before the buyer paid.
  const held = t.tBank.hold('CheckOrder', 'after', { number: 2, orderId: id });
  const worker = workOff(followUpLoop(t.deps));
  await held.arrived;
  t.tBank.payQr(id);
  await t.readBack(id);
  held.open();
  await worker;
  expect(await t.payment(id)).toMatchObject({ status: 'COMPLETED' });
  expect(t.tBank.of(id)).toMatchObject([{ Status: 'CONFIRMED' }]);
});

it('a withdrawal that crossed the payment gave booked money back: the bank is asked until it says so, and an operator must look (S1)', async () => {
  const { partner, point } = await t.givenPartner({ paymentMethods: ['SBP_DYNAMIC_QR'] });
  const { body } = await t.call('POST', '/api/qr', { partner, body: { amount: 500, paymentPointID: point } });
  const id = String(body['id']);
  await t.moveClock('2 hours');
  const held = t.tBank.hold('Cancel', 'before');
  const worker = workOff(followUpLoop(t.deps));
  await held.arrived;
  t.tBank.payQr(id);
  await t.readBack(id);
  expect(await t.payment(id)).toMatchObject({ status: 'COMPLETED', next_read_at: null });
  // Nobody learns what the withdrawal did.
  t.tBank.interrupt('CheckOrder', 'before', ({ res }) => {
    res.destroy();
  });
  held.open();
  await worker;
  expect(t.tBank.of(id)).toMatchObject([{ Status: 'REFUNDED' }]);
  const exceptions = () => t.rows('select kind from exceptions where payment_id = $1', [id]);
  expect(await exceptions()).toEqual([]);
  t.tBank.interruptNothing();
  await t.moveClock('5 seconds');
  await workOff(followUpLoop(t.deps));
  expect(await exceptions()).toEqual([{ kind: 'STATE_MISMATCH' }]);
  expect(await t.payment(id)).toMatchObject({ status: 'COMPLETED', next_read_at: null });
});

it('a refund that stands still behind CheckOrder until the worker has taken it up gives nothing back (S1)', async () => {
  const { id, checkoutToken } = await t.givenPayment();
  await t.pay(checkoutToken);
  const held = t.tBank.hold('CheckOrder', 'after');
  const first = t.call('POST', `/api/card/${id}/refunds`, { body: {} });
  await held.arrived;
  await t.moveClock('21 seconds');
  await t.work();
  held.open();
  await first;
  const cancels = t.tBank.calls.filter(({ method, body }) => method === 'Cancel' && body['PaymentId'] === t.tBank.of(id)[0]?.PaymentId);
  expect(cancels).toHaveLength(1);
  expect(await t.payment(id)).toMatchObject({ status: 'REFUNDED' });
});

describe('what the bank took more than once', () => {
  const exceptionsOf = (id: string) =>
    t.rows('select kind, bank_operation_id, bank_amount_kopecks from exceptions where payment_id = $1 order by created_at', [id]);
  const returnsOf = (id: string) =>
    t.rows('select why, bank_operation_id, amount_kopecks, status from money_returns where payment_id = $1', [id]);
  /** What the ledger has in suspense, in kopecks; what lies there is owed to a buyer. */
  async function suspense(): Promise<number> {
    const [row] = await t.rows(`select coalesce(-sum(amount_kopecks), 0)::text as sum from ledger_entries where account = 'SUSPENSE'`);
    return Number(row?.['sum']);
  }
  async function givenQr(): Promise<string> {
    const { partner, point } = await t.givenPartner({ paymentMethods: ['SBP_DYNAMIC_QR'] });
    const { body } = await t.call('POST', '/api/qr', { partner, body: { amount: 500, paymentPointID: point } });
    return String(body['id']);
  }
  async function givenPaid(): Promise<string> {
    const { id, checkoutToken } = await t.givenPayment({ amount: 990 });
    await t.pay(checkoutToken);
    return id;
  }

  it('a second code of a paid order is paid: its notification raises an exception, books suspense, and the money goes back (S1)', async () => {
    const id = await givenQr();
    const second = t.tBank.again(id);
    const [first] = t.tBank.of(id);
    if (first === undefined) throw new Error('no order');
    first.Status = 'CONFIRMED';
    await t.notify(first);
    expect(await t.payment(id)).toMatchObject({ status: 'COMPLETED', bank_operation_id: first.PaymentId });
    second.Status = 'CONFIRMED';
    expect(await t.notify(second)).toBe(200);
    const paidTwice = { kind: 'PAID_TWICE', bank_operation_id: second.PaymentId, bank_amount_kopecks: '50000' };
    expect(await exceptionsOf(id)).toEqual([paidTwice]);
    expect(await suspense()).toBe(50_000);
    await workOff(returnLateMoneyLoop(t.deps));
    expect(await returnsOf(id)).toMatchObject([{ why: 'PAID_TWICE', bank_operation_id: second.PaymentId, status: 'COMPLETED' }]);
    expect([first.Status, second.Status]).toEqual(['CONFIRMED', 'REFUNDED']);
    expect(await suspense()).toBe(0);
    expect(await t.messages(id)).toHaveLength(1);
  });

  it('notifications that come again, in the wrong order and at two replicas at once return it once (S1)', async () => {
    const id = await givenPaid();
    const others = [t.tBank.again(id), t.tBank.again(id)];
    for (const other of others) other.Status = 'CONFIRMED';
    const told = [...others, ...others.toReversed(), ...t.tBank.of(id)];
    expect(new Set(await Promise.all(told.map((payment) => t.notify(payment))))).toEqual(new Set([200]));
    expect(await exceptionsOf(id)).toHaveLength(2);
    await Promise.all([workOff(returnLateMoneyLoop(t.deps)), workOff(returnLateMoneyLoop(t.deps))]);
    await Promise.all(told.map((payment) => t.notify(payment)));
    await workOff(returnLateMoneyLoop(t.deps));
    expect(await returnsOf(id)).toHaveLength(2);
    expect(t.tBank.of(id).map(({ left }) => left)).toEqual([99_000, 0, 0]);
    expect(await suspense()).toBe(0);
  });

  it('both were paid before the first look: one pays for the order, the other goes back (S1)', async () => {
    const id = await givenQr();
    t.tBank.again(id);
    t.tBank.payQr(id);
    await t.readBack(id);
    await workOff(returnLateMoneyLoop(t.deps));
    expect(await t.payment(id)).toMatchObject({ status: 'COMPLETED' });
    expect(t.tBank.of(id).map(({ Status }) => Status)).toEqual(['CONFIRMED', 'REFUNDED']);
  });

  it('what else of a paid order could still be paid is cancelled at the bank (S1)', async () => {
    const id = await givenQr();
    const [first] = t.tBank.of(id);
    const second = t.tBank.again(id);
    if (first === undefined) throw new Error('no order');
    first.Status = 'CONFIRMED';
    await t.notify(first);
    expect(await t.payment(id)).toMatchObject({ status: 'COMPLETED', next_read_at: expect.anything() });
    await workOff(followUpLoop(t.deps));
    expect([first.Status, second.Status]).toEqual(['CONFIRMED', 'CANCELED']);
    expect(await t.payment(id)).toMatchObject({ status: 'COMPLETED', next_read_at: null });
    expect(await exceptionsOf(id)).toEqual([]);
  });

  it('money of an order that was refunded whole, and was paid once more, goes back too (S1)', async () => {
    const id = await givenPaid();
    await t.call('POST', `/api/card/${id}/refunds`, { body: {} });
    expect(await t.payment(id)).toMatchObject({ status: 'REFUNDED' });
    const second = t.tBank.again(id);
    second.Status = 'CONFIRMED';
    await t.notify(second);
    await workOff(returnLateMoneyLoop(t.deps));
    expect(t.tBank.of(id).map(({ Status }) => Status)).toEqual(['REFUNDED', 'REFUNDED']);
    expect(await suspense()).toBe(0);
  });

  it('late money that comes twice goes back twice (S1)', async () => {
    const id = await givenQr();
    t.tBank.again(id);
    await t.rows(`update payments set status = 'CANCELLED', failure_code = 'CANCELLED_BY_CUSTOMER' where payment_id = $1`, [id]);
    t.tBank.payQr(id);
    await t.readBack(id);
    await workOff(returnLateMoneyLoop(t.deps));
    expect((await exceptionsOf(id)).map(({ kind }) => kind)).toEqual(['LATE_SUCCESS', 'PAID_TWICE']);
    expect(t.tBank.of(id).map(({ Status }) => Status)).toEqual(['REFUNDED', 'REFUNDED']);
    expect(await suspense()).toBe(0);
  });

  it('late money that somebody gave back in the bank’s cabinet before us is booked as returned', async () => {
    const id = await givenQr();
    await t.rows(`update payments set status = 'CANCELLED', failure_code = 'CANCELLED_BY_CUSTOMER' where payment_id = $1`, [id]);
    t.tBank.payQr(id);
    await t.readBack(id);
    for (const payment of t.tBank.of(id)) Object.assign(payment, { Status: 'REFUNDED', left: 0 });
    await workOff(returnLateMoneyLoop(t.deps));
    expect(await returnsOf(id)).toMatchObject([{ status: 'COMPLETED' }]);
    expect((await exceptionsOf(id)).map(({ kind }) => kind)).toEqual(['LATE_SUCCESS']);
    expect(await suspense()).toBe(0);
  });

  it('booked money that the bank gave back without us is for a person, and nothing more is returned (S1)', async () => {
    const id = await givenPaid();
    const [first] = t.tBank.of(id);
    if (first === undefined) throw new Error('no order');
    first.Status = 'REFUNDED';
    await t.readBack(id);
    expect(await exceptionsOf(id)).toMatchObject([{ kind: 'STATE_MISMATCH', bank_operation_id: first.PaymentId }]);
    t.tBank.again(id).Status = 'CONFIRMED';
    await t.readBack(id);
    expect(await returnsOf(id)).toEqual([]);
  });

  it.each([0, 1])('both payments of an order were given back without us, the booked one (%i) is found (S1)', async (at) => {
    const id = await givenPaid();
    const second = t.tBank.again(id);
    const [first] = t.tBank.of(id);
    const booked = [first, second][at];
    if (first === undefined || booked === undefined) throw new Error('no order');
    await t.rows('update payments set bank_operation_id = $2 where payment_id = $1', [id, booked.PaymentId]);
    [first.Status, second.Status] = ['REFUNDED', 'REFUNDED'];
    await t.readBack(id);
    expect(await exceptionsOf(id)).toMatchObject([{ kind: 'STATE_MISMATCH' }]);
  });

  it('an answer from before the booking that says the order was withdrawn raises no alarm either (S1)', async () => {
    const id = await givenQr();
    const [first] = t.tBank.of(id);
    if (first === undefined) throw new Error('no order');
    first.Status = 'CANCELED';
    const held = t.tBank.hold('CheckOrder', 'after');
    const late = t.readBack(id);
    await held.arrived;
    first.Status = 'CONFIRMED';
    await t.readBack(id);
    held.open();
    await late;
    await t.moveClock('2 seconds');
    await workOff(followUpLoop(t.deps));
    expect(await exceptionsOf(id)).toEqual([]);
    expect(await t.payment(id)).toMatchObject({ status: 'COMPLETED', next_read_at: null });
  });

  it('an answer from before the booking, late, says nothing about booked money: the bank is asked again (S1)', async () => {
    const id = await givenQr();
    const [first, second] = [t.tBank.of(id)[0], t.tBank.again(id)];
    if (first === undefined) throw new Error('no order');
    second.Status = 'CONFIRMED';
    const held = t.tBank.hold('CheckOrder', 'after');
    const late = t.readBack(id);
    await held.arrived;
    first.Status = 'CONFIRMED';
    await t.readBack(id);
    expect(await t.payment(id)).toMatchObject({ status: 'COMPLETED', bank_operation_id: first.PaymentId });
    held.open();
    await late;
    expect(await t.payment(id)).toMatchObject({ next_read_at: expect.anything() });
    await t.moveClock('2 seconds');
    await workOff(followUpLoop(t.deps));
    expect((await exceptionsOf(id)).map(({ kind }) => kind)).toEqual(['PAID_TWICE']);
    expect(await t.payment(id)).toMatchObject({ status: 'COMPLETED', next_read_at: null });
  });
});
