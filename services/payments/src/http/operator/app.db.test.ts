import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { listen, type Listener } from '@pay/shared/http/server.ts';
import { testConsoleKey } from '../../../../../packages/shared/test/operators.ts';
import { startTestApp, type Json, type TestApp } from '../../../test/app.ts';
import { createOperatorApp, OPERATOR_AUDIENCE } from './app.ts';

/** What operators do at payments: refunds, stores, points, routes; and what they look at. */
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

async function operate(method: string, path: string, body?: unknown): Promise<{ status: number; body: Json }> {
  const url = `http://127.0.0.1:${String(listener.port)}${path}`;
  const response = await people.fetchAs(OPERATOR_AUDIENCE, 'olga', url, { method, body });
  return { status: response.status, body: JSON.parse(await response.text()) as Json };
}
const items = (body: Json) => body['items'] as Json[];

describe('POST /operator/payments/{paymentId}/refunds', () => {
  async function givenPaid(): Promise<{ id: string; seenVersion: unknown }> {
    const { id, checkoutToken } = await t.givenPayment();
    await t.pay(checkoutToken);
    const { body } = await operate('GET', `/payments/${id}`);
    return { id, seenVersion: body['aggregateVersion'] };
  }
  const refund = (id: string, body: Json) => operate('POST', `/payments/${id}/refunds`, body);

  it('gives money back once, however often the button is pressed, and records who did it', async () => {
    const { id, seenVersion } = await givenPaid();
    const asked = { seenVersion, key: randomUUID(), amount: '1.00', reason: 'broken cup' };
    const answers = await Promise.all([refund(id, asked), refund(id, asked), refund(id, asked)]);
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
    expect(new Set(answers.map(({ body }) => body['refundId'])).size).toBe(1);
    const { body: story } = await operate('GET', `/payments/${id}`);
    expect(story['refunds']).toMatchObject([{ amount: '1.00', status: 'COMPLETED', reason: 'broken cup' }]);
    expect((await t.messages(id)).map(({ type }) => type)).toContain('refund.completed');
    const { body: actions } = await operate('GET', `/actions?subjectId=${id}`);
    expect(actions['items']).toMatchObject([
      {
        operator: 'olga',
        action: 'payment.refund',
        before: { refundReserved: '0.00' },
        after: { refundReserved: '1.00' },
      },
    ]);
  });

  it('409 for a payment that changed since it was seen: two people refund it once', async () => {
    const { id, seenVersion } = await givenPaid();
    const answers = await Promise.all([0, 1].map(() => refund(id, { seenVersion, key: randomUUID(), amount: '1.00', reason: 'twice' })));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409]);
    expect(answers.find(({ status }) => status === 409)?.body['code']).toBe('STALE_REVISION');
  });

  it.each([
    ['no reason', { reason: undefined }, 400],
    ['an amount as a number', { amount: 1 }, 400],
    ['no key', { key: undefined }, 400],
    ['more than was paid', { amount: '999999.00' }, 409],
  ])('refuses %s', async (_title, change, status) => {
    const { id, seenVersion } = await givenPaid();
    const answer = await refund(id, { seenVersion, key: randomUUID(), amount: '1.00', reason: 'x', ...change });
    expect(answer.status).toBe(status);
    expect((await operate('GET', `/payments/${id}`)).body['refunds']).toEqual([]);
  });

  it('404 for an unknown payment', async () => {
    const asked = { seenVersion: 1, key: randomUUID(), reason: 'x' };
    expect((await refund(randomUUID(), asked)).status).toBe(404);
  });
});

describe('stores and payment points', () => {
  const POINT = {
    name: 'Cards',
    paymentMethods: ['CARD'],
    routeId: 'sandbox-bank',
    minAmount: '1.00',
    maxAmount: '500.00',
    feeBasisPoints: 0,
    sessionMinutes: 30,
  };
  async function givenStore(): Promise<{ storeId: string; partnerID: string }> {
    const [storeId, partnerID] = [`store-${randomUUID()}`, `p-${randomUUID()}`];
    expect((await operate('POST', '/stores', { storeId, partnerID, name: 'Tea' })).status).toBe(201);
    return { storeId, partnerID };
  }

  it('a store is told to withdrawals, a point in it takes payments within its limits', async () => {
    await t.givenPartner();
    const { storeId, partnerID } = await givenStore();
    expect(await t.messages(storeId)).toMatchObject([{ type: 'store.created', payload: { storeId, name: 'Tea' } }]);
    const paymentPointID = `point-${randomUUID()}`;
    const made = await operate('POST', `/stores/${storeId}/payment-points`, { paymentPointID, ...POINT });
    expect(made).toMatchObject({ status: 201, body: { ...POINT, status: 'ACTIVE', revision: 1 } });
    expect(items((await operate('GET', `/stores?partnerID=${partnerID}`)).body)).toMatchObject([
      { storeId, paymentPoints: [{ paymentPointId: paymentPointID }] },
    ]);
    const pay = (amount: number) => t.create({ paymentPointID, amount, orderID: randomUUID() }, { partner: partnerID });
    expect([(await pay(10)).status, (await pay(501)).status]).toEqual([201, 400]);

    const path = `/payment-points/${paymentPointID}`;
    const suspended = await operate('PUT', path, { revision: 1, ...POINT, status: 'SUSPENDED' });
    expect(suspended.body).toMatchObject({ status: 'SUSPENDED', revision: 2 });
    expect((await pay(10)).status).toBe(503);
    const stale = await operate('PUT', path, { revision: 1, ...POINT, status: 'ACTIVE' });
    expect([stale.status, stale.body['code']]).toEqual([409, 'STALE_REVISION']);
    expect(stale.body['current']).toMatchObject({ revision: 2, status: 'SUSPENDED' });
    const { body } = await operate('GET', `/actions?subjectId=${paymentPointID}`);
    expect(items(body).map((one) => one['action'])).toEqual(['point.change', 'point.create']);
  });

  it('takes the emailConfirmation of the previous version, and does nothing with it', async () => {
    const { storeId } = await givenStore();
    const paymentPointID = `point-${randomUUID()}`;
    const asked = { paymentPointID, ...POINT, emailConfirmation: true };
    const created = await operate('POST', `/stores/${storeId}/payment-points`, asked);
    expect([created.status, created.body['emailConfirmation']]).toEqual([201, false]);
    expect(await t.rows('select email_confirmation from payment_points where payment_point_id = $1', [paymentPointID])).toEqual([
      { email_confirmation: false },
    ]);
  });

  it.each([
    ['limits the wrong way round', { minAmount: '600.00' }],
    ['an unknown route', { routeId: 'none' }],
    ['no method', { paymentMethods: [] }],
    ['a fee over all of it', { feeBasisPoints: 10_001 }],
    ['an amount as a number', { maxAmount: 500 }],
    ['what nobody knows', { colour: 'red' }],
  ])('400 for %s', async (_title, change) => {
    const { storeId } = await givenStore();
    const asked = { paymentPointID: `point-${randomUUID()}`, ...POINT, ...change };
    expect((await operate('POST', `/stores/${storeId}/payment-points`, asked)).status).toBe(400);
  });

  it('400 for a store or a point that is there, 404 for a point in no store', async () => {
    const { storeId, partnerID } = await givenStore();
    expect((await operate('POST', '/stores', { storeId, partnerID, name: 'Tea' })).status).toBe(400);
    const asked = { paymentPointID: `point-${randomUUID()}`, ...POINT };
    expect((await operate('POST', '/stores/none/payment-points', asked)).status).toBe(404);
    expect((await operate('POST', `/stores/${storeId}/payment-points`, asked)).status).toBe(201);
    expect((await operate('POST', `/stores/${storeId}/payment-points`, asked)).status).toBe(400);
  });

  it('merchant capture is set with a trace', async () => {
    const { storeId } = await givenStore();
    const { body } = await operate('PUT', `/stores/${storeId}/merchant-consent`, { enabled: true });
    expect(body).toMatchObject({ storeId, merchantConsent: true });
    expect(items((await operate('GET', `/actions?subjectId=${storeId}`)).body)[0]).toMatchObject({
      action: 'store.merchant-consent',
      before: { merchantConsent: false },
      after: { merchantConsent: true },
    });
  });
});

describe('routes', () => {
  it('are made, limited and suspended, each with a trace', async () => {
    const routeId = `route-${randomUUID()}`;
    const made = await operate('POST', '/routes', { routeId, connector: 'sandbox-bank', maxAmount: '900.00' });
    expect(made).toMatchObject({ status: 201, body: { status: 'ACTIVE', minAmount: '0.01', maxAmount: '900.00' } });
    const limits = { minAmount: '5.00', maxAmount: '6.00' };
    expect((await operate('PUT', `/routes/${routeId}/limits`, limits)).body).toMatchObject(limits);
    expect((await operate('POST', `/routes/${routeId}/suspend`)).body).toMatchObject({ status: 'SUSPENDED' });
    expect(items((await operate('GET', '/routes')).body)).toContainEqual(expect.objectContaining({ routeId, ...limits }));
    const { body } = await operate('GET', `/actions?subjectId=${routeId}`);
    expect(items(body).map((one) => one['action'])).toEqual(['route.change', 'route.change', 'route.create']);
  });

  it.each([
    [{ connector: 'moon-bank' }, { field: 'connector', message: 'must be one of sandbox-bank, t-bank' }],
    [
      { minAmount: '9.00', maxAmount: '1.00' },
      { field: 'maxAmount', message: 'must not be below minAmount' },
    ],
  ])('400 VALIDATION_FAILED for %j', async (change, detail) => {
    const asked = { routeId: `route-${randomUUID()}`, connector: 'sandbox-bank', ...change };
    const answer = await operate('POST', '/routes', asked);
    expect(answer).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED', details: [detail] } });
  });
});

describe('GET /operator/overview', () => {
  type Count = 'created' | 'completed' | 'failed' | 'expired' | 'cancelled';

  it('counts what became of payments, why they failed, and how long paying took; the books sum to zero', async () => {
    const { id, checkoutToken } = await t.givenPayment();
    await t.pay(checkoutToken);
    for (const [status, failure] of [
      ['EXPIRED', 'SESSION_EXPIRED'],
      ['EXPIRED', 'SESSION_EXPIRED'],
      ['CANCELLED', 'CANCELLED_BY_CUSTOMER'],
    ])
      await t.rows('update payments set status = $2, failure_code = $3 where payment_id = $1', [
        (await t.givenPayment()).id,
        status,
        failure,
      ]);
    const at = (await t.payment(id))['created_at'] as Date;
    const from = new Date(at.getTime() - 3_600_000).toISOString();
    const to = new Date(at.getTime() + 3_600_000).toISOString();
    const { status, body } = await operate('GET', `/overview?from=${from}&to=${to}`);
    expect([status, body['bucketSeconds']]).toEqual([200, 300]);
    const buckets = body['buckets'] as (Record<Count, number> & { medianMs: number | null })[];
    expect(buckets).toHaveLength(24);
    const [all] = await t.rows(`select count(*)::int as created,
      (count(*) filter (where status in ('COMPLETED', 'REFUNDED')))::int as completed,
      (count(*) filter (where status in ('REJECTED', 'FAILED', 'EXPIRED', 'CANCELLED')))::int as failed,
      (count(*) filter (where status = 'EXPIRED'))::int as expired,
      (count(*) filter (where status = 'CANCELLED'))::int as cancelled from payments`);
    const sum = (name: Count) => buckets.reduce((total, bucket) => total + bucket[name], 0);
    const [created, completed, failed] = [sum('created'), sum('completed'), sum('failed')];
    expect({ created, completed, failed, expired: sum('expired'), cancelled: sum('cancelled') }).toEqual(all);
    expect([sum('expired') > 0, sum('cancelled') > 0]).toEqual([true, true]);
    expect(buckets.find(({ completed }) => completed > 0)?.medianMs).toBeGreaterThanOrEqual(0);
    const books = body['balances'] as { balance: string }[];
    expect(books.reduce((total, { balance }) => total + BigInt(balance.replace('.', '')), 0n)).toBe(0n);
  });

  it.each([
    ['without a range', ''],
    ['the wrong way round', '?from=2026-01-02T00:00:00Z&to=2026-01-01T00:00:00Z'],
    ['over more than 31 days', '?from=2026-01-01T00:00:00Z&to=2026-03-01T00:00:00Z'],
  ])('400 %s', async (_title, query) => {
    expect((await operate('GET', `/overview${query}`)).status).toBe(400);
  });
});

describe('the search for any id', () => {
  it('looks each kind of id, the end of a card number and an amount up in an index, and never reads every payment', async () => {
    const plans: string[] = [];
    const { db } = t.deps;
    const { searchPayments } = await import('../../db/operator/payment-search.ts');
    const filter = {
      partnerId: undefined,
      paymentPointId: undefined,
      status: undefined,
      method: undefined,
      cardLastFour: undefined,
      amountKopecks: undefined,
      from: undefined,
      to: undefined,
    };
    await t.rows('set enable_seqscan = off');
    for (const id of [randomUUID(), 'order-1']) {
      const query = searchPayments(db, { ...filter, id }, undefined, 20);
      expect(await query).toEqual([]);
    }
    for (const [column, value] of [
      ['merchant_order_id', 'x'],
      ['customer_id', 'x'],
      ['bank_operation_id', 'x'],
      ['binding_id', randomUUID()],
      ['consent_id', randomUUID()],
    ] as const) {
      const more = column === 'merchant_order_id' ? ` and merchant_order_id <> ''` : '';
      const rows = await t.rows(`explain select 1 from payments where ${column} = '${value}'${more}`);
      plans.push(rows.map((row) => String(row['QUERY PLAN'])).join('\n'));
    }
    for (const plan of plans) expect(plan).toMatch(/Index/);
    for (const [known, index] of [
      ["right(card_mask, 4) = '1111'", 'payments_card_last_four'],
      ['amount_kopecks = 49000', 'payments_by_amount'],
    ] as const) {
      const newestFirst = `select * from payments where ${known} order by created_at desc, payment_id desc limit 21`;
      const rows = await t.rows(`explain ${newestFirst}`);
      expect(rows.map((row) => String(row['QUERY PLAN'])).join('\n')).toContain(`Index Scan Backward using ${index}`);
    }
  });
});
