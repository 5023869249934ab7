import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { listen, type Listener } from '@pay/shared/http/server.ts';
import { testConsoleKey } from '../../../../../packages/shared/test/operators.ts';
import { startTestApp, type TestApp } from '../../../test/app.ts';
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

type Body = Readonly<Record<string, unknown>>;
async function ask(path: string): Promise<{ status: number; text: string; body: Body; items: Body[] }> {
  const response = await people.fetchAs(OPERATOR_AUDIENCE, 'olga', `http://127.0.0.1:${String(listener.port)}${path}`);
  const text = await response.text();
  const body = JSON.parse(text) as Body;
  return { status: response.status, text, body, items: (body['items'] ?? []) as Body[] };
}
const idsOf = (items: readonly Body[]) => items.map((item) => item['paymentId']);

describe('GET /operator/payments', () => {
  it('finds one payment by any of its ids, in full', async () => {
    const { id, checkoutToken, orderID } = await t.givenPayment();
    await t.pay(checkoutToken);
    const row = await t.payment(id);
    for (const given of [id, orderID, row['bank_operation_id'], row['ledger_transaction_id']])
      expect(idsOf((await ask(`/payments?id=${String(given)}`)).items)).toEqual([id]);
    expect((await ask(`/payments?id=${randomUUID()}`)).items).toEqual([]);
    expect((await ask(`/payments?id=${orderID.slice(0, -1)}`)).items).toEqual([]);
  });

  it('what can still be refunded is without what a refund under way has taken', async () => {
    const { id, checkoutToken } = await t.givenPayment({ amount: 100 });
    await t.pay(checkoutToken);
    t.bank.refundVerdict = { status: 'PENDING' };
    await t.call('POST', `/api/card/${id}/refunds`, { body: { amount: '30.00' } });
    t.bank.refundVerdict = {};
    const { refundedAmount, refundableAmount } = (await ask(`/payments/${id}`)).body;
    expect({ refundedAmount, refundableAmount }).toEqual({ refundedAmount: '0.00', refundableAmount: '70.00' });
  });

  it('finds a payment by six digits that its id, or that of its refund, begins with', async () => {
    const { id, checkoutToken } = await t.givenPayment();
    await t.pay(checkoutToken);
    const other = await t.givenPayment();
    // Ids begin with their time: those of the same hour have six digits in common.
    const sameHour = await ask(`/payments?id=${id.slice(0, 6).toUpperCase()}`);
    expect(idsOf(sameHour.items)).toEqual(expect.arrayContaining([id, other.id]));
    expect(idsOf((await ask(`/payments?id=${id.slice(0, 23)}`)).items)).toEqual([id]);
    expect(idsOf((await ask(`/payments?id=${id.slice(0, 5)}`)).items)).toEqual([]);
  });

  it('finds a payment by the last digits of its card and its amount within a time; 400 without one', async () => {
    const { id, checkoutToken } = await t.givenPayment();
    await t.pay(checkoutToken);
    const { created_at: at, card_mask: mask } = await t.payment(id);
    const { amount } = (await ask(`/payments/${id}`)).body;
    const from = (at as Date).toISOString();
    const to = new Date((at as Date).getTime() + 1).toISOString();
    const cardLastFour = String(mask).slice(-4);
    const search = (digits: string, rubles: string) => ask(`/payments?cardLastFour=${digits}&amount=${rubles}&from=${from}&to=${to}`);
    expect(idsOf((await search(cardLastFour, String(amount))).items)).toEqual([id]);
    expect((await search(cardLastFour === '0000' ? '1111' : '0000', String(amount))).items).toEqual([]);
    expect((await search(cardLastFour, '0.07')).items).toEqual([]);
    for (const query of [`cardLastFour=${cardLastFour}`, `amount=1.00&from=${from}`, `cardLastFour=12&from=${from}&to=${to}`])
      expect((await ask(`/payments?${query}`)).status).toBe(400);
  });

  it('filters, and goes on page by page, none twice and none left out', async () => {
    const { partner, point } = await t.givenPartner();
    const ids: unknown[] = [];
    for (let n = 0; n < 5; n += 1) ids.unshift((await t.create({ paymentPointID: point, orderID: randomUUID() }, { partner })).body['id']);
    const found: unknown[] = [];
    let query = `/payments?partnerID=${partner}&status=SUBMITTED&limit=2`;
    for (let page = 0; page < 3; page += 1) {
      const { body, items } = await ask(query);
      found.push(...idsOf(items));
      query = `/payments?partnerID=${partner}&status=SUBMITTED&limit=2&pageToken=${String(body['nextPageToken'])}`;
    }
    expect(found.toSorted()).toEqual(ids.toSorted());
    expect((await ask(`/payments?partnerID=${partner}&status=COMPLETED`)).items).toEqual([]);
    expect((await ask(`/payments?partnerID=${partner}&method=SBP_DYNAMIC_QR`)).items).toEqual([]);
    expect((await ask(`/payments?partnerID=${partner}&to=2020-01-01T00:00:00.000Z`)).items).toEqual([]);
  });

  it.each(['?status=LOST', '?colour=red', '?limit=0', '?pageToken=x', '?from=yesterday'])('400 for %s', async (query) => {
    expect((await ask(`/payments${query}`)).status).toBe(400);
  });

  it('400 VALIDATION_FAILED: names the words that a filter takes', async () => {
    const { body } = await ask('/payments?method=CASH');
    expect(body).toMatchObject({
      code: 'VALIDATION_FAILED',
      details: [{ field: 'method', message: 'must be one of CARD, CARD_BINDING, SBP_DYNAMIC_QR' }],
    });
  });
});

describe('GET /operator/payments/{paymentId}', () => {
  it('tells the whole story, its ledger entries sum to zero, and no secret is in it', async () => {
    const { id, checkoutToken } = await t.givenPayment();
    await t.pay(checkoutToken);
    const { body, text } = await ask(`/payments/${id}`);
    expect(body).toMatchObject({ paymentId: id, status: 'COMPLETED', refunds: [], returns: [], exceptions: [] });
    const entries = body['ledger'] as { amount: string }[];
    expect(entries.length).toBeGreaterThanOrEqual(2);
    const sum = entries.reduce((total, { amount }) => total + BigInt(amount.replace('.', '')), 0n);
    expect(sum).toBe(0n);
    expect(text).not.toContain(checkoutToken);
    expect(text).not.toMatch(/token/i);
  });

  it.each([
    [
      { transStatus: 'Y', eci: '05' },
      { transStatus: 'Y', eci: '05', liability: 'ISSUER' },
    ],
    [
      { transStatus: 'U', eci: '07' },
      { transStatus: 'U', eci: '07', liability: 'MERCHANT' },
    ],
    [
      { transStatus: undefined, eci: undefined },
      { transStatus: null, eci: null, liability: 'UNKNOWN' },
    ],
  ] as const)('3-D Secure: what the bank said and whose loss a fraud is: %j', async (said, shown) => {
    const dsTransId = randomUUID();
    t.bank.verdict = { ...said, threeDsVersion: '2.2.0', dsTransId };
    const { id, checkoutToken } = await t.givenPayment();
    await t.pay(checkoutToken);
    t.bank.verdict = {};
    const { body, text } = await ask(`/payments/${id}`);
    expect(body['threeDSecure']).toMatchObject({ version: '2.2.0', dsTransID: dsTransId, ...shown });
    expect(Object.keys(body['threeDSecure'] as Body).toSorted()).toEqual([
      'acsTransID',
      'dsTransID',
      'eci',
      'liability',
      'threeDSServerTransID',
      'transStatus',
      'version',
    ]);
    expect(text).not.toMatch(/cavv|cryptogram/i);
  });

  it('3-D Secure: null while the bank said nothing of it', async () => {
    const { id } = await t.givenPayment();
    expect((await ask(`/payments/${id}`)).body).toMatchObject({ paymentId: id, threeDSecure: null });
  });

  it.each([[randomUUID()], ['none']])('404 for %s', async (id) => {
    expect((await ask(`/payments/${id}`)).status).toBe(404);
  });
});
