import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { columnsWith } from '../../../../tools/testing/columns-with.ts';
import { PARTNER, startTestApp, type TestApp } from '../../test/app.ts';
import { eraseBuyer } from './erase-buyer.ts';

let t: TestApp;
beforeAll(async () => {
  t = await startTestApp();
});
afterAll(() => t.close());

const RECEIPT = {
  taxation: 'OSN',
  email: 'ada@shop.example',
  items: [
    {
      name: 'Poems',
      price: '990.00',
      quantity: '1',
      amount: '990.00',
      vat: 'NONE',
      paymentMethod: 'FULL_PAYMENT',
      paymentObject: 'COMMODITY',
    },
  ],
} as const;

let customerId: string;
let bindingId: string;
let consent: Readonly<Record<string, unknown>>;
beforeEach(async () => {
  customerId = `buyer-${randomUUID()}`;
  bindingId = await t.givenBinding({ customerId, cardMask: '411111******1111', cardExpiry: '2031-11' });
  consent = {
    consentId: randomUUID(),
    bindingId,
    paymentId: randomUUID(),
    partnerId: PARTNER,
    customerId,
    period: 'P1M',
    capture: 'SERVICE',
    text: 'I agree.',
    version: '1',
    sha256: 'a'.repeat(64),
    acceptedAt: '2026-03-01T00:00:00.000Z',
    address: '203.0.113.77',
    userAgent: 'Erasable/1.0',
  };
});

it('a buyer is erased: cards are revoked, and no table has their name, card, address or browser any more', async () => {
  const other = await t.givenBinding({ customerId });
  const foreign = await t.givenBinding({ partner: 'partner-b', customerId });
  await t.consent(consent);
  const { paymentId } = (await t.charge(bindingId, {}, { description: 'For Ada Lovelace', receipt: RECEIPT })).body;
  await expect(eraseBuyer(t.deps, 'anna', bindingId)).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
  await t.failed(paymentId);
  // Publishes as the relay does.
  await t.rows(`with gone as (delete from outbox returning *)
    insert into published (message_id, type, aggregate_id, payload, occurred_at)
    select message_id, type, aggregate_id, payload, occurred_at from gone`);

  expect(await eraseBuyer(t.deps, 'anna', bindingId)).toEqual({ bindings: 2, consents: 1 });
  const traces = ['411111******1111', '2031-11', '203.0.113.77', 'Erasable/1.0', 'Ada Lovelace', 'ada@shop.example', 'Poems'];
  expect(await columnsWith((text, values) => t.rows(text, values), [customerId, ...traces])).toEqual({
    ...Object.fromEntries(traces.map((trace) => [trace, []])),
    // Another partner's buyer, and what is published to the partner about this one.
    [customerId]: ['bindings.bindings.customer_id', 'bindings.outbox.payload', 'bindings.published.payload'],
  });
  expect(await t.rows('select binding_id from bindings where customer_id = $1', [customerId])).toEqual([{ binding_id: foreign }]);
  expect(await t.rows(`select aggregate_id from published where payload ->> 'customerId' = $1`, [customerId])).toEqual([
    { aggregate_id: foreign },
  ]);
  const { taxation, items } = RECEIPT;
  expect(await t.rows('select receipt from charges where payment_id = $1', [paymentId])).toEqual([
    { receipt: { taxation, items: [{ ...items[0], name: 'erased' }] } },
  ]);
  for (const id of [bindingId, other]) {
    expect((await t.binding(id))['status']).toBe('REVOKED');
    expect([...t.payments.revoked]).toContain(id);
    expect(await t.events(id)).toMatchObject([
      { type: 'binding.revoked', payload: { customerId } },
      { type: 'buyer.erased', payload: { bindingId: id, partnerId: PARTNER } },
    ]);
  }
  expect(await t.rows(`select text, sha256 from consents where binding_id = $1`, [bindingId])).toEqual([
    { text: 'I agree.', sha256: 'a'.repeat(64) },
  ]);
});

it('a buyer is erased only when no message about them waits in the dead letters; those that were handled go with them', async () => {
  const died = (status: string, body: object) =>
    t.rows(
      `insert into dead_letters (message_id, type, aggregate_id, occurred_at, body, status)
       values (gen_random_uuid()::text, 'consent.given', '', '', convert_to($1, 'UTF8'), $2)`,
      [JSON.stringify(body), status],
    );
  await died('REDRIVEN', consent);
  await died('WAITING', { ...consent, partnerId: 'partner-b' });
  await died('WAITING', { paymentId: randomUUID(), partnerId: PARTNER, savedCard: { bindingId, customerId } });
  await expect(eraseBuyer(t.deps, 'anna', bindingId)).rejects.toMatchObject({
    details: [{ message: expect.stringContaining('waits in the dead letters') }],
  });
  expect((await t.binding(bindingId))['status']).toBe('ACTIVE');

  await t.rows(`update dead_letters set status = 'REDRIVEN' where convert_from(body, 'UTF8')::jsonb ? 'savedCard'`);
  await eraseBuyer(t.deps, 'anna', bindingId);
  const left = await t.rows(`select convert_from(body, 'UTF8')::jsonb ->> 'partnerId' as partner from dead_letters`);
  expect(left).toEqual([{ partner: 'partner-b' }]);
});
