import { randomBytes, randomUUID, randomUUIDv7 } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createOperationIds } from '@pay/shared/identities/operation-ids.ts';
import { listen, type Listener } from '@pay/shared/http/server.ts';
import { clock } from '@pay/shared/postgres/clock.ts';
import { dayOf } from '@pay/shared/time/day.ts';
import { testConsoleKey, type Somebody } from '../../../../../packages/shared/test/operators.ts';
import { workOff } from '../../../../../packages/shared/test/work-off.ts';
import { startTestApp, type Json, type TestApp } from '../../../test/app.ts';
import { gate, silence } from '../../../test/bank.ts';
import { SANDBOX_BANK } from '../../acquirers/connectors.ts';
import { lockProposal } from '../../db/proposal/proposals.ts';
import { createOperatorApp, OPERATOR_AUDIENCE } from '../../http/operator/app.ts';
import { readBack } from '../payment/read-back.ts';
import { laterOperationId } from '../order/later-operation-id.ts';
import { returnLateMoneyLoop } from '../money-return/return-late-money.ts';

/** What the bank did for a database that was restored to an earlier moment: orders and refunds that nobody here knows. */
let t: TestApp;
let operatorApi: Listener;
const people = testConsoleKey();
const finance = (login: string) => ({ login, role: 'finance' }) as const;

beforeAll(async () => {
  t = await startTestApp();
  operatorApi = await listen(createOperatorApp(t.deps, people.verifierOf(OPERATOR_AUDIENCE)), '127.0.0.1', 0);
});
afterAll(async () => {
  await operatorApi.drain(0);
  await t.close();
});
beforeEach(async () => {
  // Each test has the day for itself.
  for (const table of ['payments', 'refunds', 'money_returns'])
    await t.rows(`update ${table} set created_at = '2020-01-01T12:00:00Z' where created_at > '2020-01-02'`);
  await t.rows(`update declined_cards set sent_at = '2020-01-01T12:00:00Z', declined_at = '2020-01-01T12:00:00Z'`);
  for (const table of ['exceptions', 'reconciliations', 'reconciliation_items', 'one_person_totals']) await t.rows(`delete from ${table}`);
  await t.rows('update money_returns set next_attempt_at = null');
  t.bank.operations.clear();
  heldBefore = await held();
});

async function ask(who: Somebody, method: string, path: string, body?: unknown) {
  const url = `http://127.0.0.1:${String(operatorApi.port)}${path}`;
  const answer = await people.fetchAs(OPERATOR_AUDIENCE, who, url, { method, body });
  return { status: answer.status, body: (await answer.json()) as Json };
}
async function reconcile() {
  const date = dayOf(await clock(t.deps.db));
  const { body } = await ask('olga', 'POST', '/reconciliations', { date, routeId: SANDBOX_BANK });
  const counts = Object.entries(body['counts'] as Record<string, number>).filter(([, count]) => count > 0);
  return { difference: body['difference'], counts: Object.fromEntries(counts) };
}
/** The path of the exception that says that we do not know this operation. */
async function exceptionOf(operationId: string): Promise<string> {
  const { body } = await ask('olga', 'GET', '/exceptions?status=OPEN&kind=MISSING_HERE&limit=100');
  const found = (body['items'] as Json[]).find((one) => one['operationId'] === operationId);
  return `/exceptions/${String(found?.['exceptionId'])}`;
}
const open = async () => ((await ask('olga', 'GET', '/exceptions?status=OPEN&limit=100')).body['items'] as Json[]).length;

/** An id that this installation issued, and that its restored database has lost. */
const lostId = () => t.deps.operationIds.issue();

/** The bank took this for an order of which our books have nothing. */
function unknownOrder(amountKopecks: string, operationId: string = lostId()): string {
  const at = '2026-11-21T00:00:00.000Z';
  t.bank.operations.set(operationId, {
    operationId,
    bankOperationId: `bank-${randomUUID()}`,
    kind: 'ORDER',
    method: 'CARD',
    status: 'APPROVED',
    amountKopecks,
    currency: 'RUB',
    createdAt: at,
    updatedAt: at,
  });
  return operationId;
}
async function refundedAtBank(originalOperationId: string, amountKopecks: string, operationId: string = lostId()) {
  const headers = { authorization: `Bearer ${t.bank.apiKey}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ operationId, originalOperationId, amountKopecks });
  await fetch(`${t.bank.url}/v1/refunds`, { method: 'POST', headers, body });
  return operationId;
}
const refundsAtBank = () =>
  [...t.bank.operations.values()].filter(({ kind }) => kind === 'REFUND').map(({ status, amountKopecks }) => `${status} ${amountKopecks}`);
const held = async () =>
  Number((await t.rows(`select -sum(amount_kopecks) as held from ledger_entries where account = 'SUSPENSE'`))[0]?.['held']);
let heldBefore = 0;
/** Kopecks that the test left in suspense. */
const suspense = async () => (await held()) - heldBefore;
const returnsOf = (order: string) =>
  t.rows('select amount_kopecks, status from money_returns where payment_id = $1 order by amount_kopecks', [order]);

/** What the partner is told of a payment, in order. */
const eventsOf = async (paymentId: string) =>
  (await t.rows('select type from outbox where aggregate_id = $1 order by position', [paymentId])).map(({ type }) => type);

describe('an operation of another installation at the same terminal', () => {
  const another = createOperationIds(randomBytes(32));
  const order = () => ({ paymentPointID: 'point-1', merchantOrderId: randomUUID(), customerID: 'c', paymentMethod: 'CARD' });

  it.each([
    ['an order of its', () => unknownOrder('10000', another.issue())],
    ['an order of whoever else writes UUIDv7', () => unknownOrder('10000', randomUUIDv7())],
    [
      'its refund of a payment that we know',
      async () => {
        const { id, checkoutToken } = await t.givenPayment();
        await t.pay(checkoutToken);
        return refundedAtBank(id, '4000', another.issue());
      },
    ],
  ])('%s is shown, but offered neither for "Book" nor for "Return", nor in bulk; both are refused (engine 4.1)', async (_name, given) => {
    const operationId = await given();
    const lost = unknownOrder('500');
    await reconcile();
    const { body } = await ask('olga', 'GET', '/exceptions?status=OPEN&kind=MISSING_HERE&limit=100');
    const items = body['items'] as Json[];
    const found = items.find((one) => one['operationId'] === operationId);
    expect(found).toMatchObject({
      unknownOperation: null,
      reason: expect.stringContaining('leave it to whoever did'),
    });
    // Bulk acts on what is offered.
    expect(items.filter((one) => one['unknownOperation'] !== null).map((one) => one['operationId'])).toEqual([lost]);
    const path = await exceptionOf(operationId);
    expect((await ask('olga', 'GET', path)).body['unknownOperation']).toBeNull();
    const [asked, before] = [t.bank.calls.length, await open()];
    for (const [act, sent] of [
      ['book', { order: order() }],
      ['book', {}],
      ['return', undefined],
    ] as const) {
      const { status, body: refused } = await ask(finance('olga'), 'POST', `${path}/${act}`, sent);
      expect([status, refused['code'], refused['error']]).toEqual([404, 'NOT_FOUND', expect.stringContaining('did not issue')]);
    }
    expect([t.bank.calls.length, await open(), await suspense(), await returnsOf(operationId)]).toEqual([asked, before, 0, []]);
    // What this installation lost is offered as before.
    expect((await ask(finance('olga'), 'POST', `${await exceptionOf(lost)}/return`)).status).toBe(200);
  });

  it('whose return an earlier version had begun is not returned again (engine 4.1)', async () => {
    const operationId = another.issue();
    await t.rows(`insert into exceptions (kind, operation_id, route_id, reason) values ('RETURN_FAILED', $1, $2, 'declined')`, [
      operationId,
      SANDBOX_BANK,
    ]);
    const [row] = await t.rows('select exception_id from exceptions where operation_id = $1', [operationId]);
    const { status } = await ask(finance('olga'), 'POST', `/exceptions/${String(row?.['exception_id'])}/return`);
    expect([status, await returnsOf(operationId)]).toEqual([404, []]);
  });
});

it('every id that is sent to a bank says that it is ours: payments, codes, later orders, refunds and returns (engine 4.1)', async () => {
  const { id, checkoutToken } = await t.givenPayment();
  await t.pay(checkoutToken);
  const { body } = await t.call('POST', `/api/card/${id}/refunds`, { body: { amount: '1.00' } });
  const { partner, point } = await t.givenPartner({ paymentMethods: ['SBP_DYNAMIC_QR'] });
  const qr = await t.call('POST', '/api/qr', { partner, body: { amount: 500, paymentPointID: point } });
  await t.rows(`update payments set status = 'CANCELLED', failure_code = 'CANCELLED_BY_CUSTOMER' where payment_id = $1`, [qr.body['id']]);
  t.bank.change(String(qr.body['id']), { status: 'APPROVED' });
  await readBack(t.deps, String(qr.body['id']));
  const [returned] = await t.rows('select return_id from money_returns where payment_id = $1', [qr.body['id']]);
  const ids = [id, body['refundId'], qr.body['id'], laterOperationId(id, 2), laterOperationId(id, 3, 'SBP'), returned?.['return_id']];
  expect(ids.map((one) => t.deps.operationIds.isIssued(String(one)))).toEqual(ids.map(() => true));
});

describe('an open exception', () => {
  it('says which operation can be booked or returned: only one whose id is ours', async () => {
    const order = unknownOrder('10000');
    const refund = await refundedAtBank(order, '4000');
    await refundedAtBank(order, '1000', 'R-11');
    await reconcile();
    const { body } = await ask('olga', 'GET', '/exceptions?status=OPEN&limit=100');
    const said = (body['items'] as Json[]).map((one) => [one['operationId'], one['unknownOperation']]);
    expect(Object.fromEntries(said)).toEqual({
      [order]: { kind: 'PAYMENT', refunds: null },
      [refund]: { kind: 'REFUND', refunds: order },
      'R-11': null,
    });
    const path = await exceptionOf(order);
    expect((await ask('olga', 'GET', path)).body['unknownOperation']).toEqual({ kind: 'PAYMENT', refunds: null });
    expect((await ask('olga', 'POST', `${path}/return`)).body['unknownOperation']).toBe(null);
  });
});

describe('return: the money of an unknown order', () => {
  it('is booked to suspense and goes back to the buyer; then both sides agree', async () => {
    const order = unknownOrder('12345');
    expect(await reconcile()).toEqual({ difference: '123.45', counts: { MISSING_HERE: 1 } });
    const { status, body } = await ask('olga', 'POST', `${await exceptionOf(order)}/return`);
    expect([status, body]).toMatchObject([
      200,
      { status: 'RESOLVED', resolvedBy: 'olga', note: 'Booked to suspense; 123.45 RUB goes back to the buyer.' },
    ]);
    expect(await suspense()).toBe(12_345);
    await workOff(returnLateMoneyLoop(t.deps));
    expect([refundsAtBank(), await suspense()]).toEqual([['APPROVED 12345'], 0]);
    expect(await reconcile()).toEqual({ difference: '0.00', counts: { MATCHED: 2 } });
    expect(await open()).toBe(0);
  });

  it('409: another finding about an operation that our books have by now', async () => {
    const order = unknownOrder('800');
    await reconcile();
    const path = await exceptionOf(order);
    await ask('olga', 'POST', `${path}/return`);
    // A comparison that read our books before the return and raised its finding after it.
    await t.rows(
      `insert into exceptions (kind, operation_id, route_id, day, reason, finding) select kind, operation_id, route_id, day, reason, 'later' from exceptions where operation_id = $1`,
      [order],
    );
    for (const [act, body] of [
      ['return', undefined],
      ['book', { order: { paymentPointID: 'point-1', merchantOrderId: 'x', customerID: 'c', paymentMethod: 'CARD' } }],
    ] as const)
      expect((await ask('olga', 'POST', `${await exceptionOf(order)}/${act}`, body)).body['code']).toBe('STALE_REVISION');
    expect(await returnsOf(order)).toHaveLength(1);
  });

  it('is only what the bank has not refunded before: the rest is booked as returned', async () => {
    const order = unknownOrder('10000');
    const refund = await refundedAtBank(order, '4000');
    await reconcile();
    expect((await ask('olga', 'POST', `${await exceptionOf(refund)}/book`, {})).status).toBe(404);
    await ask('olga', 'POST', `${await exceptionOf(order)}/return`);
    await workOff(returnLateMoneyLoop(t.deps));
    expect([refundsAtBank(), await suspense(), await open()]).toEqual([['APPROVED 4000', 'APPROVED 6000'], 0, 0]);
    expect(await reconcile()).toEqual({ difference: '0.00', counts: { MATCHED: 3 } });
  });

  it('counts a refund from the bank’s cabinet, whose id is none of ours; then both sides agree', async () => {
    const order = unknownOrder('10000');
    await refundedAtBank(order, '4000', 'R-77');
    await reconcile();
    expect((await ask('olga', 'POST', `${await exceptionOf(order)}/return`)).status).toBe(200);
    await workOff(returnLateMoneyLoop(t.deps));
    expect([refundsAtBank(), await suspense(), await open()]).toEqual([['APPROVED 4000', 'APPROVED 6000'], 0, 0]);
    expect(await reconcile()).toEqual({ difference: '0.00', counts: { MATCHED: 3 } });
    expect(await open()).toBe(0);
  });

  it('goes back once, whoever asks at the same time, and never beside a booking', async () => {
    const order = unknownOrder('500');
    await reconcile();
    const path = await exceptionOf(order);
    const details = {
      paymentPointID: 'point-1',
      merchantOrderId: randomUUID(),
      customerID: 'c',
      paymentMethod: 'CARD',
    };
    const answers = await Promise.all([
      ask('olga', 'POST', `${path}/return`),
      ask('pavel', 'POST', `${path}/return`),
      ask('anna', 'POST', `${path}/book`, { order: details }),
    ]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409]);
    const booked = await t.rows('select 1 from payments where payment_id = $1', [order]);
    expect(booked.length + (await returnsOf(order)).length).toBe(1);
  });

  it('takes two people above the role’s limit', async () => {
    const order = unknownOrder('1000001');
    await reconcile();
    const path = await exceptionOf(order);
    const proposed = await ask(finance('olga'), 'POST', `${path}/return`);
    const proposal = proposed.body['proposal'] as Json;
    expect([proposed.status, proposal]).toMatchObject([202, { kind: 'RETURN', asked: { amount: '10000.01' } }]);
    expect([await returnsOf(order), await open()]).toEqual([[], 1]);
    const confirm = `/proposals/${String(proposal['proposalId'])}/confirm`;
    expect((await ask(finance('olga'), 'POST', confirm)).status).toBe(403);
    expect((await ask(finance('pavel'), 'POST', confirm)).body).toMatchObject({ status: 'CONFIRMED', decidedBy: 'pavel' });
    expect((await ask(finance('ivan'), 'POST', confirm)).status).toBe(409);
    expect(await returnsOf(order)).toEqual([{ amount_kopecks: '1000001', status: 'PENDING' }]);
  });

  it('409: a second person confirms the amount that was proposed, not what the bank names by then', async () => {
    const order = unknownOrder('1000001');
    await reconcile();
    const path = `${await exceptionOf(order)}/return`;
    const proposed = async () => (await ask(finance('olga'), 'POST', path)).body['proposal'] as Json;
    const confirm = async ({ proposalId }: Json) => ask(finance('pavel'), 'POST', `/proposals/${String(proposalId)}/confirm`);
    const first = await proposed();
    t.bank.change(order, { amountKopecks: '900000000' });
    expect(await confirm(first)).toMatchObject({ status: 409, body: { code: 'STALE_REVISION' } });
    expect([await returnsOf(order), await open(), await suspense()]).toEqual([[], 1, 0]);
    expect((await confirm(await proposed())).status).toBe(200);
    expect(await returnsOf(order)).toEqual([{ amount_kopecks: '900000000', status: 'PENDING' }]);
  });

  it('that the bank declines to give back stays in suspense, before a person', async () => {
    const order = unknownOrder('700');
    await reconcile();
    t.bank.refundVerdict = { status: 'DECLINED', reason: 'PROCESSING_ERROR' };
    await ask('olga', 'POST', `${await exceptionOf(order)}/return`);
    await workOff(returnLateMoneyLoop(t.deps));
    t.bank.refundVerdict = {};
    const { body } = await ask('olga', 'GET', '/exceptions?status=OPEN&kind=RETURN_FAILED');
    const [failed] = body['items'] as Json[];
    expect(failed).toMatchObject({ operationId: order, paymentId: null, bank: { amount: '7.00' } });
    expect(await suspense()).toBe(700);
    // A person refunds a part in the bank's cabinet, and the rest is returned again.
    await refundedAtBank(order, '300', 'R-78');
    await reconcile();
    const path = `/exceptions/${String(failed?.['exceptionId'])}/return`;
    const again = await Promise.all([ask('olga', 'POST', path), ask('pavel', 'POST', path)]);
    expect(again.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    await workOff(returnLateMoneyLoop(t.deps));
    expect([refundsAtBank(), await suspense(), await open()]).toEqual([['DECLINED 700', 'APPROVED 300', 'APPROVED 400'], 0, 0]);
    expect((await reconcile()).difference).toBe('0.00');
    expect(await open()).toBe(0);
  });

  it.each([
    ['a part of it', '4000', ['APPROVED 4000', 'DECLINED 10000', 'APPROVED 6000']],
    ['all of it', '10000', ['APPROVED 10000', 'DECLINED 10000']],
  ])(
    'ends well if somebody refunded %s in the bank’s cabinet since the comparison: what is back is booked',
    async (_what, amount, refunds) => {
      const order = unknownOrder('10000');
      await reconcile();
      await refundedAtBank(order, amount, `R-${amount}`);
      t.bank.interrupt('read-register', 'before', silence);
      await ask('olga', 'POST', `${await exceptionOf(order)}/return`);
      await workOff(returnLateMoneyLoop(t.deps));
      expect(await returnsOf(order)).toMatchObject([{ amount_kopecks: '10000', status: 'PENDING' }]);
      t.bank.interrupt('read-register', 'before', undefined);
      await t.rows('update money_returns set next_attempt_at = clock_now() where payment_id = $1', [order]);
      await workOff(returnLateMoneyLoop(t.deps));
      await workOff(returnLateMoneyLoop(t.deps));
      expect([refundsAtBank(), await suspense(), await open()]).toEqual([refunds, 0, 0]);
      expect((await reconcile()).difference).toBe('0.00');
      expect(await open()).toBe(0);
    },
  );

  const failedReturn = async () => {
    const { body } = await ask('olga', 'GET', '/exceptions?status=OPEN&kind=RETURN_FAILED');
    const [failed] = body['items'] as Json[];
    return `/exceptions/${String(failed?.['exceptionId'])}/return`;
  };

  it('is returned again as much as the exception says, whichever replica had the slower clock', async () => {
    const order = unknownOrder('10000');
    await reconcile();
    await refundedAtBank(order, '4000', 'R-81');
    await ask('olga', 'POST', `${await exceptionOf(order)}/return`);
    // The replica that opened it is ahead of the other: its id is the later one of both.
    await t.rows(`update money_returns set return_id = 'ffffffff-ffff-7fff-bfff-ffffffffffff' where payment_id = $1`, [order]);
    t.bank.refundVerdict = { status: 'DECLINED' };
    await workOff(returnLateMoneyLoop(t.deps));
    await workOff(returnLateMoneyLoop(t.deps));
    t.bank.refundVerdict = {};
    expect((await ask('olga', 'POST', await failedReturn())).status).toBe(200);
    expect(await returnsOf(order)).toContainEqual({ amount_kopecks: '6000', status: 'PENDING' });
    await workOff(returnLateMoneyLoop(t.deps));
    expect([refundsAtBank().at(-1), await suspense(), await open()]).toEqual(['APPROVED 6000', 0, 0]);
  });

  it('a replica that comes back with a decline does not end what another one has sent meanwhile', async () => {
    const order = unknownOrder('700');
    await reconcile();
    await ask('olga', 'POST', `${await exceptionOf(order)}/return`);
    const [frozen, answer] = [gate(), gate()];
    const register = t.bank.registerOf;
    t.bank.registerOf = () => [];
    t.bank.interrupt('read-register', 'before', frozen.interruption);
    t.bank.refundVerdict = { status: 'DECLINED' };
    const first = workOff(returnLateMoneyLoop(t.deps));
    await frozen.arrived;
    // A bank that refused for want of funds keeps nothing of it, and takes the same refund a minute later.
    for (const [id, { status }] of t.bank.operations) if (status === 'DECLINED') t.bank.operations.delete(id);
    t.bank.refundVerdict = {};
    await t.rows('update money_returns set next_attempt_at = clock_now() where payment_id = $1', [order]);
    t.bank.interrupt('refund', 'after', answer.interruption);
    const second = workOff(returnLateMoneyLoop(t.deps));
    await answer.arrived;
    frozen.open();
    await first;
    answer.open();
    await second;
    t.bank.interrupt('read-register', 'before', undefined);
    t.bank.interrupt('refund', 'after', undefined);
    t.bank.registerOf = register;
    expect(await returnsOf(order)).toEqual([{ amount_kopecks: '700', status: 'COMPLETED' }]);
    expect([await suspense(), await open()]).toEqual([0, 0]);
  });

  it.each([
    ['after', true],
    ['before', false],
  ])(
    'is booked once if the bank carried out what it had declined, and it is returned again %s that is compared',
    async (_when, isCompared) => {
      const order = unknownOrder('700');
      await reconcile();
      t.bank.refundVerdict = { status: 'DECLINED' };
      await ask('olga', 'POST', `${await exceptionOf(order)}/return`);
      await workOff(returnLateMoneyLoop(t.deps));
      t.bank.refundVerdict = {};
      for (const { operationId, kind } of t.bank.operations.values())
        if (kind === 'REFUND') t.bank.change(operationId, { status: 'APPROVED' });
      // Nothing more is given back.
      if (!isCompared) t.bank.refundVerdict = { status: 'DECLINED' };
      const path = await failedReturn();
      if (isCompared) await reconcile();
      expect((await ask('olga', 'POST', path)).status).toBe(200);
      await workOff(returnLateMoneyLoop(t.deps));
      t.bank.refundVerdict = {};
      expect([refundsAtBank()[0], await suspense()]).toEqual(['APPROVED 700', 0]);
      expect((await returnsOf(order)).filter(({ status }) => status !== 'FAILED')).toHaveLength(1);
      expect((await reconcile()).difference).toBe('0.00');
    },
  );

  it('counts a refund that the bank made on an earlier day; then both sides agree on both days', async () => {
    const [today, yesterday] = [await clock(t.deps.db), new Date((await clock(t.deps.db)).getTime() - 86_400_000)].map(dayOf);
    const order = unknownOrder('10000');
    await refundedAtBank(order, '4000', 'R-82');
    const earlier = new Set(t.bank.operations.values());
    const register = t.bank.registerOf;
    t.bank.registerOf = (day) => [...t.bank.operations.values()].filter((operation) => (day === yesterday) === earlier.has(operation));
    const compare = async (date: string | undefined) =>
      (await ask('olga', 'POST', '/reconciliations', { date, routeId: SANDBOX_BANK })).body['difference'];
    expect(await compare(yesterday)).toBe('60.00');
    await ask('olga', 'POST', `${await exceptionOf(order)}/return`);
    await workOff(returnLateMoneyLoop(t.deps));
    const differences = [await compare(yesterday), await compare(today)];
    t.bank.registerOf = register;
    expect([differences, await suspense(), await open()]).toEqual([['0.00', '0.00'], 0, 0]);
  });

  it('404, 409, 503: what is not ours, what took no money, and a bank that does not answer change nothing', async () => {
    const [foreign, declined, silent] = [unknownOrder('100', randomUUID()), unknownOrder('200'), unknownOrder('300')];
    await reconcile();
    t.bank.change(declined, { status: 'DECLINED' });
    const statuses = [];
    for (const order of [foreign, declined]) {
      const { status, body } = await ask('olga', 'POST', `${await exceptionOf(order)}/return`);
      statuses.push([status, body['code']]);
    }
    t.bank.interrupt('read', 'before', silence);
    const { status, body } = await ask('olga', 'POST', `${await exceptionOf(silent)}/return`);
    t.bank.interrupt('read', 'before', undefined);
    expect([...statuses, [status, body['code']]]).toEqual([
      [404, 'NOT_FOUND'],
      [409, 'REFUND_NOT_ALLOWED'],
      [503, 'OUTCOME_UNKNOWN'],
    ]);
    expect(await open()).toBe(3);
    expect(await t.rows('select 1 from money_returns where payment_id = any($1)', [[foreign, declined, silent]])).toEqual([]);
  });
});

describe('book: what the bank did is ours', () => {
  it('a payment is COMPLETED under its old id, and the partner is told and may refund it', async () => {
    const order = unknownOrder('9900');
    await reconcile();
    const path = await exceptionOf(order);
    expect((await ask('olga', 'POST', `${path}/book`, {})).body['details']).toEqual([
      { field: 'order', message: 'is required for a payment' },
    ]);
    const details = {
      paymentPointID: 'point-1',
      merchantOrderId: randomUUID(),
      customerID: 'c-1',
      paymentMethod: 'CARD',
    };
    const { status, body } = await ask('olga', 'POST', `${path}/book`, { order: details });
    expect([status, body]).toMatchObject([200, { status: 'RESOLVED', note: 'Booked as the bank has it.' }]);
    expect((await t.read(order)).body).toMatchObject({
      status: 'COMPLETED',
      amount: 99,
      orderID: details.merchantOrderId,
    });
    expect(await eventsOf(order)).toEqual(['payment.completed']);
    expect(await reconcile()).toEqual({ difference: '0.00', counts: { MATCHED: 1 } });
    expect((await t.call('POST', `/api/card/${order}/refunds`, { body: { amount: '9.00' } })).status).toBe(201);
  });

  it('a partner cannot cancel a payment that is stored and not yet booked', async () => {
    const order = unknownOrder('9900');
    await reconcile();
    const details = {
      paymentPointID: 'point-1',
      merchantOrderId: randomUUID(),
      customerID: 'c',
      paymentMethod: 'CARD',
    };
    await t.rows(`create function refuse() returns trigger language plpgsql as $$ begin raise exception 'gone'; end $$`);
    await t.rows('create trigger refuse before insert on outbox for each row execute function refuse()');
    const { status } = await ask('olga', 'POST', `${await exceptionOf(order)}/book`, { order: details });
    await t.rows('drop trigger refuse on outbox');
    const cancelled = await t.call('POST', `/api/card/${order}/cancel`);
    expect([status, cancelled.status, t.bank.operations.get(order)?.status]).toEqual([500, 409, 'APPROVED']);
  });

  it('409 DUPLICATE_ORDER: the partner has repeated the order since; the exception stays open', async () => {
    const order = unknownOrder('100');
    const { orderID } = await t.givenPayment();
    await reconcile();
    const path = await exceptionOf(order);
    const details = { paymentPointID: 'point-1', merchantOrderId: orderID, customerID: 'c', paymentMethod: 'CARD' };
    expect((await ask('olga', 'POST', `${path}/book`, { order: details })).body['code']).toBe('DUPLICATE_ORDER');
    expect((await ask('olga', 'GET', path)).body['status']).toBe('OPEN');
  });

  it('a payment above the role’s limit takes two people, and the audit log says whom it credits; a small one takes one', async () => {
    const [large, small] = [unknownOrder('1000001'), unknownOrder('1000000')];
    await reconcile();
    const orderOf = () => ({ paymentPointID: 'point-1', merchantOrderId: randomUUID(), customerID: 'customer-7', paymentMethod: 'CARD' });
    const order = orderOf();
    const proposed = await ask(finance('olga'), 'POST', `${await exceptionOf(large)}/book`, { order });
    const proposal = proposed.body['proposal'] as Json;
    expect([proposed.status, proposal]).toMatchObject([202, { kind: 'BOOK', asked: { amount: '10000.01', order } }]);
    expect([(await t.read(large)).status, await open()]).toEqual([404, 2]);
    const confirm = `/proposals/${String(proposal['proposalId'])}/confirm`;
    expect((await ask(finance('olga'), 'POST', confirm)).status).toBe(403);
    expect((await ask(finance('pavel'), 'POST', confirm)).body).toMatchObject({ status: 'CONFIRMED', decidedBy: 'pavel' });
    expect((await ask(finance('ivan'), 'POST', confirm)).status).toBe(409);
    expect((await t.read(large)).body).toMatchObject({ status: 'COMPLETED', orderID: order.merchantOrderId });
    const { body } = await ask('olga', 'GET', `/actions?subjectId=${large}`);
    const { merchantOrderId } = order;
    expect(body['items']).toMatchObject([
      {
        operator: 'pavel',
        action: 'exception.book',
        after: { partnerId: expect.any(String), paymentPointId: 'point-1', merchantOrderId, method: 'CARD', amount: '10000.01' },
      },
    ]);
    expect((await t.rows(`select 1 from operator_actions where after::text like '%customer-7%'`)).length).toBe(0);
    expect((await ask(finance('olga'), 'POST', `${await exceptionOf(small)}/book`, { order: orderOf() })).status).toBe(200);
  });

  it('409: a second person confirms the amount that was proposed, not what the bank names by then', async () => {
    const paid = unknownOrder('1000001');
    await reconcile();
    const order = { paymentPointID: 'point-1', merchantOrderId: randomUUID(), customerID: 'c', paymentMethod: 'CARD' };
    const proposed = await ask(finance('olga'), 'POST', `${await exceptionOf(paid)}/book`, { order });
    t.bank.change(paid, { amountKopecks: '900000000' });
    const confirm = `/proposals/${String((proposed.body['proposal'] as Json)['proposalId'])}/confirm`;
    expect(await ask(finance('pavel'), 'POST', confirm)).toMatchObject({ status: 409, body: { code: 'STALE_REVISION' } });
    expect([(await t.read(paid)).status, await open()]).toEqual([404, 1]);
  });

  it('400: a point without the route that took the money', async () => {
    const order = unknownOrder('100');
    await reconcile();
    const path = await exceptionOf(order);
    const details = {
      paymentPointID: 'point-1',
      merchantOrderId: randomUUID(),
      customerID: 'c',
      paymentMethod: 'CARD',
    };
    await t.rows(`insert into routes (route_id, connector) values ('another', 'sandbox-bank')`);
    await t.rows(`update payment_points set route_id = 'another' where payment_point_id = 'point-1'`);
    const { status, body } = await ask('olga', 'POST', `${path}/book`, { order: details });
    await t.rows(`update payment_points set route_id = $1 where payment_point_id = 'point-1'`, [SANDBOX_BANK]);
    expect([status, body['details']]).toEqual([
      400,
      [{ field: 'order.paymentPointID', message: 'does not take this method over the route sandbox-bank' }],
    ]);
  });

  it('a refund of a payment that we know is COMPLETED under its old id, once', async () => {
    const { id, checkoutToken } = await t.givenPayment({ amount: 100 });
    await t.pay(checkoutToken);
    const refund = await refundedAtBank(id, '4000');
    expect(await reconcile()).toEqual({ difference: '-40.00', counts: { MATCHED: 1, MISSING_HERE: 1 } });
    const path = await exceptionOf(refund);
    const answers = await Promise.all([ask('olga', 'POST', `${path}/book`, {}), ask('pavel', 'POST', `${path}/book`, {})]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    expect((await t.call('GET', `/api/refunds/${refund}`)).body).toMatchObject({ status: 'COMPLETED', amount: '40.00' });
    expect(await eventsOf(id)).toEqual(['payment.completed', 'refund.pending', 'refund.completed']);
    expect(await reconcile()).toEqual({ difference: '0.00', counts: { MATCHED: 2 } });
    const more = await t.call('POST', `/api/card/${id}/refunds`, { body: { amount: '60.01' } });
    expect([more.status, more.body['code']]).toEqual([409, 'REFUND_AMOUNT_EXCEEDED']);
  });

  it('a refund is booked with the partner’s number: a partner that repeats it finds it; a used number is 409', async () => {
    const { id, checkoutToken } = await t.givenPayment({ amount: 100 });
    await t.pay(checkoutToken);
    const [refund, other] = [await refundedAtBank(id, '4000'), await refundedAtBank(id, '1000')];
    await reconcile();
    const numbered = { merchantRefundId: `r-${id}` };
    expect((await ask('olga', 'POST', `${await exceptionOf(refund)}/book`, numbered)).status).toBe(200);
    expect((await ask('olga', 'POST', `${await exceptionOf(other)}/book`, numbered)).body['code']).toBe('DUPLICATE_ORDER');
    const repeated = await t.call('POST', `/api/card/${id}/refunds`, { body: { amount: '40.00', ...numbered } });
    expect([repeated.status, repeated.body]).toMatchObject([409, { code: 'DUPLICATE_ORDER', refundId: refund }]);
    const order = unknownOrder('100');
    await reconcile();
    const details = {
      paymentPointID: 'point-1',
      merchantOrderId: randomUUID(),
      customerID: 'c',
      paymentMethod: 'CARD',
    };
    const wrong = await ask('olga', 'POST', `${await exceptionOf(order)}/book`, { order: details, ...numbered });
    expect(wrong.body['details']).toEqual([{ field: 'merchantRefundId', message: 'is for a refund' }]);
  });

  it('a payment whose third card paid is booked under the id that the partner has, with the cards before it', async () => {
    const id = lostId();
    const [second, third] = [laterOperationId(id, 2), laterOperationId(id, 3)];
    for (const declined of [id, second]) {
      unknownOrder('500', declined);
      t.bank.change(declined, { status: 'DECLINED', reason: 'INSUFFICIENT_FUNDS' });
    }
    unknownOrder('500', third);
    await reconcile();
    const path = await exceptionOf(third);
    const order = { paymentPointID: 'point-1', merchantOrderId: randomUUID(), customerID: 'c', paymentMethod: 'CARD' };
    const wrong = await ask('olga', 'POST', `${path}/book`, { order: { ...order, paymentId: randomUUIDv7() } });
    expect(wrong.body['details']).toEqual([{ field: 'order.paymentId', message: 'is not the payment of this operation' }]);
    const named = { order: { ...order, paymentId: id } };
    t.bank.change(second, { status: 'APPROVED' });
    expect((await ask('olga', 'POST', `${path}/book`, named)).body['code']).toBe('REFUND_NOT_ALLOWED');
    t.bank.change(second, { status: 'DECLINED' });
    expect((await ask('olga', 'POST', `${path}/book`, named)).status).toBe(200);
    expect((await t.read(id)).body).toMatchObject({ status: 'COMPLETED', orderID: order.merchantOrderId });
    expect(await reconcile()).toEqual({ difference: '0.00', counts: { MATCHED: 3 } });
    const refunded = await t.call('POST', `/api/card/${id}/refunds`, { body: { amount: '5.00' } });
    expect([refunded.status, refundsAtBank()]).toEqual([201, ['APPROVED 500']]);
  });

  it('409: our books have the payment, without the card that paid', async () => {
    const { id } = await t.givenPayment({ amount: 5 });
    t.bank.change(id, { status: 'DECLINED', reason: 'INSUFFICIENT_FUNDS' });
    const paid = unknownOrder('500', laterOperationId(id, 2));
    await reconcile();
    const order = { paymentPointID: 'point-1', merchantOrderId: randomUUID(), customerID: 'c', paymentMethod: 'CARD', paymentId: id };
    const { body } = await ask('olga', 'POST', `${await exceptionOf(paid)}/book`, { order });
    expect(body['code']).toBe('STALE_REVISION');
  });
});

describe('two second persons who confirm the same list at once', () => {
  const details = () => ({ paymentPointID: 'point-1', merchantOrderId: randomUUID(), customerID: 'c', paymentMethod: 'CARD' });

  it('each proposal is carried out once, and each of the two is told which ones were the other’s', async () => {
    const returned = [unknownOrder('1000001'), unknownOrder('1000002')];
    const booked = [unknownOrder('1000003'), unknownOrder('1000004')];
    await reconcile();
    const proposals: string[] = [];
    for (const order of [...returned, ...booked]) {
      const [act, body] = booked.includes(order) ? ['book', { order: details() }] : ['return', undefined];
      const answer = await ask(finance('olga'), 'POST', `${await exceptionOf(order)}/${act}`, body);
      proposals.push(String((answer.body['proposal'] as Json)['proposalId']));
    }
    // As the console does it: one after the other, in the order of the list. Both have read the proposal before one is first.
    for (const proposalId of proposals) {
      const both = await t.deps.db.transaction(async (tx) => {
        await lockProposal(tx, proposalId);
        const confirm = (login: string) => ask(finance(login), 'POST', `/proposals/${proposalId}/confirm`);
        const sent = [confirm('ivan'), confirm('pavel')];
        await t.untilBlocked(2);
        return sent;
      });
      const [first, second] = (await Promise.all(both)).toSorted((a, b) => a.status - b.status);
      expect([first?.status, first?.body['status']]).toEqual([200, 'CONFIRMED']);
      expect(second).toMatchObject({ status: 409, body: { code: 'STALE_REVISION', error: 'this proposal is decided, or too old' } });
    }
    await workOff(returnLateMoneyLoop(t.deps));
    expect(refundsAtBank().toSorted()).toEqual(['APPROVED 1000001', 'APPROVED 1000002']);
    expect(await t.rows('select amount_kopecks, status from payments where payment_id = any($1) order by 1', [booked])).toEqual([
      { amount_kopecks: '1000003', status: 'COMPLETED' },
      { amount_kopecks: '1000004', status: 'COMPLETED' },
    ]);
    for (const order of booked) expect(await eventsOf(order)).toEqual(['payment.completed']);
    expect([await suspense(), await open(), await reconcile()]).toMatchObject([0, 0, { difference: '0.00' }]);
  });
});

describe('what one person books or returns alone on a day counts together', () => {
  const orderOf = (paymentPointID: string) => ({
    order: { paymentPointID, merchantOrderId: randomUUID(), customerID: 'c', paymentMethod: 'CARD' },
  });
  const book = async (who: Somebody, order: string, point = 'point-1') =>
    ask(who, 'POST', `${await exceptionOf(order)}/book`, orderOf(point));

  it('for one partner, up to the limit; another person, another partner and another day have a sum of their own', async () => {
    const [first, second, third, elsewhere] = ['600000', '400001', '400000', '900000'].map((amount) => unknownOrder(amount)) as [
      string,
      string,
      string,
      string,
    ];
    await reconcile();
    await t.rows(`insert into stores (store_id, partner_id, name) values ('store-x', 'partner-x', 'X')`);
    await t.rows(
      `insert into payment_points (payment_point_id, store_id, partner_id, name, payment_methods, route_id) select 'point-x', 'store-x', 'partner-x', name, payment_methods, route_id from payment_points where payment_point_id = 'point-1'`,
    );
    expect((await book(finance('olga'), first)).status).toBe(200);
    const above = await book(finance('olga'), second);
    expect([above.status, above.body['proposal']]).toMatchObject([202, { kind: 'BOOK', asked: { amount: '4000.01' } }]);
    expect((await book(finance('olga'), elsewhere, 'point-x')).status).toBe(200);
    expect((await book(finance('pavel'), second)).status).toBe(200);
    expect((await book(finance('olga'), third)).status).toBe(200);
    const next = unknownOrder('1');
    await reconcile();
    expect((await book(finance('olga'), next)).status).toBe(202);
    await t.rows(`update one_person_totals set day = day - 1`);
    expect((await book(finance('olga'), next)).status).toBe(200);
  });

  it('of two at once that are within the limit only one by one, the second is proposed', async () => {
    const [one, other] = [unknownOrder('600000'), unknownOrder('600000')];
    await reconcile();
    const paths = [await exceptionOf(one), await exceptionOf(other)];
    const answers = await Promise.all(paths.map((path) => ask(finance('olga'), 'POST', `${path}/return`)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 202]);
    expect([await suspense(), await open()]).toEqual([600_000, 1]);
  });

  it('without what a second person confirmed, and a proposal asked for again is the same one', async () => {
    const [large, small] = [unknownOrder('1000001'), unknownOrder('1000000')];
    await reconcile();
    const path = `${await exceptionOf(large)}/return`;
    const answers = await Promise.all([ask(finance('olga'), 'POST', path), ask(finance('ivan'), 'POST', path)]);
    const [proposal, ...more] = new Set(answers.map(({ body }) => (body['proposal'] as Json)['proposalId']));
    expect(more).toEqual([]);
    expect((await ask(finance('pavel'), 'POST', `/proposals/${String(proposal)}/confirm`)).status).toBe(200);
    expect((await ask(finance('pavel'), 'POST', `${await exceptionOf(small)}/return`)).status).toBe(200);
  });
});
