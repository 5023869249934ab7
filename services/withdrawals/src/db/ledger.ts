import { randomUUIDv7 } from 'node:crypto';
import { and, eq, gte, sql, type SQL } from 'drizzle-orm';
import type { Reader, Tx } from '@pay/shared/postgres/db.ts';
import { onlyRow } from '@pay/shared/postgres/only-row.ts';
import { entriesOf, FUNDED, RESERVED, type Booking } from '../domain/ledger.ts';
import { balances, ledgerEntries, ledgerTransactions } from './schema.ts';

/** A store's balance, in micro-USDT. */
export type Balance = Readonly<typeof balances.$inferSelect>;

type Posting = { readonly referenceId: string; readonly storeId: string; readonly amountMicroUsdt: bigint };

/**
 * Books a balanced transaction. The database refuses one that does not sum to zero, a second one of the same kind for
 * the same reference, and a second end of one reserve. The caller changes the balance in the same transaction.
 */
async function insertLedgerTransaction(tx: Tx, booking: Booking, posting: Posting): Promise<void> {
  const { referenceId, storeId, amountMicroUsdt } = posting;
  const ledgerTransactionId = randomUUIDv7();
  await tx.insert(ledgerTransactions).values({ ledgerTransactionId, kind: booking.kind, referenceId });
  await tx.insert(ledgerEntries).values(entriesOf(booking, amountMicroUsdt).map((entry) => ({ ledgerTransactionId, storeId, ...entry })));
}

const COLUMNS = {
  AVAILABLE: balances.availableMicroUsdt,
  RESERVED: balances.reservedMicroUsdt,
  PAID: balances.paidMicroUsdt,
} as const;
const PROPERTIES = {
  AVAILABLE: 'availableMicroUsdt',
  RESERVED: 'reservedMicroUsdt',
  PAID: 'paidMicroUsdt',
} as const;

/** Credits a store. */
export async function bookFunding(tx: Tx, posting: Posting): Promise<void> {
  const { storeId, amountMicroUsdt: amount } = posting;
  await insertLedgerTransaction(tx, FUNDED, posting);
  const nothing = { reservedMicroUsdt: 0n, paidMicroUsdt: 0n };
  await tx
    .insert(balances)
    .values({ storeId, availableMicroUsdt: amount, creditedMicroUsdt: amount, ...nothing })
    .onConflictDoUpdate({
      target: balances.storeId,
      set: {
        availableMicroUsdt: sql`${balances.availableMicroUsdt} + ${amount}`,
        creditedMicroUsdt: sql`${balances.creditedMicroUsdt} + ${amount}`,
      },
    });
}

/**
 * Reserves the amount if that much is available. One statement checks and takes, so that no two requests get the same
 * USDT. It comes last, because the store's other requests wait from here until the commit.
 */
export async function bookReserve(tx: Tx, posting: Posting): Promise<boolean> {
  await insertLedgerTransaction(tx, RESERVED, posting);
  return moveBalance(tx, RESERVED, posting);
}

/** Releases or spends what a request reserved. @throws Error if that much is not reserved: the books are broken. */
export async function bookReserveEnd(tx: Tx, booking: Booking, posting: Posting): Promise<void> {
  await insertLedgerTransaction(tx, booking, posting);
  if (!(await moveBalance(tx, booking, posting))) throw new Error('a store has less reserved than its requests say');
}

async function moveBalance(tx: Tx, { from, to }: Booking, { storeId, amountMicroUsdt }: Posting): Promise<boolean> {
  if (from === 'FUNDING' || to === 'FUNDING') throw new Error('funding is no move inside a balance');
  const set: Partial<Record<(typeof PROPERTIES)[keyof typeof PROPERTIES], SQL>> = {
    [PROPERTIES[from]]: sql`${COLUMNS[from]} - ${amountMicroUsdt}`,
    [PROPERTIES[to]]: sql`${COLUMNS[to]} + ${amountMicroUsdt}`,
  };
  const rows = await tx
    .update(balances)
    .set(set)
    .where(and(eq(balances.storeId, storeId), gte(COLUMNS[from], amountMicroUsdt)))
    .returning({ storeId: balances.storeId });
  return rows.length === 1;
}

/** A store's balance; zero if it was never funded. */
export async function readBalance(reader: Reader, storeId: string): Promise<Balance> {
  const rows = await reader.select().from(balances).where(eq(balances.storeId, storeId));
  const none = { availableMicroUsdt: 0n, reservedMicroUsdt: 0n, paidMicroUsdt: 0n, creditedMicroUsdt: 0n };
  return rows.length === 0 ? { storeId, ...none } : onlyRow(rows);
}
