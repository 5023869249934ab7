import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { startCutter } from '../../../../../packages/shared/test/cutter.ts';
import { until } from '../../../../../packages/shared/test/mechanisms.ts';
import { startTestApp, type Json, type TestApp } from '../../../test/app.ts';

let t: TestApp;
let cut: Awaited<ReturnType<typeof startCutter>>;
beforeAll(async () => {
  t = await startTestApp({
    wayTo: async (url) => {
      cut = await startCutter(url);
      return cut.url;
    },
  });
});
afterAll(async () => {
  await t.close();
  cut.close();
});

/** The next COMMIT is stored, its answer is lost, and the database stays away until the call has been answered. */
async function lost(call: () => Promise<{ readonly status: number; readonly body: Json }>): Promise<void> {
  Object.assign(cut.cutter, { cutNext: 'after', staysAway: true });
  const { status, body } = await call();
  expect([status, body['code']]).toEqual([503, 'OUTCOME_UNKNOWN']);
  Object.assign(cut.cutter, { staysAway: false, isAway: false });
}

const paymentsOf = (partner: string) => t.rows('select * from payments where partner_id = $1', [partner]);

it.each([
  ['/api/card', { currency: 'RUB', description: 'Coffee', customerID: 'buyer-1', orderID: 'order-1' }],
  ['/api/qr', {}],
])('POST %s: a repeat goes on at once with what a lost COMMIT stored, whose lease has not ended (V7)', async (path, body) => {
  const { partner, point } = await t.givenPartner({ paymentMethods: ['CARD', 'SBP_DYNAMIC_QR'] });
  const call = { partner, key: randomUUID(), body: { paymentPointID: point, amount: 100.5, ...body } };
  // No lease ends meanwhile.
  await t.withStoppedClock(async () => {
    await lost(() => t.call('POST', path, call));
    expect(await paymentsOf(partner)).toMatchObject([{ status: 'CREATED', lease_number: 1 }]);
    await until(async () => (await paymentsOf(partner))[0]?.['lease_until'] === null);
    expect((await t.call('POST', path, call)).status).toBe(201);
    expect(await paymentsOf(partner)).toMatchObject([{ status: 'SUBMITTED' }]);
  });
});

it('a refund that a lost COMMIT stored is sent at once, and a repeat is answered (V7)', async () => {
  const { id, checkoutToken } = await t.givenPayment();
  await t.pay(checkoutToken);
  const call = { key: randomUUID(), body: {} };
  await t.withStoppedClock(async () => {
    await lost(() => t.call('POST', `/api/card/${id}/refunds`, call));
    const refund = async () =>
      (await t.rows('select status, next_read_at <= clock_now() as due from refunds where payment_id = $1', [id]))[0];
    expect(await refund()).toMatchObject({ status: 'PENDING' });
    await until(async () => (await refund())?.['due'] === true);
    expect((await t.call('POST', `/api/card/${id}/refunds`, call)).status).toBe(201);
    await t.work();
    expect(await refund()).toMatchObject({ status: 'COMPLETED' });
  });
});

it('a charge that a lost COMMIT stored is taken at the next call of bindings (V7)', async () => {
  const { bindingId } = await t.givenSavedCard();
  const change = { paymentId: randomUUID(), merchantOrderId: `order-${randomUUID()}` };
  await t.withStoppedClock(async () => {
    await lost(() => t.charge(bindingId, change));
    await until(async () => (await t.payment(change.paymentId))['lease_until'] === null);
    const { status, body } = await t.charge(bindingId, change);
    expect([status, body['status']]).toEqual([200, 'COMPLETED']);
  });
});
