import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { listen, type Listener } from '@pay/shared/http/server.ts';
import { testConsoleKey } from '../../../../../packages/shared/test/operators.ts';
import { workOff } from '../../../../../packages/shared/test/work-off.ts';
import { CARD, SHOWN, startTestApp, type Json, type TestApp } from '../../../test/app.ts';
import { failure, gate, silence, type BankCall } from '../../../test/bank.ts';
import { findCardEntry, type CardEntry } from '../../db/checkout/card-entry.ts';
import { findPayment } from '../../db/payment/payments.ts';
import { createOperatorApp, OPERATOR_AUDIENCE } from '../../http/operator/app.ts';
import { NO_CARD } from '../../domain/acquiring/acquirer-result.ts';
import { onBankNotification } from '../bank/on-bank-notification.ts';
import { returnLateMoneyLoop } from '../money-return/return-late-money.ts';
import { followUpLoop } from '../payment/follow-up-payments.ts';
import { readBack } from '../payment/read-back.ts';
import { recordOutcome } from '../payment/record-outcome.ts';
import { sendCard } from './admit-card.ts';
import { answerConsent } from './answer-consent.ts';
import { cancelByBuyer } from './cancel-by-buyer.ts';
import { openCheckout } from './open-checkout.ts';
import { forgetIntent, intendCard } from './intend-card.ts';
import { payByCard } from './pay-by-card.ts';
import { prepareCard } from './prepare-card.ts';
import { confirmThreeDs } from './return-from-bank.ts';

// decisions/orders-of-a-payment: a point lets a buyer try another card.

let t: TestApp;
beforeAll(async () => {
  t = await startTestApp();
});
afterAll(() => t.close());
afterEach(() => {
  t.bank.verdict = {};
  for (const call of ['register', 'authorize', 'read', 'cancel'] as BankCall[]) {
    t.bank.interrupt(call, 'before', undefined);
    t.bank.interrupt(call, 'after', undefined);
  }
});

const POOR = { number: '4000000000009995' };
const THREE_DS = { number: '4000003800000446' };

/** A payment at a point that lets a buyer try so many cards. */
async function given(cardAttempts = 3) {
  const { partner, point } = await t.givenPartner({ cardAttempts });
  const { body } = await t.create({ paymentPointID: point }, { partner });
  const id = String(body['id']);
  return { id, partner, point, checkoutToken: String((await t.payment(id))['form_token']) };
}

/** What a click reads before it takes the payment. */
async function readByClick(checkoutToken: string): Promise<CardEntry> {
  const entry = await findCardEntry(t.deps.db, checkoutToken);
  if (entry === undefined) throw new Error('no payment has this form token');
  return entry;
}

const declinedOf = (id: string) =>
  t.rows(
    `select attempt, failure_code, card_mask, operation_id, next_operation_id, bank_operation_id, trans_status
     from declined_cards where payment_id = $1 order by attempt`,
    [id],
  );
const ordersOf = async (id: string) =>
  [id, ...(await declinedOf(id)).map((row) => String(row['next_operation_id']))].map((order) => t.bank.operations.get(order));
const authorizedOrders = () => t.bank.calls.filter(({ call }) => call === 'authorize').map(({ operationId }) => operationId);
const exceptionsOf = async (id: string) =>
  (await t.rows('select kind from exceptions where payment_id = $1 order by created_at', [id])).map(({ kind }) => kind);

it('a declined card, then an approved one: one payment, two orders at the bank, payment.completed only, and a refund of the second', async () => {
  const { id, partner, checkoutToken } = await given();
  expect(await t.pay(checkoutToken, POOR)).toBe('accepted');
  const between = await t.payment(id);
  expect(between).toMatchObject({
    status: 'SUBMITTED',
    failure_code: null,
    card_sent_at: null,
    aggregate_version: 0,
    declined_count: 1,
    card_mask: null,
  });
  expect(await t.messages(id)).toEqual([]);
  expect(await openCheckout(t.deps, checkoutToken)).toMatchObject({
    status: 'SUBMITTED',
    ordersLeft: 1,
    declined: { failureCode: 'INSUFFICIENT_FUNDS', isLastAttempt: false },
  });
  const [first, second] = await ordersOf(id);
  expect([first?.status, second?.status]).toEqual(['DECLINED', 'REGISTERED']);

  expect(await t.pay(checkoutToken)).toBe('accepted');
  expect(await t.payment(id)).toMatchObject({ status: 'COMPLETED', bank_operation_id: second?.bankOperationId, aggregate_version: 1 });
  expect((await t.messages(id)).map(({ type }) => type)).toEqual(['payment.completed']);
  expect(await declinedOf(id)).toMatchObject([
    {
      attempt: 1,
      failure_code: 'INSUFFICIENT_FUNDS',
      card_mask: '411111******1111',
      operation_id: id,
      bank_operation_id: first?.bankOperationId,
    },
  ]);
  expect(await t.rows('select 1 from card_attempts where payment_id = $1', [id])).toEqual([]);

  await t.call('POST', `/api/card/${id}/refunds`, { partner, body: {} });
  const [refund] = t.bank.calls.filter(({ call }) => call === 'refund').slice(-1);
  expect(refund?.body).toMatchObject({ originalOperationId: second?.operationId });
});

it('REJECTED with the last failureCode, one payment.failed, and no card afterwards, when every attempt was declined', async () => {
  const { id, checkoutToken } = await given(2);
  await t.pay(checkoutToken, POOR);
  t.bank.verdict = { status: 'DECLINED', reason: 'CARD_BLOCKED' };
  expect(await openCheckout(t.deps, checkoutToken)).toMatchObject({ declined: { isLastAttempt: true } });
  await t.pay(checkoutToken);
  expect(await t.payment(id)).toMatchObject({ status: 'REJECTED', failure_code: 'CARD_BLOCKED', aggregate_version: 1 });
  expect((await t.messages(id)).map(({ payload }) => payload['failureCode'])).toEqual(['CARD_BLOCKED']);
  expect(await t.pay(checkoutToken)).toBe('not-payable');
});

it('the card that paid is the one that is saved', async () => {
  const { partner, point } = await t.givenPartner({ cardAttempts: 2 });
  const saving = { savePaymentMethod: true, recurringConsent: { period: 'P1M' } };
  const { body } = await t.create({ paymentPointID: point, ...saving }, { partner });
  const id = String(body['id']);
  const checkoutToken = String((await t.payment(id))['form_token']);
  await answerConsent(t.deps, { checkoutToken, agreed: SHOWN });
  await t.pay(checkoutToken, POOR);
  await t.pay(checkoutToken);
  const saved = (await t.messages(id)).filter(({ type }) => type === 'payment.completed');
  expect(saved).toMatchObject([{ payload: { savedCard: { bindingId: expect.any(String) } } }]);
  expect(await t.rows('select 1 as one from saved_cards where payment_id = $1', [id])).toHaveLength(1);
});

it('one attempt, which is the default, is final', async () => {
  const { id, checkoutToken } = await t.givenPayment();
  await t.pay(checkoutToken, POOR);
  expect(await t.payment(id)).toMatchObject({ status: 'REJECTED', operation_id: null });
});

it('3-D Secure each time: PENDING, back to SUBMITTED without an event, PENDING for the next card, and paid', async () => {
  const { id, checkoutToken } = await given();
  await t.pay(checkoutToken, THREE_DS);
  expect(await t.payment(id)).toMatchObject({ status: 'PENDING', trans_status: 'C' });
  t.bank.change(id, { status: 'DECLINED', reason: 'AUTHENTICATION_FAILED', transStatus: 'N' });
  await confirmThreeDs(t.deps, checkoutToken);
  expect(await t.payment(id)).toMatchObject({ status: 'SUBMITTED', trans_status: null, acs_url: null });
  expect(await declinedOf(id)).toMatchObject([{ failure_code: 'AUTHENTICATION_FAILED', trans_status: 'N' }]);

  await t.pay(checkoutToken, THREE_DS);
  const [, second] = await ordersOf(id);
  expect(second?.status).toBe('THREE_DS_REQUIRED');
  t.bank.change(String(second?.operationId), { status: 'APPROVED', transStatus: 'Y' });
  await t.moveClock('2 seconds');
  await confirmThreeDs(t.deps, checkoutToken);
  expect(await t.payment(id)).toMatchObject({ status: 'COMPLETED', trans_status: 'Y' });
  expect((await t.messages(id)).map(({ type }) => type)).toEqual(['payment.completed']);
});

it('an answer that does not come opens nothing: the next card is taken only once the bank has declined for sure', async () => {
  const { id, checkoutToken } = await given();
  t.bank.interrupt('authorize', 'after', silence);
  t.bank.interrupt('read', 'before', failure(500));
  await t.pay(checkoutToken, POOR);
  expect(await t.payment(id)).toMatchObject({ status: 'PENDING', declined_count: 0 });
  expect(await t.pay(checkoutToken)).toBe('not-payable');
  expect(authorizedOrders().filter((order) => order === id)).toHaveLength(1);
  t.bank.interrupt('authorize', 'after', undefined);
  t.bank.interrupt('read', 'before', undefined);
  await readBack(t.deps, id);
  expect(await t.payment(id)).toMatchObject({ status: 'SUBMITTED', declined_count: 1 });
  expect(await t.pay(checkoutToken)).toBe('accepted');
  expect((await t.payment(id))['status']).toBe('COMPLETED');
});

it('an old decline that arrives while the second card is under way says nothing about it', async () => {
  const { id, checkoutToken } = await given();
  await t.pay(checkoutToken, POOR);
  const held = gate();
  t.bank.interrupt('authorize', 'before', held.interruption);
  const second = t.pay(checkoutToken);
  await held.arrived;
  const declined = { kind: 'declined', bankOperationId: 'b', failureCode: 'CARD_BLOCKED', card: NO_CARD } as const;
  await recordOutcome(t.deps, { paymentId: id, operationId: null }, declined);
  await recordOutcome(t.deps, { paymentId: id, operationId: null }, { kind: 'ended', failureCode: 'SESSION_EXPIRED' });
  expect(await t.payment(id)).toMatchObject({ status: 'SUBMITTED', declined_count: 1, lease_until: expect.any(Date) });
  held.open();
  await second;
  expect((await t.payment(id))['status']).toBe('COMPLETED');
});

it('the bank’s news of the decline before its answer: the sender, which comes second, changes nothing', async () => {
  const { id, checkoutToken } = await given();
  const held = gate();
  t.bank.interrupt('authorize', 'after', held.interruption);
  const first = t.pay(checkoutToken, POOR);
  await held.arrived;
  expect(await onBankNotification(t.deps, id)).toBe('read');
  expect(await t.payment(id)).toMatchObject({ status: 'SUBMITTED', declined_count: 1 });
  held.open();
  await first;
  expect(await t.payment(id)).toMatchObject({ status: 'SUBMITTED', declined_count: 1, card_sent_at: null });
  expect(await declinedOf(id)).toHaveLength(1);
});

it('a sender that gives up after the decline was known does not touch the next order', async () => {
  const { id, checkoutToken } = await given();
  const intended = await intendCard(t.deps, (await readByClick(checkoutToken)).payment, undefined);
  if (intended === undefined) throw new Error('the card was not taken');
  const { payment } = intended.seen;
  await recordOutcome(t.deps, payment, { kind: 'declined', bankOperationId: 'b', failureCode: 'CARD_EXPIRED', card: NO_CARD });
  await forgetIntent(t.deps, payment);
  const { next_read_at: due, last_read_at: declinedAt } = await t.payment(id);
  expect(due).toEqual(declinedAt);
});

it('two tabs: a form from before the decline sends nothing, and of two cards for the next order one goes', async () => {
  const { id, checkoutToken } = await given();
  await t.pay(checkoutToken, POOR);
  const send = (declinedCount: number) => sendCard(t.deps, { checkoutToken, card: CARD, source: '192.0.2.1', declinedCount });
  expect(await send(0)).toBe('not-payable');
  // The second click was read before the first was declined.
  const stale = await readByClick(checkoutToken);
  expect(await send(1)).toBe('accepted');
  expect(await payByCard(t.deps, stale, { card: CARD })).toBe('not-payable');
  expect(authorizedOrders().filter((order) => order === stale.payment.operationId)).toHaveLength(1);
  expect((await t.payment(id))['status']).toBe('COMPLETED');
});

it('a click that was read for the first order takes no card for the second', async () => {
  const { id, checkoutToken } = await given();
  const stale = await readByClick(checkoutToken);
  await t.pay(checkoutToken, POOR);
  expect(await payByCard(t.deps, stale, { card: CARD })).toBe('not-payable');
  expect(await t.payment(id)).toMatchObject({ status: 'SUBMITTED', declined_count: 1, card_sent_at: null });
});

it('a ticket of the first order prepares nothing for the second', async () => {
  const { id, checkoutToken } = await given();
  const method = { ...CARD, number: '4000000000003220' };
  const command = { checkoutToken, card: method, source: '192.0.2.1' };
  const ticket = (await prepareCard(t.deps, command))?.ticket;
  t.bank.verdict = { status: 'DECLINED', reason: 'CARD_BLOCKED' };
  await sendCard(t.deps, {
    ...command,
    declinedCount: 0,
    isMethodDone: true,
    ...(ticket === undefined ? {} : { ticket }),
  });
  t.bank.verdict = {};
  await sendCard(t.deps, {
    ...command,
    declinedCount: 1,
    isMethodDone: true,
    ...(ticket === undefined ? {} : { ticket }),
  });
  const sent = t.bank.calls.filter(({ call }) => call === 'authorize').slice(-2);
  expect(sent.map(({ body }) => (body as Record<string, unknown>)['threeDsCompInd'])).toEqual(['Y', undefined]);
  expect((await t.payment(id))['status']).toBe('COMPLETED');
});

it('a process that dies after a decline: the worker registers the next order, and until then no card is taken', async () => {
  const { id, checkoutToken } = await given();
  t.bank.interrupt('register', 'before', silence);
  await t.pay(checkoutToken, POOR);
  expect(await t.payment(id)).toMatchObject({ status: 'SUBMITTED', declined_count: 1, bank_operation_id: null });
  expect(await openCheckout(t.deps, checkoutToken)).toMatchObject({ isPreparing: true });
  expect(await t.pay(checkoutToken)).toBe('not-payable');
  const { payment } = await readByClick(checkoutToken);
  expect(await intendCard(t.deps, payment, undefined)).toBeUndefined();
  t.bank.interrupt('register', 'before', undefined);
  await t.moveClock('25 seconds');
  await workOff(followUpLoop(t.deps));
  expect((await ordersOf(id)).map((order) => order?.status)).toEqual(['DECLINED', 'REGISTERED']);
  expect(await t.pay(checkoutToken)).toBe('accepted');
  expect((await t.payment(id))['status']).toBe('COMPLETED');
});

it('a second card whose process died before it went ends as the first would: withdrawn, then FAILED', async () => {
  const { id, checkoutToken } = await given();
  await t.pay(checkoutToken, POOR);
  t.bank.interrupt('authorize', 'before', silence);
  await t.pay(checkoutToken);
  await t.moveClock('61 seconds');
  await readBack(t.deps, id);
  expect(await t.payment(id)).toMatchObject({ status: 'FAILED', failure_code: 'PROCESSING_ERROR' });
  expect((await ordersOf(id)).map((order) => order?.status)).toEqual(['DECLINED', 'CANCELLED']);
});

it('the session ends after a decline: REJECTED with why, one event, and the open order is withdrawn', async () => {
  const { id, checkoutToken } = await given();
  await t.pay(checkoutToken, POOR);
  await t.moveClock('2 hours');
  await workOff(followUpLoop(t.deps));
  expect(await t.payment(id)).toMatchObject({ status: 'REJECTED', failure_code: 'INSUFFICIENT_FUNDS', next_read_at: null });
  expect((await t.messages(id)).map(({ type }) => type)).toEqual(['payment.failed']);
  expect((await ordersOf(id)).map((order) => order?.status)).toEqual(['DECLINED', 'CANCELLED']);
});

it('between two cards the buyer may cancel, and so may the partner', async () => {
  const byBuyer = await given();
  await t.pay(byBuyer.checkoutToken, POOR);
  await cancelByBuyer(t.deps, byBuyer.checkoutToken);
  expect(await t.payment(byBuyer.id)).toMatchObject({ status: 'CANCELLED', failure_code: 'CANCELLED_BY_CUSTOMER' });
  const byPartner = await given();
  await t.pay(byPartner.checkoutToken, POOR);
  const { partner } = byPartner;
  expect((await t.call('POST', `/api/card/${byPartner.id}/cancel`, { partner })).status).toBe(200);
  expect((await ordersOf(byPartner.id)).map((order) => order?.status)).toEqual(['DECLINED', 'CANCELLED']);
});

it('money for a declined order after all: returned from that order, once, whether the payment is open, paid or ended', async () => {
  const open = await given();
  await t.pay(open.checkoutToken, POOR);
  const paid = await given();
  await t.pay(paid.checkoutToken, POOR);
  await t.pay(paid.checkoutToken);
  const ended = await given(2);
  await t.pay(ended.checkoutToken, POOR);
  await t.pay(ended.checkoutToken, POOR);
  for (const { id } of [open, paid, ended]) {
    const before = await t.payment(id);
    t.bank.change(id, { status: 'APPROVED' });
    expect(await onBankNotification(t.deps, id)).toBe('read');
    expect(await onBankNotification(t.deps, id)).toBe('read');
    expect(await t.payment(id)).toMatchObject({
      status: before['status'],
      bank_operation_id: before['bank_operation_id'],
    });
    const returns = await t.rows('select operation_id, amount_kopecks from money_returns where payment_id = $1', [id]);
    expect(returns).toEqual([{ operation_id: id, amount_kopecks: '10050' }]);
  }
  expect([await exceptionsOf(open.id), await exceptionsOf(paid.id), await exceptionsOf(ended.id)]).toEqual([
    ['PAID_TWICE'],
    ['PAID_TWICE'],
    ['LATE_SUCCESS'],
  ]);
  await workOff(returnLateMoneyLoop(t.deps));
  const refunded = t.bank.calls.filter(({ call }) => call === 'refund').slice(-3);
  expect(refunded.map(({ body }) => (body as Record<string, unknown>)['originalOperationId']).toSorted()).toEqual(
    [open.id, paid.id, ended.id].toSorted(),
  );
  // What is open can still be paid, and what was paid is still refunded from its own order.
  await t.pay(open.checkoutToken);
  expect((await findPayment(t.deps.db, open.id))?.status).toBe('COMPLETED');
});

it.each([1, 2])(
  'restored to when the first card was on its way, with %i declined and the next approved: it is booked, and no other card is taken',
  async (declinedCards) => {
    const { id, checkoutToken } = await given();
    for (let card = 0; card < declinedCards; card += 1) await t.pay(checkoutToken, POOR);
    const orders = await ordersOf(id);
    const paid = orders.at(-1);
    t.bank.change(String(paid?.operationId), { status: 'APPROVED' });
    await t.rows('delete from declined_cards where payment_id = $1', [id]);
    await t.rows(
      `update payments set operation_id = null, bank_operation_id = $2, declined_count = 0, last_decline = null,
         card_sent_at = clock_now(), lease_until = null, next_read_at = clock_now() where payment_id = $1`,
      [id, orders[0]?.bankOperationId],
    );
    const before = t.bank.operations.size;
    for (let card = 0; card < declinedCards; card += 1) await workOff(followUpLoop(t.deps));
    expect(await t.payment(id)).toMatchObject({
      status: 'COMPLETED',
      operation_id: paid?.operationId,
      bank_operation_id: paid?.bankOperationId,
    });
    expect((await ordersOf(id)).filter((order) => order?.status === 'APPROVED')).toHaveLength(1);
    expect(t.bank.operations.size).toBe(before);
    expect(await t.pay(checkoutToken)).toBe('not-payable');
    expect((await t.messages(id)).map(({ type }) => type)).toEqual(['payment.completed']);
  },
);

describe('operators', () => {
  let listener: Listener;
  const people = testConsoleKey();
  beforeAll(async () => {
    listener = await listen(createOperatorApp(t.deps, people.verifierOf(OPERATOR_AUDIENCE)), '127.0.0.1', 0);
  });
  afterAll(() => listener.drain(0));
  const operate = async (method: string, path: string, body?: unknown): Promise<{ status: number; body: Json }> => {
    const url = `http://127.0.0.1:${String(listener.port)}${path}`;
    const response = await people.fetchAs(OPERATOR_AUDIENCE, 'olga', url, { method, body });
    return { status: response.status, body: (await response.json()) as Json };
  };

  it('find the payment by the ids of each of its orders, and see every card', async () => {
    const { id, checkoutToken } = await given();
    await t.pay(checkoutToken, POOR);
    const [first, second] = await ordersOf(id);
    for (const known of [id, first?.bankOperationId, second?.operationId, second?.bankOperationId]) {
      const { body } = await operate('GET', `/payments?id=${String(known)}`);
      expect(body['items']).toMatchObject([{ paymentId: id }]);
    }
    const { body } = await operate('GET', `/payments/${id}`);
    expect(body['declinedCards']).toEqual([
      {
        attempt: 1,
        failureCode: 'INSUFFICIENT_FUNDS',
        cardMask: '411111******1111',
        bankOperationId: first?.bankOperationId,
        transStatus: null,
        sentAt: expect.any(String),
        declinedAt: expect.any(String),
      },
    ]);
    expect(await onBankNotification(t.deps, String(second?.operationId))).toBe('read');
    expect(await onBankNotification(t.deps, randomUUID())).toBe('unknown');
  });

  it('set how many cards a buyer may try, 1 to 5; left out, it stays', async () => {
    const { point } = await given(1);
    const { body: shown } = await operate('GET', `/payment-points/${point}`);
    const { name, status, paymentMethods, routeId, minAmount, maxAmount, feeBasisPoints, sessionMinutes } = shown;
    const same = { name, status, paymentMethods, routeId, minAmount, maxAmount, feeBasisPoints, sessionMinutes };
    const change = (revision: number, cardAttempts?: number) =>
      operate('PUT', `/payment-points/${point}`, {
        ...same,
        revision,
        ...(cardAttempts === undefined ? {} : { cardAttempts }),
      });
    expect((await change(1, 5)).body).toMatchObject({ cardAttempts: 5, revision: 2 });
    expect((await change(2)).body).toMatchObject({ cardAttempts: 5, revision: 3 });
    expect([(await change(3, 0)).status, (await change(3, 6)).status]).toEqual([400, 400]);
    const { body: log } = await operate('GET', `/actions?subjectId=${point}`);
    expect((log['items'] as Json[])[1]).toMatchObject({ before: { cardAttempts: 1 }, after: { cardAttempts: 5 } });
  });
});
