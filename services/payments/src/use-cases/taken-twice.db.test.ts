import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { startTBankApp, type TBankApp } from '../../test/t-bank-app.ts';
import { followUpDuePayments } from './follow-up-payments.ts';

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
  await followUpDuePayments(t.deps);
}

const chargesOf = (paymentId: string) => {
  const ids = t.tBank.of(paymentId).map(({ PaymentId }) => PaymentId);
  return t.tBank.calls.filter(({ method, body }) => method === 'Charge' && ids.includes(String(body['PaymentId'])));
};

it.each(['CheckOrder', 'Init'] as const)(
  'S1: a charge that stands still behind %s for longer than its lease charges nothing: who took it over did',
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

it('S1: a QR order that stands still behind CheckOrder for longer than its lease opens no second code', async () => {
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

it('S1: a card that stands still behind Check3dsVersion for longer than its lease is not sent', async () => {
  const { id, formToken } = await t.givenPayment();
  const held = t.tBank.hold('Check3dsVersion', 'after');
  const paying = t.pay(formToken);
  await held.arrived;
  await t.moveClock('21 seconds');
  held.open();
  expect(await paying).toBe('route-unavailable');
  expect(t.tBank.of(id)).toMatchObject([{ Status: 'NEW' }]);
  expect(await t.pay(formToken)).toBe('accepted');
  expect(t.tBank.of(id)).toMatchObject([{ Status: 'CONFIRMED' }]);
});

it('S1: an order that was paid while its withdrawal stood still is not cancelled: that would give booked money back', async () => {
  const { partner, point } = await t.givenPartner({ paymentMethods: ['SBP_DYNAMIC_QR'] });
  const { body } = await t.call('POST', '/api/qr', { partner, body: { amount: 500, paymentPointID: point } });
  const id = String(body['id']);
  await t.moveClock('2 hours');
  // The read before the withdrawal, and the withdrawal's own CheckOrder, are answered from before the buyer paid.
  const held = t.tBank.hold('CheckOrder', 'after', { number: 2, orderId: id });
  const worker = followUpDuePayments(t.deps);
  await held.arrived;
  t.tBank.payQr(id);
  await t.readBack(id);
  held.open();
  await worker;
  expect(await t.payment(id)).toMatchObject({ status: 'COMPLETED' });
  expect(t.tBank.of(id)).toMatchObject([{ Status: 'CONFIRMED' }]);
});

it('S1: a refund that stands still behind CheckOrder until the worker has taken it up gives nothing back', async () => {
  const { id, formToken } = await t.givenPayment();
  await t.pay(formToken);
  const held = t.tBank.hold('CheckOrder', 'after');
  const first = t.call('POST', `/api/card/${id}/refunds`, { body: {} });
  await held.arrived;
  await t.moveClock('21 seconds');
  await t.work();
  held.open();
  await first;
  const cancels = t.tBank.calls.filter(({ method, body }) => method === 'Cancel' && body['PaymentId'] === t.tBank.of(id)[0]?.PaymentId); // prettier-ignore
  expect(cancels).toHaveLength(1);
  expect(await t.payment(id)).toMatchObject({ status: 'REFUNDED' });
});
