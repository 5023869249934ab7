import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { listen, type Listener } from '@pay/shared/http/server.ts';
import { testConsoleKey } from '../../../../../packages/shared/test/operators.ts';
import { clock } from '@pay/shared/postgres/clock.ts';
import { dayOf } from '@pay/shared/time/day.ts';
import { startTestApp, type Json, type TestApp } from '../../../test/app.ts';
import { failure, silence, type BankOperation } from '../../../test/bank.ts';
import { SANDBOX_BANK } from '../../acquirers/connectors.ts';
import { claimReconciliation } from '../../db/reconciliation/reconciliations.ts';
import { createOperatorApp, OPERATOR_AUDIENCE } from '../../http/operator/app.ts';
import { onBankNotification } from '../bank/on-bank-notification.ts';
import { requestDueDays, runNext } from './reconciliation-loop.ts';

let t: TestApp;
let operatorApi: Listener;
let today: string;
const people = testConsoleKey();

beforeAll(async () => {
  t = await startTestApp();
  operatorApi = await listen(createOperatorApp(t.deps, people.verifierOf(OPERATOR_AUDIENCE)), '127.0.0.1', 0);
});
afterAll(async () => {
  await operatorApi.drain(0);
  await t.close();
});
beforeEach(async () => {
  // A story that moves the clock late in the evening leaves the next one with another day.
  today = dayOf(await clock(t.deps.db));
  // Each story has the day for itself: what an earlier one left is moved to a day of long ago, on both sides.
  await t.rows(`update payments set created_at = '2020-01-01T12:00:00Z' where created_at > '2020-01-02'`);
  await t.rows(`update refunds set created_at = '2020-01-01T12:00:00Z' where created_at > '2020-01-02'`);
  await t.rows(`update money_returns set created_at = '2020-01-01T12:00:00Z' where created_at > '2020-01-02'`);
  await t.rows(`update declined_cards set sent_at = '2020-01-01T12:00:00Z' where sent_at > '2020-01-02'`);
  await t.rows('delete from exceptions');
  await t.rows('delete from reconciliations');
  await t.rows('delete from reconciliation_items');
  t.bank.operations.clear();
});
afterEach(() => {
  t.bank.interrupt('read-register', 'before', undefined);
  t.bank.interrupt('read', 'before', undefined);
  t.bank.registerOf = () => [...t.bank.operations.values()];
});

async function ask(method: string, path: string, body?: unknown, login = 'olga'): Promise<{ status: number; body: Json }> {
  const url = `http://127.0.0.1:${String(operatorApi.port)}${path}`;
  const answer = await people.fetchAs(OPERATOR_AUDIENCE, login, url, { method, body });
  return { status: answer.status, body: (await answer.json()) as Json };
}
const reconcile = (date = today) => ask('POST', '/reconciliations', { date, routeId: SANDBOX_BANK });
const exceptions = async (query = '') => ((await ask('GET', `/exceptions?limit=100${query}`)).body['items'] ?? []) as Json[];
const countsOf = (body: Json) =>
  Object.fromEntries(Object.entries(body['counts'] as Record<string, number>).filter(([, count]) => count > 0));
async function givenPaid(amount: number): Promise<string> {
  const { id, checkoutToken } = await t.givenPayment({ amount });
  await t.pay(checkoutToken);
  return id;
}
const foreign = (change: Partial<BankOperation> = {}): BankOperation => ({
  operationId: randomUUID(),
  bankOperationId: `bank-${randomUUID()}`,
  kind: 'ORDER',
  method: 'CARD',
  status: 'APPROVED',
  amountKopecks: '12345',
  currency: 'RUB',
  createdAt: '2026-11-21T00:00:00.000Z',
  updatedAt: '2026-11-21T00:00:00.000Z',
  ...change,
});

describe('a day that agrees', () => {
  it('payments, a declined one, an unpaid one and refunds: all matched or in progress, the same totals, nothing for a person', async () => {
    const paid = await givenPaid(100.5);
    await givenPaid(0.01);
    t.bank.verdict = { status: 'DECLINED', reason: 'INSUFFICIENT_FUNDS' };
    await givenPaid(7);
    t.bank.verdict = {};
    await t.givenPayment({ amount: 9 });
    await t.call('POST', `/api/card/${paid}/refunds`, { body: { amount: '40.00' } });
    const { status, body } = await reconcile();
    expect(status).toBe(200);
    expect(body).toMatchObject({ status: 'COMPLETED', requestedBy: 'olga', bankTotal: '60.51', ourTotal: '60.51', difference: '0.00' });
    expect(countsOf(body)).toEqual({ MATCHED: 4, IN_PROGRESS: 1 });
    expect(await exceptions()).toEqual([]);
  });

  it('a refund that the bank has carried out before we read it back is in progress, and once nobody will read it, a difference', async () => {
    const paid = await givenPaid(8);
    t.bank.refundVerdict = { status: 'PENDING' };
    const { refundId } = (await t.call('POST', `/api/card/${paid}/refunds`, { body: { amount: '8.00' } })).body;
    t.bank.refundVerdict = {};
    t.bank.change(String(refundId), { status: 'APPROVED' });
    expect(countsOf((await reconcile()).body)).toEqual({ MATCHED: 1, IN_PROGRESS: 1 });
    await t.rows('update refunds set next_read_at = null where refund_id = $1', [refundId]);
    expect(countsOf((await reconcile()).body)).toEqual({ MATCHED: 1, DIFFERENT_STATE: 1 });
  });

  it('a late success that is on its way back is known: the money is in suspense, nothing new for a person', async () => {
    const { id, checkoutToken } = await t.givenPayment({ amount: 5 });
    t.bank.verdict = { status: 'PENDING' };
    await t.pay(checkoutToken);
    t.bank.verdict = {};
    t.bank.change(id, { status: 'DECLINED', reason: 'DECLINED_BY_ISSUER' });
    await t.rows('update payments set next_read_at = clock_now() where payment_id = $1', [id]);
    await t.work();
    t.bank.change(id, { status: 'APPROVED' });
    await t.rows('update payments set next_read_at = clock_now() where payment_id = $1', [id]);
    await t.work();
    expect(await exceptions()).toMatchObject([{ kind: 'LATE_SUCCESS', paymentId: id }]);
    const { body } = await reconcile();
    expect(countsOf(body)).toEqual({ MATCHED: 1 });
    expect(await exceptions()).toHaveLength(1);
  });
});

describe('a difference', () => {
  it('missing here: an operation of the register that we do not know, with whatever id', async () => {
    const stranger = foreign();
    t.bank.operations.set(stranger.operationId, stranger);
    const odd = foreign({ operationId: 'not-a-uuid', kind: 'REFUND', amountKopecks: '45' });
    t.bank.operations.set('not-a-uuid', odd);
    const { body } = await reconcile();
    expect(body).toMatchObject({ bankTotal: '123.00', ourTotal: '0.00', difference: '123.00' });
    const found = new Map((await exceptions('&kind=MISSING_HERE')).map((one) => [one['operationId'], one]));
    expect(found.size).toBe(2);
    expect(found.get('not-a-uuid')).toMatchObject({ paymentId: null, bank: { status: 'APPROVED', amount: '0.45', currency: 'RUB' } });
    expect(found.get(stranger.operationId)).toMatchObject({
      date: today,
      routeId: SANDBOX_BANK,
      status: 'OPEN',
      reason: `Register of ${today}: the bank has PAYMENT APPROVED 123.45 RUB; we do not know it, and did not issue its id: leave it to whoever did.`,
    });
  });

  it('missing there: a payment, a refund and its payment that the bank has lost', async () => {
    const paid = await givenPaid(100);
    const refund = await t.call('POST', `/api/card/${paid}/refunds`, { body: { amount: '40.00' } });
    t.bank.operations.clear();
    const { body } = await reconcile();
    expect(countsOf(body)).toEqual({ MISSING_THERE: 2 });
    expect(body).toMatchObject({ bankTotal: '0.00', ourTotal: '60.00', difference: '-60.00' });
    const found = await exceptions('&kind=MISSING_THERE');
    expect(new Set(found.map(({ operationId }) => operationId))).toEqual(new Set([paid, refund.body['refundId']]));
    expect((await t.payment(paid))['status']).toBe('COMPLETED');
  });

  it('another amount, and late money that nobody found: before a person, and nothing is corrected', async () => {
    const paid = await givenPaid(100);
    t.bank.change(paid, { amountKopecks: '9999' });
    const { id: late } = await t.givenPayment({ amount: 50 });
    await t.rows(`update payments set status = 'EXPIRED', failure_code = 'SESSION_EXPIRED', next_read_at = null where payment_id = $1`, [
      late,
    ]);
    t.bank.change(late, { status: 'APPROVED' });
    const before = await t.rows('select * from payments order by payment_id');
    const ledger = await t.rows('select * from ledger_entries order by position');
    const { body } = await reconcile();
    expect(countsOf(body)).toEqual({ DIFFERENT_AMOUNT: 1, DIFFERENT_STATE: 1 });
    expect(body).toMatchObject({ bankTotal: '149.99', ourTotal: '100.00', difference: '49.99' });
    expect(await exceptions('&kind=AMOUNT_MISMATCH')).toMatchObject([
      { paymentId: paid, bank: { amount: '99.99' }, ours: { status: 'COMPLETED', amount: '100.00' } },
    ]);
    expect(await exceptions('&kind=STATE_MISMATCH')).toMatchObject([
      { paymentId: late, bank: { status: 'APPROVED' }, ours: { status: 'EXPIRED' } },
    ]);
    expect(await t.rows('select * from payments order by payment_id')).toEqual(before);
    expect(await t.rows('select * from ledger_entries order by position')).toEqual(ledger);
  });

  it('an operation that the bank has under the next day is not missing', async () => {
    const paid = await givenPaid(100);
    t.bank.registerOf = () => [];
    const { body } = await reconcile();
    expect(countsOf(body)).toEqual({});
    expect(await exceptions()).toEqual([]);
    expect((await t.payment(paid))['status']).toBe('COMPLETED');
  });
});

describe('twice, and through a crash', () => {
  async function givenDifferences(): Promise<void> {
    for (let count = 0; count < 7; count += 1) await givenPaid(10 + count);
    const [first = '', second = ''] = [...t.bank.operations.keys()];
    t.bank.change(first, { amountKopecks: '1' });
    t.bank.operations.delete(second);
    const stranger = foreign();
    t.bank.operations.set(stranger.operationId, stranger);
  }
  const state = async () => ({
    items: await t.rows('select operation_id, result, bank_kopecks, our_kopecks from reconciliation_items order by 1'),
    exceptions: await t.rows('select operation_id, kind, finding, status from exceptions order by 1, 2'),
  });

  it('run twice: the same items and the same exceptions', async () => {
    await givenDifferences();
    const first = await reconcile();
    const before = await state();
    const second = await reconcile();
    expect({ ...second.body, startedAt: 0, completedAt: 0 }).toEqual({ ...first.body, startedAt: 0, completedAt: 0 });
    expect(await state()).toEqual(before);
    expect(before.exceptions).toHaveLength(3);
  });

  it('the bank goes away in the middle: 202, RUNNING; taken up again when the lease has run out, to the same end', async () => {
    await givenDifferences();
    await reconcile();
    const expected = await state();
    await t.rows('delete from exceptions');
    await t.rows('delete from reconciliation_items');
    let pages = 0;
    t.bank.interrupt('read-register', 'before', (call) => {
      pages += 1;
      if (pages === 2) void silence(call);
      else call.respond();
    });
    const broken = await reconcile();
    expect([broken.status, broken.body['status']]).toEqual([202, 'RUNNING']);
    expect((await t.rows('select 1 from reconciliation_items')).length).toBe(3);
    // Not before: whoever holds the lease may still be at work.
    expect(await runNext(t.deps)).toBeUndefined();
    await t.rows(`update reconciliations set lease_until = clock_now()`);
    expect(await runNext(t.deps)).toMatchObject({ status: 'COMPLETED' });
    expect(await state()).toEqual(expected);
  });

  it('a process that lost its lease to another writes nothing more', async () => {
    await givenDifferences();
    t.bank.interrupt('read-register', 'before', async ({ respond }) => {
      await t.rows('update reconciliations set run_id = $1', [randomUUID()]);
      respond();
    });
    await expect(reconcile()).resolves.toMatchObject({ status: 500 });
    expect(await t.rows('select 1 from reconciliation_items')).toEqual([]);
    expect(await exceptions()).toEqual([]);
  });

  it('a bank that answers nonsense is no register: nothing is missing there', async () => {
    await givenPaid(10);
    t.bank.interrupt('read-register', 'before', failure(200));
    expect((await reconcile()).status).toBe(202);
    expect(await exceptions()).toEqual([]);
  });

  it('an operation that could not be asked about is not missing', async () => {
    const paid = await givenPaid(10);
    t.bank.operations.delete(paid);
    t.bank.interrupt('read', 'before', silence);
    expect((await reconcile()).status).toBe(202);
    expect(await exceptions()).toEqual([]);
  });
});

describe('every day', () => {
  it('yesterday and the week before are asked for once, and done by the worker', async () => {
    await t.rows(`update routes set created_at = clock_now() - interval '30 days'`);
    await t.moveClock('2 hours');
    const requested = await requestDueDays(t.deps);
    expect(requested).toBeGreaterThanOrEqual(6);
    expect(await requestDueDays(t.deps)).toBe(0);
    t.bank.registerOf = () => [];
    let done = 0;
    while ((await runNext(t.deps)) !== undefined) done += 1;
    expect(done).toBe(requested);
    expect((await ask('GET', '/reconciliations?limit=100')).body['items']).toHaveLength(requested);
  });

  it('a worker takes one day at a time, also when PostgreSQL takes the table for empty', async () => {
    await t.rows(`update routes set created_at = clock_now() - interval '30 days'`);
    await t.rows('analyze reconciliations');
    expect(await requestDueDays(t.deps)).toBeGreaterThan(1);
    expect(await t.deps.db.transaction((tx) => claimReconciliation(tx))).toBeDefined();
    expect(await t.rows('select 1 from reconciliations where lease_until > clock_now()')).toHaveLength(1);
  });

  it('a day before there was a route is not', async () => {
    await t.rows(`update routes set created_at = clock_now()`);
    expect(await requestDueDays(t.deps)).toBe(0);
  });
});

describe('the operator API', () => {
  it('400: a day that has not begun; 404: a route without a register; 401 without a token', async () => {
    expect((await reconcile('2100-01-01')).status).toBe(400);
    expect((await reconcile('yesterday')).body['details']).toEqual([{ field: 'date', message: 'must be a day such as 2026-11-22' }]);
    expect((await ask('POST', '/reconciliations', { date: today, routeId: 'nowhere' })).status).toBe(404);
    expect((await fetch(`http://127.0.0.1:${String(operatorApi.port)}/exceptions`)).status).toBe(401);
  });

  it('resolve: who and what is kept; of two one does; what is found again as it was stays resolved', async () => {
    const stranger = foreign();
    t.bank.operations.set(stranger.operationId, stranger);
    await reconcile();
    const [found] = await exceptions();
    const path = `/exceptions/${String(found?.['exceptionId'])}`;
    expect((await ask('POST', `${path}/settle`, { note: ' ' })).status).toBe(400);
    const resolve = (login: string) => ask('POST', `${path}/settle`, { note: 'A test order of the bank itself' }, login);
    const answers = await Promise.all([resolve('olga'), resolve('pavel')]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    const { body } = await ask('GET', path);
    expect(body).toMatchObject({
      status: 'RESOLVED',
      note: 'A test order of the bank itself',
      resolvedBy: expect.stringMatching(/^(olga|pavel)$/),
      resolvedAt: expect.any(String),
    });
    await reconcile();
    expect(await exceptions('&status=OPEN')).toEqual([]);
    // It changed: that is something new.
    stranger.status = 'DECLINED';
    await reconcile();
    expect(await exceptions('&status=OPEN')).toMatchObject([{ bank: { status: 'DECLINED' } }]);
  });

  it.each([[randomUUID()], ['none']])('404 NOT_FOUND: there is no exception %s', async (id) => {
    const note = 'A test order of the bank itself';
    const answers = [
      await ask('GET', `/exceptions/${id}`),
      await ask('POST', `/exceptions/${id}/settle`, { note }),
      await ask('POST', `/exceptions/${id}/read-back`),
    ];
    expect(answers.map(({ status, body }) => [status, body['code']])).toEqual([
      [404, 'NOT_FOUND'],
      [404, 'NOT_FOUND'],
      [404, 'NOT_FOUND'],
    ]);
  });

  it('read-back: the bank is asked, late money goes its ordinary way, the exception stays for a person', async () => {
    const { id } = await t.givenPayment({ amount: 50 });
    await t.rows(`update payments set status = 'EXPIRED', failure_code = 'SESSION_EXPIRED', next_read_at = null where payment_id = $1`, [
      id,
    ]);
    t.bank.change(id, { status: 'APPROVED' });
    await reconcile();
    const [found] = await exceptions();
    expect((await ask('POST', `/exceptions/${String(found?.['exceptionId'])}/read-back`)).status).toBe(200);
    expect(new Set((await exceptions()).map(({ kind }) => kind))).toEqual(new Set(['LATE_SUCCESS', 'STATE_MISMATCH']));
    expect(await t.rows('select amount_kopecks from money_returns where payment_id = $1', [id])).toEqual([{ amount_kopecks: '5000' }]);
  });

  it('the list goes page by page, and a token is good for its filter only', async () => {
    for (let count = 0; count < 3; count += 1) {
      const stranger = foreign();
      t.bank.operations.set(stranger.operationId, stranger);
    }
    await reconcile();
    const first = await ask('GET', '/exceptions?limit=2');
    const token = encodeURIComponent(String(first.body['nextPageToken']));
    const second = await ask('GET', `/exceptions?limit=2&pageToken=${token}`);
    const ids = [...(first.body['items'] as Json[]), ...(second.body['items'] as Json[])].map(({ exceptionId }) => exceptionId);
    expect([new Set(ids).size, second.body['nextPageToken']]).toEqual([3, null]);
    const oldest = await ask('GET', '/exceptions?order=oldest');
    expect((oldest.body['items'] as Json[]).map(({ exceptionId }) => exceptionId)).toEqual(ids.toReversed());
    expect((await ask('GET', `/exceptions?status=OPEN&pageToken=${token}`)).status).toBe(400);
  });

  it('the day of a partner as CSV: every payment and refund once, oldest first, how it compared, no formulas', async () => {
    const orderID = `-1:${randomUUID()}`;
    const { id, checkoutToken } = await t.givenPayment({ amount: 100.5, orderID });
    await t.pay(checkoutToken);
    const { body: refund } = await t.call('POST', `/api/card/${id}/refunds`, { body: { amount: '40.00', merchantRefundId: '=1+1' } });
    await t.givenPayment({ amount: 9 });
    await reconcile();
    const answer = await people.fetchAs(
      OPERATOR_AUDIENCE,
      'olga',
      `http://127.0.0.1:${String(operatorApi.port)}/partners/partner-1/operations.csv?date=${today}`,
    );
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    const lines = (await answer.text())
      .trimEnd()
      .split('\r\n')
      .map((line) => line.split(','));
    expect(lines.map((cells) => [cells[0], cells[1], cells[2], cells[7], cells[8], cells[9], cells[14]])).toEqual([
      ['type', 'orderId', 'merchantOrderId', 'status', 'amount', 'fee', 'reconciliation'],
      ['PAYMENT', id, orderID, 'COMPLETED', '100.50', '2.51', 'MATCHED'],
      ['REFUND', id, orderID, 'COMPLETED', '40.00', '', 'MATCHED'],
      ['PAYMENT', expect.any(String), expect.any(String), 'SUBMITTED', '9.00', '', 'IN_PROGRESS'],
    ]);
    expect(lines[2]?.slice(3, 5)).toEqual([refund['refundId'], `'=1+1`]);
    const other = await people.fetchAs(
      OPERATOR_AUDIENCE,
      'olga',
      `http://127.0.0.1:${String(operatorApi.port)}/partners/nobody/operations.csv?date=${today}`,
    );
    expect((await other.text()).split('\r\n')).toHaveLength(2);
  });

  it('the day of a partner as the spreadsheets of its reader take it (K8)', async () => {
    const { checkoutToken } = await t.givenPayment({ amount: 100.5 });
    await t.pay(checkoutToken);
    const answer = await people.fetchAs(
      OPERATOR_AUDIENCE,
      'olga',
      `http://127.0.0.1:${String(operatorApi.port)}/partners/partner-1/operations.csv?date=${today}`,
      { headers: { 'accept-language': 'ru' } },
    );
    const bytes = Buffer.from(await answer.arrayBuffer());
    expect(bytes.subarray(0, 3).toString('hex')).toBe('efbbbf');
    const [header, line] = bytes.subarray(3).toString().split('\r\n');
    expect(header).toMatch(/^type;orderId;merchantOrderId;/);
    expect(line?.split(';').slice(7, 10)).toEqual(['COMPLETED', '100,50', '2,51']);
  });

  it('more lines than a page: each once, in order', async () => {
    await t.rows(
      `insert into payments (payment_id, partner_id, payment_point_id, route_id, method, merchant_order_id, amount_kopecks, description,
        customer_id, fee_basis_points, status, form_token, expires_at, created_at)
      select gen_random_uuid(), 'partner-many', 'point-1', $1, 'CARD', 'order-' || n, n, 'x', 'b', 0, 'CREATED', 'many-' || n, clock_now(),
        clock_now() - n % 3 * interval '1 millisecond' from generate_series(1, 1203) n`,
      [SANDBOX_BANK],
    );
    const answer = await people.fetchAs(
      OPERATOR_AUDIENCE,
      'olga',
      `http://127.0.0.1:${String(operatorApi.port)}/partners/partner-many/operations.csv?date=${today}`,
    );
    const lines = (await answer.text())
      .trimEnd()
      .split('\r\n')
      .slice(1)
      .map((line) => line.split(','));
    expect(new Set(lines.map((cells) => cells[1])).size).toBe(1203);
    const moments = lines.map((cells) => cells[12] ?? '');
    expect(moments).toEqual(moments.toSorted());
  });
});

describe('any day, by model', () => {
  it('whatever is changed on the bank’s side, the totals’ difference is what the differences say, and a second run adds nothing', async () => {
    const fault = fc.constantFrom('none', 'amount', 'lost', 'declined', 'stranger');
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ kopecks: fc.integer({ min: 1, max: 100_000_00 }), fault }), {
          minLength: 1,
          maxLength: 8,
        }),
        async (payments) => {
          await t.rows(`update payments set created_at = '2020-01-01T12:00:00Z' where created_at > '2020-01-02'`);
          await t.rows('delete from exceptions');
          await t.rows('delete from reconciliation_items');
          t.bank.operations.clear();
          let difference = 0n;
          let differences = 0;
          for (const { kopecks, fault: kind } of payments) {
            const id = await givenPaid(kopecks / 100);
            if (kind !== 'none') differences += 1;
            if (kind === 'amount') {
              t.bank.change(id, { amountKopecks: String(kopecks + 1) });
              difference += 1n;
            } else if (kind === 'lost') {
              t.bank.operations.delete(id);
              difference -= BigInt(kopecks);
            } else if (kind === 'declined') {
              t.bank.change(id, { status: 'DECLINED' });
              difference -= BigInt(kopecks);
            } else if (kind === 'stranger') {
              const stranger = foreign({ amountKopecks: String(kopecks) });
              t.bank.operations.set(stranger.operationId, stranger);
              difference += BigInt(kopecks);
            }
          }
          await reconcile();
          await reconcile();
          const [row] = await t.rows('select bank_kopecks - our_kopecks as difference from reconciliations');
          expect(BigInt(String(row?.['difference']))).toBe(difference);
          expect(await exceptions()).toHaveLength(differences);
        },
      ),
      { numRuns: 12 },
    );
  });
});

describe('a payment of several cards', () => {
  it('is compared order by order: what the bank does not know, and money for a declined order, are found', async () => {
    const { partner, point } = await t.givenPartner({ cardAttempts: 3 });
    const { body } = await t.create({ paymentPointID: point }, { partner });
    const id = String(body['id']);
    const checkoutToken = String((await t.payment(id))['form_token']);
    for (const number of ['4000000000009995', '4000000000009995', '4111111111111111']) await t.pay(checkoutToken, { number });
    const paid = String((await t.payment(id))['operation_id']);
    const [, second] = await t.rows('select operation_id from declined_cards where payment_id = $1 order by attempt', [id]);
    expect(countsOf((await reconcile()).body)).toEqual({ MATCHED: 3 });
    expect(await exceptions()).toEqual([]);

    t.bank.change(id, { status: 'APPROVED' });
    t.bank.operations.delete(paid);
    t.bank.operations.delete(String(second?.['operation_id']));
    expect(countsOf((await reconcile()).body)).toEqual({ DIFFERENT_STATE: 1, MISSING_THERE: 2 });
    expect((await exceptions()).map(({ kind, paymentId }) => [kind, paymentId]).toSorted()).toEqual([
      ['MISSING_THERE', id],
      ['MISSING_THERE', id],
      ['STATE_MISMATCH', id],
    ]);

    const readBack = async (operationId: string) => {
      const found = (await exceptions()).find((one) => one['operationId'] === operationId);
      return (await ask('POST', `/exceptions/${String(found?.['exceptionId'])}/read-back`)).status;
    };
    expect([await readBack(id), await readBack(paid)]).toEqual([200, 200]);
    const returns = await t.rows('select operation_id, why from money_returns where payment_id = $1', [id]);
    expect(returns).toEqual([{ operation_id: id, why: 'PAID_TWICE' }]);
  });

  it('late money for a declined order while the payment was open, and for the last one after its end: both are known', async () => {
    const { partner, point } = await t.givenPartner({ cardAttempts: 2 });
    const { body } = await t.create({ paymentPointID: point }, { partner });
    const id = String(body['id']);
    const checkoutToken = String((await t.payment(id))['form_token']);
    await t.pay(checkoutToken, { number: '4000000000009995' });
    t.bank.change(id, { status: 'APPROVED' });
    await onBankNotification(t.deps, id);
    await t.pay(checkoutToken, { number: '4000000000009995' });
    const last = String((await t.payment(id))['operation_id']);
    t.bank.change(last, { status: 'APPROVED' });
    await onBankNotification(t.deps, last);
    expect((await exceptions()).map(({ kind }) => kind)).toEqual(['PAID_TWICE', 'PAID_TWICE']);
    expect(countsOf((await reconcile()).body)).toEqual({ MATCHED: 2 });
    expect(await exceptions()).toHaveLength(2);
  });
});
