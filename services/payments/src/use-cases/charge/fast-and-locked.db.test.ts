import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ApiError } from '@pay/shared/errors/api-error.ts';
import { rowsAlike, type Compared } from '../../../../../tools/testing/rows-alike.ts';
import { followUpAll, startTestApp, type TestApp } from '../../../test/app.ts';
import { silence } from '../../../test/bank.ts';
import { createSandboxBankAcquirer } from '../../acquirers/sandbox-bank/sandbox-bank-acquirer.ts';
import type { Deps } from '../../deps.ts';
import { chargeSavedCard } from './charge-saved-card.ts';
import { noteRevokedCard } from './withdraw-charge.ts';

/**
 * The same random charges of saved cards at two systems. In the second no payment is booked unless its row was locked first,
 * as if somebody had always been faster.
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
  await locked.rows(`create trigger refuse_unlocked before update of status on payments for each row
    when (old.method = 'CARD_BINDING') execute function refuse_unlocked()`);
});
afterAll(async () => {
  await fast.close();
  await locked.close();
});

const COMPARED: readonly Compared[] = [
  // The worker carries several charges on side by side: only what is said of one has an order.
  {
    table: 'outbox',
    order: `payload ->> 'merchantOrderId', position`,
    without: ['position', 'request_id', 'traceparent'],
  },
  {
    table: 'ledger_entries',
    order: `(select merchant_order_id from payments join ledger_transactions on reference_id = payment_id
    where ledger_transactions.ledger_transaction_id = t.ledger_transaction_id), position`,
    without: ['position'],
  },
  { table: 'payments', order: 'merchant_order_id', without: ['form_token'] },
  { table: 'saved_cards', without: ['card_token_encrypted'] },
  { table: 'ledger_transactions' },
  { table: 'exceptions' },
];

const BANK = ['approves', 'declines', 'works on it', 'takes another amount', 'is lost before', 'is lost after'] as const;
type Step = {
  readonly bank: (typeof BANK)[number];
  readonly order: number;
  /** What happens before it. */
  readonly before: 'nothing' | 'revoked here' | 'revoked at bindings' | 'bindings away' | 'point suspended' | 'a minute' | 'two hours';
};
const history: fc.Arbitrary<Step[]> = fc.array(
  fc.record({
    bank: fc.oneof({ arbitrary: fc.constant('approves' as const), weight: 3 }, { arbitrary: fc.constantFrom(...BANK), weight: 3 }),
    order: fc.integer({ min: 1, max: 8 }),
    before: fc.oneof(
      { arbitrary: fc.constant('nothing' as const), weight: 6 },
      { arbitrary: fc.constantFrom('a minute', 'two hours'), weight: 3 },
      {
        arbitrary: fc.constantFrom('revoked here', 'revoked at bindings', 'bindings away', 'point suspended'),
        weight: 2,
      },
    ),
  }),
  { minLength: 1, maxLength: 6 },
);

/** The clock goes on: what is booked optimistically is refused if its time is not the database's. */
const setClock = (t: TestApp, at: number) =>
  t.rows(`create or replace function clock_now() returns timestamptz language sql stable as
    $$ select date_trunc('milliseconds', clock_timestamp()) + ${String(at - Date.now())} * interval '1 millisecond' $$`);

function arrange(t: TestApp, bank: Step['bank'] | undefined): void {
  t.bank.interrupt('charge', 'before', bank === 'is lost before' ? silence : undefined);
  t.bank.interrupt('charge', 'after', bank === 'is lost after' ? silence : undefined);
  t.bank.verdict = {
    ...(bank === 'declines' ? { status: 'DECLINED', reason: 'INSUFFICIENT_FUNDS' } : {}),
    ...(bank === 'works on it' ? { status: 'PENDING' } : {}),
    ...(bank === 'takes another amount' ? { amountKopecks: '7' } : {}),
  };
}

let moment = Date.parse('2026-11-21T12:10:00.000Z');

/** Charges a new saved card as the history says; what bindings was told. */
async function play(t: TestApp, steps: readonly Step[], run: string, startsAt: number): Promise<unknown[]> {
  let now = startsAt;
  await setClock(t, now);
  // What earlier histories left is not this one's business.
  await t.rows('update payments set next_read_at = null');
  await t.rows(`update payment_points set status = 'ACTIVE'`);
  t.bindings.isBroken = false;
  const { bindingId } = await t.givenSavedCard({ orderID: `first-${run}` });
  // A connection of its own to the bank, so that no breaker is left from the run before.
  const { log } = t.deps;
  const acquirer = createSandboxBankAcquirer({ url: t.bank.url, apiKey: t.bank.apiKey, routeId: `route-${run}`, log });
  const bindings: Deps['bindings'] = {
    ...t.deps.bindings,
    // A breaker of the real client would remember the run before.
    read: (...asked) => (t.bindings.isBroken ? Promise.resolve('unavailable') : t.deps.bindings.read(...asked)),
  };
  const deps: Deps = { ...t.deps, bindings, acquirerOf: () => acquirer };
  const said: unknown[] = [];
  for (const { bank, order, before } of steps) {
    now += { nothing: 0, 'a minute': 61_000, 'two hours': 7_200_000 }[before === 'a minute' || before === 'two hours' ? before : 'nothing'];
    await setClock(t, now);
    if (before === 'a minute' || before === 'two hours') {
      arrange(t, undefined);
      await followUpAll(deps);
    }
    if (before === 'revoked here') await noteRevokedCard(deps, 'partner-1', bindingId);
    if (before === 'point suspended') await t.rows(`update payment_points set status = 'SUSPENDED'`);
    const known = t.bindings.known.get(bindingId);
    if (before === 'revoked at bindings' && known !== undefined) known.status = 'REVOKED';
    t.bindings.isBroken = before === 'bindings away';
    arrange(t, bank);
    const command = {
      paymentId: randomUUID(),
      bindingId,
      merchantOrderId: `order-${run}-${String(order)}`,
      amountKopecks: 10_000n,
      description: 'Coffee',
      createdAt: new Date(now),
    };
    said.push(
      await chargeSavedCard(deps, 'partner-1', command).then(
        ({ status, failureCode, aggregateVersion }) => ({ status, failureCode, aggregateVersion }),
        (error: unknown) => {
          if (error instanceof ApiError) return error.code;
          throw error;
        },
      ),
    );
  }
  arrange(t, undefined);
  await acquirer.close();
  return said;
}

/** Moments count to the hour: no two runs take the same milliseconds. */
async function rowsOf(t: TestApp): Promise<unknown> {
  const rows = Object.entries(await rowsAlike((text) => t.rows(text), COMPARED));
  return rows.map(([table, texts]) => [table, texts.map((text) => text.replace(/(T\d\d):\d\d:\d\d(\.\d+)?/g, '$1')).toSorted()]);
}

it('leaves the same rows optimistically and under the lock, whatever happens to charges', async () => {
  await fc.assert(
    fc.asyncProperty(history, async (steps) => {
      const run = randomUUID().slice(0, 8);
      moment += 1_000 * 86_400_000;
      expect(await play(fast, steps, run, moment)).toEqual(await play(locked, steps, run, moment));
      expect(await rowsOf(fast)).toEqual(await rowsOf(locked));
    }),
    { numRuns: 30 },
  );
  const [row] = await locked.rows('select last_value::int as missed from missed');
  expect(row?.['missed']).toBeGreaterThan(10);
});
