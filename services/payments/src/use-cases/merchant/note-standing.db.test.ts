import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CARD, DEFAULT_POINT, startTestApp, type TestApp } from '../../../test/app.ts';
import { SANDBOX_BANK } from '../../acquirers/connectors.ts';
import { pageOf } from '../../checkout/page-of.ts';
import { silence } from '../../../test/bank.ts';
import { openCheckout } from '../checkout/open-checkout.ts';

let t: TestApp;
let revision = 0;
beforeAll(async () => {
  t = await startTestApp();
});
afterAll(() => t.close());

/** As the gateway says it. */
async function say(status: 'ACTIVE' | 'SUSPENDED', at = (revision += 1)) {
  const answer = await t.call('POST', '/internal/partner-standing', {
    key: null,
    body: { status, revision: String(at) },
  });
  expect(answer.status).toBe(200);
}

const POINT = (status: string) => t.rows(`update payment_points set status = $2 where payment_point_id = $1`, [DEFAULT_POINT, status]);
const ROUTE = (status: string) => t.rows(`update routes set status = $2 where route_id = $1`, [SANDBOX_BANK, status]);

const pageNow = async (checkoutToken: string) => {
  const payment = await openCheckout(t.deps, checkoutToken);
  return payment === undefined ? undefined : pageOf(payment);
};

describe('an open form (M4)', () => {
  it.each<[string, () => Promise<unknown>, () => Promise<unknown>]>([
    ['of a suspended partner', () => say('SUSPENDED'), () => say('ACTIVE')],
    ['at a suspended point', () => POINT('SUSPENDED'), () => POINT('ACTIVE')],
    ['at a closed point', () => POINT('CLOSED'), () => POINT('ACTIVE')],
    ['at a suspended route', () => ROUTE('SUSPENDED'), () => ROUTE('ACTIVE')],
  ])('%s takes no card and says so; resumed, it takes one (M4)', async (_what, suspend, resume) => {
    const { id, checkoutToken } = await t.givenPayment();
    expect(await pageNow(checkoutToken)).toBe('card');
    await suspend();
    expect(await pageNow(checkoutToken)).toBe('held');
    expect(await t.pay(checkoutToken)).toBe('not-payable');
    expect(t.bank.calls.some(({ call, operationId }) => call === 'authorize' && operationId === id)).toBe(false);
    await resume();
    expect(await t.pay(checkoutToken)).toBe('accepted');
    expect((await t.payment(id))['status']).toBe('COMPLETED');
  });

  it('what the bank already has runs to its end: a card at 3-D Secure (M4)', async () => {
    const { id, checkoutToken } = await t.givenPayment();
    await t.pay(checkoutToken, { number: '4000003800000446' });
    await say('SUSPENDED');
    expect(await pageNow(checkoutToken)).toBe('bank');
    t.bank.change(id, { status: 'APPROVED' });
    await t.moveClock('20 minutes');
    await t.work();
    expect((await t.payment(id))['status']).toBe('COMPLETED');
    await say('ACTIVE');
  });

  it('word of the gateway that is older than what is known changes nothing (M4)', async () => {
    const { checkoutToken } = await t.givenPayment();
    const old = revision;
    await say('SUSPENDED');
    await say('ACTIVE', old);
    expect(await pageNow(checkoutToken)).toBe('held');
    await say('ACTIVE');
    expect(await pageNow(checkoutToken)).toBe('card');
    expect(CARD.number).toBe('4111111111111111');
  });

  it.each<[string, (point: string, status: 'ACTIVE' | 'SUSPENDED') => Promise<unknown>]>([
    ['a suspended point', (point, status) => t.rows(`update payment_points set status = $2 where payment_point_id = $1`, [point, status])],
    [
      'a closed point',
      (point, status) =>
        t.rows(`update payment_points set status = $2 where payment_point_id = $1`, [point, status === 'ACTIVE' ? status : 'CLOSED']),
    ],
    ['a suspended route', (_point, status) => ROUTE(status)],
  ])('GET and a repeat of POST /api/qr show no code that could be paid at %s; resumed, they show it (M4)', async (_what, set) => {
    const { partner, point } = await t.givenPartner({ paymentMethods: ['SBP_DYNAMIC_QR'] });
    const key = randomUUID();
    const body = { amount: 5, paymentPointID: point };
    const made = (await t.call('POST', '/api/qr', { partner, key, body })).body;
    const answers = async () => [
      (await t.call('GET', `/api/qr/${String(made['id'])}`, { partner })).body,
      (await t.call('POST', '/api/qr', { partner, key, body })).body,
    ];
    const code = { nspkurl: made['nspkurl'], qrImage: made['qrImage'] };
    expect(code).toMatchObject({ nspkurl: expect.any(String), qrImage: expect.any(String) });
    await set(point, 'SUSPENDED');
    for (const answer of await answers()) {
      expect(answer['status']).toBe('SUBMITTED');
      expect([answer['nspkurl'], answer['qrImage']]).toEqual([undefined, undefined]);
    }
    await set(point, 'ACTIVE');
    for (const answer of await answers()) expect(answer).toMatchObject(code);
  });

  it('a code is not shown (M4)', async () => {
    const { partner, point } = await t.givenPartner({ paymentMethods: ['SBP_DYNAMIC_QR'] });
    const { id } = (await t.call('POST', '/api/qr', { partner, body: { amount: 5, paymentPointID: point } })).body;
    const checkoutToken = String((await t.payment(id))['form_token']);
    expect(await pageNow(checkoutToken)).toBe('qr');
    await t.rows(`update payment_points set status = 'SUSPENDED' where payment_point_id = $1`, [point]);
    expect(await pageNow(checkoutToken)).toBe('held');
  });
});

describe('an accepted charge of a suspended partner (M4)', () => {
  const chargesOf = (paymentId: string) =>
    t.bank.calls.filter(({ call, operationId }) => call === 'charge' && operationId === paymentId).length;

  it('waits, for days, and goes on when the partner is resumed (M4)', async () => {
    const { bindingId } = await t.givenSavedCard();
    const paymentId = randomUUID();
    await say('SUSPENDED');
    expect((await t.charge(bindingId, { paymentId })).body).toMatchObject({ status: 'CREATED' });
    for (let hours = 0; hours < 48; hours += 1) {
      await t.moveClock('1 hour');
      await t.work();
    }
    expect(await t.payment(paymentId)).toMatchObject({ status: 'CREATED' });
    expect(chargesOf(paymentId)).toBe(0);
    await say('ACTIVE');
    await t.work();
    expect(await t.payment(paymentId)).toMatchObject({ status: 'COMPLETED' });
    expect(chargesOf(paymentId)).toBe(1);
  });

  it('one that the bank has runs to its end (M4)', async () => {
    const { bindingId } = await t.givenSavedCard();
    const paymentId = randomUUID();
    t.bank.interrupt('charge', 'after', silence);
    await t.charge(bindingId, { paymentId });
    t.bank.interrupt('charge', 'after', undefined);
    await say('SUSPENDED');
    await t.moveClock('1 minute');
    await t.work();
    expect(await t.payment(paymentId)).toMatchObject({ status: 'COMPLETED' });
    await say('ACTIVE');
  });

  it('revoked while it waits, it ends at the next look (M4)', async () => {
    const { bindingId } = await t.givenSavedCard();
    const paymentId = randomUUID();
    await say('SUSPENDED');
    await t.charge(bindingId, { paymentId });
    const binding = t.bindings.known.get(bindingId);
    if (binding !== undefined) binding.status = 'REVOKED';
    await say('ACTIVE');
    await t.work();
    expect(await t.payment(paymentId)).toMatchObject({ status: 'FAILED', failure_code: 'CONSENT_REVOKED' });
    expect(chargesOf(paymentId)).toBe(0);
  });
});
