import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { workOff } from '../../../../../packages/shared/test/work-off.ts';
import { CARD, startTestApp, type TestApp } from '../../../test/app.ts';
import { gate, refusal, silence, type BankCall } from '../../../test/bank.ts';
import type { Acquirer } from '../../acquirers/acquirer.ts';
import { insertRoute } from '../../db/merchant/payment-points.ts';
import { findCardEntry } from '../../db/checkout/card-entry.ts';
import { releaseLease, takeLease } from '../../db/payment/leases.ts';
import { changePayment, findPayment, lockPayment } from '../../db/payment/payments.ts';
import { listUncomparedDeclined } from '../../db/reconciliation/our-operations.ts';
import { onBankNotification } from '../bank/on-bank-notification.ts';
import { returnLateMoneyLoop } from '../money-return/return-late-money.ts';
import { followUpLoop } from '../payment/follow-up-payments.ts';
import { laterOperationId } from '../order/later-operation-id.ts';
import { readBack } from '../payment/read-back.ts';
import { registerNextOrder } from '../payment/register-next-order.ts';
import { cancelByBuyer } from './cancel-by-buyer.ts';
import { chooseWay } from './choose-way.ts';
import { openCheckout } from './open-checkout.ts';
import { payByCard } from './pay-by-card.ts';

// decisions/orders-of-a-payment: the buyer of a card payment pays it by SBP instead.

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

const BOTH = { paymentMethods: ['CARD', 'SBP_DYNAMIC_QR'], sbpOnCardPage: true } as const;
type Point = Parameters<TestApp['givenPartner']>[0];

/** A card payment at a point that offers both ways. */
async function given(point: Point = {}, change: Parameters<TestApp['create']>[0] = {}) {
  const { partner, point: paymentPointID } = await t.givenPartner({ ...BOTH, paymentMethods: [...BOTH.paymentMethods], ...point });
  const { body } = await t.create({ paymentPointID, ...change }, { partner });
  const id = String(body['id']);
  return { id, partner, point: paymentPointID, checkoutToken: String((await t.payment(id))['form_token']) };
}
const choose = (checkoutToken: string, way: 'CARD' | 'SBP', ordersLeft: number) => chooseWay(t.deps, { checkoutToken, way, ordersLeft });
const sbpOf = (id: string, order = 2) => laterOperationId(id, order, 'SBP');
const paySbp = (id: string, order = 2) => {
  t.bank.change(sbpOf(id, order), { status: 'APPROVED' });
};
const leftOf = (id: string) =>
  t.rows('select attempt, failure_code, operation_id, next_operation_id from declined_cards where payment_id = $1 order by attempt', [id]);
const opened = async (checkoutToken: string) => openCheckout(t.deps, checkoutToken);

it('SBP pays the same payment: another order at the bank, one payment.completed of a card payment, and a refund of that order', async () => {
  const { id, partner, checkoutToken } = await given();
  expect(await opened(checkoutToken)).toMatchObject({ offersSbp: true });
  expect(await choose(checkoutToken, 'SBP', 0)).toBe('chosen');
  expect(await opened(checkoutToken)).toMatchObject({
    isSbpChosen: true,
    code: { link: 'https://bank.example/sbp/1' },
  });
  expect(t.bank.operations.get(sbpOf(id))).toMatchObject({
    method: 'SBP',
    status: 'REGISTERED',
    amountKopecks: '10050',
  });
  expect((await t.read(id, { partner })).body).toMatchObject({ status: 'SUBMITTED', paymentMethod: 'CARD' });
  expect(await t.messages(id)).toEqual([]);

  paySbp(id);
  await readBack(t.deps, id);
  const { bankOperationId } = t.bank.operations.get(sbpOf(id)) ?? {};
  expect(await t.payment(id)).toMatchObject({
    status: 'COMPLETED',
    bank_operation_id: bankOperationId,
    card_mask: null,
  });
  expect(await t.messages(id)).toMatchObject([
    {
      type: 'payment.completed',
      payload: { paymentMethod: 'CARD', merchantOrderId: expect.stringMatching(/^order-/) },
    },
  ]);
  expect((await t.read(id, { partner })).body).toMatchObject({ status: 'COMPLETED', paymentMethod: 'CARD' });
  expect((await t.call('GET', `/api/qr/${id}`, { partner })).status).toBe(404);
  await t.call('POST', `/api/card/${id}/refunds`, { partner, body: {} });
  const [refund] = t.bank.calls.filter(({ call }) => call === 'refund').slice(-1);
  expect(refund?.body).toMatchObject({ originalOperationId: sbpOf(id) });
});

describe('is not offered', () => {
  it.each<[string, Point, Parameters<TestApp['create']>[0]]>([
    ['at a point that does not want it', { sbpOnCardPage: false }, {}],
    ['at a point without the method', { paymentMethods: ['CARD'] }, {}],
    ['where a card is to be saved', {}, { savePaymentMethod: true, recurringConsent: { period: 'P1M' } }],
  ])('%s', async (_name, point, change) => {
    const { id, checkoutToken } = await given(point, change);
    expect((await opened(checkoutToken))?.offersSbp).toBeUndefined();
    expect(await choose(checkoutToken, 'SBP', 0)).toBe('not-open');
    expect(await leftOf(id)).toEqual([]);
  });

  it.each(['point', 'partner'])('nor chosen, nor left for the card, while the %s is suspended', async (what) => {
    const [byCard, bySbp] = [await given(), await given()];
    await choose(bySbp.checkoutToken, 'SBP', 0);
    for (const { partner, point } of [byCard, bySbp]) {
      if (what === 'point') await t.rows(`update payment_points set status = 'SUSPENDED' where payment_point_id = $1`, [point]);
      else
        await t.rows(
          `insert into partner_standings (partner_id, status, revision) values ($1, 'SUSPENDED', 9) on conflict (partner_id) do update set status = 'SUSPENDED'`,
          [partner],
        );
    }
    expect(await choose(byCard.checkoutToken, 'SBP', 0)).toBe('not-open');
    expect(await choose(bySbp.checkoutToken, 'CARD', 1)).toBe('not-open');
    expect([await leftOf(byCard.id), await leftOf(bySbp.id)]).toEqual([[], [expect.anything()]]);
    // What the bank has is completed: the code was seen.
    paySbp(bySbp.id);
    await readBack(t.deps, bySbp.id);
    expect((await t.payment(bySbp.id))['status']).toBe('COMPLETED');
  });

  it('where SBP goes to another bank, or takes other amounts', async () => {
    const { checkoutToken, point } = await given();
    const [row] = await t.rows('select route_id from payment_points where payment_point_id = $1', [point]);
    await t.deps.db.transaction((tx) => insertRoute(tx, { routeId: 'other-bank', connector: 'sandbox-bank' }));
    const routed = (routeId: unknown, max: number) =>
      t.rows(
        `insert into point_routes (payment_point_id, method, priority, route_id, max_amount_kopecks)
        values ($1, 'SBP_DYNAMIC_QR', 1, $2, $3) on conflict (payment_point_id, method, priority)
        do update set route_id = $2, max_amount_kopecks = $3`,
        [point, routeId, max],
      );
    await routed('other-bank', 1_000_000);
    expect((await opened(checkoutToken))?.offersSbp).toBeUndefined();
    await routed(row?.['route_id'], 10_049);
    expect((await opened(checkoutToken))?.offersSbp).toBeUndefined();
    await routed(row?.['route_id'], 10_050);
    expect((await opened(checkoutToken))?.offersSbp).toBe(true);
  });

  it('while a card is under way, and once the session is over', async () => {
    const { id, checkoutToken } = await given();
    const held = gate();
    t.bank.interrupt('authorize', 'before', held.interruption);
    const sent = t.pay(checkoutToken);
    await held.arrived;
    expect(await choose(checkoutToken, 'SBP', 0)).toBe('not-open');
    held.open();
    await sent;
    expect((await t.payment(id))['status']).toBe('COMPLETED');
    const late = await given();
    await t.rows(`update payments set expires_at = clock_now() where payment_id = $1`, [late.id]);
    expect(await choose(late.checkoutToken, 'SBP', 0)).toBe('not-open');
  });

  it('more often than three times, but the card always is', async () => {
    const { id, checkoutToken } = await given();
    for (let left = 0; left < 6; left += 2) {
      expect(await choose(checkoutToken, 'SBP', left)).toBe('chosen');
      expect(await choose(checkoutToken, 'CARD', left + 1)).toBe('chosen');
    }
    expect((await opened(checkoutToken))?.offersSbp).toBeUndefined();
    expect(await choose(checkoutToken, 'SBP', 6)).toBe('not-open');
    expect(await t.pay(checkoutToken)).toBe('accepted');
    expect(await t.payment(id)).toMatchObject({ status: 'COMPLETED', declined_count: 6, switched_count: 6 });
  });
});

describe('never two orders that may both take money', () => {
  it('a card from another tab, typed before SBP was chosen, sends nothing', async () => {
    const { id, checkoutToken } = await given();
    const stale = await findCardEntry(t.deps.db, checkoutToken);
    if (stale === undefined) throw new Error('no payment has this form token');
    await choose(checkoutToken, 'SBP', 0);
    expect(await payByCard(t.deps, stale, { card: CARD })).toBe('not-payable');
    expect(await t.pay(checkoutToken)).toBe('not-payable');
    expect(t.bank.calls.filter(({ call, operationId }) => call === 'authorize' && operationId === id)).toEqual([]);
  });

  it('a card sends nothing for an SBP order, whatever was read of the payment', async () => {
    const { id, checkoutToken } = await given();
    const stale = await findCardEntry(t.deps.db, checkoutToken);
    if (stale === undefined) throw new Error('no payment has this form token');
    await choose(checkoutToken, 'SBP', 0);
    const present = await findCardEntry(t.deps.db, checkoutToken);
    const { declinedCount = 0, leaseNumber = 0 } = present?.payment ?? {};
    const read = { ...stale, payment: { ...stale.payment, declinedCount, leaseNumber } };
    expect(await payByCard(t.deps, read, { card: CARD })).toBe('not-payable');
    expect(t.bank.calls.filter(({ call }) => call === 'authorize').map(({ operationId }) => operationId)).not.toContain(sbpOf(id));
  });

  it('a page from before chooses nothing: neither SBP nor the card', async () => {
    const { id, checkoutToken } = await given();
    await choose(checkoutToken, 'SBP', 0);
    await choose(checkoutToken, 'CARD', 1);
    expect(await choose(checkoutToken, 'SBP', 0)).toBe('not-open');
    await choose(checkoutToken, 'SBP', 2);
    expect(await choose(checkoutToken, 'CARD', 1)).toBe('not-open');
    expect(await leftOf(id)).toHaveLength(3);
    expect((await t.payment(id))['is_sbp_order']).toBe(true);
  });

  it('a choice that waited for somebody who left the order chooses nothing', async () => {
    const { id, checkoutToken } = await given();
    const [waiting] = await t.deps.db.transaction(async (tx) => {
      await lockPayment(tx, id);
      const chosen = choose(checkoutToken, 'SBP', 0);
      await t.untilBlocked();
      await changePayment(tx, id, { declinedCount: 2, switchedCount: 2 });
      return [chosen];
    });
    expect(await waiting).toBe('not-open');
    expect(await leftOf(id)).toEqual([]);
  });

  it('two presses: one order, and the second press chooses nothing', async () => {
    const { id, checkoutToken } = await given();
    const outcomes = await Promise.all([choose(checkoutToken, 'SBP', 0), choose(checkoutToken, 'SBP', 0)]);
    expect(outcomes.sort()).toEqual(['chosen', 'not-open']);
    expect(await leftOf(id)).toHaveLength(1);
  });

  it('the card again: the code is withdrawn first, and the card goes to an order of its own', async () => {
    const { id, checkoutToken } = await given();
    await choose(checkoutToken, 'SBP', 0);
    expect(await choose(checkoutToken, 'CARD', 1)).toBe('chosen');
    expect(t.bank.operations.get(sbpOf(id))?.status).toBe('CANCELLED');
    expect(await opened(checkoutToken)).toMatchObject({ status: 'SUBMITTED', ordersLeft: 2, offersSbp: true });
    expect(await t.pay(checkoutToken)).toBe('accepted');
    expect(await t.payment(id)).toMatchObject({ status: 'COMPLETED', operation_id: laterOperationId(id, 3) });
    expect((await leftOf(id)).map((row) => [row['operation_id'], row['failure_code']])).toEqual([
      [id, 'CANCELLED_BY_CUSTOMER'],
      [sbpOf(id), 'CANCELLED_BY_CUSTOMER'],
    ]);
  });

  it('the code was paid a moment before the card is chosen: the payment is paid, and no card can be entered', async () => {
    const { id, checkoutToken } = await given();
    await choose(checkoutToken, 'SBP', 0);
    paySbp(id);
    expect(await choose(checkoutToken, 'CARD', 1)).toBe('chosen');
    expect(await t.payment(id)).toMatchObject({ status: 'COMPLETED', operation_id: sbpOf(id) });
    expect(await t.pay(checkoutToken)).toBe('not-payable');
  });

  it.each(['before', 'after'] as const)('no answer %s the withdrawal: the code stays, and the next press finds out', async (when) => {
    const { id, checkoutToken } = await given();
    await choose(checkoutToken, 'SBP', 0);
    t.bank.interrupt('cancel', when, silence);
    t.bank.interrupt('read', 'before', silence);
    expect(await choose(checkoutToken, 'CARD', 1)).toBe('unanswered');
    expect(await opened(checkoutToken)).toMatchObject({ isSbpChosen: true, ordersLeft: 1 });
    expect(await t.pay(checkoutToken)).toBe('not-payable');
    t.bank.interrupt('cancel', when, undefined);
    t.bank.interrupt('read', 'before', undefined);
    expect(await choose(checkoutToken, 'CARD', 1)).toBe('chosen');
    await t.pay(checkoutToken);
    expect(await t.payment(id)).toMatchObject({ status: 'COMPLETED', operation_id: laterOperationId(id, 3) });
  });

  it('no way to withdraw the code: the route is gone, somebody else is asking the bank, the bank does not know it; the code stays', async () => {
    const { id, checkoutToken } = await given();
    await choose(checkoutToken, 'SBP', 0);
    const unrouted = { ...t.deps, acquirerOf: () => undefined };
    expect(await chooseWay(unrouted, { checkoutToken, way: 'CARD', ordersLeft: 1 })).toBe('unanswered');
    const lease = await t.deps.db.transaction((tx) => takeLease(tx, id, ['SUBMITTED']));
    expect(await choose(checkoutToken, 'CARD', 1)).toBe('unanswered');
    if (lease !== undefined) await t.deps.db.transaction((tx) => releaseLease(tx, lease));
    const order = t.bank.operations.get(sbpOf(id));
    t.bank.operations.delete(sbpOf(id));
    expect(await choose(checkoutToken, 'CARD', 1)).toBe('unanswered');
    expect([await leftOf(id), (await t.payment(id))['is_sbp_order']]).toEqual([[expect.anything()], true]);
    if (order !== undefined) t.bank.operations.set(sbpOf(id), order);
    expect(await choose(checkoutToken, 'CARD', 1)).toBe('chosen');
  });

  it.each(['open', 'paid by card'] as const)('money for a code that was left, while the payment is %s, goes back', async (state) => {
    const { id, checkoutToken } = await given();
    await choose(checkoutToken, 'SBP', 0);
    await choose(checkoutToken, 'CARD', 1);
    if (state === 'paid by card') await t.pay(checkoutToken);
    paySbp(id);
    expect(await onBankNotification(t.deps, sbpOf(id))).toBe('read');
    await workOff(returnLateMoneyLoop(t.deps));
    expect(await t.rows('select why, operation_id, status from money_returns where payment_id = $1', [id])).toEqual([
      { why: 'PAID_TWICE', operation_id: sbpOf(id), status: 'COMPLETED' },
    ]);
    if (state === 'open') await t.pay(checkoutToken);
    expect(await t.payment(id)).toMatchObject({ status: 'COMPLETED', operation_id: laterOperationId(id, 3) });
  });
});

describe('what goes wrong between the steps', () => {
  it('an order that one process is registering is registered by no other', async () => {
    const { id, checkoutToken } = await given();
    const held = gate();
    t.bank.interrupt('register', 'before', held.interruption);
    const choosing = choose(checkoutToken, 'SBP', 0);
    await held.arrived;
    t.bank.interrupt('register', 'before', undefined);
    const payment = await findPayment(t.deps.db, id);
    if (payment === undefined) throw new Error('the payment is gone');
    await registerNextOrder(t.deps, payment);
    held.open();
    expect(await choosing).toBe('chosen');
    const orders = t.bank.calls.filter(({ call, operationId }) => call === 'register' && operationId === sbpOf(id));
    expect(orders).toHaveLength(1);
  });

  it('a process that dies before the order is registered: the worker registers it, and until then nothing can be paid', async () => {
    const { id, checkoutToken } = await given();
    t.bank.interrupt('register', 'before', silence);
    await choose(checkoutToken, 'SBP', 0);
    expect(await opened(checkoutToken)).toMatchObject({ isSbpChosen: true, isPreparing: true });
    expect(await t.pay(checkoutToken)).toBe('not-payable');
    expect(await choose(checkoutToken, 'CARD', 1)).toBe('not-open');
    t.bank.interrupt('register', 'before', undefined);
    await t.moveClock('1 minute');
    await t.work();
    expect(await opened(checkoutToken)).toMatchObject({ isSbpChosen: true, code: expect.anything() });
    paySbp(id);
    await readBack(t.deps, id);
    expect((await t.payment(id))['status']).toBe('COMPLETED');
  });

  it('a process that dies after the code was withdrawn: the worker finds it void, and the card may be entered', async () => {
    const { id, checkoutToken } = await given();
    await choose(checkoutToken, 'SBP', 0);
    t.bank.change(sbpOf(id), { status: 'CANCELLED' });
    await readBack(t.deps, id);
    expect(await t.payment(id)).toMatchObject({ status: 'SUBMITTED', is_sbp_order: false, switched_count: 2 });
    expect(await t.pay(checkoutToken)).toBe('accepted');
    expect((await t.payment(id))['status']).toBe('COMPLETED');
  });

  it('a bank that refuses the code: the buyer is back at the card', async () => {
    const { id, checkoutToken } = await given();
    t.bank.interrupt('register', 'before', refusal(400, 'BAD_REQUEST'));
    await choose(checkoutToken, 'SBP', 0);
    t.bank.interrupt('register', 'before', undefined);
    await t.moveClock('1 minute');
    await t.work();
    expect(await t.payment(id)).toMatchObject({ status: 'SUBMITTED', is_sbp_order: false, switched_count: 2 });
    // The next comparison does not look for the order that the bank has never had.
    const run = { routeId: String((await t.payment(id))['route_id']), day: '2026-11-21', runId: randomUUID() };
    const all = { run, from: new Date(0), to: new Date('2100-01-01'), after: undefined };
    const listed = (await listUncomparedDeclined(t.deps.db, all, 1_000)).map(({ operationId }) => operationId);
    expect([listed.includes(id), listed.includes(sbpOf(id))]).toEqual([true, false]);
    expect(await t.pay(checkoutToken)).toBe('accepted');
    expect((await t.payment(id))['status']).toBe('COMPLETED');
  });

  it('a route that is down when SBP is chosen: nothing changes', async () => {
    const { id, checkoutToken } = await given();
    const { acquirerOf } = t.deps;
    const down = {
      ...t.deps,
      acquirerOf: (route: Parameters<typeof acquirerOf>[0]) => {
        const acquirer = acquirerOf(route);
        return acquirer === undefined ? undefined : { ...acquirer, isAvailable: false, takesOrders: false };
      },
    };
    expect(await chooseWay(down, { checkoutToken, way: 'SBP', ordersLeft: 0 })).toBe('unanswered');
    expect(await leftOf(id)).toEqual([]);
    expect(await t.pay(checkoutToken)).toBe('accepted');
  });
});

describe('how it ends', () => {
  it('declined by the buyer’s bank: counts as a card, so the payment ends where one is allowed, and goes on where two are', async () => {
    const [one, two] = [await given(), await given({ cardAttempts: 2 })];
    for (const { id, checkoutToken } of [one, two]) {
      await choose(checkoutToken, 'SBP', 0);
      t.bank.change(sbpOf(id), { status: 'DECLINED', reason: 'INSUFFICIENT_FUNDS' });
      await readBack(t.deps, id);
    }
    expect(await t.payment(one.id)).toMatchObject({ status: 'REJECTED', failure_code: 'INSUFFICIENT_FUNDS' });
    expect((await t.messages(one.id)).map(({ type }) => type)).toEqual(['payment.failed']);
    expect(await t.payment(two.id)).toMatchObject({ status: 'SUBMITTED', is_sbp_order: false, last_decline: 'INSUFFICIENT_FUNDS' });
    expect(await opened(two.checkoutToken)).toMatchObject({ declined: { isLastAttempt: true }, ordersLeft: 2 });
    expect(await t.pay(two.checkoutToken)).toBe('accepted');
    expect((await t.payment(two.id))['status']).toBe('COMPLETED');
  });

  it('the session ends: the code is withdrawn, EXPIRED, and late money goes back', async () => {
    const { id, checkoutToken } = await given();
    await choose(checkoutToken, 'SBP', 0);
    await t.rows(`update payments set expires_at = clock_now(), next_read_at = clock_now() where payment_id = $1`, [id]);
    await t.work();
    expect(await t.payment(id)).toMatchObject({ status: 'EXPIRED', failure_code: 'SESSION_EXPIRED' });
    expect(t.bank.operations.get(sbpOf(id))?.status).toBe('CANCELLED');
    paySbp(id);
    await onBankNotification(t.deps, sbpOf(id));
    await t.moveClock('1 hour');
    await t.work();
    expect(await t.rows('select why from money_returns where payment_id = $1', [id])).toEqual([{ why: 'LATE_SUCCESS' }]);
  });

  it('the buyer cancels, or the partner: the code is withdrawn; one that was paid meanwhile is paid', async () => {
    const [byBuyer, byPartner, paid] = [await given(), await given(), await given()];
    for (const { checkoutToken } of [byBuyer, byPartner, paid]) await choose(checkoutToken, 'SBP', 0);
    await cancelByBuyer(t.deps, byBuyer.checkoutToken);
    const { partner } = byPartner;
    expect((await t.call('POST', `/api/card/${byPartner.id}/cancel`, { partner })).status).toBe(200);
    paySbp(paid.id);
    const refused = await t.call('POST', `/api/card/${paid.id}/cancel`, { partner: paid.partner });
    expect([refused.status, refused.body['code']]).toEqual([409, 'CANCEL_NOT_ALLOWED']);
    expect(await t.payment(byBuyer.id)).toMatchObject({ status: 'CANCELLED', failure_code: 'CANCELLED_BY_CUSTOMER' });
    expect(await t.payment(byPartner.id)).toMatchObject({ status: 'CANCELLED', failure_code: 'CANCELLED_BY_PARTNER' });
    expect((await t.payment(paid.id))['status']).toBe('COMPLETED');
    for (const { id } of [byBuyer, byPartner]) expect(t.bank.operations.get(sbpOf(id))?.status).toBe('CANCELLED');
  });
});

describe('a database that was restored', () => {
  const over = `expires_at = clock_now() - interval '1 second', next_read_at = clock_now()`;

  it('to before SBP was chosen: the order that was paid is found when the session ends', async () => {
    const { id, checkoutToken } = await given();
    const { bank_operation_id: first } = await t.payment(id);
    await choose(checkoutToken, 'SBP', 0);
    paySbp(id);
    await t.rows('delete from declined_cards where payment_id = $1', [id]);
    await t.rows(
      `update payments set operation_id = null, bank_operation_id = $2, is_sbp_order = false, switched_count = 0,
      declined_count = 0, nspk_url = null, lease_until = null, ${over} where payment_id = $1`,
      [id, first],
    );
    await t.work();
    await t.work();
    expect(await t.payment(id)).toMatchObject({ status: 'COMPLETED', operation_id: sbpOf(id) });
  });

  it('does not end a payment without the bank’s answer about the other way', async () => {
    const { id, checkoutToken } = await given();
    const { bank_operation_id: first } = await t.payment(id);
    await choose(checkoutToken, 'SBP', 0);
    paySbp(id);
    await t.rows('delete from declined_cards where payment_id = $1', [id]);
    await t.rows(
      `update payments set operation_id = null, bank_operation_id = $2, is_sbp_order = false, switched_count = 0,
      declined_count = 0, nspk_url = null, lease_until = null, ${over} where payment_id = $1`,
      [id, first],
    );
    const { acquirerOf } = t.deps;
    const silent = {
      ...t.deps,
      acquirerOf: (route: Parameters<typeof acquirerOf>[0]) => {
        const acquirer = acquirerOf(route);
        const read: Acquirer['read'] = async (order) =>
          order === sbpOf(id) ? { kind: 'unknown' } : await (acquirer?.read(order) ?? { kind: 'unknown' });
        return acquirer === undefined ? undefined : { ...acquirer, read };
      },
    };
    await workOff(followUpLoop(silent));
    expect((await t.payment(id))['status']).toBe('SUBMITTED');
    await readBack(t.deps, id);
    await t.rows(`update payments set ${over} where payment_id = $1`, [id]);
    await t.work();
    expect(await t.payment(id)).toMatchObject({ status: 'COMPLETED', operation_id: sbpOf(id) });
  });

  it('to before the card was chosen again: the card that paid is found', async () => {
    const { id, checkoutToken } = await given();
    await choose(checkoutToken, 'SBP', 0);
    const { bank_operation_id: sbp } = await t.payment(id);
    await choose(checkoutToken, 'CARD', 1);
    t.bank.change(laterOperationId(id, 3), { status: 'APPROVED' });
    await t.rows('delete from declined_cards where payment_id = $1 and attempt = 2', [id]);
    await t.rows(
      `update payments set operation_id = $2, bank_operation_id = $3, is_sbp_order = true, switched_count = 1,
      declined_count = 1, lease_until = null, ${over} where payment_id = $1`,
      [id, sbpOf(id), sbp],
    );
    await t.work();
    await t.work();
    expect(await t.payment(id)).toMatchObject({ status: 'COMPLETED', operation_id: laterOperationId(id, 3) });
  });

  it('asks nobody at a point that offers one way', async () => {
    const { id } = await given({ sbpOnCardPage: false });
    await t.rows(`update payments set ${over} where payment_id = $1`, [id]);
    await t.work();
    expect(t.bank.calls.filter(({ operationId }) => operationId === sbpOf(id))).toEqual([]);
    expect((await t.payment(id))['status']).toBe('EXPIRED');
  });
});
