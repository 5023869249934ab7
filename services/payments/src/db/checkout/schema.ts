import { sql } from 'drizzle-orm';
import { check, index, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import type { VelocityRule } from '@pay/contract/operator/states.ts';
import { moment } from '@pay/shared/postgres/schema.ts';

/** What a buyer's browser can make us ask a bank: to read a payment, or to check a 3-D Secure result. */
export type BankAsk = 'READ' | 'CONFIRM';

/** A bank is being asked for a buyer, or was a moment ago: nobody else asks before `heldUntil`. */
export const bankAsks = pgTable(
  'bank_asks',
  {
    paymentId: uuid('payment_id').notNull(),
    kind: text('kind').$type<BankAsk>().notNull(),
    heldUntil: moment('held_until').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.paymentId, table.kind] }),
    index('bank_asks_old').on(table.heldUntil),
    check('bank_asks_kind', sql`kind in ('READ', 'CONFIRM')`),
  ],
);

/**
 * A card that a buyer sent and that has not paid yet. The row is deleted when it pays, or after a day. Address and card
 * are keyed hashes with a new key every day, so neither can be recovered (decisions/card-testing).
 */
export const cardAttempts = pgTable(
  'card_attempts',
  {
    attemptId: uuid('attempt_id').primaryKey(),
    paymentId: uuid('payment_id').notNull(),
    paymentPointId: text('payment_point_id').notNull(),
    addressHash: text('address_hash').notNull(),
    /** Hash of the first eight digits. */
    binHash: text('bin_hash').notNull(),
    /** The rule that kept it from the bank. Such an attempt does not count. */
    heldBackBy: text('held_back_by').$type<VelocityRule>(),
    createdAt: moment('created_at')
      .notNull()
      .default(sql`clock_now()`),
  },
  (table) => [
    index('card_attempts_payment').on(table.paymentId),
    index('card_attempts_address').on(table.addressHash, table.createdAt),
    index('card_attempts_bin').on(table.binHash, table.createdAt),
    index('card_attempts_point').on(table.paymentPointId, table.createdAt),
    index('card_attempts_old').on(table.createdAt),
    check('card_attempts_rule', sql`held_back_by in ('address', 'bin', 'point')`),
  ],
);

/** The limits that the newest checkout process was configured with, for operators to read. The checkout itself uses its configuration. */
export const velocityLimits = pgTable(
  'velocity_limits',
  {
    rule: text('rule').$type<VelocityRule>().primaryKey(),
    /** This many unpaid cards go to the bank within the window; the next one is held back. */
    cardsMax: integer('cards_max').notNull(),
  },
  () => [check('velocity_limits_rule', sql`rule in ('address', 'bin', 'point')`)],
);
