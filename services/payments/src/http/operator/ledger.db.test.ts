import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { listen, type Listener } from '@pay/shared/http/server.ts';
import { testConsoleKey } from '../../../../../packages/shared/test/operators.ts';
import { internalTokenSigner } from '@pay/shared/internal-auth/internal-token.ts';
import { startTestApp, type Json, type TestApp } from '../../../test/app.ts';
import { createOperatorApp, OPERATOR_AUDIENCE } from './app.ts';

let t: TestApp;
let listener: Listener;
const people = testConsoleKey();

beforeAll(async () => {
  t = await startTestApp();
  listener = await listen(createOperatorApp(t.deps, people.verifierOf(OPERATOR_AUDIENCE)), '127.0.0.1', 0);
});
afterAll(async () => {
  await listener.drain(0);
  await t.close();
});

const ask = async (path: string) => {
  const answer = await people.fetchAs(OPERATOR_AUDIENCE, 'olga', `http://127.0.0.1:${String(listener.port)}${path}`);
  return { status: answer.status, body: (await answer.json()) as Json };
};
const givenPaid = async (partner: string, point: string, amount: number) => {
  const { body } = await t.create({ paymentPointID: point, amount }, { partner });
  await t.pay(String((await t.payment(body['id']))['form_token']));
  return String(body['id']);
};
const period = (from: string, to: string) => `?from=${encodeURIComponent(from)}&to=${encodeURIComponent(to)}`;
const ALWAYS = period('2000-01-01T00:00:00Z', '2100-01-01T00:00:00Z');

describe('GET /operator/ledger/statements/{partnerId}', () => {
  it('every booking with fee and running balance; opening and closing of the period', async () => {
    const { partner, point } = await t.givenPartner();
    const first = await givenPaid(partner, point, 100);
    const second = await givenPaid(partner, point, 10.5);
    const refund = await t.call('POST', `/api/card/${first}/refunds`, { partner, body: { amount: '40.00' } });
    const { body } = await ask(`/ledger/statements/${partner}${ALWAYS}`);
    expect(body).toMatchObject({ partnerId: partner, opening: '0.00', closing: '67.74' });
    const items = body['items'] as Json[];
    expect(items.map(({ kind, referenceId, amount, fee, balance }) => [kind, referenceId, amount, fee, balance])).toEqual([
      ['PAYMENT', first, '97.50', '2.50', '97.50'],
      ['PAYMENT', second, '10.24', '0.26', '107.74'],
      ['REFUND_REQUESTED', refund.body['refundId'], '-40.00', '0.00', '67.74'],
    ]);
    // The period from the second booking on: what was before is the opening.
    const from = String(items[1]?.['bookedAt']);
    const later = await ask(`/ledger/statements/${partner}${period(from, '2100-01-01T00:00:00Z')}`);
    expect([later.body['opening'], later.body['closing'], (later.body['items'] as Json[]).length]).toEqual(['97.50', '67.74', 2]);
    const before = await ask(`/ledger/statements/${partner}${period('2000-01-01T00:00:00Z', from)}`);
    expect([before.body['closing'], (before.body['items'] as Json[]).length]).toEqual(['97.50', 1]);
  });

  it('a partner without bookings: nothing, and zero', async () => {
    expect((await ask(`/ledger/statements/nobody${ALWAYS}`)).body).toMatchObject({ opening: '0.00', closing: '0.00', items: [] });
  });

  it('400: a period that ends before it begins, or is none', async () => {
    for (const query of ['', '?from=x&to=y', period('2026-11-21T00:00:00Z', '2026-11-21T00:00:00Z')]) {
      expect((await ask(`/ledger/statements/p${query}`)).status).toBe(400);
    }
  });
});

describe('GET /operator/ledger/trial-balance', () => {
  it('every account, fees by payment point; the total is 0.00, now and at any moment before', async () => {
    const { partner, point } = await t.givenPartner();
    await givenPaid(partner, point, 100);
    const { body } = await ask('/ledger/trial-balance');
    expect(body['total']).toBe('0.00');
    expect(body['differences']).toEqual([]);
    expect(body['items']).toContainEqual({ account: 'FEE_INCOME', owner: point, balance: '-2.50' });
    expect(body['items']).toContainEqual({ account: 'PARTNER_PAYABLE', owner: partner, balance: '-97.50' });
    expect((await ask('/ledger/trial-balance?at=2000-01-01T00:00:00Z')).body).toEqual({ items: [], total: '0.00' });
  });

  it('says where a running total is not the sum of the entries; the sum stands', async () => {
    const { partner, point } = await t.givenPartner();
    await givenPaid(partner, point, 100);
    const change = (kopecks: number) =>
      t.rows(`update ledger_balances set balance_kopecks = balance_kopecks + $1 where account = 'PARTNER_PAYABLE' and owner = $2`, [
        kopecks,
        partner,
      ]);
    await change(-1);
    const { body } = await ask('/ledger/trial-balance');
    expect(body['differences']).toEqual([
      { account: 'PARTNER_PAYABLE', owner: partner, balance: '-97.50', entries: 1, runningTotal: '-97.51', runningEntries: 1 },
    ]);
    expect(body['items']).toContainEqual({ account: 'PARTNER_PAYABLE', owner: partner, balance: '-97.50' });
    await change(1);
  });

  it('401 without an operator’s token', async () => {
    const partnersToken = internalTokenSigner('gateway', 'payments', randomBytes(32))('partner-1');
    const url = `http://127.0.0.1:${String(listener.port)}/ledger/trial-balance`;
    for (const headers of [{ 'x-internal-token': partnersToken }, { 'x-operator-identity': partnersToken }])
      expect((await fetch(url, { headers })).status).toBe(401);
  });
});
