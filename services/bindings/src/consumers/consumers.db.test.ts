import { createHash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { onPaymentCompleted } from './on-payment-ended.ts';
import { lockBinding } from '../db/bindings.ts';
import { PARTNER, startTestApp, type TestApp } from '../../test/app.ts';

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
  const counts = async () => t.rows('select (select count(*)::int from bindings), (select count(*)::int from inbox) as inbox');

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

describe('the end of a charge', () => {
  /** A binding with a charge that payments has, the charge, and the message of its success. */
  async function givenCharge() {
    const bindingId = await t.givenBinding();
    const { body } = await t.charge(bindingId);
    const paymentId = String(body['paymentId']);
    const completed = {
      messageId: randomUUID(),
      type: 'payment.completed',
      aggregateId: paymentId,
      occurredAt: '',
      body: {
        partnerId: PARTNER,
        paymentId,
        ledgerTransactionId: randomUUID(),
        aggregateVersion: 1,
        merchantOrderId: 'A-1',
        amountKopecks: '99000',
        currency: 'RUB',
        paymentMethod: 'CARD_BINDING',
        bindingId,
        bankOperationId: 'b-1',
        occurredAt: '2026-11-21T10:00:00.000Z',
      },
    };
    return { bindingId, paymentId, completed };
  }
  const slotOf = async (bindingId: string) => {
    const [row] = await t.rows('select open_payment_id, next_charge_at from bindings where binding_id = $1', [bindingId]);
    return row;
  };

  it('delivered five times at once: frees the slot and begins one period', async () => {
    const { bindingId, paymentId, completed } = await givenCharge();
    await Promise.all(Array.from({ length: 5 }, () => onPaymentCompleted(t.deps)(completed)));
    expect(await slotOf(bindingId)).toMatchObject({ open_payment_id: null });
    expect(await t.rows('select status from charges where payment_id = $1', [paymentId])).toEqual([{ status: 'COMPLETED' }]);
  });

  it('forced: of two messages that have both read the slot, the second ends nothing', async () => {
    const { bindingId, completed } = await givenCharge();
    const handle = onPaymentCompleted(t.deps);
    const [both] = await t.deps.db.transaction(async (tx) => {
      await lockBinding(tx, bindingId);
      const first = handle(completed);
      await t.untilBlocked(1);
      const second = handle({ ...completed, messageId: randomUUID() });
      await t.untilBlocked(2);
      return [Promise.allSettled([first, second])]; // Wrapped in an array: returning the promise itself would await it here.
    });
    expect((await both).map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
    expect(await slotOf(bindingId)).toMatchObject({ open_payment_id: null });
  });
});
