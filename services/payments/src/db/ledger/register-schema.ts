import { sql } from 'drizzle-orm';
import { bigint, check, date, integer, pgTable, text, timestamp, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import type { PaymentMethod } from '@pay/contract/states.ts';
import { minorUnits, moment } from '@pay/shared/postgres/schema.ts';
import type { PartnerId } from '@pay/shared/identities/identities.ts';
import type { RegisterLineType } from '../../domain/ledger/register.ts';

/**
 * A closed day of a partner's ruble balance. Append-only: the role may neither update nor delete. See
 * decisions/daily-registers.
 */
export const registers = pgTable(
  'registers',
  {
    registerId: uuid('register_id').primaryKey(),
    partnerId: text('partner_id').$type<PartnerId>().notNull(),
    /** UTC. */
    day: date('day').notNull(),
    openingKopecks: minorUnits('opening_kopecks').notNull(),
    paymentsKopecks: minorUnits('payments_kopecks').notNull(),
    chargesKopecks: minorUnits('charges_kopecks').notNull(),
    refundsKopecks: minorUnits('refunds_kopecks').notNull(),
    feesKopecks: minorUnits('fees_kopecks').notNull(),
    closingKopecks: minorUnits('closing_kopecks').notNull(),
    lineCount: integer('line_count').notNull(),
    madeAt: moment('made_at')
      .notNull()
      .default(sql`clock_now()`),
    /** Real time, which no test moves: how long ago this register was made. Null, like the two below: by an earlier release. */
    closedAt: timestamp('closed_at', { withTimezone: true, mode: 'date' }),
    /** The newest ledger entry of anybody that was visible then. */
    highestPosition: bigint('highest_position', { mode: 'bigint' }),
    /**
     * The partner's entries up to this one are in this register or an earlier one: nobody looks for them again
     * (decisions/daily-registers).
     */
    settledPosition: bigint('settled_position', { mode: 'bigint' }),
  },
  (table) => [
    uniqueIndex('registers_day').on(table.partnerId, table.day),
    check('registers_sum', sql`closing_kopecks = opening_kopecks + payments_kopecks + charges_kopecks + refunds_kopecks + fees_kopecks`),
  ],
);

/**
 * The bookings of a register, as they were when it was closed. The primary key is the ledger transaction: each is in exactly one
 * register, whenever it was committed. Append-only.
 */
export const registerLines = pgTable(
  'register_lines',
  {
    ledgerTransactionId: uuid('ledger_transaction_id').primaryKey(),
    registerId: uuid('register_id').notNull(),
    line: integer('line').notNull(),
    bookedAt: moment('booked_at').notNull(),
    type: text('type').$type<RegisterLineType>().notNull(),
    paymentId: uuid('payment_id').notNull(),
    merchantOrderId: text('merchant_order_id').notNull(),
    refundId: uuid('refund_id'),
    merchantRefundId: text('merchant_refund_id'),
    paymentPointId: text('payment_point_id').notNull(),
    method: text('method').$type<PaymentMethod>().notNull(),
    amountKopecks: minorUnits('amount_kopecks').notNull(),
    feeKopecks: minorUnits('fee_kopecks').notNull(),
    balanceKopecks: minorUnits('balance_kopecks').notNull(),
  },
  (table) => [
    uniqueIndex('register_lines_line').on(table.registerId, table.line),
    check('register_lines_type', sql`type in ('PAYMENT', 'RECURRING_CHARGE', 'REFUND', 'REFUND_FAILED')`),
  ],
);
