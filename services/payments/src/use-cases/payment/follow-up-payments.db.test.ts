import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { workOff } from '../../../../../packages/shared/test/work-off.ts';
import { startTestApp, type TestApp } from '../../../test/app.ts';
import { silence, type BankCall } from '../../../test/bank.ts';
import { claimDuePayments } from '../../db/payment/payments.ts';
import { readTrialBalance } from '../../db/ledger/ledger.ts';
import { returnLateMoneyLoop } from '../money-return/return-late-money.ts';

let t: TestApp;
beforeAll(async () => {
  t = await startTestApp();
});
afterAll(() => t.close());
// Each test has the worker to itself: what others left is not due.
beforeEach(() => t.rows('update payments set next_read_at = null'));
afterEach(() => {
  t.bank.verdict = {};
  t.bank.refundVerdict = {};
  for (const call of ['register', 'authorize', 'read', 'cancel', 'refund'] as BankCall[]) {
    t.bank.interrupt(call, 'before', undefined);
    t.bank.interrupt(call, 'after', undefined);
  }
});

const statusOf = async (id: string) => (await t.payment(id))['status'];
/** Seconds from the database's now until the worker looks again. */
const dueIn = async (id: string) => {
  const [row] = await t.rows(
    'select round(extract(epoch from next_read_at - clock_now())) as seconds from payments where payment_id = $1',
    [id],
  );
  return row?.['seconds'] === null ? null : Number(row?.['seconds']);
};
const due = (id: string) => t.rows('update payments set next_read_at = clock_now() where payment_id = $1', [id]);
const givenPending = async () => {
  t.bank.interrupt('authorize', 'after', silence);
  const payment = await t.givenPayment();
  await t.pay(payment.checkoutToken);
  t.bank.interrupt('authorize', 'after', undefined);
  return payment;
};
const balances = async () =>
  (await readTrialBalance(t.deps.db)).map(({ account, owner, balanceKopecks }) => [account, owner, balanceKopecks]);

describe('read-back of an unknown outcome', () => {
  it('is due after seconds, a minute, an hour, by the plan; never guessed', () =>
    t.withStoppedClock(async () => {
      const { id } = await givenPending();
      t.bank.interrupt('read', 'before', silence);
      const pauses = [await dueIn(id)];
      // Few of them: reads without an answer close the route.
      for (const readCount of [3, 9, 12]) {
        await t.rows('update payments set read_count = $2 where payment_id = $1', [id, readCount]);
        await due(id);
        await t.work();
        pauses.push(await dueIn(id));
      }
      const near = (seconds: number) => (value: number | null | undefined) =>
        value !== null && value !== undefined && Math.abs(value - seconds) <= Math.min(5, seconds);
      expect([1, 8, 60, 3_600].filter((seconds, index) => !near(seconds)(pauses[index]))).toEqual([]);
      expect([await statusOf(id), await t.messages(id)]).toEqual(['PENDING', []]);
    }));

  it('that the bank calls undecided is asked for after 8 s, then after a minute', () =>
    t.withStoppedClock(async () => {
      t.bank.verdict = { status: 'PENDING' };
      const { id, checkoutToken } = await t.givenPayment();
      await t.pay(checkoutToken);
      const first = Number(await dueIn(id));
      await due(id);
      await t.work();
      expect([first > 4 && first <= 8, Number(await dueIn(id)) > 50]).toEqual([true, true]);
    }));

  it('two workers at once: each due payment is claimed by one', async () => {
    const ids = (await Promise.all(Array.from({ length: 6 }, () => t.givenPayment()))).map(({ id }) => id);
    await Promise.all(ids.map(due));
    const routeId = String((await t.payment(ids[0]))['route_id']);
    const claims: string[][] = [];
    await t.deps.db.transaction(async (first) => {
      claims.push(await claimDuePayments(first, routeId, 3));
      await t.deps.db.transaction(async (second) => {
        claims.push(await claimDuePayments(second, routeId, 10));
      });
    });
    expect(claims.map((claim) => claim.length)).toEqual([3, 3]);
    expect(new Set(claims.flat())).toEqual(new Set(ids));
  });

  it('a worker that dies after its claim loses a minute, nothing else', async () => {
    const { id } = await givenPending();
    await due(id);
    const routeId = String((await t.payment(id))['route_id']);
    await t.deps.db.transaction((tx) => claimDuePayments(tx, routeId, 10));
    expect(await dueIn(id)).toBeGreaterThan(50);
    await due(id);
    await t.work();
    expect(await statusOf(id)).toBe('COMPLETED');
  });
});

describe('the end of a session', () => {
  const endSession = async (id: string) => {
    await t.rows('update payments set expires_at = clock_now(), next_read_at = clock_now() where payment_id = $1', [id]);
  };

  it('a new payment is looked at when its session ends', async () => {
    const { id } = await t.givenPayment();
    const [row] = await t.rows('select next_read_at = expires_at as same from payments where payment_id = $1', [id]);
    expect(row?.['same']).toBe(true);
  });

  it('nobody paid: read, withdrawn at the bank, EXPIRED, payment.failed with SESSION_EXPIRED, never looked at again', async () => {
    const { id, checkoutToken } = await t.givenPayment();
    await endSession(id);
    expect(await t.pay(checkoutToken)).toBe('not-payable');
    await t.work();
    expect(await t.payment(id)).toMatchObject({
      status: 'EXPIRED',
      failure_code: 'SESSION_EXPIRED',
      next_read_at: null,
    });
    const calls = t.bank.calls.filter(({ operationId }) => operationId === id).map(({ call }) => call);
    expect(calls).toEqual(['register', 'read', 'cancel']);
    expect((await t.messages(id)).map(({ payload }) => [payload['status'], payload['failureCode']])).toEqual([
      ['EXPIRED', 'SESSION_EXPIRED'],
    ]);
  });

  it('the bank does not answer the last read: it does not expire', async () => {
    const { id } = await t.givenPayment();
    await endSession(id);
    t.bank.interrupt('read', 'before', silence);
    await t.work();
    expect([await statusOf(id), await t.messages(id)]).toEqual(['SUBMITTED', []]);
    t.bank.interrupt('read', 'before', undefined);
    await due(id);
    await t.work();
    expect(await statusOf(id)).toBe('EXPIRED');
  });

  it('the last read finds the money: COMPLETED', async () => {
    const { id } = await givenPending();
    await endSession(id);
    await t.work();
    expect(await statusOf(id)).toBe('COMPLETED');
  });

  it('money that came between the last read and the withdrawal: COMPLETED', async () => {
    t.bank.verdict = { status: 'THREE_DS_REQUIRED', acsUrl: 'https://bank.example/3ds' };
    const { id, checkoutToken } = await t.givenPayment();
    await t.pay(checkoutToken);
    await endSession(id);
    t.bank.interrupt('cancel', 'before', ({ respond }) => {
      t.bank.change(id, { status: 'APPROVED' });
      respond();
    });
    await t.work();
    expect(await statusOf(id)).toBe('COMPLETED');
  });

  it('a payment that never reached the bank expires when the bank says that it does not know it', async () => {
    t.bank.interrupt('register', 'before', silence);
    const { body } = await t.create();
    t.bank.interrupt('register', 'before', undefined);
    const id = String(body['id']);
    await endSession(id);
    await t.work();
    expect(await t.payment(id)).toMatchObject({ status: 'EXPIRED', bank_operation_id: null });
  });

  it('the clock of the database decides: an hour later every open session is over', async () => {
    const app = await startTestApp();
    try {
      const { id, checkoutToken } = await app.givenPayment();
      await app.moveClock('59 minutes');
      await app.work();
      expect((await app.payment(id))['status']).toBe('SUBMITTED');
      await app.moveClock('1 minute');
      expect(await app.pay(checkoutToken)).toBe('not-payable');
      await app.work();
      expect((await app.payment(id))['status']).toBe('EXPIRED');
    } finally {
      await app.close();
    }
  });
});

describe('money after the end (E18)', () => {
  /** EXPIRED while the bank was still working on the card. */
  const givenExpired = async () => {
    t.bank.verdict = { status: 'PENDING' };
    const { id, checkoutToken } = await t.givenPayment({ amount: 50 });
    await t.pay(checkoutToken);
    await t.rows('update payments set expires_at = clock_now(), next_read_at = clock_now() where payment_id = $1', [id]);
    await t.work();
    return id;
  };

  it('is found, kept apart, and given back; the state stays, no second event, the ledger ends where it began', async () => {
    const before = await balances();
    const id = await givenExpired();
    expect([await statusOf(id), await dueIn(id)]).toEqual(['EXPIRED', expect.any(Number)]);
    t.bank.change(id, { status: 'APPROVED' });
    await due(id);
    await t.work();
    expect(await t.payment(id)).toMatchObject({ status: 'EXPIRED', next_read_at: null, ledger_transaction_id: null });
    expect(await t.messages(id)).toHaveLength(1);
    expect(await t.rows('select kind, status, bank_amount_kopecks from exceptions where payment_id = $1', [id])).toEqual([
      { kind: 'LATE_SUCCESS', status: 'OPEN', bank_amount_kopecks: '5000' },
    ]);
    expect(await balances()).toContainEqual(['SUSPENSE', 'house', -5_000n]);

    await workOff(returnLateMoneyLoop(t.deps));
    const [returned] = await t.rows('select return_id, status from money_returns where payment_id = $1', [id]);
    expect(returned?.['status']).toBe('COMPLETED');
    expect(t.bank.operations.get(String(returned?.['return_id']))).toMatchObject({
      kind: 'REFUND',
      amountKopecks: '5000',
    });
    expect(await balances()).toEqual(before);
  });

  it('the answer to the refund is lost: read back, paid back once', async () => {
    const id = await givenExpired();
    t.bank.change(id, { status: 'APPROVED' });
    await due(id);
    await t.work();
    t.bank.interrupt('refund', 'after', silence);
    await workOff(returnLateMoneyLoop(t.deps));
    t.bank.interrupt('refund', 'after', undefined);
    const [waiting] = await t.rows('select status, attempt_count from money_returns where payment_id = $1', [id]);
    expect(waiting).toEqual({ status: 'PENDING', attempt_count: 1 });
    await t.rows('update money_returns set next_attempt_at = clock_now() where payment_id = $1', [id]);
    await workOff(returnLateMoneyLoop(t.deps));
    const [returned] = await t.rows('select return_id, status from money_returns where payment_id = $1', [id]);
    expect(returned?.['status']).toBe('COMPLETED');
    const refunds = t.bank.calls.filter(({ operationId }) => operationId === returned?.['return_id']);
    expect(refunds.map(({ call }) => call)).toEqual(['refund', 'read']);
    expect([...t.bank.operations.keys()].filter((key) => key === returned?.['return_id'])).toHaveLength(1);
  });

  it('the bank refuses the refund: FAILED, an exception for a person, the money stays in suspense', async () => {
    const id = await givenExpired();
    t.bank.change(id, { status: 'APPROVED' });
    await due(id);
    await t.work();
    t.bank.refundVerdict = { status: 'DECLINED', reason: 'PROCESSING_ERROR' };
    await workOff(returnLateMoneyLoop(t.deps));
    expect(await t.rows('select status from money_returns where payment_id = $1', [id])).toEqual([{ status: 'FAILED' }]);
    const kinds = (await t.rows('select kind from exceptions where payment_id = $1 order by kind', [id])).map(({ kind }) => kind);
    expect(kinds).toEqual(['LATE_SUCCESS', 'RETURN_FAILED']);
    expect(await balances()).toContainEqual(['SUSPENSE', 'house', -5_000n]);
  });

  it('the bank says no after all: nothing changes, and nobody asks again', async () => {
    const id = await givenExpired();
    t.bank.change(id, { status: 'DECLINED', reason: 'ISSUER_UNAVAILABLE' });
    await due(id);
    await t.work();
    expect(await t.payment(id)).toMatchObject({
      status: 'EXPIRED',
      failure_code: 'SESSION_EXPIRED',
      next_read_at: null,
    });
    expect(await t.messages(id)).toHaveLength(1);
  });

  it('is looked for until 48 hours after the end', async () => {
    const id = await givenExpired();
    await t.rows(`update payments set read_count = 12, expires_at = clock_now() - interval '48 hours' where payment_id = $1`, [id]);
    await due(id);
    await t.work();
    expect([await statusOf(id), await dueIn(id)]).toEqual(['EXPIRED', null]);
  });
});
