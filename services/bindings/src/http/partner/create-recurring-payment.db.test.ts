import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { FailureCode } from '@pay/contract/messages.ts';
import { ERRORS } from '@pay/shared/errors/catalogue.ts';
import { lockBinding, freeSlot } from '../../db/bindings.ts';
import { handOverLoop } from '../../use-cases/hand-over-charge.ts';
import { workOff } from '../../../../../packages/shared/test/work-off.ts';
import { startTestApp, type TestApp } from '../../../test/app.ts';

const NOON = '2026-03-31T12:00:00.000Z';
/** A P1M binding whose first payment was confirmed then is due at NOON. */
const MONTH_BEFORE_NOON = '2026-02-28T12:00:00.000Z';
const DUE = '2026-03-28T12:00:00.000Z';
const JUST_BEFORE_DUE = '2026-03-28T11:59:59.999Z';

let t: TestApp;
beforeAll(async () => {
  t = await startTestApp();
  await t.setClock(NOON);
});
afterEach(async () => {
  t.payments.behave = () => ({ kind: 'take' });
  t.payments.wrong = undefined;
  t.payments.isAway = false;
  await t.setClock(NOON);
});
afterAll(() => t.close());

const chargesOf = (bindingId: string) => t.rows('select * from charges where binding_id = $1', [bindingId]);

describe('POST /v1/recurring-payments', () => {
  it('19.7: 201: the record of the contract; payments is asked with the same facts, the moment too', async () => {
    const bindingId = await t.givenBinding();
    const merchantOrderId = `order-${randomUUID()}`;
    const answer = await t.charge(bindingId, {}, { merchantOrderId });
    expect(answer).toMatchObject({ status: 201 });
    const { paymentId } = answer.body;
    expect(answer.body).toEqual({
      paymentId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      merchantOrderId,
      status: 'SUBMITTED',
      amount: '990.00',
      currency: 'RUB',
      paymentMethod: 'CARD_BINDING',
      experience: 'OFF_SESSION',
      bindingId,
      createdAt: NOON,
      statusUrl: `/api/card/${String(paymentId)}`,
    });
    expect(t.payments.taken.get(String(paymentId))).toEqual({
      paymentId,
      bindingId,
      merchantOrderId,
      amountKopecks: '99000',
      description: 'Subscription',
      createdAt: NOON,
      partnerId: 'partner-a',
    });
  });

  describe('with a receipt', () => {
    const item = {
      name: 'A month of tea',
      price: '990.00',
      quantity: '1',
      amount: '990.00',
      vat: 'NONE',
      paymentMethod: 'FULL_PREPAYMENT',
      paymentObject: 'SERVICE',
    };
    const receipt = { taxation: 'USN_INCOME', email: 'ada@shop.example', items: [item] };

    it('201: kept, and handed to payments as written, also by the worker; not in the answer', async () => {
      const bindingId = await t.givenBinding();
      const answer = await t.charge(bindingId, {}, { receipt });
      expect([answer.status, answer.text.includes('ada@')]).toEqual([201, false]);
      expect(t.payments.taken.get(String(answer.body['paymentId']))).toMatchObject({ receipt });
      expect(await chargesOf(bindingId)).toMatchObject([{ receipt }]);
      const other = await t.givenBinding();
      t.payments.isAway = true;
      const { body } = await t.charge(other, {}, { receipt });
      t.payments.isAway = false;
      await t.rows(`update charges set leased_until = 'epoch'`);
      await workOff(handOverLoop(t.deps));
      expect(t.payments.taken.get(String(body['paymentId']))).toMatchObject({ receipt });
    });

    it('400: items that do not sum to the amount, or a wrong field; nothing is stored', async () => {
      const bindingId = await t.givenBinding();
      const off = await t.charge(bindingId, {}, { receipt: { ...receipt, items: [item, item] } });
      expect([off.status, off.body['details']]).toEqual([
        400,
        [{ field: 'receipt.items', message: expect.stringContaining('sum to the amount') }],
      ]);
      const tax = await t.charge(bindingId, {}, { receipt: { ...receipt, taxation: 'X' } });
      expect([tax.status, tax.body['details']]).toEqual([
        400,
        [{ field: 'receipt.taxation', message: expect.stringContaining('must be one of') }],
      ]);
      expect(await chargesOf(bindingId)).toEqual([]);
    });

    it('400 where payments says that the bank takes none: undone, and answered before the state of the binding', async () => {
      const bindingId = await t.givenBinding();
      const details = [{ field: 'receipt', message: 'is not taken by the acquirer of this payment point' }];
      const wrong = { kind: 'refuse', status: 400, code: 'VALIDATION_FAILED', details } as const;
      t.payments.behave = () => wrong;
      expect((await t.charge(bindingId, {}, { receipt })).body).toMatchObject({ code: wrong.code, details });
      expect(await chargesOf(bindingId)).toEqual([]);
      t.payments.behave = () => ({ kind: 'take' });
      await t.call('POST', `/v1/bindings/${bindingId}/revoke`);
      t.payments.wrong = wrong;
      expect((await t.charge(bindingId, {}, { receipt })).body).toMatchObject({ code: wrong.code, details });
      t.payments.wrong = undefined;
    });

    it('409 IDEMPOTENCY_KEY_REUSED: the same key with another receipt', async () => {
      const bindingId = await t.givenBinding();
      const [key, merchantOrderId] = [randomUUID(), `order-${randomUUID()}`];
      expect((await t.charge(bindingId, { key }, { merchantOrderId, receipt })).status).toBe(201);
      const other = { ...receipt, email: 'eve@shop.example' };
      expect((await t.charge(bindingId, { key }, { merchantOrderId, receipt: other })).body).toMatchObject({
        code: 'IDEMPOTENCY_KEY_REUSED',
      });
    });
  });

  it('409 PERIOD_NOT_ELAPSED: one millisecond before nextChargeAt, and says when; the key stays free (F01)', async () => {
    const bindingId = await t.givenBinding({ chargedAt: MONTH_BEFORE_NOON });
    await t.setClock(JUST_BEFORE_DUE);
    const [key, merchantOrderId] = [randomUUID(), `order-${randomUUID()}`];
    const early = await t.charge(bindingId, { key }, { merchantOrderId });
    expect(early.status).toBe(409);
    expect(early.body).toMatchObject({
      code: 'PERIOD_NOT_ELAPSED',
      error: ERRORS.PERIOD_NOT_ELAPSED.text,
      nextChargeAt: DUE,
    });
    expect(await chargesOf(bindingId)).toEqual([]);
    await t.setClock(DUE);
    expect((await t.charge(bindingId, { key }, { merchantOrderId })).status).toBe(201);
  });

  it('201 at nextChargeAt (F02)', async () => {
    const bindingId = await t.givenBinding({ chargedAt: MONTH_BEFORE_NOON });
    await t.setClock(DUE);
    expect((await t.charge(bindingId)).status).toBe(201);
  });

  it('20 parallel charges of a due binding, different keys and orders, two replicas: exactly one (F03)', async () => {
    const bindingId = await t.givenBinding();
    const answers = await Promise.all(Array.from({ length: 20 }, (_, index) => t.charge(bindingId, { replica: index })));
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([201, ...Array.from({ length: 19 }, () => 409)]);
    const refused = answers.filter(({ status }) => status === 409).map(({ body }) => body['code']);
    expect(new Set(refused)).toEqual(new Set(['PREVIOUS_CHARGE_NOT_FINISHED']));
    expect(await chargesOf(bindingId)).toHaveLength(1);
  });

  it('forced: a charge that waits for the row of one that is being accepted sees its slot (F03)', async () => {
    const bindingId = await t.givenBinding();
    const [second] = await t.deps.db.transaction(async (tx) => {
      await lockBinding(tx, bindingId);
      const waiting = t.charge(bindingId, { replica: 1 });
      await t.untilBlocked();
      await tx.execute(`update bindings set open_payment_id = '${randomUUID()}' where binding_id = '${bindingId}'`);
      return [waiting]; // Wrapped in an array: returning the promise itself would await it here.
    });
    expect((await second).body).toMatchObject({ code: 'PREVIOUS_CHARGE_NOT_FINISHED' });
  });

  it.each(['CREATED', 'SUBMITTED', 'PENDING'])('19, F04: 409 with its paymentId while the previous charge is %s', async (status) => {
    const bindingId = await t.givenBinding();
    t.payments.behave = () => (status === 'CREATED' ? { kind: 'silent' } : { kind: 'take', status });
    const { body: open } = await t.charge(bindingId);
    expect(open).toMatchObject({ status });
    expect(await chargesOf(bindingId)).toMatchObject([{ status }]);
    const next = await t.charge(bindingId);
    expect(next.status).toBe(409);
    // The answer names the open charge to its owner.
    expect(next.body).toMatchObject({ code: 'PREVIOUS_CHARGE_NOT_FINISHED', paymentId: open['paymentId'] });
  });

  it('a failed charge frees the slot and moves nothing (F05)', async () => {
    const bindingId = await t.givenBinding();
    const before = await t.binding(bindingId);
    await t.failed((await t.charge(bindingId)).body['paymentId']);
    expect(await t.binding(bindingId)).toEqual(before);
    expect((await t.charge(bindingId)).status).toBe(201);
  });

  it('a successful charge frees the slot and begins the period at the moment it was confirmed', async () => {
    const bindingId = await t.givenBinding();
    await t.completed((await t.charge(bindingId)).body['paymentId'], '2026-03-31T12:00:07.250Z');
    expect(await t.binding(bindingId)).toMatchObject({
      lastChargedAt: '2026-03-31T12:00:07.250Z',
      nextChargeAt: '2026-04-30T12:00:07.250Z',
    });
    expect((await t.charge(bindingId)).body).toMatchObject({ code: 'PERIOD_NOT_ELAPSED' });
  });

  it('19.11: a charge due on 28 February and confirmed on 1 March keeps its day', async () => {
    const bindingId = await t.givenBinding({ chargedAt: '2026-01-31T12:00:00.000Z' });
    await t.setClock('2026-02-28T23:59:59.000Z');
    const { paymentId } = (await t.charge(bindingId)).body;
    await t.setClock('2026-03-01T00:00:05.000Z');
    await t.completed(paymentId, '2026-03-01T00:00:05.000Z');
    expect(await t.binding(bindingId)).toMatchObject({
      lastChargedAt: '2026-03-01T00:00:05.000Z',
      nextChargeAt: '2026-03-31T00:00:05.000Z',
    });
  });

  describe('19.12: a declined charge is not repeated more often than the schemes allow', () => {
    const declined = async (bindingId: string, code: FailureCode, occurredAt: string) =>
      t.failed((await t.charge(bindingId)).body['paymentId'], code, occurredAt);

    it('409 RETRY_NOT_ALLOWED: Mastercard, ten in a day; then again, and after a success as if nothing had been', async () => {
      const bindingId = await t.givenBinding({ cardMask: '555555******4444' });
      for (let hour = 0; hour < 10; hour += 1) await declined(bindingId, 'INSUFFICIENT_FUNDS', `2026-03-31T0${String(hour)}:00:00.000Z`);
      const refused = await t.charge(bindingId);
      expect([refused.status, refused.body['code'], refused.body['retryNotBefore']]).toEqual([
        409,
        'RETRY_NOT_ALLOWED',
        '2026-04-01T00:00:00.000Z',
      ]);
      expect(await t.binding(bindingId)).toMatchObject({ status: 'ACTIVE' });
      await t.setClock('2026-03-31T23:59:59.999Z');
      expect((await t.charge(bindingId)).status).toBe(409);
      await t.setClock('2026-04-01T00:00:00.000Z');
      const again = await t.charge(bindingId);
      expect(again.status).toBe(201);
      await t.completed(again.body['paymentId'], '2026-04-01T00:00:00.000Z');
      await t.setClock('2026-05-01T00:00:00.000Z');
      expect((await t.charge(bindingId)).status).toBe(201);
    });

    it('409 after a hard decline, without an end; the key stays free, and another binding is not concerned', async () => {
      const [bindingId, key] = [await t.givenBinding({ cardMask: '411111******1111' }), randomUUID()];
      await declined(bindingId, 'CARD_BLOCKED', NOON);
      await t.setClock('2027-03-31T12:00:00.000Z');
      const refused = await t.charge(bindingId, { key });
      expect([refused.status, refused.body['code'], refused.body['retryNotBefore']]).toEqual([409, 'RETRY_NOT_ALLOWED', null]);
      expect((await t.charge(await t.givenBinding(), { key })).status).toBe(201);
    });

    it('Visa: fifteen in thirty days; what no issuer declined does not count', async () => {
      const bindingId = await t.givenBinding({ cardMask: '411111******1111' });
      for (let day = 10; day < 25; day += 1) {
        await declined(bindingId, 'PROCESSING_ERROR', `2026-03-${String(day)}T00:00:00.000Z`);
        await declined(bindingId, 'DECLINED_BY_ISSUER', `2026-03-${String(day)}T00:00:01.000Z`);
      }
      expect((await t.charge(bindingId)).body).toMatchObject({ retryNotBefore: '2026-04-09T00:00:01.000Z' });
    });

    it('twenty at once, one decline before the limit: one', async () => {
      const bindingId = await t.givenBinding({ cardMask: '555555******4444' });
      for (let hour = 0; hour < 9; hour += 1) await declined(bindingId, 'LIMIT_EXCEEDED', `2026-03-31T0${String(hour)}:00:00.000Z`);
      const answers = await Promise.all(Array.from({ length: 20 }, (_, replica) => t.charge(bindingId, { replica })));
      expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    });
  });

  it('19.4, F12: 409 BINDING_EXPIRED in the first millisecond after the expiry month: EXPIRED, nothing sent, no record, the key stays free', async () => {
    const bindingId = await t.givenBinding({ cardMask: '220070******1234', cardExpiry: '2026-03' });
    await t.setClock('2026-03-31T23:59:59.999Z');
    const inTime = await t.charge(bindingId);
    expect(inTime.status).toBe(201);
    await t.failed(inTime.body['paymentId']);

    await t.setClock('2026-04-01T00:00:00.000Z');
    const [key, calls] = [randomUUID(), t.payments.calls.length];
    const late = await t.charge(bindingId, { key });
    expect(late.status).toBe(409);
    expect(late.body).toMatchObject({ code: 'BINDING_EXPIRED' });
    expect(await t.binding(bindingId)).toMatchObject({ status: 'EXPIRED', cardExpiry: '2026-03' });
    expect(t.payments.calls).toHaveLength(calls);
    expect(await chargesOf(bindingId)).toHaveLength(1);
    const other = await t.givenBinding();
    expect((await t.charge(other, { key })).status).toBe(201);
    const told = (await t.events(bindingId)).map(({ type, payload }) => [type, payload['aggregateVersion'], payload['status']]);
    expect(told).toEqual([
      ['binding.created', 1, 'ACTIVE'],
      ['binding.expired', 2, 'EXPIRED'],
    ]);
  });

  it('409 BINDING_REVOKED, 409 BINDING_EXPIRED, 404 for a foreign and for an unknown binding (F13)', async () => {
    const revoked = await t.givenBinding();
    await t.call('POST', `/v1/bindings/${revoked}/revoke`);
    const expired = await t.givenBinding({ cardExpiry: '2026-02' });
    await t.charge(expired);
    const foreign = await t.givenBinding({ partner: 'partner-b' });
    const answers = await Promise.all([revoked, expired, foreign, randomUUID()].map((id) => t.charge(id)));
    expect(answers.map(({ status, body }) => [status, body['code']])).toEqual([
      [409, 'BINDING_REVOKED'],
      [409, 'BINDING_EXPIRED'],
      [404, 'NOT_FOUND'],
      [404, 'NOT_FOUND'],
    ]);
  });

  it('19: 409 DUPLICATE_ORDER: an order number of the partner, whatever binding, with the paymentId that has it; another partner may use it', async () => {
    const merchantOrderId = `order-${randomUUID()}`;
    const [one, two] = [await t.givenBinding(), await t.givenBinding()];
    const { paymentId } = (await t.charge(one, {}, { merchantOrderId })).body;
    for (const bindingId of [two, one]) {
      const { body } = await t.charge(bindingId, {}, { merchantOrderId });
      expect(body).toMatchObject({ code: 'DUPLICATE_ORDER', paymentId });
    }
    expect((await t.charge(two)).status).toBe(201);
    const foreign = await t.givenBinding({ partner: 'partner-b' });
    expect((await t.charge(foreign, { partner: 'partner-b' }, { merchantOrderId })).status).toBe(201);
  });

  it('a repeat with the key gives the same payment, as it stands now; another body or binding is 409', async () => {
    const bindingId = await t.givenBinding();
    const [key, merchantOrderId] = [randomUUID(), `order-${randomUUID()}`];
    const first = await t.charge(bindingId, { key }, { merchantOrderId });
    t.payments.behave = () => ({ kind: 'take', status: 'PENDING' });
    const again = await t.charge(bindingId, { key, replica: 1 }, { merchantOrderId });
    expect(again.status).toBe(201);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(again.body).toEqual({ ...first.body, status: 'PENDING' });
    expect(await chargesOf(bindingId)).toHaveLength(1);
    const other = await t.charge(bindingId, { key });
    expect([other.status, other.body['code']]).toEqual([409, 'IDEMPOTENCY_KEY_REUSED']);
    await t.completed(first.body['paymentId'], NOON);
    expect((await t.charge(bindingId, { key }, { merchantOrderId })).body).toMatchObject({ status: 'COMPLETED' });
  });

  it('50 repeats of one key at once over two replicas: one charge, one payment', async () => {
    const bindingId = await t.givenBinding();
    const [key, merchantOrderId] = [randomUUID(), `order-${randomUUID()}`];
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, replica) => t.charge(bindingId, { key, replica }, { merchantOrderId })),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    expect(new Set(answers.map(({ body }) => body['paymentId'])).size).toBe(1);
    expect(await chargesOf(bindingId)).toHaveLength(1);
  });

  it('the database decides the time, not the clock of a process (F16)', async () => {
    const bindingId = await t.givenBinding({ chargedAt: '2034-02-28T12:00:00.000Z' });
    await t.setClock('2034-03-28T12:00:00.000Z');
    expect((await t.charge(bindingId)).status).toBe(201);
  });

  it.each([
    ['an amount as a number', { amount: 990 }, 'amount'],
    ['an amount with one digit', { amount: '990.0' }, 'amount'],
    ['an amount without digits after the point', { amount: '990' }, 'amount'],
    ['an amount of zero', { amount: '0.00' }, 'amount'],
    ['a negative amount', { amount: '-1.00' }, 'amount'],
    ['another currency', { currency: 'USD' }, 'currency'],
    ['an order number of 65 characters', { merchantOrderId: 'a'.repeat(65) }, 'merchantOrderId'],
    ['an order number with a blank', { merchantOrderId: 'a b' }, 'merchantOrderId'],
    ['a description of 141 characters', { description: 'a'.repeat(141) }, 'description'],
    ['a card number', { description: 'card 4111 1111 1111 1111' }, 'description'],
    ['a bindingId that is no UUID', { bindingId: 'x' }, 'bindingId'],
    ['a field that is not one', { savePaymentMethod: true }, 'savePaymentMethod'],
  ])('400: %s; nothing is stored', async (_name, change, field) => {
    const bindingId = await t.givenBinding();
    const answer = await t.charge(bindingId, {}, change);
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ code: 'VALIDATION_FAILED', details: [expect.objectContaining({ field })] });
    expect(await chargesOf(bindingId)).toEqual([]);
  });

  describe('19.17: what is wrong with the request is answered before what its binding says', () => {
    const details = [{ field: 'amount', message: 'must be between 0.01 and 1000000.00 RUB at this payment point' }];
    const beyondLimits = { kind: 'refuse', status: 400, code: 'VALIDATION_FAILED', details } as const;
    const given = {
      'before nextChargeAt': () => t.givenBinding({ chargedAt: '2026-03-30T12:00:00.000Z' }),
      'while the previous charge runs': async () => {
        const bindingId = await t.givenBinding();
        await t.charge(bindingId);
        return bindingId;
      },
      'of a revoked binding': async () => {
        const bindingId = await t.givenBinding();
        await t.call('POST', `/v1/bindings/${bindingId}/revoke`);
        return bindingId;
      },
      'of a card whose last month is over': () => t.givenBinding({ cardExpiry: '2026-02' }),
    };

    it.each(Object.entries(given))('400 for an amount beyond the limits, %s; nothing changes', async (_name, make) => {
      const bindingId = await make();
      const before = await t.binding(bindingId);
      t.payments.wrong = beyondLimits;
      const answer = await t.charge(bindingId, {}, { amount: '1000000.01' });
      expect([answer.status, answer.body['code'], answer.body['details']]).toEqual([400, 'VALIDATION_FAILED', details]);
      expect(await t.binding(bindingId)).toEqual(before);
    });

    it('409 DUPLICATE_ORDER for the number of a card payment, before nextChargeAt', async () => {
      const bindingId = await t.givenBinding({ chargedAt: '2026-03-30T12:00:00.000Z' });
      const paymentId = randomUUID();
      t.payments.wrong = { kind: 'refuse', status: 409, code: 'DUPLICATE_ORDER', paymentId };
      expect((await t.charge(bindingId)).body).toMatchObject({ code: 'DUPLICATE_ORDER', paymentId });
    });

    it('while payments is away, what the binding says', async () => {
      const bindingId = await t.givenBinding({ chargedAt: '2026-03-30T12:00:00.000Z' });
      t.payments.isAway = true;
      const answer = await t.charge(bindingId, {}, { amount: '1000000.01' });
      expect([answer.status, answer.body['code']]).toEqual([409, 'PERIOD_NOT_ELAPSED']);
    });
  });

  it('400 without an Idempotency-Key', async () => {
    expect((await t.charge(await t.givenBinding(), { key: null })).status).toBe(400);
  });
});

describe('between the two services', () => {
  const round = () => workOff(handOverLoop(t.deps));
  /** Ends the pause after an attempt, whatever the clock does meanwhile. */
  const nextAttempt = () => t.rows(`update charges set leased_until = 'epoch' where status = 'CREATED'`);

  it('the answer of payments is lost: 201 CREATED; a repeat drives the same payment on', async () => {
    const bindingId = await t.givenBinding();
    t.payments.behave = () => ({ kind: 'silent' });
    const [key, merchantOrderId] = [randomUUID(), `order-${randomUUID()}`];
    const first = await t.charge(bindingId, { key }, { merchantOrderId });
    expect([first.status, first.body['status']]).toEqual([201, 'CREATED']);
    t.payments.behave = () => ({ kind: 'take' });
    await nextAttempt();
    const again = await t.charge(bindingId, { key }, { merchantOrderId });
    expect(again.body).toEqual({ ...first.body, status: 'SUBMITTED' });
    expect([...t.payments.taken.values()].filter((command) => command.bindingId === bindingId)).toHaveLength(1);
  });

  it('payments has it, and its bank gave no answer: CREATED for the partner, handed over here; a repeat shows how it goes on', async () => {
    const bindingId = await t.givenBinding();
    t.payments.behave = () => ({ kind: 'take', status: 'CREATED' });
    const [key, merchantOrderId] = [randomUUID(), `order-${randomUUID()}`];
    const first = await t.charge(bindingId, { key }, { merchantOrderId });
    expect([first.status, first.body['status']]).toEqual([201, 'CREATED']);
    expect(await chargesOf(bindingId)).toMatchObject([{ status: 'SUBMITTED' }]);
    t.payments.behave = () => ({ kind: 'take', status: 'COMPLETED' });
    expect((await t.charge(bindingId, { key }, { merchantOrderId })).body).toEqual({ ...first.body, status: 'COMPLETED' });
    // Its message has not arrived yet, so the slot is still taken.
    expect((await t.charge(bindingId)).body).toMatchObject({ code: 'PREVIOUS_CHARGE_NOT_FINISHED' });
  });

  it('nobody repeats: the worker drives it on, once payments answers', async () => {
    const bindingId = await t.givenBinding();
    t.payments.behave = () => ({ kind: 'refuse', status: 500, code: 'INTERNAL_ERROR' });
    expect((await t.charge(bindingId)).body).toMatchObject({ status: 'CREATED' });
    await nextAttempt();
    await round();
    expect(await chargesOf(bindingId)).toMatchObject([{ status: 'CREATED', attempt_count: 2 }]);
    t.payments.behave = () => ({ kind: 'take' });
    await nextAttempt();
    await round();
    expect(await chargesOf(bindingId)).toMatchObject([{ status: 'SUBMITTED', attempt_count: 3 }]);
  });

  it('a charge that is being handed over is handed over by nobody else', async () => {
    const bindingId = await t.givenBinding();
    const [reached, released] = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()];
    t.payments.behave = async () => {
      reached.resolve(undefined);
      await released.promise;
      return { kind: 'take' };
    };
    const running = t.charge(bindingId);
    await reached.promise;
    const calls = t.payments.calls.length;
    await round();
    expect(t.payments.calls).toHaveLength(calls);
    released.resolve(undefined);
    expect((await running).body).toMatchObject({ status: 'SUBMITTED' });
  });

  it.each([
    [409, 'DUPLICATE_ORDER', { paymentId: '0193a3c4-0000-7000-8000-000000000001' }],
    [404, 'NOT_FOUND', {}],
    [400, 'VALIDATION_FAILED', { details: [{ field: 'amount', message: 'must be between 1.00 and 2.00' }] }],
    [503, 'ROUTE_UNAVAILABLE', {}],
  ])('payments refuses with %d %s: charge, slot and key are undone together', async (status, code, more) => {
    const bindingId = await t.givenBinding();
    t.payments.behave = () => ({ kind: 'refuse', status, code, ...more });
    const [key, merchantOrderId] = [randomUUID(), `order-${randomUUID()}`];
    const refused = await t.charge(bindingId, { key }, { merchantOrderId });
    expect(refused.status).toBe(status);
    expect(refused.body).toMatchObject({ code, ...more });
    expect(await chargesOf(bindingId)).toEqual([]);
    t.payments.behave = () => ({ kind: 'take' });
    const again = await t.charge(bindingId, { key }, { merchantOrderId });
    expect(again.status).toBe(201);
    expect(again.headers.get('idempotency-replayed')).toBeNull();
  });

  it.each([
    [503, 'ROUTE_UNAVAILABLE', 'CREATED'],
    [404, 'NOT_FOUND', 'FAILED'],
  ])('a repeat is answered 201 before payments refuses the first call with %d %s: it stays, %s (V4)', async (status, code, becomes) => {
    const bindingId = await t.givenBinding();
    const [reached, released] = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()];
    t.payments.behave = async () => {
      reached.resolve(undefined);
      await released.promise;
      return { kind: 'refuse', status, code };
    };
    const [key, merchantOrderId] = [randomUUID(), `order-${randomUUID()}`];
    const first = t.charge(bindingId, { key }, { merchantOrderId });
    await reached.promise;
    const repeat = await t.charge(bindingId, { key, replica: 1 }, { merchantOrderId });
    expect([repeat.status, repeat.body['status']]).toEqual([201, 'CREATED']);
    released.resolve(undefined);
    expect(await first).toMatchObject({ status: 201, body: { ...repeat.body, status: becomes } });
    expect(t.payments.withdrawn.has(String(repeat.body['paymentId']))).toBe(becomes === 'FAILED');
    expect(await chargesOf(bindingId)).toMatchObject([{ payment_id: repeat.body['paymentId'] }]);
  });

  it('payments refuses what was answered 201: it ends FAILED there, and frees its period (V4)', async () => {
    const bindingId = await t.givenBinding();
    t.payments.behave = () => ({ kind: 'silent' });
    t.payments.isAway = true;
    const { paymentId } = (await t.charge(bindingId)).body;
    t.payments.isAway = false;
    t.payments.behave = () => ({ kind: 'refuse', status: 404, code: 'NOT_FOUND' });
    await nextAttempt();
    await round();
    expect(t.payments.withdrawn.get(String(paymentId))).toBe('PROCESSING_ERROR');
    await t.failed(paymentId);
    t.payments.behave = () => ({ kind: 'take' });
    expect((await t.charge(bindingId)).status).toBe(201);
  });

  it('the route is down after an attempt whose outcome is unknown: not undone, because that one may have arrived', async () => {
    const bindingId = await t.givenBinding();
    t.payments.behave = () => ({ kind: 'silent' });
    await t.charge(bindingId);
    t.payments.behave = () => ({ kind: 'refuse', status: 503, code: 'ROUTE_UNAVAILABLE' });
    await nextAttempt();
    await round();
    expect(await chargesOf(bindingId)).toMatchObject([{ status: 'CREATED' }]);
    expect((await t.charge(bindingId)).body).toMatchObject({ code: 'PREVIOUS_CHARGE_NOT_FINISHED' });
  });

  it('the result overtakes the answer: nothing goes back', async () => {
    const bindingId = await t.givenBinding();
    t.payments.behave = async (command) => {
      t.payments.taken.set(command.paymentId, command);
      await t.completed(command.paymentId, NOON);
      return { kind: 'take', status: 'PENDING' };
    };
    await t.charge(bindingId);
    expect(await chargesOf(bindingId)).toMatchObject([{ status: 'COMPLETED' }]);
    expect(await t.binding(bindingId)).toMatchObject({ lastChargedAt: NOON });
  });

  it('the result overtakes a refusal, as where the same call was sent twice: the charge stays, and is what is answered', async () => {
    const bindingId = await t.givenBinding();
    t.payments.behave = async (command) => {
      t.payments.taken.set(command.paymentId, command);
      await t.completed(command.paymentId, NOON);
      return { kind: 'refuse', status: 409, code: 'DUPLICATE_ORDER' };
    };
    const { status, body } = await t.charge(bindingId);
    expect([status, body['status']]).toEqual([201, 'COMPLETED']);
    expect(await chargesOf(bindingId)).toMatchObject([{ status: 'COMPLETED' }]);
  });

  it('a result that belongs to no open charge is refused, and changes nothing', async () => {
    const bindingId = await t.givenBinding();
    const { paymentId } = (await t.charge(bindingId)).body;
    await t.completed(paymentId, NOON);
    await expect(t.failed(paymentId)).rejects.toThrow('no binding waits for');
    await t.deps.db.transaction((tx) => freeSlot(tx, bindingId, undefined));
    expect(await chargesOf(bindingId)).toMatchObject([{ status: 'COMPLETED' }]);
  });
});
