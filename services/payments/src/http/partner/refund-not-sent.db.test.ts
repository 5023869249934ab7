import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { startTestApp, type TestApp } from '../../../test/app.ts';

// An app of its own: its bank goes away, and the breaker opens.
let t: TestApp;
beforeAll(async () => {
  t = await startTestApp();
});
afterAll(() => t.close());

it('FAILED at once: nobody takes the connection, or the breaker is open; the amount may be refunded anew', async () => {
  const { id, checkoutToken } = await t.givenPayment();
  await t.pay(checkoutToken);
  await t.bank.close();
  const refund = () => t.call('POST', `/api/card/${id}/refunds`, { body: {} });
  const answers = [];
  for (let attempt = 0; attempt < 12; attempt += 1) answers.push(await refund());
  const failed = { status: 'FAILED', failureCode: 'PROCESSING_ERROR', bankOperationId: null, amount: '100.50', refundedAmount: '0.00' };
  expect(answers.map(({ status, body }) => [status, body])).toEqual(answers.map(() => [201, expect.objectContaining(failed)]));
  const types = (await t.messages(id)).map(({ type, payload }) => [type, payload['aggregateVersion']]);
  expect(types.slice(0, 3)).toEqual([
    ['payment.completed', 1],
    ['refund.pending', 2],
    ['refund.failed', 3],
  ]);
  expect(await t.rows('select from refunds where next_read_at is not null')).toEqual([]);
});
