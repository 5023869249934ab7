import { createHash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ApiError } from '@pay/shared/errors/api-error.ts';
import { rowsAlike, type Compared } from '../../../../../tools/testing/rows-alike.ts';
import { followUpAll, startTestApp, type Row, type TestApp } from '../../../test/app.ts';
import { silence } from '../../../test/bank.ts';
import { createSandboxBankAcquirer } from '../../acquirers/sandbox-bank/sandbox-bank-acquirer.ts';
import { listLedgerDifferences, sumEntries } from '../../db/ledger/ledger-balances.ts';
import type { Deps } from '../../deps.ts';
import { requestRefund } from './request-refund.ts';

/**
 * The same random histories of refunds at two systems. In the second no change of a payment's totals is accepted unless its
 * row was locked first, as if somebody had always been faster: there every refund is decided and booked under the lock.
 */
let fast: TestApp;
let locked: TestApp;
beforeAll(async () => {
  [fast, locked] = [await startTestApp(), await startTestApp()];
  await locked.rows('create sequence missed');
  await locked.rows(`create function refuse_unlocked() returns trigger language plpgsql security definer as $$ begin
    -- Only a select for update takes this lock of the table.
    if not exists (select from pg_locks
      where pid = pg_backend_pid() and relation = 'payments'::regclass and mode = 'RowShareLock') then
      perform nextval('missed');
      raise division_by_zero;
    end if;
    return new;
  end $$`);
  await locked.rows(`create trigger refuse_unlocked before update of refunded_kopecks, refund_reserved_kopecks
    on payments for each row execute function refuse_unlocked()`);
});
afterAll(async () => {
  await fast.close();
  await locked.close();
});

const COMPARED: readonly Compared[] = [
  { table: 'outbox', order: 'position', without: ['position', 'request_id', 'traceparent'] },
  { table: 'ledger_entries', order: 'position', without: ['position'] },
  { table: 'refunds' },
  { table: 'payments', without: ['form_token'] },
  { table: 'ledger_transactions' },
  { table: 'idempotency_records' },
  { table: 'exceptions' },
  { table: '(select account, owner, sum(balance_kopecks), sum(entry_count) from ledger_balances group by 1, 2)' },
];

const BANK = ['approves', 'declines', 'works on it', 'gives back less', 'is lost before', 'is lost after'] as const;
/** After these no amount is free again: who of several comes first is up to chance. */
const KEEPING = ['approves', 'works on it', 'gives back less'] as const;
type Bank = (typeof BANK)[number];
type Refund = {
  readonly kind: 'refund';
  /** Kopecks of 10,000; undefined: all that remains. */
  readonly amount: bigint | undefined;
  readonly number: string | undefined;
  /** Two refunds with one key are one command, or two with different bodies. */
  readonly key: string | undefined;
  readonly bank: Bank;
  /** How many such refunds at once. */
  readonly times: number;
};
type Step = Refund | { readonly kind: 'wait'; readonly seconds: number };

const usually = <T>(often: T, ...others: readonly T[]) =>
  fc.oneof({ arbitrary: fc.constant(often), weight: 4 }, { arbitrary: fc.constantFrom(...others), weight: 2 });
const refundStep = (times: fc.Arbitrary<number>, banks: readonly Bank[]): fc.Arbitrary<Step> =>
  fc.record({
    kind: fc.constant('refund' as const),
    amount: fc.constantFrom(1n, 2_500n, 5_000n, 10_000n, 10_001n, undefined),
    number: usually<string | undefined>(undefined, 'r-1', 'r-2'),
    key: usually<string | undefined>(undefined, 'k-1', 'k-2'),
    bank: usually<Bank>('approves', ...banks),
    times,
  });
const wait = fc.record({
  kind: fc.constant('wait' as const),
  seconds: usually(61, 365 * 86_400 - 300, 365 * 86_400 + 1),
});
const historyOf = (times: fc.Arbitrary<number>, banks: readonly Bank[]) =>
  fc.array(fc.oneof({ arbitrary: refundStep(times, banks), weight: 4 }, { arbitrary: wait, weight: 1 }), {
    minLength: 1,
    maxLength: 8,
  });

/** What the partner is told, without ids. */
async function told(asked: Promise<{ refund: object; status: number; replayed: boolean }>): Promise<unknown> {
  try {
    const { refund, status, replayed } = await asked;
    return { ...refund, status, replayed, refundId: 'an id', paymentId: 'an id', bankOperationId: 'an id' };
  } catch (error) {
    if (error instanceof ApiError) return error.code;
    throw error;
  }
}

let moment = Date.parse('2026-11-21T12:00:00.000Z');
const setClock = (t: TestApp, at: number) =>
  t.rows(`create or replace function clock_now() returns timestamptz language sql stable as
    $$ select '${new Date(at).toISOString()}'::timestamptz $$`);

function arrange(t: TestApp, bank: Bank | undefined): void {
  t.bank.interrupt('refund', 'before', bank === 'is lost before' ? silence : undefined);
  t.bank.interrupt('refund', 'after', bank === 'is lost after' ? silence : undefined);
  t.bank.refundVerdict =
    bank === 'declines'
      ? { status: 'DECLINED', reason: 'PROCESSING_ERROR' }
      : bank === 'works on it'
        ? { status: 'PENDING' }
        : bank === 'gives back less'
          ? { amountKopecks: '7' }
          : {};
}

/** The worker takes several refunds side by side; here the older one is first, so that two databases agree. */
async function followUpInTurn(t: TestApp, deps: Deps): Promise<void> {
  const due = await t.rows('select refund_id from refunds where next_read_at <= clock_now() order by refund_id');
  for (const { refund_id: one } of due) {
    await t.rows(
      `update refunds set next_read_at = next_read_at + interval '1 year' where next_read_at <= clock_now() and refund_id <> $1`,
      [one],
    );
    await followUpAll(deps);
    await t.rows(
      `update refunds set next_read_at = next_read_at - interval '1 year' where next_read_at > clock_now() + interval '300 days'`,
    );
  }
}

/** Plays a history on a new paid payment of 100.00; what the partner was told. */
async function play(t: TestApp, history: readonly Step[], run: string, startsAt: number): Promise<unknown[]> {
  let now = startsAt;
  await setClock(t, now);
  // What earlier histories left is not this one's business.
  await t.rows('update refunds set next_read_at = null');
  const { id, checkoutToken } = await t.givenPayment({ amount: 100, orderID: `order-${run}` });
  await t.pay(checkoutToken);
  // A connection of its own to the bank, so that no breaker is left from the run before.
  const { log } = t.deps;
  const acquirer = createSandboxBankAcquirer({ url: t.bank.url, apiKey: t.bank.apiKey, routeId: `route-${run}`, log });
  const deps: Deps = { ...t.deps, acquirerOf: () => acquirer };
  const answers: unknown[] = [];
  for (const step of history) {
    if (step.kind === 'wait') {
      now += step.seconds * 1_000;
      await setClock(t, now);
      arrange(t, undefined);
      await followUpInTurn(t, deps);
      continue;
    }
    const { amount: amountKopecks, number, key, bank, times } = step;
    arrange(t, bank);
    const command = {
      amountKopecks,
      reason: undefined,
      merchantRefundId: number === undefined ? undefined : `${number}-${run}`,
    };
    const bodySha256 = createHash('sha256')
      .update(`${String(amountKopecks)} ${String(number)}`)
      .digest('hex');
    const ask = () => {
      const request = {
        partnerId: 'partner-1',
        key: key === undefined ? randomUUID() : `${key}-${run}`,
        operation: `refund ${id}`,
        bodySha256,
      };
      return told(requestRefund(deps, request, { ...command, paymentId: id, methods: ['CARD'] }));
    };
    answers.push(await Promise.all(Array.from({ length: times }, ask)));
  }
  arrange(t, undefined);
  await acquirer.close();
  return answers;
}

const DAYS_APART = 1_000 * 86_400_000;
async function playBoth(history: readonly Step[]): Promise<readonly [unknown[], unknown[]]> {
  const run = randomUUID().slice(0, 8);
  moment += DAYS_APART;
  return [await play(fast, history, run, moment), await play(locked, history, run, moment)];
}
const missed = async () => (await locked.rows('select last_value::int as count from missed'))[0]?.['count'];

const rowsOf = (t: TestApp) => rowsAlike((text) => t.rows(text), COMPARED);

it('leaves the same rows optimistically and under the lock, whatever the history', async () => {
  await fc.assert(
    fc.asyncProperty(historyOf(fc.constant(1), BANK), async (history) => {
      const [here, there] = await playBoth(history);
      expect(here).toEqual(there);
      expect(await rowsOf(fast)).toEqual(await rowsOf(locked));
    }),
    { numRuns: 30 },
  );
  expect(await missed()).toBeGreaterThan(10);
});

it('gives back the same in both ways where refunds come at once', async () => {
  await fc.assert(
    fc.asyncProperty(historyOf(fc.integer({ min: 1, max: 5 }), KEEPING), async (history) => {
      await playBoth(history);
      const sums = `select p.merchant_order_id, p.status, p.refunded_kopecks, p.refund_reserved_kopecks, p.aggregate_version,
        (select array_agg((amount_kopecks, r.status)::text order by amount_kopecks, r.status) from refunds r where r.payment_id = p.payment_id) as refunds,
        (select array_agg(type order by type) from outbox where aggregate_id = p.payment_id::text) as told,
        (select array_agg((payload->>'aggregateVersion')::int order by position) from outbox where aggregate_id = p.payment_id::text) as versions
        from payments p order by created_at`;
      const [here, there] = [await fast.rows(sums), await locked.rows(sums)];
      // A refund that failed frees its amount: whether another one found it free is up to chance.
      const isFree = ({ refunds }: Row) => String(refunds).includes('FAILED');
      const isUpToChance = here.map((row, index) => isFree(row) || isFree(there[index] ?? {}));
      const certain = (rows: readonly Row[]) => rows.filter((_row, index) => isUpToChance[index] !== true);
      expect(certain(here)).toEqual(certain(there));
      for (const { versions } of [...here, ...there]) expect(versions).toEqual((versions as number[]).map((_version, index) => index + 1));
      for (const t of [fast, locked]) expect(await listLedgerDifferences(t.deps.db, await sumEntries(t.deps.db))).toEqual([]);
    }),
    { numRuns: 15 },
  );
});
