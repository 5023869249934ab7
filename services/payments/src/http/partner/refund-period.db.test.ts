import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { startTestApp, type TestApp } from '../../../test/app.ts';

// A database of its own: the clock is moved by a year.
let t: TestApp;
beforeAll(async () => {
  t = await startTestApp();
});
afterAll(() => t.close());

it('409 REFUND_NOT_ALLOWED: 365 days after the payment was booked, and not a moment before', async () => {
  const { id, checkoutToken } = await t.givenPayment();
  await t.pay(checkoutToken);
  const refund = () => t.call('POST', `/api/card/${id}/refunds`, { body: { amount: '1.00' } });
  await t.moveClock('364 days 23 hours 59 minutes');
  expect((await refund()).status).toBe(201);
  await t.moveClock('1 minute 1 second');
  const late = await refund();
  expect([late.status, late.body['code']]).toEqual([409, 'REFUND_NOT_ALLOWED']);
});
