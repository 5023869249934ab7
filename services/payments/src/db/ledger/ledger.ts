import { randomUUIDv7 } from 'node:crypto';
import { and, asc, eq, gte, inArray, lt, ne, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { Reader, Tx } from '@pay/shared/postgres/db.ts';
import { compiledInsertAll } from '@pay/shared/postgres/fast/compiled.ts';
import type { PartnerId } from '@pay/shared/identities/identities.ts';
import type { LedgerAccount, LedgerEntry, LedgerKind } from '../../domain/ledger/ledger.ts';
import type { StatementEntry } from '../../domain/ledger/statement.ts';
import { ledgerEntries, ledgerTransactions } from './schema.ts';

/**
 * Books one balanced transaction and returns its id, which the caller may choose if it is needed earlier. The database refuses
 * a transaction that does not sum to zero, and a second one of the same kind for the same reference.
 */
export async function insertLedgerTransaction(
  tx: Tx,
  { ledgerTransactionId = randomUUIDv7(), ...booking }: NewLedgerTransaction,
  entries: readonly LedgerEntry[],
): Promise<string> {
  await Promise.all(ledgerStatements(tx, { ledgerTransactionId, ...booking }, entries));
  return ledgerTransactionId;
}

/** The statements of `insertLedgerTransaction`, not sent yet. */
export const ledgerStatements = (
  tx: Tx,
  { kind, referenceId, ledgerTransactionId = randomUUIDv7() }: NewLedgerTransaction,
  entries: readonly LedgerEntry[],
) =>
  [
    insertTransaction(tx, [{ ledgerTransactionId, kind, referenceId }]),
    insertEntries(
      tx,
      entries.map((entry) => ({ ledgerTransactionId, ...entry })),
    ),
  ] as const;

const insertTransaction = compiledInsertAll(ledgerTransactions, ledgerTransactions.ledgerTransactionId);
const insertEntries = compiledInsertAll(ledgerEntries, ledgerEntries.position);

type NewLedgerTransaction = {
  readonly kind: LedgerKind;
  readonly referenceId: string;
  readonly ledgerTransactionId?: string;
};

export type Balance = { readonly account: LedgerAccount; readonly owner: string; readonly balanceKopecks: bigint };

/** The balance of every non-zero account, debits positive; as of now, or before `at`. The balances always sum to zero. */
export async function readTrialBalance(reader: Reader, at?: Date): Promise<Balance[]> {
  const total = sql<string>`sum(${ledgerEntries.amountKopecks})`;
  const rows = await reader
    .select({ account: ledgerEntries.account, owner: ledgerEntries.owner, total })
    .from(ledgerEntries)
    .where(at === undefined ? undefined : inArray(ledgerEntries.ledgerTransactionId, bookedBefore(reader, at)))
    .groupBy(ledgerEntries.account, ledgerEntries.owner)
    .having(ne(total, sql`0`))
    .orderBy(ledgerEntries.account, ledgerEntries.owner);
  return rows.map(({ account, owner, total: sum }) => ({ account, owner, balanceKopecks: BigInt(sum) }));
}

const bookedBefore = (reader: Reader, at: Date) =>
  reader.select({ id: ledgerTransactions.ledgerTransactionId }).from(ledgerTransactions).where(lt(ledgerTransactions.createdAt, at));

const ofPartner = (partnerId: PartnerId) => and(eq(ledgerEntries.account, 'PARTNER_PAYABLE'), eq(ledgerEntries.owner, partnerId));

/** What we owed a partner before `at`: the sum of all their bookings. */
export async function readPayable(reader: Reader, partnerId: PartnerId, at: Date): Promise<bigint> {
  const [row] = await reader
    .select({ total: sql<string>`coalesce(-sum(${ledgerEntries.amountKopecks}), 0)` })
    .from(ledgerEntries)
    .innerJoin(ledgerTransactions, eq(ledgerTransactions.ledgerTransactionId, ledgerEntries.ledgerTransactionId))
    .where(and(ofPartner(partnerId), lt(ledgerTransactions.createdAt, at)));
  return BigInt(row?.total ?? 0);
}

/** A partner's bookings in `[from, to)`, oldest first, each with our fee. */
export async function listStatementEntries(
  reader: Reader,
  { partnerId, from, to }: { readonly partnerId: PartnerId; readonly from: Date; readonly to: Date },
  limit: number,
): Promise<StatementEntry[]> {
  const fees = alias(ledgerEntries, 'fees');
  const rows = await reader
    .select({
      ledgerTransactionId: ledgerTransactions.ledgerTransactionId,
      bookedAt: ledgerTransactions.createdAt,
      kind: ledgerTransactions.kind,
      referenceId: ledgerTransactions.referenceId,
      amount: ledgerEntries.amountKopecks,
      fee: fees.amountKopecks,
    })
    .from(ledgerEntries)
    .innerJoin(ledgerTransactions, eq(ledgerTransactions.ledgerTransactionId, ledgerEntries.ledgerTransactionId))
    .leftJoin(fees, and(eq(fees.ledgerTransactionId, ledgerEntries.ledgerTransactionId), eq(fees.account, 'FEE_INCOME')))
    .where(and(ofPartner(partnerId), gte(ledgerTransactions.createdAt, from), lt(ledgerTransactions.createdAt, to)))
    .orderBy(asc(ledgerEntries.position))
    .limit(limit);
  return rows.map(({ amount, fee, ...row }) => ({ ...row, amountKopecks: -amount, feeKopecks: -(fee ?? 0n) }));
}
