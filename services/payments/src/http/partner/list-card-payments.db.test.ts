import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { LOOKED_AT_MAX } from '@pay/shared/postgres/look-through.ts';
import { rowsLookedAt } from '../../../../../tools/testing/rows-looked-at.ts';
import { listCardPayments, listQrPayments } from '../../db/payment/payment-lists.ts';
import pg from 'pg';
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

/** What the database does by itself in time: without it nothing is read from an index alone. */
async function vacuum(): Promise<void> {
  const owner = new pg.Client({ connectionString: t.ownerUrl });
  await owner.connect();
  await owner.query('vacuum analyze payments.payments');
  await owner.end();
}

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
    const wrong = [`?pageToken=${token}&status=PENDING`, `?pageToken=${token}&orderID=A-1`, `?pageToken=${token.slice(1)}`];
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

  it('no combination of filters looks at more than a few thousand payments, and a page without one goes on (N3)', async () => {
    const { partner, point } = await t.givenPartner({ paymentMethods: ['CARD', 'SBP_DYNAMIC_QR'] });
    await t.rows(
      `insert into payments (payment_id, partner_id, payment_point_id, route_id, method, merchant_order_id, amount_kopecks,
         description, customer_id, fee_basis_points, status, failure_code, form_token, expires_at, created_at)
       select gen_random_uuid(), $1, $2, 'sandbox-bank', 'CARD', 'deep-' || n, 100, 'Tea', 'deep-buyer', 0, 'EXPIRED', 'SESSION_EXPIRED',
         gen_random_uuid()::text, clock_now(), '2026-01-01'::timestamptz + n * interval '1 second' from generate_series(1, 9000) as n
       union all select gen_random_uuid(), $1, $2, 'sandbox-bank', 'SBP_DYNAMIC_QR', '', 100, 'Tea', '', 0, 'EXPIRED', 'SESSION_EXPIRED',
         gen_random_uuid()::text, clock_now(), '2026-02-01'::timestamptz + n * interval '1 second' from generate_series(1, 9000) as n`,
      [partner, point],
    );
    await vacuum();
    const filters = {
      merchantOrderId: 'deep-7',
      customerId: 'deep-buyer',
      paymentPointId: point,
      status: 'REFUNDED',
      from: new Date('2026-01-01T00:00:05Z'),
      to: new Date('2026-05-01T00:00:00Z'),
    } as const;
    const none = {
      partnerId: partner,
      merchantOrderId: undefined,
      customerId: undefined,
      paymentPointId: undefined,
      status: undefined,
      from: undefined,
      to: undefined,
    };
    const names = Object.keys(filters);
    for (let chosen = 0; chosen < 2 ** names.length; chosen += 1) {
      const some = Object.fromEntries(Object.entries(filters).filter((_, at) => (chosen >> at) % 2 === 1));
      for (const status of ['status' in some ? 'REFUNDED' : undefined, 'status' in some ? 'EXPIRED' : undefined] as const) {
        const filter = { ...none, ...some, status };
        const looked = await rowsLookedAt(t.databaseUrl, (reader) => listCardPayments(reader, filter, undefined, 100));
        // And the few of other partners that are newer.
        expect([filter, Math.max(...looked) <= LOOKED_AT_MAX + 100]).toEqual([filter, true]);
      }
    }
    // 18,000 payments, of which none is the buyer's that is refunded: nine thousand are looked at, in five calls at most.
    const query = `?customerID=deep-buyer&status=REFUNDED`;
    const tokens: unknown[] = [];
    for (let next = ''; tokens.at(-1) !== null; next = `&pageToken=${String(tokens.at(-1))}`) {
      const { status, body } = await list(query + next, { partner });
      expect([status, body['items']]).toEqual([200, []]);
      tokens.push(body['nextPageToken']);
    }
    expect(tokens).toHaveLength(5);
    // What is far down is found, once.
    await t.rows(
      `update payments set status = 'CANCELLED', failure_code = 'CANCELLED_BY_PARTNER' where merchant_order_id in ('deep-3', 'deep-8000')`,
    );
    const found: unknown[] = [];
    for (let next = '', token: unknown; token !== null; next = `&pageToken=${String(token)}`) {
      const { body } = await list(`?customerID=deep-buyer&status=CANCELLED&limit=1${next}`, { partner });
      found.push(...(body['items'] as Json[]).map(({ orderID }) => orderID));
      token = body['nextPageToken'];
    }
    expect(found).toEqual(['deep-8000', 'deep-3']);
    const qr = { partnerId: partner, paymentPointId: point, from: undefined, to: undefined };
    for (const status of [undefined, 'REFUNDED'] as const)
      expect(
        Math.max(...(await rowsLookedAt(t.databaseUrl, (reader) => listQrPayments(reader, { ...qr, status }, undefined, 100)))),
      ).toBeLessThanOrEqual(LOOKED_AT_MAX);
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
    expect(await plan(`and merchant_order_id = 'many-70' and merchant_order_id <> ''`)).toContain('payments_merchant_order');
    expect(await plan(`and status = 'PENDING'`)).toMatch(/payments_(?:partner|rare)_status/);
    expect(ids(await list('?orderID=many-70', { partner }))).toHaveLength(1);
  });
});
