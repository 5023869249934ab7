import { sql } from 'drizzle-orm';
import { check, index, pgTable, smallint, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { minorUnits, moment } from '@pay/shared/postgres/schema.ts';

/** Money without an order that is being returned to the buyer: from a late success, taken more than once, or of an unknown order. */
export const moneyReturns = pgTable(
  'money_returns',
  {
    /** Also the refund's operation id at the bank, unless that is none of ours (`returnIdOf`). */
    returnId: uuid('return_id').primaryKey(),
    /**
     * The order at the bank: a payment of ours or, if UNKNOWN_ORDER, one that only the bank knows
     * (decisions/reconciliation).
     */
    paymentId: uuid('payment_id').notNull(),
    why: text('why').$type<'LATE_SUCCESS' | 'PAID_TWICE' | 'UNKNOWN_ORDER'>().notNull().default('LATE_SUCCESS'),
    /** Our id of the order for which it was taken; null: the payment's own id. */
    operationId: uuid('operation_id'),
    /**
     * The bank's own payment that took the money; each is returned once. For a part of an UNKNOWN_ORDER that had been refunded
     * before, the bank's own refund.
     */
    bankOperationId: text('bank_operation_id').notNull(),
    routeId: text('route_id').notNull(),
    amountKopecks: minorUnits('amount_kopecks').notNull(),
    status: text('status').$type<'PENDING' | 'COMPLETED' | 'FAILED'>().notNull().default('PENDING'),
    attemptCount: smallint('attempt_count').notNull().default(0),
    nextAttemptAt: moment('next_attempt_at'),
    createdAt: moment('created_at')
      .notNull()
      .default(sql`clock_now()`),
    updatedAt: moment('updated_at')
      .notNull()
      .default(sql`clock_now()`),
  },
  (table) => [
    index('money_returns_due')
      .on(table.nextAttemptAt)
      .where(sql`next_attempt_at is not null`),
    // One that the bank declined may be followed by one of what is left.
    uniqueIndex('money_returns_once')
      .on(table.paymentId, table.bankOperationId)
      .where(sql`status <> 'FAILED'`),
    // A payment ends once, so there is one late success; any other money was paid twice.
    uniqueIndex('money_returns_late')
      .on(table.paymentId)
      .where(sql`why = 'LATE_SUCCESS'`),
    check('money_returns_why', sql`why in ('LATE_SUCCESS', 'PAID_TWICE', 'UNKNOWN_ORDER')`),
    check('money_returns_status', sql`status in ('PENDING', 'COMPLETED', 'FAILED')`),
  ],
);
