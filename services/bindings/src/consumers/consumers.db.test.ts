import { createHash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { onPaymentCompleted } from './on-payment-ended.ts';
import { startTestApp, type TestApp } from '../../test/app.ts';

let t: TestApp;
beforeAll(async () => {
  t = await startTestApp();
});
afterAll(() => t.close());

const text = 'Я согласен, что карта сохранена, и с неё спишут деньги не чаще раза в месяц.';
const consent = () => ({
  consentId: randomUUID(),
  bindingId: randomUUID(),
  paymentId: randomUUID(),
  partnerId: 'partner-a',
  customerId: 'c1',
  storeName: 'Чай',
  period: 'P1M',
  capture: 'SERVICE',
  text,
  version: '2026-03',
  sha256: createHash('sha256').update(text).digest('hex'),
  acceptedAt: '2026-03-01T10:00:00.000Z',
  address: '203.0.113.7',
  userAgent: 'Browser/1',
});

describe('consent.given', () => {
  it('keeps what the buyer saw, word for word, once', async () => {
    const given = consent();
    await t.consent(given);
    await t.consent(given);
    const rows = await t.rows('select * from consents where consent_id = $1', [given.consentId]);
    expect(rows).toMatchObject([
      {
        binding_id: given.bindingId,
        payment_id: given.paymentId,
        partner_id: 'partner-a',
        customer_id: 'c1',
        period: 'P1M',
        consent_capture: 'SERVICE',
        text,
        version: '2026-03',
        sha256: given.sha256,
        accepted_at: new Date(given.acceptedAt),
        address: '203.0.113.7',
        user_agent: 'Browser/1',
      },
    ]);
  });

  it("keeps the partner's own evidence", async () => {
    const { address: _address, userAgent: _agent, ...rest } = consent();
    const given = { ...rest, capture: 'MERCHANT', text: null, reference: 'click-17' };
    await t.consent(given);
    const rows = await t.rows('select * from consents where consent_id = $1', [given.consentId]);
    expect(rows).toMatchObject([{ consent_capture: 'MERCHANT', text: null, reference: 'click-17', address: null }]);
  });
});

describe('payment.completed', () => {
  const message = (savedCard: object | undefined) => ({
    messageId: randomUUID(),
    type: 'payment.completed',
    aggregateId: '',
    occurredAt: '',
    body: {
      partnerId: 'partner-a',
      paymentId: randomUUID(),
      ledgerTransactionId: randomUUID(),
      aggregateVersion: 1,
      merchantOrderId: 'A-1',
      amountKopecks: '1000',
      currency: 'RUB',
      paymentMethod: 'CARD',
      bankOperationId: 'b-1',
      occurredAt: '2026-03-31T10:00:00.000Z',
      ...(savedCard === undefined ? {} : { savedCard }),
    },
  });
  const counts = async () =>
    t.rows('select (select count(*)::int from bindings), (select count(*)::int from inbox) as inbox');

  it('delivered five times at once, and under another message id: one binding, one event', async () => {
    const bindingId = randomUUID();
    const first = message({ bindingId, consentId: randomUUID(), customerId: 'c1', period: 'P1D' });
    const handle = onPaymentCompleted(t.deps);
    await Promise.all(Array.from({ length: 5 }, () => handle(first)));
    await handle({ ...first, messageId: randomUUID() });
    expect(await t.events(bindingId)).toHaveLength(1);
    expect(await t.binding(bindingId)).toMatchObject({ nextChargeAt: '2026-04-01T10:00:00.000Z' });
  });

  it('of a payment without a saved card changes nothing here but that it came, however often', async () => {
    const [before] = await counts();
    const plain = message(undefined);
    for (const _time of [1, 2]) await onPaymentCompleted(t.deps)(plain);
    expect(await counts()).toEqual([{ count: before?.['count'], inbox: Number(before?.['inbox']) + 1 }]);
  });
});
