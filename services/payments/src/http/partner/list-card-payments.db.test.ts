import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DEFAULT_POINT, startTestApp, type Call, type Json, type TestApp } from '../../../test/app.ts';

let t: TestApp;
beforeAll(async () => {
  t = await startTestApp();
});
afterAll(() => t.close());

const list = (query = '', call: Call = {}) => t.call('GET', `/api/card${query}`, call);
const ids = ({ body }: { body: Json }) => (body['items'] as Json[]).map(({ id }) => id);
const code = ({ status, body }: { status: number; body: Json }) => [status, body['code']];
const given = async () => {
  const { partner, point } = await t.givenPartner({ paymentMethods: ['CARD', 'SBP_DYNAMIC_QR'] });
  const create = async (change: Json = {}) => (await t.create({ paymentPointID: point, ...change }, { partner })).body;
  return { partner, point, create };
};

describe('19: GET /api/card', () => {
  it('by orderID: the payment whose answer and key were lost, as its own status shows it, and its form', async () => {
    const { id, orderID } = await t.givenPayment();
    await t.givenPayment();
    const { status, body } = await list(`?orderID=${orderID}`);
    expect([status, body]).toEqual([200, { items: [(await t.read(id)).body], nextPageToken: null }]);
    expect((body['items'] as Json[])[0]?.['paymentUrl']).toMatch(/^https:\/\/form\.example\/pay\//);
  });

  it('by orderID: a charge of a saved card by its merchantOrderId', async () => {
    const { bindingId } = await t.givenSavedCard();
    const merchantOrderId = `order-${randomUUID()}`;
    const charged = await t.charge(bindingId, { merchantOrderId });
    const { body } = await list(`?orderID=${merchantOrderId}`);
    expect(body['items']).toMatchObject([
      { id: charged.body['paymentId'], orderID: merchantOrderId, paymentMethod: 'CARD_BINDING', bindingId },
    ]);
  });

  it('another partner’s order looks exactly like none', async () => {
    const { orderID } = await t.givenPayment();
    const { partner } = await t.givenPartner();
    const nothing = { items: [], nextPageToken: null };
    expect((await list(`?orderID=${orderID}`, { partner })).body).toEqual(nothing);
    expect((await list(`?orderID=order-${randomUUID()}`, { partner })).body).toEqual(nothing);
    expect((await list('', { partner })).body).toEqual(nothing);
  });

  it('the card payments of the partner and nothing else, newest first, in pages that do not overlap', async () => {
    const { partner, point, create } = await given();
    const made: unknown[] = [];
    for (let n = 0; n < 3; n += 1) made.push((await create())['id']);
    await t.call('POST', '/api/qr', { partner, body: { paymentPointID: point, amount: 1 } });
    await t.givenPayment();
    const first = await list('?limit=2', { partner });
    expect(ids(first)).toEqual([made[2], made[1]]);
    const token = String(first.body['nextPageToken']);
    const second = await list(`?limit=2&pageToken=${token}`, { partner });
    expect([ids(second), second.body['nextPageToken']]).toEqual([[made[0]], null]);
    const { partner: other } = await t.givenPartner();
    const wrong = [`?pageToken=${token}&status=PENDING`, `?pageToken=${token}&orderID=A-1`, `?pageToken=${token.slice(1)}`]; // prettier-ignore
    for (const query of wrong) expect(code(await list(query, { partner }))).toEqual([400, 'VALIDATION_FAILED']);
    expect(code(await list(`?pageToken=${token}`, { partner: other }))).toEqual([400, 'VALIDATION_FAILED']);
  });

  it('from, to, status, customerID and paymentPointID choose; from is included, to is not', async () => {
    const { partner, point, create } = await given();
    const [a, b] = [await create({ customerID: 'buyer-a' }), await create({ customerID: 'Покупатель & Ко' })];
    await t.pay(String((await t.payment(a['id']))['form_token']));
    const chosen = async (query: string) => ids(await list(query, { partner }));
    const at = encodeURIComponent(((await t.payment(b['id']))['created_at'] as Date).toISOString());
    expect(await chosen('?status=COMPLETED')).toEqual([a['id']]);
    expect(await chosen('?status=REJECTED')).toEqual([]);
    expect(await chosen(`?from=${at}`)).toEqual([b['id']]);
    expect(await chosen(`?to=${at}`)).toEqual([a['id']]);
    expect(await chosen(`?customerID=${encodeURIComponent('Покупатель & Ко')}`)).toEqual([b['id']]);
    expect(await chosen(`?paymentPointID=${point}&customerID=buyer-a`)).toEqual([a['id']]);
    expect(await chosen(`?orderID=${String(a['orderID'])}&status=EXPIRED`)).toEqual([]);
  });

  it.each([
    '?limit=0',
    '?limit=101',
    '?status=PAID',
    '?from=yesterday',
    '?to=2026-11-21',
    '?orderID=',
    '?orderID=a%20b',
    '?customerID=',
    '?orderId=A-1',
    '?limit=1&limit=2',
  ])('400: %s', async (query) => {
    expect(code(await list(query))).toEqual([400, 'VALIDATION_FAILED']);
  });

  it('404: another partner’s point, and one that is none', async () => {
    const { partner } = await t.givenPartner();
    expect(code(await list(`?paymentPointID=${DEFAULT_POINT}`, { partner }))).toEqual([404, 'NOT_FOUND']);
    expect(code(await list('?paymentPointID=nowhere'))).toEqual([404, 'NOT_FOUND']);
  });

  it('reads the newest by an index of the partner, an order and a status that few have by their own, among thousands', async () => {
    const { partner, point } = await given();
    await t.rows(
      `insert into payments (payment_id, partner_id, payment_point_id, route_id, method, merchant_order_id, amount_kopecks,
         description, customer_id, fee_basis_points, status, form_token, expires_at)
       select gen_random_uuid(), case when n % 10 = 0 then $1 else 'partner-1' end, $2, 'sandbox-bank', 'CARD', 'many-' || n,
         100, 'Tea', 'buyer-' || n, 0, 'SUBMITTED', gen_random_uuid()::text, clock_now() from generate_series(1, 20000) as n`,
      [partner, point],
    );
    await t.rows('analyze payments');
    const plan = async (where: string) => {
      const lines = await t.rows(`explain select * from payments where partner_id = '${partner}'
        and method <> 'SBP_DYNAMIC_QR' ${where} order by created_at desc, payment_id desc limit 21`);
      return lines.map((line) => String(line['QUERY PLAN'])).join('\n');
    };
    expect(await plan('')).toContain('payments_partner_cards');
    expect(await plan(`and merchant_order_id = 'many-70' and merchant_order_id <> ''`)).toContain('payments_merchant_order'); // prettier-ignore
    expect(await plan(`and status = 'PENDING'`)).toContain('payments_rare_status');
    expect(ids(await list('?orderID=many-70', { partner }))).toHaveLength(1);
  });
});
