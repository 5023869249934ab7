import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { inTransaction } from '@pay/shared/postgres/transaction.ts';
import { columnsWith } from '../../../../../tools/testing/columns-with.ts';
import { DEFAULT_POINT, startTestApp, type TestApp } from '../../../test/app.ts';
import { readTrialBalance } from '../../db/ledger/ledger.ts';
import { forgetBuyersLoop } from '../checkout/forget-buyers.ts';
import { eraseBuyer } from './erase-buyer.ts';
import { propose, rejectProposal } from '../proposal/propose.ts';

let t: TestApp;
beforeAll(async () => {
  t = await startTestApp();
});
afterAll(() => t.close());

const anna = { login: 'anna', role: 'operator', sessionId: 's', notIndependentOf: [] } as const;
const refusal = (text: string) => ({ details: [{ message: expect.stringContaining(text) }] });

it('a buyer is erased: no table has their name, card, purpose or anything typed about them; amounts and the ledger stay', async () => {
  const customerID = `buyer-${randomUUID()}`;
  const description = 'Present for Ada Lovelace';
  const returnUrl = 'https://shop.example/orders/of-lovelace';
  const { id, bindingId } = await t.givenSavedCard({ customerID, description });
  const open = await t.givenPayment({ customerID, description });
  await t.rows('update payments set return_url = $1 where payment_id = $2', [returnUrl, open.id]);
  const refund = await t.call('POST', `/api/card/${id}/refunds`, {
    body: { amount: '1.00', reason: 'Ada changed her mind' },
  });
  expect(refund.status).toBe(201);
  await t.rows(
    `insert into exceptions (kind, payment_id, operation_id, reason, status, note, resolved_by, resolved_at)
     values ('RETURN_FAILED', $1::uuid, $1::uuid::text, 'declined', 'RESOLVED', 'Ada called at noon', 'anna', clock_now())`,
    [id],
  );
  const asked = { seenVersion: 1, amount: '2.00', reason: 'Ada is sorry' };
  const proposal = await inTransaction(t.deps.db, (tx) => propose(tx, anna, { kind: 'REFUND', subjectId: id, asked }));
  const order = { paymentPointID: DEFAULT_POINT, merchantOrderId: 'o-1', customerID, paymentMethod: 'CARD' };
  await inTransaction(t.deps.db, (tx) => propose(tx, anna, { kind: 'BOOK', subjectId: randomUUID(), asked: { amount: '9.00', order } }));

  const erase = () => eraseBuyer(t.deps, 'anna', id);
  await expect(erase()).rejects.toMatchObject(refusal('payment of this buyer is not finished'));
  await t.rows('update payment_points set card_attempts = 2 where payment_point_id = $1', [DEFAULT_POINT]);
  await t.pay(open.checkoutToken, { number: '4000000000009995' });
  expect(await t.rows('select card_mask from declined_cards')).toEqual([{ card_mask: '411111******1111' }]);
  await t.pay(open.checkoutToken);
  await expect(erase()).rejects.toMatchObject(refusal('not revoked'));
  await t.call('POST', `/internal/saved-cards/${bindingId}/revoke`, { key: null });
  await expect(erase()).rejects.toMatchObject(refusal('waits for a second person'));
  await rejectProposal(t.deps.db, anna, proposal.proposalId);
  await expect(erase()).rejects.toMatchObject(refusal('is not told yet'));
  // As the relay does when every consumer's queue has them.
  await t.rows(`with gone as (delete from outbox returning *)
    insert into published (message_id, type, aggregate_id, payload, occurred_at)
    select message_id, type, aggregate_id, payload, occurred_at from gone`);

  const balance = await readTrialBalance(t.deps.db);
  expect(await erase()).toEqual({ payments: 2, savedCards: 1 });
  const traces = [customerID, '411111******1111', '2030-12', 'Lovelace', 'of-lovelace', 'changed her mind', 'called at noon', 'is sorry'];
  expect(await columnsWith((text, values) => t.rows(text, values), traces)).toEqual(Object.fromEntries(traces.map((trace) => [trace, []])));
  expect((await t.read(id)).body).toMatchObject({ status: 'COMPLETED', amount: 100.5, refundedAmount: '1.00' });
  expect(await readTrialBalance(t.deps.db)).toEqual(balance);
  expect(await t.rows(`select operator from operator_actions where subject_id = $1 and action = 'buyer.erased'`, [id])).toEqual([
    { operator: 'anna' },
  ]);
  await expect(eraseBuyer(t.deps, 'anna', randomUUID())).rejects.toMatchObject({ code: 'NOT_FOUND' });
});

it('what the previous version wrote of a letter goes after three days, and at once with its buyer', async () => {
  const { id: erased } = await t.givenPayment({ customerID: `buyer-${randomUUID()}` });
  const { id: kept } = await t.givenPayment({ customerID: `buyer-${randomUUID()}` });
  await t.rows(
    `insert into letters (letter_id, payment_id, number, address_encrypted, address_hash, number_of_day, language)
     select gen_random_uuid(), id, 1, 'sealed', id, 1, 'ru' from unnest($1::uuid[]) as id`,
    [[erased, kept]],
  );
  const left = () => t.rows('select payment_id from letters');
  await t.rows(
    `update payments set status = 'CANCELLED', failure_code = 'CANCELLED_BY_CUSTOMER', next_read_at = null where payment_id = $1`,
    [erased],
  );
  await t.rows('delete from outbox');
  await eraseBuyer(t.deps, 'anna', erased);
  expect(await left()).toEqual([{ payment_id: kept }]);
  const { round } = forgetBuyersLoop(t.deps);
  await t.moveClock('71 hours 59 minutes');
  await round(new AbortController().signal);
  expect(await left()).toEqual([{ payment_id: kept }]);
  await t.moveClock('1 minute 1 second');
  await round(new AbortController().signal);
  expect(await left()).toEqual([]);
});
