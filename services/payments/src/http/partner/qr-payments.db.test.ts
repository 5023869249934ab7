import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestApp, type Call, type Json, type TestApp } from '../../../test/app.ts';
import { gate, silence, type BankCall } from '../../../test/bank.ts';

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
  for (const call of ['register', 'read', 'cancel'] as BankCall[]) {
    t.bank.interrupt(call, 'before', undefined);
    t.bank.interrupt(call, 'after', undefined);
  }
});

const UUID = /^[0-9a-f-]{36}$/;
const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const PNG = /^data:image\/png;base64,iVBORw0KGgo[A-Za-z0-9+/=]+$/;

const create = (change: Json = {}, call: Call = {}) =>
  t.call('POST', '/api/qr', { body: { paymentPointID: POINT, amount: 100.5, ...change }, ...call });
const read = (id: unknown, call: Call = {}) => t.call('GET', `/api/qr/${String(id)}`, call);
const history = (query = '', point = POINT, call: Call = {}) => t.call('GET', `/api/payments/${point}${query}`, call);
const code = ({ status, body }: { status: number; body: Json }) => [status, body['code']];
const ids = ({ body }: { body: Json }) => (body['items'] as Json[]).map(({ id }) => id);
const due = (id: unknown) => t.rows('update payments set next_read_at = clock_now() where payment_id = $1', [id]);
const look = async (id: unknown) => {
  await due(id);
  await t.work();
};
const dueIn = async (id: unknown) => {
  const [row] = await t.rows(
    'select round(extract(epoch from next_read_at - clock_now())) as seconds from payments where payment_id = $1',
    [id],
  );
  return Number(row?.['seconds']);
};
const givenQr = async (change: Json = {}) => String((await create(change)).body['id']);
const events = async (id: unknown) => (await t.messages(id)).map(({ type, payload }) => [type, payload['aggregateVersion']]);

describe('POST /api/qr', () => {
  it('201 SUBMITTED: every field; nspkurl and qrImage together, a PNG data URI', async () => {
    const { status, body } = await create({ currency: 'RUB', description: 'Coffee' });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.stringMatching(UUID),
      status: 'SUBMITTED',
      amount: 100.5,
      currency: 'RUB',
      paymentMethod: 'SBP_DYNAMIC_QR',
      paymentPointID: POINT,
      nspkurl: 'https://bank.example/sbp/1',
      qrImage: expect.stringMatching(PNG),
      paymentUrl: expect.stringMatching(/^https:\/\/form\.example\/pay\/[\w-]{43}$/),
      expiresAt: expect.stringMatching(MOMENT),
      createdAt: expect.stringMatching(MOMENT),
      statusUrl: `/api/qr/${String(body['id'])}`,
    });
    expect(Date.parse(String(body['expiresAt'])) - Date.parse(String(body['createdAt']))).toBe(3_600_000);
  });

  it('201: only an amount, when the partner has one active point', async () => {
    const { partner, point } = await t.givenPartner({ paymentMethods: ['SBP_DYNAMIC_QR'] });
    const { status, body } = await t.call('POST', '/api/qr', { partner, body: { amount: 1 } });
    expect([status, body['paymentPointID'], body['amount']]).toEqual([201, point, 1]);
  });

  it('registers at the bank as an SBP order, with the way back to our page', async () => {
    const { body } = await create({ description: 'Coffee' });
    const call = t.bank.calls.find(({ operationId }) => operationId === body['id']);
    expect(call).toMatchObject({
      call: 'register',
      body: {
        method: 'SBP',
        amountKopecks: '10050',
        description: 'Coffee',
        returnUrl: `${String(body['paymentUrl'])}/return`,
      },
    });
  });

  it.each([
    ['100 (C01)', '100', '100'],
    ['100.5 (C01)', '100.5', '100.5'],
    ['100.05 (C01)', '100.05', '100.05'],
    ['0.01 (C01)', '0.01', '0.01'],
    ['10.50 is echoed as 10.5 (C01)', '10.50', '10.5'],
  ])('201: %s', async (_name, token, echoed) => {
    const answer = await t.call('POST', '/api/qr', { raw: `{"paymentPointID":"${POINT}","amount":${token}}` });
    expect(answer.status).toBe(201);
    expect(answer.text).toContain(`"amount":${echoed},`);
  });

  it.each([
    ['100.005 (C02)', '100.005'],
    ['0.30000000000000004 (C02)', '0.30000000000000004'],
    ['1e2 (C03)', '1e2'],
    ['100.000 (C03)', '100.000'],
    ['0 (C04)', '0'],
    ['-0 (C04)', '-0'],
    ['-1 (C04)', '-1'],
    ['a string (C06)', '"100.00"'],
    ['9007199254740993.01', '9007199254740993.01'],
    ['null', 'null'],
  ])('400: amount %s', async (_name, token) => {
    const answer = await t.call('POST', '/api/qr', { raw: `{"paymentPointID":"${POINT}","amount":${token}}` });
    expect(code(answer)).toEqual([400, 'VALIDATION_FAILED']);
  });

  it.each([
    ['another currency (C16)', { currency: 'USD' }, 'currency'],
    ['rub (C16)', { currency: 'rub' }, 'currency'],
    ['a description of 141 characters', { description: 'a'.repeat(141) }, 'description'],
    ['an empty description', { description: '' }, 'description'],
    ['a card number in the description (K01)', { description: '4111 1111 1111 1111' }, 'description'],
    ['an orderID: codes have none', { orderID: 'A-1' }, 'orderID'],
    ['an amount above the limit (C17)', { amount: 1_000_000.01 }, 'amount'],
    ['a returnUrl without a saved one to compare with', { returnUrl: 'https://shop.example/x' }, 'returnUrl'],
    ['a card point', { paymentPointID: 'point-1' }, 'paymentPointID'],
  ])('400: %s', async (_name, change, field) => {
    const answer = await create(change);
    expect(code(answer)).toEqual([400, 'VALIDATION_FAILED']);
    expect(answer.body['details']).toEqual([{ field, message: expect.any(String) }]);
  });

  it('400 PAYMENT_POINT_REQUIRED with several active points; 404 for a point of another partner; 503 for a suspended one', async () => {
    expect(code(await t.call('POST', '/api/qr', { body: { amount: 1 } }))).toEqual([400, 'PAYMENT_POINT_REQUIRED']);
    const other = await t.givenPartner({ paymentMethods: ['SBP_DYNAMIC_QR'] });
    expect(code(await create({ paymentPointID: other.point }))).toEqual([404, 'NOT_FOUND']);
    const suspended = await t.givenPartner({ paymentMethods: ['SBP_DYNAMIC_QR'], status: 'SUSPENDED' });
    expect(code(await create({ paymentPointID: suspended.point }, { partner: suspended.partner }))).toEqual([503, 'ROUTE_UNAVAILABLE']);
  });

  it('400: no Idempotency-Key, or one of 15 or 129 characters (E01)', async () => {
    for (const key of [null, 'a'.repeat(15), 'a'.repeat(129)]) {
      expect(code(await create({}, { key }))).toEqual([400, 'VALIDATION_FAILED']);
    }
  });

  it('400: a wrong field is named before a missing key', async () => {
    const { body } = await create({ amount: 0 }, { key: null });
    expect(body['details']).toEqual([{ field: 'amount', message: expect.any(String) }]);
  });

  it('a repeat is the same payment as it is now; another body or operation is 409 (E02, E03, E05)', async () => {
    const key = randomUUID();
    const first = await create({}, { key });
    expect(first.headers.get('idempotency-replayed')).toBeNull();
    const again = await create({}, { key });
    expect([again.status, again.headers.get('idempotency-replayed'), again.body]).toEqual([201, 'true', first.body]);
    expect(code(await create({ amount: 2 }, { key }))).toEqual([409, 'IDEMPOTENCY_KEY_REUSED']);
    expect(code(await t.create({}, { key }))).toEqual([409, 'IDEMPOTENCY_KEY_REUSED']);
  });

  it('the same key 50 times at once: one payment, one code (E04)', async () => {
    const key = randomUUID();
    const answers = await Promise.all(Array.from({ length: 50 }, () => create({}, { key })));
    const made = answers.filter(({ status }) => status === 201);
    expect(new Set(made.map(({ body }) => body['id'])).size).toBe(1);
    const others = answers.filter(({ status }) => status !== 201).map(code);
    expect(others).toEqual(others.map(() => [409, 'IDEMPOTENCY_KEY_IN_PROGRESS']));
  });

  it('a 400 leaves the key free for the fixed request (E10)', async () => {
    const key = randomUUID();
    expect((await create({ amount: -1 }, { key })).status).toBe(400);
    expect((await create({}, { key })).status).toBe(201);
  });

  it.each([
    ['before it was carried out', 'before' as const],
    ['after it was carried out', 'after' as const],
  ])('201 CREATED without both when the bank does not answer, %s; a repeat of the POST finishes it', async (_name, when) => {
    t.bank.interrupt('register', when, silence);
    const key = randomUUID();
    const { status, body } = await create({}, { key });
    expect([status, body['status']]).toEqual([201, 'CREATED']);
    for (const absent of ['nspkurl', 'qrImage', 'paymentUrl']) expect(body).not.toHaveProperty(absent);
    t.bank.interrupt('register', when, undefined);
    await t.rows('update payments set lease_until = null where payment_id = $1', [body['id']]);
    const again = await create({}, { key });
    expect(again.body).toMatchObject({
      id: body['id'],
      status: 'SUBMITTED',
      nspkurl: expect.any(String),
      qrImage: expect.stringMatching(PNG),
    });
  });

  it('… or the worker does', async () => {
    t.bank.interrupt('register', 'after', silence);
    const { body } = await create();
    t.bank.interrupt('register', 'after', undefined);
    await t.rows('update payments set lease_until = null where payment_id = $1', [body['id']]);
    await look(body['id']);
    expect((await read(body['id'])).body).toMatchObject({ status: 'SUBMITTED', nspkurl: expect.any(String) });
  });

  it('a bank that registers without a link: CREATED, asked again under the same id', async () => {
    t.bank.interrupt('register', 'after', ({ operation, respond }) => {
      if (operation !== undefined) delete operation.nspkurl;
      respond();
    });
    const { body } = await create();
    expect([body['status'], body['nspkurl']]).toEqual(['CREATED', undefined]);
  });
});

describe('GET /api/qr/{id}', () => {
  it('200: the answer of the POST, and what a card payment’s status has too', async () => {
    const created = await create({ description: 'Coffee' });
    const { status, body } = await read(created.body['id']);
    expect(status).toBe(200);
    expect(body).toEqual({
      ...created.body,
      description: 'Coffee',
      bankOperationId: expect.stringMatching(/^bank-/),
      refundedAmount: '0.00',
      updatedAt: expect.stringMatching(MOMENT),
    });
  });

  it('404: another partner’s, one that is none, a card payment; and a QR payment under /api/card', async () => {
    const { partner } = await t.givenPartner();
    const id = await givenQr();
    const card = await t.givenPayment();
    const answers = [await read(id, { partner }), await read(randomUUID()), await read('x'), await read(card.id), await t.read(id)];
    expect(answers.map(code)).toEqual(answers.map(() => [404, 'NOT_FOUND']));
  });
});

describe('What becomes of a QR payment', () => {
  it('paid: COMPLETED, booked with the point’s fee, payment.completed with paymentMethod SBP_DYNAMIC_QR and no order number', async () => {
    const id = await givenQr();
    t.bank.change(id, { status: 'APPROVED' });
    await look(id);
    const { body } = await read(id);
    expect(body['status']).toBe('COMPLETED');
    // A code that nobody can pay any more is of no use, and 2 KB.
    for (const absent of ['nspkurl', 'qrImage', 'paymentUrl']) expect(body).not.toHaveProperty(absent);
    const [told] = await t.messages(id);
    expect(told).toMatchObject({
      type: 'payment.completed',
      payload: { aggregateVersion: 1, merchantOrderId: '', paymentMethod: 'SBP_DYNAMIC_QR', amountKopecks: '10050' },
    });
    const fee = await t.rows(
      `select amount_kopecks from ledger_entries join ledger_transactions using (ledger_transaction_id)
      where reference_id = $1 and account = 'FEE_INCOME' and owner = $2`,
      [id, POINT],
    );
    expect(fee).toEqual([{ amount_kopecks: '-40' }]);
  });

  it('refused at the bank: CANCELLED, CANCELLED_BY_CUSTOMER, payment.failed', async () => {
    const id = await givenQr();
    t.bank.change(id, { status: 'CANCELLED', reason: 'CANCELLED_BY_CUSTOMER' });
    await look(id);
    expect((await read(id)).body).toMatchObject({
      status: 'CANCELLED',
      failureCode: 'CANCELLED_BY_CUSTOMER',
      statusReason: expect.any(String),
    });
    expect(await events(id)).toEqual([['payment.failed', 1]]);
  });

  it('declined: REJECTED with the bank’s reason', async () => {
    const id = await givenQr();
    t.bank.change(id, { status: 'DECLINED', reason: 'INSUFFICIENT_FUNDS' });
    await look(id);
    expect((await read(id)).body).toMatchObject({ status: 'REJECTED', failureCode: 'INSUFFICIENT_FUNDS' });
  });

  it('in the bank’s hands: PENDING, read back by the plan, then COMPLETED', async () => {
    const id = await givenQr();
    t.bank.change(id, { status: 'PENDING' });
    await t.withStoppedClock(async () => {
      await look(id);
      expect((await read(id)).body['status']).toBe('PENDING');
      expect(await events(id)).toEqual([]);
      expect(Math.abs((await dueIn(id)) - 8)).toBeLessThanOrEqual(3);
    });
    t.bank.change(id, { status: 'APPROVED' });
    await look(id);
    expect((await read(id)).body['status']).toBe('COMPLETED');
  });

  it('a read without an answer changes nothing; a waiting code is looked at after five seconds again (E22)', async () => {
    await t.withStoppedClock(async () => {
      const id = await givenQr();
      expect(Math.abs((await dueIn(id)) - 5)).toBeLessThanOrEqual(3);
      t.bank.interrupt('read', 'before', silence);
      await look(id);
      expect((await read(id)).body['status']).toBe('SUBMITTED');
      expect(Math.abs((await dueIn(id)) - 5)).toBeLessThanOrEqual(3);
    });
  });

  it('another amount: not COMPLETED, one exception (E21)', async () => {
    const id = await givenQr();
    t.bank.change(id, { status: 'APPROVED', amountKopecks: '1' });
    await look(id);
    expect((await read(id)).body['status']).toBe('PENDING');
    expect(await t.rows('select kind from exceptions where payment_id = $1', [id])).toEqual([{ kind: 'AMOUNT_MISMATCH' }]);
  });

  it('the bank’s success twice, then a failure: one COMPLETED, one event (E16, E17)', async () => {
    const id = await givenQr();
    t.bank.change(id, { status: 'APPROVED' });
    await look(id);
    await look(id);
    t.bank.change(id, { status: 'DECLINED' });
    await look(id);
    expect([(await read(id)).body['status'], await events(id)]).toEqual(['COMPLETED', [['payment.completed', 1]]]);
  });

  const endSession = (id: string) => t.rows('update payments set expires_at = clock_now() where payment_id = $1', [id]);

  it('the session ends unpaid: read, withdrawn, EXPIRED with SESSION_EXPIRED, never looked at again', async () => {
    const id = await givenQr();
    await endSession(id);
    await look(id);
    expect((await read(id)).body).toMatchObject({ status: 'EXPIRED', failureCode: 'SESSION_EXPIRED' });
    expect(t.bank.operations.get(id)?.status).toBe('CANCELLED');
    expect(await t.payment(id)).toMatchObject({ next_read_at: null });
  });

  it('the bank does not answer the last read: it does not expire', async () => {
    const id = await givenQr();
    await endSession(id);
    t.bank.interrupt('read', 'before', silence);
    await look(id);
    expect((await read(id)).body['status']).toBe('SUBMITTED');
  });

  it('money after the end: the state stays, no event; it is returned through suspense, and an exception raised (E18)', async () => {
    const id = await givenQr();
    t.bank.change(id, { status: 'PENDING' });
    await endSession(id);
    await look(id);
    expect((await read(id)).body['status']).toBe('EXPIRED');
    t.bank.change(id, { status: 'APPROVED' });
    await look(id);
    expect([(await read(id)).body['status'], await events(id)]).toEqual(['EXPIRED', [['payment.failed', 1]]]);
    expect(await t.rows('select kind from exceptions where payment_id = $1', [id])).toEqual([{ kind: 'LATE_SUCCESS' }]);
    expect(await t.rows('select status from money_returns where payment_id = $1', [id])).toEqual([{ status: 'PENDING' }]);
  });

  it('the bank’s result overtakes our registration: recorded by the read-back (E19)', async () => {
    const held = gate();
    t.bank.interrupt('register', 'after', held.interruption);
    const creating = create();
    await held.arrived;
    const [row] = await t.rows(`select payment_id from payments where status = 'CREATED' order by created_at desc limit 1`);
    const id = String(row?.['payment_id']);
    t.bank.change(id, { status: 'APPROVED' });
    held.open();
    expect((await creating).body).toMatchObject({ id, status: 'COMPLETED' });
    expect(await events(id)).toEqual([['payment.completed', 1]]);
  });

  it('a refund of it: under /api/qr, with an empty order number, REFUNDED', async () => {
    const id = await givenQr();
    t.bank.change(id, { status: 'APPROVED' });
    await look(id);
    const refund = await t.call('POST', `/api/qr/${id}/refunds`, { body: {} });
    expect([refund.status, refund.body]).toEqual([201, expect.objectContaining({ orderId: id, merchantOrderId: '', status: 'COMPLETED' })]);
    expect((await read(id)).body).toMatchObject({ status: 'REFUNDED', refundedAmount: '100.50' });
    expect((await t.call('GET', `/api/qr/${id}/refunds`)).body['items']).toEqual([refund.body]);
    expect(code(await t.call('POST', `/api/card/${id}/refunds`, { body: {} }))).toEqual([404, 'NOT_FOUND']);
  });
});

describe('GET /api/payments/{paymentPointID}', () => {
  it('the QR payments of the point and nothing else, newest first, in pages that do not overlap', async () => {
    const { partner, point } = await t.givenPartner({ paymentMethods: ['CARD', 'SBP_DYNAMIC_QR'] });
    const made = [];
    for (let n = 0; n < 3; n += 1) made.push((await create({ paymentPointID: point }, { partner })).body['id']);
    await t.create({ paymentPointID: point }, { partner });
    const first = await history('?limit=2', point, { partner });
    expect(ids(first)).toEqual([made[2], made[1]]);
    // 2 KB each: the code is shown by the payment itself.
    const { nspkurl, qrImage, ...withoutCode } = (await read(made[2], { partner })).body;
    expect([typeof nspkurl, typeof qrImage]).toEqual(['string', 'string']);
    expect((first.body['items'] as Json[])[0]).toEqual(withoutCode);
    const token = String(first.body['nextPageToken']);
    const second = await history(`?limit=2&pageToken=${token}`, point, { partner });
    expect([ids(second), second.body['nextPageToken']]).toEqual([[made[0]], null]);
    for (const wrong of [`?pageToken=${token}&status=PENDING`, `?pageToken=${token.slice(1)}`]) {
      expect(code(await history(wrong, point, { partner }))).toEqual([400, 'VALIDATION_FAILED']);
    }
  });

  it('from, to and status choose; from is included, to is not', async () => {
    const { partner, point } = await t.givenPartner({ paymentMethods: ['SBP_DYNAMIC_QR'] });
    const [a, b] = [
      (await create({ paymentPointID: point }, { partner })).body,
      (await create({ paymentPointID: point }, { partner })).body,
    ];
    t.bank.change(String(a['id']), { status: 'APPROVED' });
    await look(a['id']);
    const chosen = async (query: string) => ids(await history(query, point, { partner }));
    const at = encodeURIComponent(String(b['createdAt']));
    expect(await chosen('?status=COMPLETED')).toEqual([a['id']]);
    expect(await chosen('?status=REJECTED')).toEqual([]);
    expect(await chosen(`?from=${at}`)).toEqual([b['id']]);
    expect(await chosen(`?to=${at}`)).toEqual([a['id']]);
  });

  it('400: an unknown parameter, status or moment, a limit outside 1 to 100', async () => {
    for (const query of ['?limit=0', '?limit=101', '?status=PAID', '?from=yesterday', '?to=2026-11-21', '?page=2', '?limit=1&limit=2']) {
      expect([query, ...code(await history(query))]).toEqual([query, 400, 'VALIDATION_FAILED']);
    }
  });

  it('404: another partner’s point, and one that is none', async () => {
    const { partner } = await t.givenPartner();
    expect(code(await history('', POINT, { partner }))).toEqual([404, 'NOT_FOUND']);
    expect(code(await history('', 'nowhere'))).toEqual([404, 'NOT_FOUND']);
  });
});
