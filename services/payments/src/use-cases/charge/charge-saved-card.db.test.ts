import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { PaymentCompleted, PaymentFailed } from '@pay/contract/messages.ts';
import { DEFAULT_PARTNER, startTestApp, type TestApp } from '../../../test/app.ts';
import { gate, refusal, silence } from '../../../test/bank.ts';

let t: TestApp;
beforeAll(async () => {
  t = await startTestApp();
});
afterAll(() => t.close());
afterEach(() => {
  t.bank.verdict = {};
  for (const call of ['charge', 'read'] as const) {
    for (const when of ['before', 'after'] as const) t.bank.interrupt(call, when, undefined);
  }
});

/** A charge of a fresh saved card: its request, to be sent as often as a test wants. */
async function request(change: Record<string, unknown> = {}) {
  const { bindingId } = await t.givenSavedCard();
  const body = { paymentId: randomUUID(), merchantOrderId: `order-${randomUUID()}`, ...change };
  const send = (also: Record<string, unknown> = {}) => t.charge(bindingId, { ...body, ...also });
  return { ...body, bindingId, send };
}

const chargesOf = (paymentId: string) => t.bank.calls.filter(({ call, operationId }) => call === 'charge' && operationId === paymentId);

describe('POST /internal/charges', () => {
  it('takes the money once: initiator MERCHANT, recurring, the bank’s own token; payment.completed with both numbers', async () => {
    const { paymentId, bindingId, merchantOrderId, send } = await request();
    const answer = await send();
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        paymentId,
        bindingId,
        merchantOrderId,
        amountKopecks: '10000',
        status: 'COMPLETED',
        createdAt: expect.any(String),
        updatedAt: expect.any(String),
      },
    ]);
    const [first] = await t.rows('select payment_id from saved_cards where binding_id = $1', [bindingId]);
    const token = t.bank.operations.get(String(first?.['payment_id']))?.cardToken;
    expect(chargesOf(paymentId).map(({ body }) => body)).toEqual([
      {
        operationId: paymentId,
        amountKopecks: '10000',
        currency: 'RUB',
        description: 'A month of coffee',
        cardToken: token,
        initiator: 'MERCHANT',
        recurring: true,
      },
    ]);
    const told = await t.messages(paymentId);
    expect(told.map(({ type }) => type)).toEqual(['payment.completed']);
    const completed = PaymentCompleted.parse(told[0]?.payload);
    expect(completed).toMatchObject({
      paymentId,
      bindingId,
      merchantOrderId,
      paymentMethod: 'CARD_BINDING',
      aggregateVersion: 1,
    });
    expect(completed.savedCard).toBeUndefined();
  });

  it('is shown by GET /api/card/{id}, without a form', async () => {
    const { paymentId, bindingId, merchantOrderId, send } = await request();
    await send();
    const { body } = await t.read(paymentId);
    expect(body).toMatchObject({
      id: paymentId,
      orderID: merchantOrderId,
      paymentMethod: 'CARD_BINDING',
      bindingId,
      status: 'COMPLETED',
      customerID: 'buyer-1',
    });
    expect(body).not.toHaveProperty('paymentUrl');
  });

  it('19.7: has one createdAt: the moment in which bindings accepted it', async () => {
    const createdAt = '2026-11-20T23:59:59.999Z';
    const { paymentId, send } = await request({ createdAt });
    expect((await send()).body).toMatchObject({ createdAt });
    expect((await t.read(paymentId)).body).toMatchObject({ createdAt });
  });

  it('a repeat answers the same charge and takes nothing', async () => {
    const { paymentId, send } = await request();
    const [first, again] = [await send(), await send()];
    expect(again.body).toEqual(first.body);
    expect(chargesOf(paymentId)).toHaveLength(1);
  });

  it('twenty at once: one charge, one event, one booking', async () => {
    const { paymentId, send } = await request();
    const answers = await Promise.all(Array.from({ length: 20 }, () => send()));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(t.bank.operations.get(paymentId)?.status).toBe('APPROVED');
    expect(chargesOf(paymentId)).toHaveLength(1);
    expect(await t.messages(paymentId)).toHaveLength(1);
    expect(await t.rows(`select 1 from ledger_transactions where reference_id = $1`, [paymentId])).toHaveLength(1);
  });

  it.each<[string, Record<string, unknown>]>([
    ['amount', { amountKopecks: '10001' }],
    ['order number', { merchantOrderId: 'another' }],
    ['purpose', { description: 'Another' }],
  ])('409 IDEMPOTENCY_KEY_REUSED: the same id with another %s', async (_what, change) => {
    const { send } = await request();
    await send();
    const answer = await send(change);
    expect([answer.status, answer.body['code']]).toEqual([409, 'IDEMPOTENCY_KEY_REUSED']);
  });

  it('409 DUPLICATE_ORDER: the number of a card payment, and of another charge; nothing is stored', async () => {
    const card = await t.givenPayment();
    const earlier = await request();
    await earlier.send();
    for (const [merchantOrderId, used] of [
      [card.orderID, card.id],
      [earlier.merchantOrderId, earlier.paymentId],
    ]) {
      const { paymentId, send } = await request({ merchantOrderId });
      const answer = await send();
      expect([answer.status, answer.body['code'], answer.body['paymentId']]).toEqual([409, 'DUPLICATE_ORDER', used]);
      expect(await t.rows('select 1 from payments where payment_id = $1', [paymentId])).toEqual([]);
      expect(chargesOf(paymentId)).toEqual([]);
    }
  });

  it('409 DUPLICATE_ORDER: a card payment with the number of a charge', async () => {
    const { merchantOrderId, paymentId, send } = await request();
    await send();
    const answer = await t.create({ orderID: merchantOrderId });
    expect([answer.status, answer.body['code'], answer.body['paymentId']]).toEqual([409, 'DUPLICATE_ORDER', paymentId]);
  });

  it('404 NOT_FOUND: no such card, another partner’s, one whose point is closed', async () => {
    const { partner, point } = await t.givenPartner();
    const { bindingId } = await t.givenSavedCard();
    const answers = [await t.charge(randomUUID()), await t.charge(bindingId, {}, { partner })];
    await t.rows(`update payments set payment_point_id = $1 where binding_id = $2`, [point, bindingId]);
    await t.rows(`update saved_cards set payment_point_id = $1 where binding_id = $2`, [point, bindingId]);
    await t.rows(`update payment_points set status = 'CLOSED' where payment_point_id = $1`, [point]);
    answers.push(await t.charge(bindingId));
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
  });

  it('503 ROUTE_UNAVAILABLE: a suspended point; nothing is stored and the same call works later', async () => {
    const { partner, point } = await t.givenPartner();
    const { send, bindingId, paymentId } = await request();
    await t.rows(`update saved_cards set payment_point_id = $1 where binding_id = $2`, [point, bindingId]);
    await t.rows(`update payment_points set status = 'SUSPENDED' where payment_point_id = $1`, [point]);
    const refused = await send();
    expect([refused.status, refused.body['code']]).toEqual([503, 'ROUTE_UNAVAILABLE']);
    expect(await t.rows('select 1 from payments where payment_id = $1', [paymentId])).toEqual([]);
    await t.rows(`update payment_points set status = 'ACTIVE' where payment_point_id = $1`, [point]);
    expect((await send()).status).toBe(200);
    expect(partner).not.toBe(DEFAULT_PARTNER);
  });

  it.each<[string, Record<string, unknown>, string]>([
    ['beyond the point’s limits', { amountKopecks: '100000001' }, 'amount'],
    ['zero', { amountKopecks: '0' }, 'amountKopecks'],
    ['an unknown field', { card: '1' }, 'card'],
    ['no UUID', { paymentId: 'x' }, 'paymentId'],
  ])('400: %s', async (_what, change, field) => {
    const { send } = await request();
    const answer = await send(change);
    expect(answer.status).toBe(400);
    expect(answer.body['details']).toEqual([expect.objectContaining({ field })]);
  });

  describe('19.17: POST /internal/charges/checked says what would be wrong whenever the charge came', () => {
    const check = (bindingId: string, change: Record<string, unknown> = {}, call = {}) =>
      t.call('POST', '/internal/charges/checked', {
        key: null,
        body: { bindingId, merchantOrderId: `order-${randomUUID()}`, amountKopecks: '10000', ...change },
        ...call,
      });

    it('200 and nothing is stored', async () => {
      const { bindingId } = await t.givenSavedCard();
      const before = await t.rows('select count(*) from payments');
      expect((await check(bindingId)).status).toBe(200);
      expect(await t.rows('select count(*) from payments')).toEqual(before);
    });

    it('404 before 400 before 409, and each before 503: also while its point takes nothing', async () => {
      const { point } = await t.givenPartner();
      const { bindingId } = await t.givenSavedCard();
      const { orderID } = await t.givenPayment();
      await t.rows(`update saved_cards set payment_point_id = $1 where binding_id = $2`, [point, bindingId]);
      await t.rows(`update payment_points set status = 'SUSPENDED' where payment_point_id = $1`, [point]);
      const both = { merchantOrderId: orderID, amountKopecks: '100000001' };
      for (const send of [check, (id: string, change: Record<string, unknown>) => t.charge(id, change)]) {
        const answers = [await send(randomUUID(), both), await send(bindingId, both), await send(bindingId, { merchantOrderId: orderID })];
        expect(answers.map(({ body }) => body['code'])).toEqual(['NOT_FOUND', 'VALIDATION_FAILED', 'DUPLICATE_ORDER']);
      }
    });
  });

  it('401 without an internal token', async () => {
    const { bindingId } = await t.givenSavedCard();
    expect((await t.charge(bindingId, {}, { headers: { 'x-internal-token': 'none' } })).status).toBe(401);
  });
});

describe('what becomes of a charge', () => {
  it.each([
    ['INSUFFICIENT_FUNDS', 'REJECTED'],
    ['CARD_EXPIRED', 'REJECTED'],
    ['ISSUER_UNAVAILABLE', 'FAILED'],
  ])('declined, %s: %s, payment.failed with bindingId and merchantOrderId', async (reason, status) => {
    const { paymentId, bindingId, merchantOrderId, send } = await request();
    t.bank.verdict = { status: 'DECLINED', reason };
    expect((await send()).body['status']).toBe(status);
    const [told, ...more] = await t.messages(paymentId);
    expect(more).toEqual([]);
    expect(PaymentFailed.parse(told?.payload)).toMatchObject({
      bindingId,
      merchantOrderId,
      status,
      failureCode: reason,
      paymentMethod: 'CARD_BINDING',
    });
    const retryAdvice = reason === 'CARD_EXPIRED' ? 'DO_NOT_RETRY' : 'RETRY_LATER';
    expect((await t.read(paymentId)).body).toMatchObject({ status, failureCode: reason, bindingId, retryAdvice });
  });

  it('the bank refuses the call: FAILED with PROCESSING_ERROR', async () => {
    const { send } = await request();
    t.bank.interrupt('charge', 'before', refusal(400, 'BAD_REQUEST'));
    expect((await send()).body['status']).toBe('FAILED');
  });

  it('pending: PENDING past the end of its session, asked every hour, until the bank decides', async () => {
    const { paymentId, send } = await request();
    t.bank.verdict = { status: 'PENDING' };
    expect((await send()).body['status']).toBe('PENDING');
    await t.moveClock('3 hours');
    await t.work();
    expect((await t.payment(paymentId))['status']).toBe('PENDING');
    expect(t.bank.calls.some(({ call, operationId }) => call === 'cancel' && operationId === paymentId)).toBe(false);
    t.bank.change(paymentId, { status: 'APPROVED' });
    await t.moveClock('61 minutes');
    await t.work();
    expect((await t.payment(paymentId))['status']).toBe('COMPLETED');
    expect((await t.messages(paymentId)).map(({ type }) => type)).toEqual(['payment.completed']);
  });

  it.each(['before', 'after'] as const)('no answer, broken off %s the bank did it: CREATED, then done once by the worker', (when) =>
    t.withStoppedClock(async () => {
      const { paymentId, send } = await request();
      t.bank.interrupt('charge', when, silence);
      expect((await send()).body['status']).toBe('CREATED');
      t.bank.interrupt('charge', when, undefined);
      // The call that was given up gets time to arrive (decisions/unknown-outcomes).
      await t.moveClock('5 seconds');
      await t.work();
      expect([(await t.payment(paymentId))['status'], chargesOf(paymentId).length]).toEqual(['CREATED', 1]);
      await t.moveClock('4 seconds');
      await t.work();
      expect((await t.payment(paymentId))['status']).toBe('COMPLETED');
      // Asked first: what the bank has done is not sent again.
      expect(chargesOf(paymentId)).toHaveLength(when === 'after' ? 1 : 2);
      expect(await t.messages(paymentId)).toHaveLength(1);
    }),
  );

  it('no answer, then declined: FAILED on read-back', async () => {
    const { paymentId, send } = await request();
    t.bank.verdict = { status: 'DECLINED', reason: 'ISSUER_UNAVAILABLE' };
    t.bank.interrupt('charge', 'after', silence);
    expect((await send()).body['status']).toBe('CREATED');
    expect((await send()).body['status']).toBe('FAILED');
    expect(await t.messages(paymentId)).toHaveLength(1);
  });

  it('never reached the bank within its session: EXPIRED, no money, and no charge afterwards', async () => {
    const { paymentId, send } = await request();
    t.bank.interrupt('charge', 'before', silence);
    await send();
    await t.moveClock('61 minutes');
    await t.work();
    expect(await t.payment(paymentId)).toMatchObject({ status: 'EXPIRED', failure_code: 'SESSION_EXPIRED' });
    expect(t.bank.operations.has(paymentId)).toBe(false);
    t.bank.interrupt('charge', 'before', undefined);
    expect((await send()).body['status']).toBe('EXPIRED');
    expect(t.bank.operations.has(paymentId)).toBe(false);
  });

  it('the process dies during the call: the worker waits for the lease, then reads back', async () => {
    const { paymentId, send } = await request();
    const held = gate();
    t.bank.interrupt('charge', 'after', held.interruption);
    const answer = send();
    await held.arrived;
    await t.work();
    expect((await t.payment(paymentId))['status']).toBe('CREATED');
    await t.moveClock('21 seconds');
    await t.work();
    expect((await t.payment(paymentId))['status']).toBe('COMPLETED');
    held.open();
    expect((await answer).status).toBe(200);
    expect(await t.messages(paymentId)).toHaveLength(1);
  });
});
