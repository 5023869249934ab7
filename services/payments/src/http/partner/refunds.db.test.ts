import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { PaymentRefunded, RefundCompleted, RefundFailed, RefundPending } from '@pay/contract/messages.ts';
import { startTestApp, type Json, type TestApp } from '../../../test/app.ts';
import { failure, gate, refusal, silence, type BankCall } from '../../../test/bank.ts';
import { BALANCER_404 } from '../../../test/foreign-answers.ts';
import { listLedgerDifferences, sumEntries } from '../../db/ledger/ledger-balances.ts';
import { readTrialBalance } from '../../db/ledger/ledger.ts';

let t: TestApp;
beforeAll(async () => {
  t = await startTestApp();
});
afterAll(() => t.close());
afterEach(() => {
  t.bank.refundVerdict = {};
  for (const call of ['refund', 'read'] as BankCall[]) {
    t.bank.interrupt(call, 'before', undefined);
    t.bank.interrupt(call, 'after', undefined);
  }
});

const UUID = /^[0-9a-f-]{36}$/;
const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** A payment that is COMPLETED. */
const givenPaid = async (change: Json = {}) => {
  const payment = await t.givenPayment(change);
  await t.pay(payment.checkoutToken);
  return payment;
};
const refund = (id: unknown, body: Json = {}, call = {}) => t.call('POST', `/api/card/${String(id)}/refunds`, { body, ...call });
const readRefund = (refundId: unknown, call = {}) => t.call('GET', `/api/refunds/${String(refundId)}`, call);
const listed = (id: unknown, query = '') => t.call('GET', `/api/card/${String(id)}/refunds${query}`);
const code = ({ status, body }: { status: number; body: Json }) => [status, body['code']];
const due = (refundId: unknown) => t.rows('update refunds set next_read_at = clock_now() where refund_id = $1', [refundId]);
const typesAndVersions = async (id: unknown) => (await t.messages(id)).map(({ type, payload }) => [type, payload['aggregateVersion']]);
/** Account → balance of one partner; the whole sums to zero. */
const balancesOf = async (partner: string) => {
  const all = await readTrialBalance(t.deps.db);
  expect(all.reduce((sum, { balanceKopecks }) => sum + balanceKopecks, 0n)).toBe(0n);
  expect(await listLedgerDifferences(t.deps.db, await sumEntries(t.deps.db))).toEqual([]);
  return Object.fromEntries(all.filter(({ owner }) => owner === partner).map((row) => [row.account, row.balanceKopecks]));
};

describe('POST /api/card/{id}/refunds: the record', () => {
  it('201: every field, then the same in GET /api/refunds/{refundId} and in the list', async () => {
    const { id, orderID } = await givenPaid();
    const body = { amount: '40.50', reason: 'One cup came back', merchantRefundId: `r-${randomUUID()}` };
    const answer = await refund(id, body);
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      refundId: expect.stringMatching(UUID),
      orderId: id,
      merchantOrderId: orderID,
      merchantRefundId: body.merchantRefundId,
      amount: '40.50',
      refundedAmount: '40.50',
      currency: 'RUB',
      status: 'COMPLETED',
      reason: 'One cup came back',
      bankOperationId: expect.stringMatching(/^bank-/),
      createdAt: expect.stringMatching(MOMENT),
      updatedAt: expect.stringMatching(MOMENT),
      completedAt: expect.stringMatching(MOMENT),
      statusUrl: `/api/refunds/${String(answer.body['refundId'])}`,
    });
    expect((await readRefund(answer.body['refundId'])).body).toEqual(answer.body);
    expect((await listed(id)).body).toEqual({ items: [answer.body], nextPageToken: null });
  });

  it('without amount: all that remains; optional fields that were not given are not there', async () => {
    const { id } = await givenPaid();
    await refund(id, { amount: '0.01' });
    const { status, body } = await refund(id);
    expect([status, body['amount'], body['refundedAmount']]).toEqual([201, '100.49', '100.50']);
    for (const absent of ['reason', 'merchantRefundId', 'failureCode', 'statusReason']) expect(body).not.toHaveProperty(absent);
  });

  it('refundedAmount in GET /api/card/{id} is what was confirmed; REFUNDED when that is all', async () => {
    const { id } = await givenPaid();
    const seen = async () => {
      const { body } = await t.read(id);
      return [body['status'], body['refundedAmount']];
    };
    expect(await seen()).toEqual(['COMPLETED', '0.00']);
    await refund(id, { amount: '100.49' });
    expect(await seen()).toEqual(['COMPLETED', '100.49']);
    await refund(id, { amount: '0.01' });
    expect(await seen()).toEqual(['REFUNDED', '100.50']);
  });

  it('the list is newest first, in pages; 400 for a page token that was altered or is another payment’s', async () => {
    const [{ id }, other] = [await givenPaid(), await givenPaid()];
    for (const amount of ['1.00', '2.00', '3.00']) await refund(id, { amount });
    await refund(other.id, { amount: '1.00' });
    const amounts = ({ body }: { body: Json }) => (body['items'] as Json[]).map((item) => item['amount']);
    const first = await listed(id, '?limit=2');
    const token = String(first.body['nextPageToken']);
    expect(amounts(first)).toEqual(['3.00', '2.00']);
    const second = await listed(id, `?limit=2&pageToken=${token}`);
    expect([amounts(second), second.body['nextPageToken']]).toEqual([['1.00'], null]);
    expect(code(await listed(other.id, `?pageToken=${token}`))).toEqual([400, 'VALIDATION_FAILED']);
    expect(code(await listed(id, `?pageToken=x${token}`))).toEqual([400, 'VALIDATION_FAILED']);
    for (const query of ['?limit=0', '?limit=101', '?limit=x', '?size=1', '?limit=1&limit=2']) {
      expect([query, ...code(await listed(id, query))]).toEqual([query, 400, 'VALIDATION_FAILED']);
    }
  });
});

describe('POST /api/card/{id}/refunds: what is refused', () => {
  it.each([
    ['an amount as a number (C06)', { amount: 10.5 }, 'amount'],
    ['an amount without decimals (C07)', { amount: '10' }, 'amount'],
    ['an amount with one decimal (C07)', { amount: '10.5' }, 'amount'],
    ['an amount with three decimals (C02)', { amount: '10.505' }, 'amount'],
    ['zero (C04)', { amount: '0.00' }, 'amount'],
    ['a negative amount (C04)', { amount: '-1.00' }, 'amount'],
    ['a leading zero (C07)', { amount: '010.00' }, 'amount'],
    ['digits that are not ASCII (C07)', { amount: '١٠.٠٠' }, 'amount'],
    ['an exponent (C03)', { amount: '1e2' }, 'amount'],
    ['null', { amount: null }, 'amount'],
    ['a reason of 141 characters', { reason: 'a'.repeat(141) }, 'reason'],
    ['an empty reason', { reason: ' ' }, 'reason'],
    ['a merchantRefundId of 65 characters', { merchantRefundId: 'a'.repeat(65) }, 'merchantRefundId'],
    ['an unknown field', { currency: 'RUB' }, 'currency'],
    ['a card number in the reason (K01)', { reason: 'card 4111111111111111' }, 'reason'],
  ])('400: %s; nothing is stored, the key stays free', async (_name, body, field) => {
    const { id } = await givenPaid();
    const key = randomUUID();
    const answer = await refund(id, body, { key });
    expect(code(answer)).toEqual([400, 'VALIDATION_FAILED']);
    expect(answer.body['details']).toEqual([{ field, message: expect.any(String) }]);
    expect((await listed(id)).body['items']).toEqual([]);
    expect((await refund(id, { amount: '1.00' }, { key })).status).toBe(201);
  });

  it.each([
    ['140 emoji as a reason', { reason: '🍵'.repeat(140) }],
    ['64 characters as merchantRefundId', { merchantRefundId: '№'.repeat(64) }],
    ['the whole amount, to the kopeck', { amount: '100.50' }],
  ])('201: %s', async (_name, body) => {
    expect((await refund((await givenPaid()).id, body)).status).toBe(201);
  });

  it('409 REFUND_AMOUNT_EXCEEDED: a kopeck more than what remains, or anything when nothing does but is on its way', async () => {
    const { id } = await givenPaid();
    expect(code(await refund(id, { amount: '100.51' }))).toEqual([409, 'REFUND_AMOUNT_EXCEEDED']);
    t.bank.interrupt('refund', 'before', silence);
    expect((await refund(id)).body['status']).toBe('PENDING');
    expect(code(await refund(id, { amount: '0.01' }))).toEqual([409, 'REFUND_AMOUNT_EXCEEDED']);
    expect(code(await refund(id))).toEqual([409, 'REFUND_AMOUNT_EXCEEDED']);
  });

  it('409 REFUND_NOT_ALLOWED: a payment that is SUBMITTED, REJECTED or REFUNDED', async () => {
    const submitted = await t.givenPayment();
    const rejected = await t.givenPayment();
    await t.pay(rejected.checkoutToken, { number: '4000000000009995' });
    const refunded = await givenPaid();
    await refund(refunded.id);
    for (const { id } of [submitted, rejected, refunded]) {
      expect(code(await refund(id, { amount: '1.00' }))).toEqual([409, 'REFUND_NOT_ALLOWED']);
    }
  });

  it('404: another partner’s payment or refund, one that is none, and a card payment under /api/qr', async () => {
    const { partner } = await t.givenPartner();
    const { id } = await givenPaid();
    const { refundId } = (await refund(id, { amount: '1.00' })).body;
    const answers = [
      await refund(id, {}, { partner }),
      await t.call('GET', `/api/card/${id}/refunds`, { partner }),
      await readRefund(refundId, { partner }),
      await refund(randomUUID()),
      await refund('x'),
      await readRefund(randomUUID()),
      await readRefund('x'),
      await t.call('POST', `/api/qr/${id}/refunds`, { body: {} }),
      await t.call('GET', `/api/qr/${id}/refunds`),
    ];
    expect(answers.map(code)).toEqual(answers.map(() => [404, 'NOT_FOUND']));
  });

  it('19, E12 409 DUPLICATE_ORDER: a merchantRefundId is unique per partner, over all of its payments; the refundId that has it', async () => {
    const merchantRefundId = `r-${randomUUID()}`;
    const [first, second] = [await givenPaid(), await givenPaid()];
    const { status, body } = await refund(first.id, { amount: '1.00', merchantRefundId });
    expect(status).toBe(201);
    const refused = await refund(second.id, { merchantRefundId });
    expect([...code(refused), refused.body['refundId']]).toEqual([409, 'DUPLICATE_ORDER', body['refundId']]);
    const other = await t.givenPartner();
    const created = await t.create({ paymentPointID: other.point }, { partner: other.partner });
    const row = await t.payment(created.body['id']);
    await t.pay(String(row['form_token']));
    expect((await refund(created.body['id'], { merchantRefundId }, { partner: other.partner })).status).toBe(201);
  });

  it('two refunds with one merchantRefundId at once: the second waits for the first, then is 409 DUPLICATE_ORDER (E12)', async () => {
    const merchantRefundId = `r-${randomUUID()}`;
    const [first, second] = [await givenPaid(), await givenPaid()];
    const answers = await Promise.all([refund(first.id, { merchantRefundId }), refund(second.id, { merchantRefundId })]);
    expect(answers.map(code).toSorted()).toEqual([
      [201, undefined],
      [409, 'DUPLICATE_ORDER'],
    ]);
    expect(new Set(answers.map(({ body }) => body['refundId'])).size).toBe(1);
  });
});

describe('Idempotency of refunds', () => {
  it.each([
    ['no key', null],
    ['15 characters', 'a'.repeat(15)],
    ['129 characters', 'a'.repeat(129)],
  ])('400: %s (E01)', async (_name, key) => {
    expect(code(await refund((await givenPaid()).id, {}, { key }))).toEqual([400, 'VALIDATION_FAILED']);
  });

  it('400: a wrong field is named before a missing key, a missing key before a payment that is not there', async () => {
    const both = await refund('x', { amount: '0.00' }, { key: null });
    expect(both.body['details']).toEqual([{ field: 'amount', message: expect.any(String) }]);
    const key = await refund('x', {}, { key: null });
    expect(key.body['details']).toEqual([{ field: 'Idempotency-Key', message: expect.any(String) }]);
  });

  it('the same key and body: the same refund as it is now, Idempotency-Replayed: true, one call to the bank (E02)', async () => {
    const { id } = await givenPaid();
    const key = randomUUID();
    t.bank.interrupt('refund', 'after', silence);
    const first = await refund(id, { amount: '1.00' }, { key });
    expect([first.body['status'], first.headers.get('idempotency-replayed')]).toEqual(['PENDING', null]);
    t.bank.interrupt('refund', 'after', undefined);
    await due(first.body['refundId']);
    await t.work();
    const again = await refund(id, { amount: '1.00' }, { key });
    expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([201, 'true']);
    expect(again.body).toMatchObject({ refundId: first.body['refundId'], status: 'COMPLETED' });
    expect(t.bank.calls.filter(({ call, operationId }) => call === 'refund' && operationId === first.body['refundId'])).toHaveLength(1);
  });

  it('409 IDEMPOTENCY_KEY_REUSED: another body, other whitespace, another payment (E03, E05, E14)', async () => {
    const [{ id }, other] = [await givenPaid(), await givenPaid()];
    const key = randomUUID();
    await refund(id, { amount: '1.00' }, { key });
    const reused = [409, 'IDEMPOTENCY_KEY_REUSED'];
    expect(code(await refund(id, { amount: '2.00' }, { key }))).toEqual(reused);
    expect(code(await t.call('POST', `/api/card/${id}/refunds`, { raw: '{ "amount":"1.00"}', key }))).toEqual(reused);
    expect(code(await refund(other.id, { amount: '1.00' }, { key }))).toEqual(reused);
  });

  it('the same key 50 times at once: one refund (E04)', async () => {
    const { id } = await givenPaid();
    const key = randomUUID();
    const answers = await Promise.all(Array.from({ length: 50 }, () => refund(id, { amount: '1.00' }, { key })));
    const done = answers.filter(({ status }) => status === 201);
    expect(new Set(done.map(({ body }) => body['refundId'])).size).toBe(1);
    expect(answers.filter(({ status }) => status !== 201).map(code)).toEqual(
      answers.filter(({ status }) => status !== 201).map(() => [409, 'IDEMPOTENCY_KEY_IN_PROGRESS']),
    );
    expect((await listed(id)).body['items']).toHaveLength(1);
  });

  it('the same key of another partner is independent (E06)', async () => {
    const other = await t.givenPartner();
    const created = await t.create({ paymentPointID: other.point }, { partner: other.partner });
    await t.pay(String((await t.payment(created.body['id']))['form_token']));
    const key = randomUUID();
    const mine = await refund((await givenPaid()).id, {}, { key });
    const theirs = await refund(created.body['id'], {}, { key, partner: other.partner });
    expect([mine.status, theirs.status, mine.body['refundId'] === theirs.body['refundId']]).toEqual([201, 201, false]);
  });

  it('a refused refund leaves the key free for the fixed one (E10)', async () => {
    const { id } = await givenPaid();
    const key = randomUUID();
    expect((await refund(id, { amount: '100.51' }, { key })).status).toBe(409);
    expect((await refund(id, { amount: '100.50' }, { key })).status).toBe(201);
  });
});

describe('What becomes of a refund', () => {
  it('COMPLETED in full: refund.pending, refund.completed, payment.refunded, versions without a gap; the messages as agreed', async () => {
    const { id, orderID } = await givenPaid();
    const merchantRefundId = `r-${randomUUID()}`;
    const { body } = await refund(id, { merchantRefundId });
    expect(await typesAndVersions(id)).toEqual([
      ['payment.completed', 1],
      ['refund.pending', 2],
      ['refund.completed', 3],
      ['payment.refunded', 4],
    ]);
    const [paid, pending, completed, refunded] = (await t.messages(id)).map(({ payload }) => payload);
    const fact = {
      partnerId: 'partner-1',
      paymentId: id,
      ledgerTransactionId: paid?.['ledgerTransactionId'],
      refundId: body['refundId'],
      merchantRefundId,
      merchantOrderId: orderID,
      amountKopecks: '10050',
      currency: 'RUB',
      paymentMethod: 'CARD',
      occurredAt: expect.stringMatching(MOMENT),
    };
    expect(RefundPending.parse(pending)).toEqual({
      ...fact,
      aggregateVersion: 2,
      bankOperationId: null,
      refundedKopecks: '0',
    });
    const { bankOperationId } = body;
    expect(RefundCompleted.parse(completed)).toEqual({
      ...fact,
      aggregateVersion: 3,
      bankOperationId,
      refundedKopecks: '10050',
    });
    expect(PaymentRefunded.parse(refunded)).toEqual({
      ...fact,
      aggregateVersion: 4,
      bankOperationId,
      refundedKopecks: '10050',
    });
  });

  it('the ledger: from payable into flight, then out of the route; a failed one goes back; the fee stays', async () => {
    const { partner, point } = await t.givenPartner();
    const created = await t.create({ paymentPointID: point }, { partner });
    const { id } = created.body;
    await t.pay(String((await t.payment(id))['form_token']));
    expect(await balancesOf(partner)).toEqual({ PARTNER_PAYABLE: -9_799n });
    t.bank.interrupt('refund', 'before', silence);
    const pending = await refund(id, { amount: '50.00' }, { partner });
    expect(await balancesOf(partner)).toEqual({ PARTNER_PAYABLE: -4_799n, REFUNDS_IN_FLIGHT: -5_000n });
    t.bank.interrupt('refund', 'before', undefined);
    await due(pending.body['refundId']);
    await t.work();
    expect(await balancesOf(partner)).toEqual({ PARTNER_PAYABLE: -4_799n });
    t.bank.refundVerdict = { status: 'DECLINED', reason: 'PROCESSING_ERROR' };
    await refund(id, {}, { partner });
    expect(await balancesOf(partner)).toEqual({ PARTNER_PAYABLE: -4_799n });
    expect(await balancesOf(point)).toEqual({ FEE_INCOME: -251n });
  });

  it.each([
    ['INSUFFICIENT_FUNDS', 'INSUFFICIENT_FUNDS'],
    ['REFUND_PERIOD_EXPIRED', 'REFUND_PERIOD_EXPIRED'],
    ['SOMETHING_OF_THE_BANK', 'DECLINED_BY_ISSUER'],
  ])('FAILED: the bank declines with %s; refund.failed says %s, and the amount may be refunded anew', async (reason, failureCode) => {
    const { id } = await givenPaid();
    t.bank.refundVerdict = { status: 'DECLINED', reason };
    const { status, body } = await refund(id);
    expect([status, body]).toEqual([
      201,
      expect.objectContaining({
        status: 'FAILED',
        failureCode,
        statusReason: expect.any(String),
        refundedAmount: '0.00',
      }),
    ]);
    expect(body).not.toHaveProperty('completedAt');
    const [, , failed] = await t.messages(id);
    expect(RefundFailed.parse(failed?.payload)).toMatchObject({
      aggregateVersion: 3,
      failureCode,
      refundedKopecks: '0',
      amountKopecks: '10050',
    });
    t.bank.refundVerdict = {};
    expect((await refund(id)).body).toMatchObject({ status: 'COMPLETED', amount: '100.50' });
    expect((await typesAndVersions(id)).map(([, version]) => version)).toEqual([1, 2, 3, 4, 5, 6]);
  });

  it.each([
    [
      'a balancer’s page',
      ({ res }: { res: ServerResponse }) => {
        BALANCER_404(res);
      },
    ],
    ['the bank’s own error, of a replica that is behind', refusal(404, 'OPERATION_NOT_FOUND')],
  ])('a refund that was carried out without an answer stays PENDING while 404 comes, %s, and is paid once (V2)', async (_name, absent) => {
    const { id } = await givenPaid();
    t.bank.interrupt('refund', 'after', silence);
    const { body } = await refund(id, { amount: '12.00' });
    expect(body['status']).toBe('PENDING');
    for (const call of ['read', 'refund'] as const) t.bank.interrupt(call, 'before', absent);
    for (let round = 0; round < 3; round += 1) {
      await due(body['refundId']);
      await t.work();
    }
    expect((await readRefund(body['refundId'])).body['status']).toBe('PENDING');
    expect((await typesAndVersions(id)).at(-1)).toEqual(['refund.pending', 2]);
    for (const call of ['read', 'refund'] as const) t.bank.interrupt(call, 'before', undefined);
    t.bank.interrupt('refund', 'after', undefined);
    await due(body['refundId']);
    await t.work();
    expect((await readRefund(body['refundId'])).body['status']).toBe('COMPLETED');
    const refunds = [...t.bank.operations.values()].filter(({ originalOperationId }) => originalOperationId === id);
    expect(refunds.map(({ amountKopecks, status }) => [amountKopecks, status])).toEqual([['1200', 'APPROVED']]);
  });

  it('FAILED: the bank refuses the call', async () => {
    const { id } = await givenPaid();
    t.bank.interrupt('refund', 'before', refusal(409, 'NOT_REFUNDABLE'));
    expect((await refund(id)).body).toMatchObject({
      status: 'FAILED',
      failureCode: 'PROCESSING_ERROR',
      bankOperationId: null,
    });
  });

  it.each([
    ['no answer, and it was carried out', 'after' as const, silence, 1],
    ['no answer, and it never arrived', 'before' as const, silence, 2],
    ['500, and it was carried out', 'after' as const, failure(500), 1],
  ])('PENDING: %s; no further event until the worker has read it back (E22)', async (_name, when, interruption, calls) => {
    const { id } = await givenPaid();
    t.bank.interrupt('refund', when, interruption);
    const { status, body } = await refund(id);
    expect([status, body['status'], body['bankOperationId']]).toEqual([201, 'PENDING', null]);
    expect((await typesAndVersions(id)).at(-1)).toEqual(['refund.pending', 2]);
    t.bank.interrupt('refund', when, undefined);
    await due(body['refundId']);
    await t.work();
    expect((await readRefund(body['refundId'])).body['status']).toBe('COMPLETED');
    // What the bank says that it does not know is sent again, under the same id.
    expect(t.bank.calls.filter(({ call, operationId }) => call === 'refund' && operationId === body['refundId'])).toHaveLength(calls);
  });

  it('the read-back goes by the plan: seconds, then 1 min; a bank that is down then changes nothing (E22)', () =>
    t.withStoppedClock(async () => {
      const { id } = await givenPaid();
      t.bank.interrupt('refund', 'before', silence);
      const { refundId } = (await refund(id)).body;
      const dueIn = async () => {
        const [row] = await t.rows(
          'select extract(epoch from next_read_at - clock_now())::int as seconds from refunds where refund_id = $1',
          [refundId],
        );
        return Number(row?.['seconds']);
      };
      const pauses = [await dueIn()];
      t.bank.interrupt('read', 'before', silence);
      for (const readCount of [0, 8]) {
        await t.rows('update refunds set read_count = $2 where refund_id = $1', [refundId, readCount]);
        await due(refundId);
        await t.work();
        pauses.push(await dueIn());
      }
      expect([1, 2, 60].filter((seconds, index) => Math.abs((pauses[index] ?? Infinity) - seconds) > 3)).toEqual([]);
      expect((await readRefund(refundId)).body['status']).toBe('PENDING');
    }));

  it('a bank that works on it: PENDING until it says how it went', async () => {
    const { id } = await givenPaid();
    t.bank.refundVerdict = { status: 'PENDING' };
    const { refundId, status } = (await refund(id)).body;
    expect(status).toBe('PENDING');
    await due(refundId);
    await t.work();
    expect((await readRefund(refundId)).body['status']).toBe('PENDING');
    t.bank.change(String(refundId), { status: 'DECLINED', reason: 'PROCESSING_ERROR' });
    await due(refundId);
    await t.work();
    expect((await readRefund(refundId)).body['status']).toBe('FAILED');
  });

  it('the bank gives back another amount: stays PENDING, not booked, one exception for a person (E21)', async () => {
    const { id } = await givenPaid();
    t.bank.refundVerdict = { status: 'APPROVED', amountKopecks: '1' };
    const { refundId, status } = (await refund(id)).body;
    expect(status).toBe('PENDING');
    expect(await t.rows('select kind, bank_amount_kopecks from exceptions where payment_id = $1', [id])).toEqual([
      { kind: 'REFUND_MISMATCH', bank_amount_kopecks: '1' },
    ]);
    expect(await t.rows(`select from ledger_transactions where kind = 'REFUND' and reference_id = $1`, [refundId])).toEqual([]);
  });

  it('the bank gives back another amount, then says the right one: read again by plan, and completed (F8)', async () => {
    const { id } = await givenPaid();
    t.bank.refundVerdict = { status: 'APPROVED', amountKopecks: '1' };
    const { refundId } = (await refund(id)).body;
    await due(refundId);
    await t.work();
    expect((await readRefund(refundId)).body['status']).toBe('PENDING');
    const [parked] = await t.rows('select amount_kopecks, next_read_at from refunds where refund_id = $1', [refundId]);
    expect(parked?.['next_read_at']).not.toBeNull();
    t.bank.change(String(refundId), { amountKopecks: String(parked?.['amount_kopecks']) });
    await due(refundId);
    await t.work();
    expect((await readRefund(refundId)).body['status']).toBe('COMPLETED');
    expect(await t.rows('select kind from exceptions where payment_id = $1', [id])).toHaveLength(1);
  });

  it('a crash between the commit and the call: the worker sends it, once in effect (E07, E08)', async () => {
    const { id } = await givenPaid();
    const closed = gate();
    t.bank.interrupt('refund', 'before', closed.interruption);
    const request = refund(id, { amount: '1.00' });
    await closed.arrived;
    // As after a crash: the command is saved, and nobody waits for the bank any more.
    const [row] = await t.rows('select refund_id from refunds where payment_id = $1', [id]);
    t.bank.interrupt('refund', 'before', undefined);
    await due(row?.['refund_id']);
    await t.work();
    expect((await readRefund(row?.['refund_id'])).body['status']).toBe('COMPLETED');
    closed.open();
    expect((await request).body['status']).toBe('COMPLETED');
    expect(await typesAndVersions(id)).toEqual([
      ['payment.completed', 1],
      ['refund.pending', 2],
      ['refund.completed', 3],
    ]);
  });
});

describe('Refunds at once', () => {
  // A refund for which no connection to the bank was free within the deadline fails, and its amount is free again.
  let hurried: TestApp;
  beforeAll(async () => {
    hurried = t;
    t = await startTestApp();
  });
  afterAll(async () => {
    await t.close();
    t = hurried;
  });

  it('40 refunds of a tenth at once: exactly 10 accepted, versions 1..n without a gap, ledger zero, REFUNDED once (E23, E24)', async () => {
    const { partner, point } = await t.givenPartner();
    const created = await t.create({ paymentPointID: point, amount: 100 }, { partner });
    const { id } = created.body;
    await t.pay(String((await t.payment(id))['form_token']));
    const answers = await Promise.all(Array.from({ length: 40 }, () => refund(id, { amount: '10.00' }, { partner })));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(10);
    const refused = answers.filter(({ status }) => status !== 201).map(({ status }) => status);
    expect(refused).toEqual(refused.map(() => 409));
    expect((await t.read(id, { partner })).body).toMatchObject({ status: 'REFUNDED', refundedAmount: '100.00' });
    const told = await typesAndVersions(id);
    expect(told.map(([, version]) => version)).toEqual(told.map((_message, index) => index + 1));
    expect(told.filter(([type]) => type === 'payment.refunded')).toEqual([['payment.refunded', 22]]);
    // 2.5 % stays with us: the partner paid it back out of its own.
    expect(await balancesOf(partner)).toEqual({ PARTNER_PAYABLE: 250n });
    const moved = [...t.bank.operations.values()].filter(
      ({ kind, operationId }) => kind === 'REFUND' && answers.some(({ body }) => body['refundId'] === operationId),
    );
    expect(moved.reduce((sum, { amountKopecks }) => sum + BigInt(amountKopecks), 0n)).toBe(10_000n);
  });

  it('forced: the second refund waits for the payment’s row, then sees what is left (E23)', async () => {
    const { id } = await givenPaid();
    const [second] = await t.deps.db.transaction(async (tx) => {
      await tx.execute(`select from payments where payment_id = '${id}' for update`);
      const waiting = refund(id, { amount: '60.00' });
      await t.untilBlocked();
      await tx.execute(`update payments set refund_reserved_kopecks = 6000 where payment_id = '${id}'`);
      // In an array: returning the promise itself would await it here.
      return [waiting] as const;
    });
    expect(code(await second)).toEqual([409, 'REFUND_AMOUNT_EXCEEDED']);
  });

  it('the statement is the guard: the database refuses to set aside more than was paid', async () => {
    const { id } = await givenPaid();
    await expect(t.rows('update payments set refund_reserved_kopecks = 10051 where payment_id = $1', [id])).rejects.toThrow(
      'payments_refunded',
    );
    await expect(t.rows('update payments set refunded_kopecks = 1 where payment_id = $1', [id])).rejects.toThrow('payments_refunded');
  });
});
