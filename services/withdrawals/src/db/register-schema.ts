import { sql } from 'drizzle-orm';
import { check, date, integer, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { minorUnits, moment } from '@pay/shared/postgres/schema.ts';
import type { PartnerId } from '@pay/shared/identities/identities.ts';
import type { RegisterLineType } from '../domain/register.ts';

/**
 * A closed day of a partner's USDT. Append-only: the role may neither update nor delete. See decisions/daily-registers.
 */
export const registers = pgTable(
  'registers',
  {
    registerId: uuid('register_id').primaryKey(),
    partnerId: text('partner_id').$type<PartnerId>().notNull(),
    /** UTC. */
    day: date('day').notNull(),
    openingAvailableMicroUsdt: minorUnits('opening_available_micro_usdt').notNull(),
    openingReservedMicroUsdt: minorUnits('opening_reserved_micro_usdt').notNull(),
    fundedMicroUsdt: minorUnits('funded_micro_usdt').notNull(),
    requestedMicroUsdt: minorUnits('requested_micro_usdt').notNull(),
    releasedMicroUsdt: minorUnits('released_micro_usdt').notNull(),
    completedMicroUsdt: minorUnits('completed_micro_usdt').notNull(),
    closingAvailableMicroUsdt: minorUnits('closing_available_micro_usdt').notNull(),
    closingReservedMicroUsdt: minorUnits('closing_reserved_micro_usdt').notNull(),
    lineCount: integer('line_count').notNull(),
    madeAt: moment('made_at')
      .notNull()
      .default(sql`clock_now()`),
  },
  (table) => [
    uniqueIndex('registers_day').on(table.partnerId, table.day),
    check(
      'registers_available',
      sql`closing_available_micro_usdt = opening_available_micro_usdt + funded_micro_usdt - requested_micro_usdt + released_micro_usdt`,
    ),
    check(
      'registers_reserved',
      sql`closing_reserved_micro_usdt = opening_reserved_micro_usdt + requested_micro_usdt - released_micro_usdt - completed_micro_usdt`,
    ),
  ],
);

/**
 * The bookings of a register as they were when it was made. The primary key is the ledger transaction: each is in
 * exactly one register, whenever it committed. Append-only.
 */
export const registerLines = pgTable(
  'register_lines',
  {
    ledgerTransactionId: uuid('ledger_transaction_id').primaryKey(),
    registerId: uuid('register_id').notNull(),
    line: integer('line').notNull(),
    bookedAt: moment('booked_at').notNull(),
    type: text('type').$type<RegisterLineType>().notNull(),
    storeId: text('store_id').notNull(),
    withdrawalRequestId: uuid('withdrawal_request_id'),
    fundingId: uuid('funding_id'),
    beneficiaryRef: text('beneficiary_ref'),
    transferReference: text('transfer_reference'),
    amountMicroUsdt: minorUnits('amount_micro_usdt').notNull(),
    availableChangeMicroUsdt: minorUnits('available_change_micro_usdt').notNull(),
    reservedChangeMicroUsdt: minorUnits('reserved_change_micro_usdt').notNull(),
    availableMicroUsdt: minorUnits('available_micro_usdt').notNull(),
    reservedMicroUsdt: minorUnits('reserved_micro_usdt').notNull(),
  },
  (table) => [
    uniqueIndex('register_lines_line').on(table.registerId, table.line),
    check(
      'register_lines_type',
      sql`type in ('FUNDING', 'WITHDRAWAL_REQUESTED', 'WITHDRAWAL_REJECTED', 'WITHDRAWAL_CANCELLED', 'WITHDRAWAL_FAILED', 'WITHDRAWAL_COMPLETED')`,
    ),
    check(
      'register_lines_subject',
      sql`(type = 'FUNDING') = (funding_id is not null) and (type = 'FUNDING') = (withdrawal_request_id is null)`,
    ),
  ],
);
