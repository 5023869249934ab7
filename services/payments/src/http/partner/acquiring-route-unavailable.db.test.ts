import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { goodBody, startTestApp, type TestApp } from '../../../test/app.ts';
import { silence } from '../../../test/bank.ts';

let t: TestApp;
beforeAll(async () => {
  t = await startTestApp();
});
afterAll(() => t.close());

const MERCHANT = {
  period: 'P1M',
  capture: 'MERCHANT',
  reference: 'r',
  version: '1',
  acceptedAt: '2026-01-01T00:00:00Z',
  evidenceHash: 'a'.repeat(64),
};

describe('503 ROUTE_UNAVAILABLE', () => {
  it('no ACTIVE route: nothing is stored, and the same key works when it is back (C20 E11)', async () => {
    const [key, body] = [randomUUID(), goodBody()];
    await t.rows(`update routes set status = 'SUSPENDED'`);
    const refused = await t.call('POST', '/api/card', { key, body });
    expect([refused.status, refused.body['code'], refused.headers.get('retry-after')]).toEqual([503, 'ROUTE_UNAVAILABLE', '5']);
    expect(await t.rows('select 1 from payments union all select 1 from idempotency_records')).toEqual([]);
    await t.rows(`update routes set status = 'ACTIVE'`);
    expect((await t.call('POST', '/api/card', { key, body })).status).toBe(201);
  });

  it.each([
    ['an amount beyond the limits', { amount: 2_000_000 }, 400, 'VALIDATION_FAILED'],
    ['a returnUrl of another host', { returnUrl: 'https://elsewhere.example/' }, 400, 'VALIDATION_FAILED'],
    ['a consent that is not enabled', { savePaymentMethod: true, recurringConsent: MERCHANT }, 400, 'VALIDATION_FAILED'],
    ['a used order number', {}, 409, 'DUPLICATE_ORDER'],
  ])('19.17 comes after what is wrong with the request: %s', async (_name, change, status, code) => {
    const { id, orderID } = await t.givenPayment();
    for (const down of [`update routes set status = 'SUSPENDED'`, `update payment_points set status = 'SUSPENDED'`]) {
      await t.rows(down);
      const refused = await t.create({ orderID, ...change });
      await t.rows(down.replace('SUSPENDED', 'ACTIVE'));
      expect([refused.status, refused.body['code']]).toEqual([status, code]);
      expect(refused.body['paymentId']).toBe(code === 'DUPLICATE_ORDER' ? id : undefined);
    }
  });

  it('the breaker is open: nothing is stored, nothing is sent, no card is taken; a repeat still gets its payment', async () => {
    const [key, body] = [randomUUID(), goodBody()];
    const first = await t.call('POST', '/api/card', { key, body });
    const form = String((await t.payment(first.body['id']))['form_token']);
    t.bank.interrupt('read', 'before', silence);
    const acquirer = t.deps.acquirerOf({ routeId: 'sandbox-bank', connector: 'sandbox-bank' });
    for (let call = 0; call < 40 && acquirer?.isAvailable === true; call += 1) await acquirer.read(randomUUID());
    t.bank.interrupt('read', 'before', undefined);
    expect(acquirer?.isAvailable).toBe(false);

    const [stored] = await t.rows('select count(*) from payments');
    const sent = t.bank.calls.length;
    const refused = await t.create();
    expect([refused.status, refused.body['code']]).toEqual([503, 'ROUTE_UNAVAILABLE']);
    expect(await t.pay(form)).toBe('route-unavailable');
    expect(await t.rows('select count(*) from payments')).toEqual([stored]);
    expect(t.bank.calls).toHaveLength(sent);
    expect((await t.call('POST', '/api/card', { key, body })).body).toMatchObject({
      id: first.body['id'],
      status: 'SUBMITTED',
    });
  });
});
