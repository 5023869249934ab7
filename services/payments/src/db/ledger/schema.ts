import { sql } from 'drizzle-orm';
import {
  bigint,
  bigserial,
  check,
  index,
  pgTable,
  primaryKey,
  smallint,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import { minorUnits, moment } from '@pay/shared/postgres/schema.ts';
import type { LedgerAccount, LedgerKind } from '../../domain/ledger/ledger.ts';

/**
 * A balanced set of entries: why money moved. Append-only (the role may not update or delete), and a deferred trigger
 * refuses a transaction whose entries do not sum to zero.
 */
export const ledgerTransactions = pgTable(
  'ledger_transactions',
  {
    ledgerTransactionId: uuid('ledger_transaction_id').primaryKey(),
    kind: text('kind').$type<LedgerKind>().notNull(),
    /** What it books: a payment, or the return of one. Booked once a kind. */
    referenceId: uuid('reference_id').notNull(),
    createdAt: moment('created_at')
      .notNull()
      .default(sql`clock_now()`),
  },
  (table) => [uniqueIndex('ledger_transactions_once').on(table.kind, table.referenceId)],
);

/**
 * One side of a ledger transaction: debit positive, credit negative. Without a foreign key to its transaction, because
 * checking one locks the other row, which needs the right to update; the trigger checks it.
 */
export const ledgerEntries = pgTable(
  'ledger_entries',
  {
    position: bigserial('position', { mode: 'bigint' }).primaryKey(),
    ledgerTransactionId: uuid('ledger_transaction_id').notNull(),
    account: text('account').$type<LedgerAccount>().notNull(),
    /** Whose account: a partner, a route, a payment point (fees), or `house`. */
    owner: text('owner').notNull(),
    amountKopecks: minorUnits('amount_kopecks').notNull(),
  },
  (table) => [
    index('ledger_entries_transaction').on(table.ledgerTransactionId),
    index('ledger_entries_account').on(table.account, table.owner, table.position),
    check('ledger_entries_amount', sql`amount_kopecks <> 0`),
    check(
      'ledger_entries_account_known',
      sql`account in ('ACQUIRER_CLEARING', 'PARTNER_PAYABLE', 'FEE_INCOME', 'REFUNDS_IN_FLIGHT', 'SUSPENSE')`,
    ),
  ],
);

/**
 * The running total of an account, kept by a trigger in the transaction that books (ADR 0033). In shards, so that bookings
 * of one account do not wait for each other: the total is the sum of an account's rows.
 */
export const ledgerBalances = pgTable(
  'ledger_balances',
  {
    account: text('account').$type<LedgerAccount>().notNull(),
    owner: text('owner').notNull(),
    shard: smallint('shard').notNull(),
    balanceKopecks: minorUnits('balance_kopecks').notNull(),
    entryCount: bigint('entry_count', { mode: 'bigint' }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.account, table.owner, table.shard] })],
);
