import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { registry } from '@pay/shared/telemetry/metrics.ts';
import { EXCEPTION_KINDS } from '@pay/contract/operator/states.ts';
import { inTransaction } from '@pay/shared/postgres/transaction.ts';
import { startTestApp, type TestApp } from '../../../test/app.ts';
import { insertLedgerTransaction } from '../../db/ledger/ledger.ts';
import { insertMoneyReturn } from '../../db/money-return/money-returns.ts';
import { raiseException } from '../../db/reconciliation/exceptions.ts';
import { entriesForLateSuccess } from '../../domain/ledger/ledger.ts';
import { measure } from './measure.ts';

let t: TestApp;
beforeAll(async () => {
  t = await startTestApp();
});
afterAll(() => t.close());

/** The samples of a metric as Prometheus reads them: by their labels. */
async function samplesOf(name: string): Promise<Readonly<Record<string, number>>> {
  const text = await registry.getSingleMetricAsString(name);
  return Object.fromEntries(
    text.split('\n').flatMap((line) => {
      const [, labels = '', value] = /^\w+(?:\{(.*)\})? ([\d.e+-]+)$/.exec(line) ?? [];
      return value === undefined ? [] : [[labels, Number(value)]];
    }),
  );
}

it('measures the money that waits for somebody, and nothing once it is where it should be', async () => {
  const { id } = await t.givenPayment();
  await measure(t.deps);
  expect(await samplesOf('money_in_suspense_kopecks')).toEqual({ '': 0 });
  expect(await samplesOf('money_returns_open')).toEqual({ '': 0 });
  expect(await samplesOf('read_backs_late')).toEqual({ '': 0 });
  expect(Object.values(await samplesOf('exceptions_open'))).toEqual(EXCEPTION_KINDS.map(() => 0));

  await inTransaction(t.deps.db, async (tx) => {
    const booked = { kind: 'LATE_SUCCESS', referenceId: id, ledgerTransactionId: randomUUID() } as const;
    await insertLedgerTransaction(tx, booked, entriesForLateSuccess('sandbox-bank', 10_050n));
    const money = { paymentId: id, why: 'LATE_SUCCESS', bankOperationId: 'b1', routeId: 'sandbox-bank' } as const;
    await insertMoneyReturn(tx, { returnId: randomUUID(), amountKopecks: 10_050n, ...money });
    await raiseException(tx, { kind: 'LATE_SUCCESS', paymentId: id });
  });
  await t.rows(`update payments set next_read_at = clock_now() - interval '2 minutes' where payment_id = $1`, [id]);
  await measure(t.deps);
  expect(await samplesOf('money_in_suspense_kopecks')).toEqual({ '': 10_050 });
  expect(await samplesOf('money_returns_open')).toEqual({ '': 1 });
  expect(await samplesOf('read_backs_late')).toEqual({ '': 1 });
  expect(await samplesOf('exceptions_open')).toMatchObject({ 'kind="LATE_SUCCESS"': 1, 'kind="MISSING_HERE"': 0 });

  await t.rows(`update exceptions set status = 'RESOLVED', note = 'returned', resolved_by = 'anna', resolved_at = clock_now()`);
  await measure(t.deps);
  expect(await samplesOf('exceptions_open')).toMatchObject({ 'kind="LATE_SUCCESS"': 0 });
});

it('sets the other gauges if one cannot be measured, and fails', async () => {
  const { id } = await t.givenPayment();
  await t.rows(`update payments set next_read_at = null`);
  await measure(t.deps);
  await t.rows(`update payments set next_read_at = clock_now() - interval '2 minutes' where payment_id = $1`, [id]);
  await t.rows('alter table exceptions rename to exceptions_elsewhere');
  try {
    await expect(measure(t.deps)).rejects.toThrow('not everything was measured');
  } finally {
    await t.rows('alter table exceptions_elsewhere rename to exceptions');
  }
  expect(await samplesOf('read_backs_late')).toEqual({ '': 1 });
  await t.rows(`update payments set next_read_at = null`);
});

it('measures the age of a reconciliation from the end of the newest day that was compared after its end', async () => {
  const compared = (day: string, startedAt: string, status: 'COMPLETED' | 'RUNNING') =>
    t.rows(
      `insert into reconciliations (route_id, day, run_id, status, requested_by, lease_until, started_at, completed_at)
       values ('sandbox-bank', ${day}, gen_random_uuid(), $1, 'daily', clock_now(), ${startedAt}, case when $1 = 'COMPLETED' then clock_now() end)`,
      [status],
    );
  const hours = async () => {
    await measure(t.deps);
    return ((await samplesOf('reconciliation_age_seconds'))['route="sandbox-bank"'] ?? Number.NaN) / 3_600;
  };
  await t.rows(`update routes set created_at = clock_now() - interval '100 hours'`);
  expect(await hours()).toBeCloseTo(100, 1);
  const today = `(clock_now() at time zone 'UTC')::date`;
  await compared(`${today} - 3`, 'clock_now()', 'COMPLETED');
  const twoDaysAndABit = await hours();
  expect(twoDaysAndABit).toBeGreaterThanOrEqual(48);
  expect(twoDaysAndABit).toBeLessThan(73);
  await compared(`${today} - 2`, 'clock_now()', 'RUNNING');
  await compared(`${today} - 1`, `clock_now() - interval '25 hours'`, 'COMPLETED');
  expect(await hours()).toBeCloseTo(twoDaysAndABit, 1);
});

it('counts a payment that ends once, with its reason, whichever way the outcome is booked', async () => {
  const ended = async () => {
    const samples = await samplesOf('payments_ended_total');
    const of = (status: string, code: string) => samples[`method="CARD",status="${status}",failure_code="${code}"`] ?? 0;
    return [of('COMPLETED', ''), of('REJECTED', 'DECLINED_BY_ISSUER'), of('CANCELLED', 'CANCELLED_BY_PARTNER')];
  };
  const before = await ended();
  const paid = await t.givenPayment();
  await t.pay(paid.checkoutToken);
  await t.work();
  const declined = await t.givenPayment();
  t.bank.verdict = { status: 'DECLINED', reason: 'DECLINED_BY_ISSUER' };
  await t.pay(declined.checkoutToken);
  await t.work();
  const cancelled = await t.givenPayment();
  expect((await t.call('POST', `/api/card/${cancelled.id}/cancel`)).status).toBe(200);
  expect((await t.read(paid.id)).body['status']).toBe('COMPLETED');
  expect((await ended()).map((count, index) => count - (before[index] ?? 0))).toEqual([1, 1, 1]);
});
