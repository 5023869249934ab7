import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { startTBankApp, type TBankApp } from '../../../test/t-bank-app.ts';
import type { TBankPayment } from '../../../test/t-bank.ts';
import { STATUSES } from '../../acquirers/t-bank/state.ts';

let t: TBankApp;
beforeAll(async () => {
  t = await startTBankApp();
});
afterAll(() => t.close());
afterEach(() => {
  t.tBank.interruptNothing();
  t.tBank.takesTimeForSbp = false;
});

/** A QR payment of 500.00 that the buyer has paid. */
async function givenPaidQr(): Promise<{ id: string; partner: string; payment: TBankPayment }> {
  const { partner, point } = await t.givenPartner({ paymentMethods: ['SBP_DYNAMIC_QR'] });
  const { body } = await t.call('POST', '/api/qr', { partner, body: { amount: 500, paymentPointID: point } });
  const id = String(body['id']);
  t.tBank.payQr(id);
  await t.readBack(id);
  const [payment] = t.tBank.of(id);
  if (payment === undefined) throw new Error('the bank has no payment');
  return { id, partner, payment };
}
async function givenPaidCard(): Promise<{ id: string; payment: TBankPayment }> {
  const { id, checkoutToken } = await t.givenPayment();
  await t.pay(checkoutToken);
  const [payment] = t.tBank.of(id);
  if (payment === undefined) throw new Error('the bank has no payment');
  return { id, payment };
}
const cancelsOf = ({ PaymentId }: TBankPayment) =>
  t.tBank.calls.filter(({ method, body }) => method === 'Cancel' && String(body['PaymentId']) === PaymentId).length;
const statusesOf = async (id: string) =>
  (await t.rows('select status from refunds where payment_id = $1 order by created_at', [id])).map(({ status }) => status);
const exceptionsOf = async (id: string) =>
  (await t.rows('select kind, operation_id from exceptions where payment_id = $1', [id])).map(({ kind }) => kind);
const typesOf = async (id: string) => (await t.messages(id)).map(({ type }) => type);

describe('a refund by SBP', () => {
  const refund = (id: string, partner: string, amount: string) => t.call('POST', `/api/qr/${id}/refunds`, { partner, body: { amount } });

  it('is PENDING while the bank works on it and COMPLETED when it is done, a part, a second one and the rest (V3)', async () => {
    const { id, partner, payment } = await givenPaidQr();
    t.tBank.takesTimeForSbp = true;
    for (const [amount, left] of [
      ['120.00', 38_000],
      ['80.00', 30_000],
      ['300.00', 0],
    ] as const) {
      const { body } = await refund(id, partner, amount);
      expect([body['status'], body['bankOperationId']]).toEqual(['PENDING', payment.PaymentId]);
      // The worker reads it back many times: the bank is still at it.
      for (let round = 0; round < 3; round += 1) {
        await t.moveClock('2 minutes');
        await t.work();
      }
      expect((await statusesOf(id)).at(-1)).toBe('PENDING');
      t.tBank.endSbpRefund(id);
      await t.moveClock('16 minutes');
      await t.work();
      expect((await statusesOf(id)).at(-1)).toBe('COMPLETED');
      expect(payment.left).toBe(left);
    }
    expect(cancelsOf(payment)).toBe(3);
    expect(await exceptionsOf(id)).toEqual([]);
    expect(await t.payment(id)).toMatchObject({ status: 'REFUNDED', refunded_kopecks: '50000' });
    expect((await typesOf(id)).filter((type) => type === 'refund.failed')).toEqual([]);
  });

  it('whose answer was lost is never sent again: what the bank returned in all tells, for a part, too (V3)', async () => {
    const { id, partner, payment } = await givenPaidQr();
    t.tBank.interrupt('Cancel', 'after', ({ res }) => {
      res.destroy();
    });
    await refund(id, partner, '120.00');
    await t.moveClock('30 seconds');
    await t.work();
    expect(await statusesOf(id)).toEqual(['COMPLETED']);
    expect([payment.left, cancelsOf(payment)]).toEqual([38_000, 1]);
  });

  it('that never arrived is not sent again either: after an hour a person is told, once (V3)', async () => {
    const { id, partner, payment } = await givenPaidQr();
    // The bank leaves out the optional field that names SBP.
    delete payment.SbpPaymentId;
    t.tBank.interrupt('Cancel', 'before', ({ res }) => {
      res.destroy();
    });
    const { body } = await refund(id, partner, '120.00');
    await t.withStoppedClock(async () => {
      await t.moveClock('55 minutes');
      await t.work();
      expect([await statusesOf(id), await exceptionsOf(id)]).toEqual([['PENDING'], []]);
      for (let hour = 0; hour < 3; hour += 1) {
        await t.moveClock('61 minutes');
        await t.work();
      }
    });
    expect([await statusesOf(id), await exceptionsOf(id)]).toEqual([['PENDING'], ['OUTCOME_UNKNOWN']]);
    expect(cancelsOf(payment)).toBe(1);
    const [exception] = await t.rows('select operation_id, reason from exceptions where payment_id = $1', [id]);
    expect(exception).toEqual({
      operation_id: body['refundId'],
      reason: expect.stringMatching(/^The bank does not say what became of this refund/),
    });
    // The person refunds it in the bank's cabinet.
    Object.assign(payment, { Status: 'PARTIAL_REFUNDED', left: 38_000, sbpRefund: { Amount: 12_000, after: '' } });
    await t.moveClock('61 minutes');
    await t.work();
    expect(await statusesOf(id)).toEqual(['COMPLETED']);
  });

  it('is not taken for carried out because another one began and was carried out meanwhile (V3)', async () => {
    const { id, partner, payment } = await givenPaidQr();
    t.tBank.interrupt('Cancel', 'before', ({ res }) => {
      res.destroy();
    });
    await refund(id, partner, '120.00');
    t.tBank.interruptNothing();
    await t.moveClock('30 seconds');
    const held = t.tBank.hold('CheckOrder', 'before', { orderId: id });
    const worker = t.work();
    await held.arrived;
    expect((await refund(id, partner, '120.00')).body['status']).toBe('COMPLETED');
    held.open();
    await worker;
    expect(await statusesOf(id)).toEqual(['PENDING', 'COMPLETED']);
    expect(payment.left).toBe(38_000);
  });
});

it.each(['REVERSING', 'REFUNDING', 'ASYNC_REFUNDING'])(
  'a card’s refund that the bank answers with %s is PENDING, is not sent again, and ends as the bank says (V3)',
  async (status) => {
    const { id, payment } = await givenPaidCard();
    t.tBank.interrupt('Cancel', 'after', ({ res, result }) => {
      Object.assign(payment, { Status: status });
      res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ ...result, Status: status }));
    });
    expect((await t.call('POST', `/api/card/${id}/refunds`, { body: {} })).body['status']).toBe('PENDING');
    t.tBank.interruptNothing();
    for (let round = 0; round < 3; round += 1) {
      await t.moveClock('6 minutes');
      await t.work();
    }
    expect([await statusesOf(id), cancelsOf(payment)]).toEqual([['PENDING'], 1]);
    payment.Status = 'REFUNDED';
    await t.moveClock('61 minutes');
    await t.work();
    expect(await statusesOf(id)).toEqual(['COMPLETED']);
    expect(await exceptionsOf(id)).toEqual([]);
  },
);

const NEW_STATUS = 'HELD_BY_SOMETHING_NEW';
it.each([...Object.keys(STATUSES), NEW_STATUS])(
  'a notification of a paid payment that the bank has as %s book and refund nothing more (V3)',
  async (status) => {
    const { id, payment } = await givenPaidCard();
    payment.Status = status;
    expect(await t.notify(payment)).toBe(200);
    await t.readBack(id);
    const [ledger] = await t.rows(`select count(*)::int as count from ledger_transactions where reference_id = $1 and kind = 'PAYMENT'`, [
      id,
    ]);
    expect([(await t.payment(id))['status'], ledger?.['count']]).toEqual(['COMPLETED', 1]);
    expect([await typesOf(id), cancelsOf(payment)]).toEqual([['payment.completed'], 0]);
    const isGone = status === 'REFUNDED' || status === 'REVERSED' || status === 'CANCELED';
    expect(await exceptionsOf(id)).toEqual(isGone ? ['STATE_MISMATCH'] : []);
  },
);

it('a payment whose status nobody knows stays PENDING; an hour after its session a person is told, once (V3)', async () => {
  const { id, checkoutToken } = await t.givenPayment();
  t.tBank.interrupt('FinishAuthorize', 'after', ({ res }) => {
    res.destroy();
  });
  await t.pay(checkoutToken);
  for (const payment of t.tBank.of(id)) payment.Status = NEW_STATUS;
  await t.withStoppedClock(async () => {
    await t.moveClock('100 minutes');
    await t.work();
    expect([(await t.payment(id))['status'], await exceptionsOf(id)]).toEqual(['PENDING', []]);
    for (let hour = 0; hour < 3; hour += 1) {
      await t.moveClock('61 minutes');
      await t.work();
    }
    expect([(await t.payment(id))['status'], await exceptionsOf(id)]).toEqual(['PENDING', ['OUTCOME_UNKNOWN']]);
    for (const payment of t.tBank.of(id)) payment.Status = 'CONFIRMED';
    await t.moveClock('61 minutes');
    await t.work();
  });
  expect((await t.payment(id))['status']).toBe('COMPLETED');
});
