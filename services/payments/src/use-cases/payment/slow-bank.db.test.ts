import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { sql } from 'drizzle-orm';
import { selectRows } from '@pay/shared/postgres/select-rows.ts';
import { setTimeout as wait } from 'node:timers/promises';
import { startTestApp, type TestApp } from '../../../test/app.ts';

const POOL = 10;
const PAYMENTS = 200;
/** See spec/findings#2. */
const BANK_MS = 5_000;

let t: TestApp;
beforeAll(async () => {
  t = await startTestApp({ poolSize: POOL, deadlineMs: 100_000 });
});
afterAll(() => t.close());

it('no pooled connection or transaction is held across the bank call: 200 payments at a bank that takes 5 s, a pool of 10', async () => {
  const given = [];
  for (let batch = 0; batch < PAYMENTS; batch += POOL) {
    given.push(...(await Promise.all(Array.from({ length: POOL }, () => t.givenPayment({ amount: 1 })))));
  }
  const answers: (() => void)[] = [];
  t.bank.interrupt('authorize', 'before', ({ respond }) => {
    answers.push(respond);
  });
  const paying: Promise<string>[] = [];
  for (const { checkoutToken } of given) {
    paying.push(t.pay(checkoutToken));
    // In handfuls, so that a busy machine's pool is not what is measured.
    while (answers.length + POOL <= paying.length) await selectRows(t.deps.db, sql`select 1`);
  }
  while (answers.length < PAYMENTS) await selectRows(t.deps.db, sql`select 1`);
  // All 200 wait at the bank at once, twenty times the pool. The loop above could not have got here otherwise.
  await wait(BANK_MS);
  const [open] = await t.rows(`select count(*)::int as transactions from pg_stat_activity
    where datname = current_database() and application_name = 'payments-test' and state like 'idle in transaction%'`);
  expect(open?.['transactions']).toBe(0);
  const others = await Promise.all(given.slice(0, 50).map(({ id }) => t.read(id)));
  expect(new Set(others.map(({ status }) => status))).toEqual(new Set([200]));

  for (const answer of answers) answer();
  expect(new Set(await Promise.all(paying))).toEqual(new Set(['accepted']));
  // A result that found no connection in time is read back.
  await t.rows(`update payments set next_read_at = clock_now() where status <> 'COMPLETED'`);
  await t.work();
  const done = await t.rows('select status, count(*)::int from payments group by status');
  expect(done).toEqual([{ status: 'COMPLETED', count: PAYMENTS }]);
  const [sum] = await t.rows('select sum(amount_kopecks)::text as total, count(*)::int as entries from ledger_entries');
  expect(sum).toEqual({ total: '0', entries: PAYMENTS * 3 });
});
