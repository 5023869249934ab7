import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { startTestApp, type TestApp } from '../../../test/app.ts';
import { gate } from '../../../test/bank.ts';
import { confirmThreeDs, returnFromBank, watchBank } from './return-from-bank.ts';

let t: TestApp;
beforeAll(async () => {
  t = await startTestApp();
});
afterAll(() => t.close());
afterEach(() => {
  t.bank.interrupt('read', 'before', undefined);
});

/** A payment whose buyer is at the bank's 3-D Secure page, and that nobody has asked the bank about for a while. */
async function givenThreeDs(): Promise<{ id: string; checkoutToken: string; asked: () => number }> {
  t.bank.verdict = { status: 'THREE_DS_REQUIRED', acsUrl: 'https://bank.example/3ds/1' };
  const { id, checkoutToken } = await t.givenPayment();
  await t.pay(checkoutToken);
  await t.rows(`update payments set last_read_at = last_read_at - interval '1 hour' where payment_id = $1`, [id]);
  const before = t.bank.callsOf('read');
  return { id, checkoutToken, asked: () => t.bank.callsOf('read') - before };
}

it('thirty returns of one payment at once ask the bank once, and once more after the second that the others wait (M7)', async () => {
  const { checkoutToken, asked } = await givenThreeDs();
  await Promise.all(Array.from({ length: 30 }, () => confirmThreeDs(t.deps, checkoutToken)));
  expect(asked()).toBeLessThanOrEqual(2);
});

it('while the bank is asked about a payment nobody else asks, however slow it is (M7)', async () => {
  const { checkoutToken, asked } = await givenThreeDs();
  const slow = gate();
  t.bank.interrupt('read', 'before', slow.interruption);
  const first = watchBank(t.deps, checkoutToken);
  await slow.arrived;
  await Promise.all(Array.from({ length: 10 }, () => watchBank(t.deps, checkoutToken)));
  await returnFromBank(t.deps, checkoutToken);
  slow.open();
  await first;
  expect(asked()).toBe(1);
});

it('the buyer who is done is not lost behind a stranger who asked a moment before (M7)', async () => {
  const { id, checkoutToken } = await givenThreeDs();
  await confirmThreeDs(t.deps, checkoutToken);
  t.bank.change(id, { status: 'APPROVED' });
  await confirmThreeDs(t.deps, checkoutToken);
  expect((await t.payment(id))['status']).toBe('COMPLETED');
});

it('what was claimed by a process that died is free again after a while, and by a clock that was moved back at once (M7)', async () => {
  const { id, checkoutToken, asked } = await givenThreeDs();
  await t.rows(`insert into bank_asks values ($1, 'READ', clock_now() + interval '40 seconds')`, [id]);
  await watchBank(t.deps, checkoutToken);
  expect(asked()).toBe(0);
  await t.rows(`update bank_asks set held_until = clock_now() where payment_id = $1`, [id]);
  await watchBank(t.deps, checkoutToken);
  expect(asked()).toBe(1);
  await t.rows(`update bank_asks set held_until = clock_now() + interval '9 days' where payment_id = $1`, [id]);
  await t.rows(`update payments set last_read_at = last_read_at - interval '1 hour' where payment_id = $1`, [id]);
  await watchBank(t.deps, checkoutToken);
  expect(asked()).toBe(2);
});
