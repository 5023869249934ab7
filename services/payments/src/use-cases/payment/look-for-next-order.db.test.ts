import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { workOff } from '../../../../../packages/shared/test/work-off.ts';
import { startTBankApp, type TBankApp } from '../../../test/t-bank-app.ts';
import { followUpLoop } from './follow-up-payments.ts';
import { laterOperationId } from '../order/later-operation-id.ts';

// decisions/orders-of-a-payment, decisions/failover-and-restore: a database that was restored to before a decline, at a
// bank that lists no orders.

let t: TBankApp;
beforeAll(async () => {
  t = await startTBankApp();
});
afterAll(() => t.close());
afterEach(() => {
  t.tBank.interruptNothing();
});

const POOR = { number: '4000000000009995' };

/** A payment at a point for three cards, of which the bank declined some. */
async function given(declinedCards: number) {
  const { partner, point } = await t.givenPartner({ cardAttempts: 3 });
  const { body } = await t.create({ paymentPointID: point }, { partner });
  const id = String(body['id']);
  const checkoutToken = String((await t.payment(id))['form_token']);
  for (let card = 0; card < declinedCards; card += 1) await t.pay(checkoutToken, POOR);
  return { id, checkoutToken };
}

/** The payment as it was before the bank declined its first card. */
async function restore(id: string, change: string): Promise<void> {
  await t.rows('delete from declined_cards where payment_id = $1', [id]);
  await t.rows(
    `update payments set status = 'SUBMITTED', operation_id = null, bank_operation_id = $2, declined_count = 0, last_decline = null,
       card_attempts_max = null, card_sent_at = null, card_mask = null, failure_code = null, lease_until = null, read_count = 0,
       next_read_at = clock_now() where payment_id = $1`,
    [id, t.tBank.of(id)[0]?.PaymentId],
  );
  await t.rows(`update payments set ${change} where payment_id = $1`, [id]);
}

const OVER = `expires_at = clock_now() - interval '1 second'`;
const work = async () => {
  for (let round = 0; round < 4; round += 1) await workOff(followUpLoop(t.deps));
};

it.each([
  ['no card was sent, and the session has ended since', 1, OVER],
  ['no card was sent, and the session goes on', 1, `expires_at = expires_at`],
  ['the first card was on its way, and the session has ended since', 2, `card_sent_at = clock_now(), card_attempts_max = 3, ${OVER}`],
])('restored to when %s: the order of the later card that paid is found, and booked', async (_when, declined, change) => {
  const { id } = await given(declined);
  const paid = laterOperationId(id, declined + 1);
  for (const payment of t.tBank.of(paid)) payment.Status = 'CONFIRMED';
  await restore(id, change);
  await work();
  expect(await t.payment(id)).toMatchObject({ status: 'COMPLETED', operation_id: paid, declined_count: declined });
  expect((await t.messages(id)).map(({ type }) => type)).toEqual(['payment.completed']);
});

it('a later order that nobody paid is withdrawn, and the payment ends with the decline', async () => {
  const { id } = await given(1);
  await restore(id, OVER);
  await work();
  expect(await t.payment(id)).toMatchObject({ status: 'REJECTED', failure_code: 'INSUFFICIENT_FUNDS' });
  expect(t.tBank.of(laterOperationId(id, 2)).map(({ Status }) => Status)).toEqual(['CANCELED']);
});

it('without an answer about the next order the payment stays open; without such an order it ends', async () => {
  const { id } = await given(1);
  await restore(id, OVER);
  const next = laterOperationId(id, 2);
  const orders = t.tBank.of(next);
  t.tBank.interrupt('CheckOrder', 'before', ({ body, res, answer }) => {
    if (body['OrderId'] === next) res.destroy();
    else answer();
  });
  await workOff(followUpLoop(t.deps));
  expect([orders.length, (await t.payment(id))['status']]).toEqual([1, 'SUBMITTED']);
  t.tBank.interruptNothing();
  t.tBank.payments.splice(
    t.tBank.payments.findIndex(({ OrderId }) => OrderId === next),
    1,
  );
  await t.rows('update payments set next_read_at = clock_now() where payment_id = $1', [id]);
  await workOff(followUpLoop(t.deps));
  expect(await t.payment(id)).toMatchObject({ status: 'REJECTED', operation_id: null });
});
