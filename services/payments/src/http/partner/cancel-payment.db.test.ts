import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { workOff } from '../../../../../packages/shared/test/work-off.ts';
import { goodBody, SHOWN, startTestApp, type Answer, type Call, type Json, type TestApp } from '../../../test/app.ts';
import { gate, silence, type BankCall } from '../../../test/bank.ts';
import { lockPayment } from '../../db/payment/payments.ts';
import { answerConsent } from '../../use-cases/checkout/answer-consent.ts';
import { expirePayment } from '../../use-cases/payment/expire-payment.ts';
import { returnLateMoneyLoop } from '../../use-cases/money-return/return-late-money.ts';

const POINT = 'qr-point';
let t: TestApp;
beforeAll(async () => {
  t = await startTestApp();
  await t.rows(
    `insert into payment_points (payment_point_id, store_id, partner_id, name, payment_methods, route_id, fee_basis_points)
     select $1, store_id, partner_id, 'QR', '{SBP_DYNAMIC_QR}', route_id, 40 from payment_points limit 1`,
    [POINT],
  );
});
afterAll(() => t.close());
afterEach(() => {
  t.bank.verdict = {};
  for (const call of ['register', 'authorize', 'read', 'cancel'] as BankCall[]) {
    t.bank.interrupt(call, 'before', undefined);
    t.bank.interrupt(call, 'after', undefined);
  }
});

const cancel = (id: unknown, call: Call = {}, kind = 'card') => t.call('POST', `/api/${kind}/${String(id)}/cancel`, call);
const cancelQr = (id: unknown, call: Call = {}) => cancel(id, call, 'qr');
const readQr = async (id: unknown) => (await t.call('GET', `/api/qr/${String(id)}`)).body;
const givenQr = async () => String((await t.call('POST', '/api/qr', { body: { paymentPointID: POINT, amount: 100.5 } })).body['id']);
const code = ({ status, body }: Answer) => [status, body['code']];
const statusOf = async (id: unknown) => (await t.payment(id))['status'];
const events = async (id: unknown) =>
  (await t.messages(id)).map(({ type, payload }) => [type, payload['aggregateVersion'], payload['failureCode']]);
const CANCELLED_ONCE = [['payment.failed', 1, 'CANCELLED_BY_PARTNER']];
const look = async (id: unknown) => {
  await t.rows('update payments set next_read_at = clock_now() where payment_id = $1', [id]);
  await t.work();
};
const returnsOf = (id: unknown) => t.rows('select why, status from money_returns where payment_id = $1', [id]);

describe('19: POST /api/card/{id}/cancel', () => {
  it('200: CANCELLED with CANCELLED_BY_PARTNER, as GET shows it; payment.failed; no card is taken; the bank’s order is withdrawn', async () => {
    const { id, checkoutToken } = await t.givenPayment();
    const { status, body } = await cancel(id);
    expect([status, body]).toEqual([200, (await t.read(id)).body]);
    expect(body).toMatchObject({
      id,
      status: 'CANCELLED',
      failureCode: 'CANCELLED_BY_PARTNER',
      statusReason: 'The shop cancelled the payment',
    });
    expect(body).not.toHaveProperty('paymentUrl');
    expect(await events(id)).toEqual(CANCELLED_ONCE);
    expect(t.bank.operations.get(id)?.status).toBe('CANCELLED');
    expect(await t.payment(id)).toMatchObject({ next_read_at: null });
    expect(await t.pay(checkoutToken)).toBe('not-payable');
  });

  it('whose buyer was not asked yet whether the card may be saved: the bank never hears of it', async () => {
    const saving = { savePaymentMethod: true, recurringConsent: { period: 'P1M' } };
    const { id, checkoutToken } = await t.givenPayment(saving);
    expect((await cancel(id)).body).toMatchObject({ status: 'CANCELLED' });
    await answerConsent(t.deps, { checkoutToken, agreed: SHOWN });
    expect(await statusOf(id)).toBe('CANCELLED');
    expect(t.bank.calls.filter(({ operationId }) => operationId === id)).toEqual([]);
  });

  it('the bank gave no answer to its registration: CANCELLED; neither a repeat of the POST nor the worker registers it', async () => {
    t.bank.interrupt('register', 'before', silence);
    const [key, body] = [randomUUID(), goodBody()];
    const { id } = (await t.call('POST', '/api/card', { key, body })).body;
    t.bank.interrupt('register', 'before', undefined);
    expect(await statusOf(id)).toBe('CREATED');
    expect((await cancel(id)).body).toMatchObject({ status: 'CANCELLED' });
    expect((await t.call('POST', '/api/card', { key, body })).body).toMatchObject({ id, status: 'CANCELLED' });
    await look(id);
    expect([t.bank.operations.has(String(id)), await events(id)]).toEqual([false, CANCELLED_ONCE]);
  });

  it('while the bank registers it: CANCELLED for both; the answer that comes late changes nothing', async () => {
    const held = gate();
    t.bank.interrupt('register', 'after', held.interruption);
    const creating = t.call('POST', '/api/card', { body: goodBody() });
    await held.arrived;
    const [row] = await t.rows(`select payment_id from payments where status = 'CREATED' order by created_at desc limit 1`);
    const id = row?.['payment_id'];
    expect((await cancel(id)).body).toMatchObject({ id, status: 'CANCELLED' });
    held.open();
    const created = await creating;
    expect([created.status, created.body['status'], created.body['paymentUrl']]).toEqual([201, 'CANCELLED', undefined]);
    expect(await events(id)).toEqual(CANCELLED_ONCE);
  });

  it.each([
    ['approves it', 'APPROVED', 'COMPLETED'],
    ['declines it', 'DECLINED', 'REJECTED'],
  ] as const)('409 CANCEL_NOT_ALLOWED while a card is on its way, and after the bank %s', async (_name, verdict, end) => {
    t.bank.verdict = { status: verdict };
    const held = gate();
    t.bank.interrupt('authorize', 'before', held.interruption);
    const { id, checkoutToken } = await t.givenPayment();
    const key = randomUUID();
    const paying = t.pay(checkoutToken);
    await held.arrived;
    expect(code(await cancel(id, { key }))).toEqual([409, 'CANCEL_NOT_ALLOWED']);
    held.open();
    await paying;
    expect(await statusOf(id)).toBe(end);
    expect(code(await cancel(id, { key }))).toEqual([409, 'CANCEL_NOT_ALLOWED']);
    expect(t.bank.calls.filter(({ call, operationId }) => call === 'cancel' && operationId === id)).toEqual([]);
    // The key is free for another command.
    expect((await t.call('POST', '/api/card', { key, body: goodBody() })).status).toBe(201);
  });

  it('409 CANCEL_NOT_ALLOWED while the buyer is at the 3-D Secure page, of a charge, and of what has ended', async () => {
    const atIssuer = await t.givenPayment();
    await t.pay(atIssuer.checkoutToken, { number: '4000003800000446' });
    expect(await statusOf(atIssuer.id)).toBe('PENDING');
    const { bindingId } = await t.givenSavedCard();
    t.bank.verdict = { status: 'PENDING' };
    const charge = (await t.charge(bindingId)).body['paymentId'];
    const expired = await t.givenPayment();
    await t.rows('update payments set expires_at = clock_now() where payment_id = $1', [expired.id]);
    await look(expired.id);
    expect(await statusOf(expired.id)).toBe('EXPIRED');
    for (const id of [atIssuer.id, charge, expired.id]) {
      const before = await statusOf(id);
      expect(code(await cancel(id))).toEqual([409, 'CANCEL_NOT_ALLOWED']);
      expect(await statusOf(id)).toBe(before);
    }
  });

  it('a card and a cancel at the same moment: the one that gets the row first wins, whichever it is', async () => {
    const seen = new Set<unknown>();
    for (const cardFirst of [true, false]) {
      const { id, checkoutToken } = await t.givenPayment();
      const started: Promise<unknown>[] = [];
      await t.deps.db.transaction(async (tx) => {
        await lockPayment(tx, id);
        started.push(cardFirst ? t.pay(checkoutToken) : cancel(id));
        await t.untilBlocked(1);
        started.push(cardFirst ? cancel(id) : t.pay(checkoutToken));
        await t.untilBlocked(2);
      });
      const answers = await Promise.all(started);
      const [card, answer] = (cardFirst ? answers : answers.toReversed()) as [string, Answer];
      expect([card, answer.status]).toEqual(cardFirst ? ['accepted', 409] : ['not-payable', 200]);
      seen.add(await statusOf(id));
      expect(await events(id)).toHaveLength(1);
    }
    expect(seen).toEqual(new Set(['COMPLETED', 'CANCELLED']));
  });

  it('the session ends while the bank is asked: CANCELLED stays, one event', async () => {
    const { id } = await t.givenPayment();
    await t.rows('update payments set expires_at = clock_now() where payment_id = $1', [id]);
    const held = gate();
    t.bank.interrupt('read', 'before', held.interruption);
    const ending = expirePayment(t.deps, id);
    await held.arrived;
    expect((await cancel(id)).body).toMatchObject({ status: 'CANCELLED' });
    held.open();
    await ending;
    expect([await statusOf(id), await events(id)]).toEqual(['CANCELLED', CANCELLED_ONCE]);
  });
});

describe('19: POST /api/qr/{id}/cancel', () => {
  it('200: CANCELLED; the code is dead at the bank and shown no more; nothing is left to ask', async () => {
    const id = await givenQr();
    const { status, body } = await cancelQr(id);
    expect([status, body]).toEqual([200, await readQr(id)]);
    expect(body).toMatchObject({ id, status: 'CANCELLED', failureCode: 'CANCELLED_BY_PARTNER' });
    for (const field of ['nspkurl', 'qrImage', 'paymentUrl']) expect(body).not.toHaveProperty(field);
    expect(t.bank.operations.get(id)?.status).toBe('CANCELLED');
    expect([await events(id), (await t.payment(id))['next_read_at']]).toEqual([CANCELLED_ONCE, null]);
  });

  it.each([
    ['APPROVED', 'COMPLETED'],
    ['PENDING', 'PENDING'],
    ['DECLINED', 'REJECTED'],
  ] as const)('409 CANCEL_NOT_ALLOWED: its buyer was faster, and the bank says %s', async (said, status) => {
    const id = await givenQr();
    t.bank.change(id, { status: said });
    expect(code(await cancelQr(id))).toEqual([409, 'CANCEL_NOT_ALLOWED']);
    expect(await statusOf(id)).toBe(status);
    expect(t.bank.calls.filter(({ call, operationId }) => call === 'cancel' && operationId === id)).toEqual([]);
  });

  it('the buyer pays between our end and the bank’s: CANCELLED stays, no second event, the money goes back', async () => {
    const id = await givenQr();
    const held = gate();
    t.bank.interrupt('cancel', 'before', held.interruption);
    const cancelling = cancelQr(id);
    await held.arrived;
    expect(await statusOf(id)).toBe('CANCELLED');
    t.bank.change(id, { status: 'APPROVED' });
    held.open();
    expect((await cancelling).body).toMatchObject({ status: 'CANCELLED' });
    expect(await returnsOf(id)).toEqual([{ why: 'LATE_SUCCESS', status: 'PENDING' }]);
    await workOff(returnLateMoneyLoop(t.deps));
    expect(await returnsOf(id)).toEqual([{ why: 'LATE_SUCCESS', status: 'COMPLETED' }]);
    expect([await statusOf(id), await events(id)]).toEqual(['CANCELLED', CANCELLED_ONCE]);
  });

  it('while the bank makes its code: CANCELLED for both, the code is never shown, and the worker withdraws it', async () => {
    const held = gate();
    t.bank.interrupt('register', 'after', held.interruption);
    const creating = t.call('POST', '/api/qr', { body: { paymentPointID: POINT, amount: 1 } });
    await held.arrived;
    const [row] = await t.rows(`select payment_id from payments where status = 'CREATED' order by created_at desc limit 1`);
    const id = String(row?.['payment_id']);
    expect((await cancelQr(id)).body).toMatchObject({ status: 'CANCELLED' });
    held.open();
    const { body } = await creating;
    expect([body['status'], body['nspkurl'], body['qrImage']]).toEqual(['CANCELLED', undefined, undefined]);
    expect(t.bank.operations.get(id)?.status).toBe('REGISTERED');
    await t.rows('update payments set lease_until = null where payment_id = $1', [id]);
    await look(id);
    expect(t.bank.operations.get(id)?.status).toBe('CANCELLED');
    expect([await events(id), (await t.payment(id))['next_read_at']]).toEqual([CANCELLED_ONCE, null]);
  });

  it('a bank that does not answer holds nothing up: the worker withdraws the code once it does', async () => {
    const id = await givenQr();
    t.bank.interrupt('read', 'before', silence);
    t.bank.interrupt('cancel', 'before', silence);
    expect((await cancelQr(id)).body).toMatchObject({ status: 'CANCELLED' });
    expect(t.bank.operations.get(id)?.status).toBe('REGISTERED');
    t.bank.interrupt('read', 'before', undefined);
    t.bank.interrupt('cancel', 'before', undefined);
    expect((await t.payment(id))['next_read_at']).not.toBeNull();
    await look(id);
    expect(t.bank.operations.get(id)?.status).toBe('CANCELLED');
    expect([await events(id), (await t.payment(id))['next_read_at']]).toEqual([CANCELLED_ONCE, null]);
  });

  it('… and where the buyer was faster than the worker, the money goes back', async () => {
    const id = await givenQr();
    t.bank.interrupt('read', 'before', silence);
    t.bank.interrupt('cancel', 'before', silence);
    await cancelQr(id);
    t.bank.interrupt('read', 'before', undefined);
    t.bank.change(id, { status: 'APPROVED' });
    await look(id);
    expect([await statusOf(id), await events(id)]).toEqual(['CANCELLED', CANCELLED_ONCE]);
    expect(await returnsOf(id)).toEqual([{ why: 'LATE_SUCCESS', status: 'PENDING' }]);
  });
});

describe.each(['card', 'qr'] as const)('19: cancelling twice, and what is not there: %s', (kind) => {
  const given = async () => (kind === 'card' ? (await t.givenPayment()).id : givenQr());

  it('a repeat with the key, and a cancel with another one: the same payment, no second event', async () => {
    const [id, key] = [await given(), randomUUID()];
    const first = await cancel(id, { key }, kind);
    const again = await cancel(id, { key }, kind);
    const anew = await cancel(id, { body: {} }, kind);
    expect([again.status, again.body, again.headers.get('idempotency-replayed')]).toEqual([200, first.body, 'true']);
    expect([anew.status, anew.body, anew.headers.get('idempotency-replayed')]).toEqual([200, first.body, null]);
    expect(await events(id)).toEqual(CANCELLED_ONCE);
    expect(code(await cancel(await given(), { key }, kind))).toEqual([409, 'IDEMPOTENCY_KEY_REUSED']);
  });

  it('twenty at once: one end, one event', async () => {
    const id = await given();
    const answers = await Promise.all(Array.from({ length: 20 }, () => cancel(id, {}, kind)));
    expect(new Set(answers.map(({ status, body }) => `${String(status)} ${String(body['status'])}`))).toEqual(new Set(['200 CANCELLED']));
    expect(await events(id)).toEqual(CANCELLED_ONCE);
  });

  it('404: another partner’s looks like none, one of the other kind too; it stays open', async () => {
    const id = await given();
    const { partner } = await t.givenPartner();
    const bodyOf = ({ status, body: { requestId: _id, ...body } }: Answer): [number, Json] => [status, body];
    const none = bodyOf(await cancel(randomUUID(), {}, kind));
    expect(none).toEqual([404, expect.objectContaining({ code: 'NOT_FOUND' })]);
    expect(bodyOf(await cancel(id, { partner }, kind))).toEqual(none);
    expect(bodyOf(await cancel(id, {}, kind === 'card' ? 'qr' : 'card'))).toEqual(none);
    expect(bodyOf(await cancel('nothing', {}, kind))).toEqual(none);
    expect([await statusOf(id), await events(id)]).toEqual(['SUBMITTED', []]);
  });

  it('400: without an Idempotency-Key, or with a body that says something', async () => {
    const id = await given();
    expect(code(await cancel(id, { key: null }, kind))).toEqual([400, 'VALIDATION_FAILED']);
    expect(code(await cancel(id, { body: { reason: 'x' } }, kind))).toEqual([400, 'VALIDATION_FAILED']);
    expect(await statusOf(id)).toBe('SUBMITTED');
  });
});
