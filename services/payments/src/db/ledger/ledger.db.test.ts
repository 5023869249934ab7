import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { sqlState, violatedConstraint } from '@pay/shared/postgres/errors.ts';
import { openDatabase } from '@pay/shared/postgres/connect/pool.ts';
import { startTestApp, type TestApp } from '../../../test/app.ts';
import { entriesForCompleted, type LedgerEntry } from '../../domain/ledger/ledger.ts';
import { checkLedger } from '../../use-cases/ledger/check-ledger.ts';
import { listLedgerDifferences, sumEntries } from './ledger-balances.ts';
import { ledgerBalances } from './schema.ts';
import { insertLedgerTransaction, readTrialBalance, type Balance } from './ledger.ts';

let t: TestApp;
beforeAll(async () => {
  t = await startTestApp();
});
afterAll(() => t.close());

const book = (entries: readonly LedgerEntry[], reference = randomUUID()) =>
  t.deps.db.transaction((tx) => insertLedgerTransaction(tx, { kind: 'PAYMENT', referenceId: reference }, entries));
const clearing = (amountKopecks: bigint): LedgerEntry => ({ account: 'ACQUIRER_CLEARING', owner: 'r', amountKopecks });
const income = (amountKopecks: bigint): LedgerEntry => ({ account: 'FEE_INCOME', owner: 'house', amountKopecks });
const constraintOf = (work: Promise<unknown>) => work.then(() => 'booked', violatedConstraint);
const stateOf = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (error: unknown) => sqlState(error) ?? (error as { code?: string }).code,
  );

describe('the ledger', () => {
  it('takes a balanced transaction', async () => {
    await book([clearing(100n), income(-100n)]);
    expect(await readTrialBalance(t.deps.db)).toEqual([
      { account: 'ACQUIRER_CLEARING', owner: 'r', balanceKopecks: 100n },
      { account: 'FEE_INCOME', owner: 'house', balanceKopecks: -100n },
    ]);
  });

  it.each([
    ['one that does not sum to zero', [clearing(100n), income(-99n)], 'ledger_balanced'],
    ['one with a single entry', [clearing(100n)], 'ledger_balanced'],
    ['an empty entry', [clearing(100n), income(-100n), income(0n)], 'ledger_entries_amount'],
  ])('refuses %s', async (_title, entries, constraint) => {
    expect(await constraintOf(book(entries))).toBe(constraint);
  });

  it('refuses the same booking twice', async () => {
    const reference = randomUUID();
    await book([clearing(1n), income(-1n)], reference);
    expect(await constraintOf(book([clearing(1n), income(-1n)], reference))).toBe('ledger_transactions_once');
  });

  it('refuses entries of no transaction, and entries added to an earlier one', async () => {
    const id = await book([clearing(1n), income(-1n)]);
    for (const reference of [randomUUID(), id]) {
      const added = t.rows(
        `insert into ledger_entries (ledger_transaction_id, account, owner, amount_kopecks)
         values ($1, 'FEE_INCOME', 'house', 5), ($1, 'SUSPENSE', 'house', -5)`,
        [reference],
      );
      expect(
        await added.then(
          () => 'booked',
          (error: unknown) => (error as { constraint?: string }).constraint,
        ),
      ).toBe('ledger_entry_belongs');
    }
  });

  it.each([
    'update ledger_entries set amount_kopecks = 0',
    'delete from ledger_entries',
    'truncate ledger_entries',
    `update ledger_transactions set kind = 'PAYMENT'`,
    'delete from ledger_transactions',
    'truncate ledger_transactions',
    'delete from ledger_balances',
    'truncate ledger_balances',
  ])('is append-only: the service’s own role may not %s', async (statement) => {
    const INSUFFICIENT_PRIVILEGE = '42501';
    expect(await stateOf(t.rows(statement))).toBe(INSUFFICIENT_PRIVILEGE);
  });

  it('property: whatever payments are booked, the whole sums to zero', async () => {
    const payment = fc.record({
      partnerId: fc.constantFrom('p1', 'p2'),
      paymentPointId: fc.constant('pp'),
      routeId: fc.constant('r'),
      amountKopecks: fc.bigInt({ min: 1n, max: 10n ** 12n }),
      feeBasisPoints: fc.integer({ min: 0, max: 10_000 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(payment, { maxLength: 5 }), async (payments) => {
        for (const booked of payments) await book(entriesForCompleted(booked));
        const sum = (await readTrialBalance(t.deps.db)).reduce((total, row) => total + row.balanceKopecks, 0n);
        expect(sum).toBe(0n);
      }),
      { numRuns: 10 },
    );
  });

  it('is summed by as many statements as it has entries for, to the same', async () => {
    for (const kopecks of [1n, 20n, 300n]) await book([clearing(kopecks), income(-kopecks)]);
    const whole = await sumEntries(t.deps.db);
    expect(await sumEntries(t.deps.db, 2n)).toEqual(whole);
    const named = (all: readonly Balance[]) =>
      new Map(all.map(({ account, owner, balanceKopecks }) => [`${account} ${owner}`, balanceKopecks]));
    const trial = await readTrialBalance(t.deps.db);
    expect(named(whole.filter(({ balanceKopecks }) => balanceKopecks !== 0n))).toEqual(named(trial));
  });
});

describe('the running totals', () => {
  const differing = async () => listLedgerDifferences(t.deps.db, await sumEntries(t.deps.db));
  const running = async (owner: string) =>
    (await t.rows('select balance_kopecks::text as total from ledger_balances where owner = $1', [owner])).reduce(
      (sum, { total }) => sum + BigInt(String(total)),
      0n,
    );
  const of = (owner: string, amountKopecks: bigint): LedgerEntry => ({ account: 'SUSPENSE', owner, amountKopecks });

  it('are the sums, after 200 bookings of the same accounts on ten connections at once', async () => {
    const owner = randomUUID();
    await Promise.all(
      Array.from({ length: 10 }, async (_none, lane) => {
        // Half of them the other way round: who waits for whom must not depend on the order of the entries.
        const entries = lane % 2 === 0 ? [of(owner, 3n), income(-3n)] : [income(-3n), of(owner, 3n)];
        for (let booked = 0; booked < 20; booked += 1) await book(entries);
      }),
    );
    expect([await running(owner), await differing()]).toEqual([600n, []]);
  });

  it('have nothing of a booking that was rolled back', async () => {
    const owner = randomUUID();
    await book([of(owner, 5n), income(-4n)]).catch(() => undefined);
    expect([await running(owner), await differing()]).toEqual([0n, []]);
  });

  it('of an account without a single entry are found', async () => {
    const owner = randomUUID();
    const orphan = { account: 'SUSPENSE', owner, shard: 0, balanceKopecks: 5n, entryCount: 1n } as const;
    let found: unknown;
    const owned = openDatabase({ url: t.ownerUrl, applicationName: 'ledger-test', onIdleError: () => undefined });
    const rolledBack = owned.db.transaction(async (tx) => {
      await tx.insert(ledgerBalances).values(orphan);
      found = await listLedgerDifferences(tx, await sumEntries(tx));
      throw new Error('rolled back');
    });
    await expect(rolledBack).rejects.toThrow('rolled back');
    await owned.close();
    expect(found).toEqual([{ account: 'SUSPENSE', owner, balanceKopecks: 0n, entryCount: 0n, runningKopecks: 5n, runningCount: 1n }]);
  });

  it.each([
    ['another sum', 'balance_kopecks = balance_kopecks + 1'],
    ['another number of entries', 'entry_count = entry_count + 1'],
  ])('that say %s than the entries are found, and logged', async (_title, change) => {
    const owner = randomUUID();
    await book([of(owner, 7n), income(-7n)]);
    const [row] = await t.rows('select * from ledger_balances where owner = $1', [owner]);
    await t.rows(`update ledger_balances set ${change} where owner = $1`, [owner]);
    const logged: string[] = [];
    const log = { ...t.deps.log, error: (message: string) => void logged.push(message) };
    const found = await checkLedger({ db: t.deps.db, log });
    expect(found).toMatchObject([{ account: 'SUSPENSE', owner, balanceKopecks: 7n, entryCount: 1n }]);
    expect(logged).toEqual(["an account's running total is not the sum of its entries"]);
    const { balance_kopecks: balance, entry_count: count } = row ?? {};
    await t.rows('update ledger_balances set balance_kopecks = $2, entry_count = $3 where owner = $1', [owner, balance, count]);
    expect(await checkLedger({ db: t.deps.db, log })).toEqual([]);
  });
});
