import { sql } from 'drizzle-orm';
import { bigint, bigserial, check, index, pgTable, primaryKey, smallint, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { minorUnits, moment } from '@pay/shared/postgres/schema.ts';
import type { LedgerAccount, LedgerKind } from '../../domain/ledger/ledger.ts';

/**
 * A balanced set of entries, and why money moved. Append-only: the role may not update or delete. A deferred trigger
 * refuses a transaction whose entries do not sum to zero.
 */
export const ledgerTransactions = pgTable(
  'ledger_transactions',
  {
    ledgerTransactionId: uuid('ledger_transaction_id').primaryKey(),
    kind: text('kind').$type<LedgerKind>().notNull(),
    /** The payment, refund or return that is booked: at most once per kind. */
    referenceId: uuid('reference_id').notNull(),
    createdAt: moment('created_at')
      .notNull()
      .default(sql`clock_now()`),
  },
  (table) => [uniqueIndex('ledger_transactions_once').on(table.kind, table.referenceId)],
);

/**
 * One side of a ledger transaction: a debit is positive, a credit negative. There is no foreign key to the transaction, because
 * checking one locks the referenced row, which takes the right to update; the trigger checks it.
 */
export const ledgerEntries = pgTable(
  'ledger_entries',
  {
    position: bigserial('position', { mode: 'bigint' }).primaryKey(),
    ledgerTransactionId: uuid('ledger_transaction_id').notNull(),
    account: text('account').$type<LedgerAccount>().notNull(),
    /** The owner of the account: a partner, a route, a payment point (fees), or `house`. */
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
 * The running total of an account, updated by a trigger in the booking transaction (decisions/ledger). Sharded so that
 * bookings of one account do not wait for each other: the total is the sum of the account's rows.
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
