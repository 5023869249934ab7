import { sql } from 'drizzle-orm';
import { bigserial, boolean, check, index, integer, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { minorUnits, moment } from '@pay/shared/postgres/schema.ts';
import type { TestCardOutcome } from '@pay/shared/sandbox/test-cards.ts';
import type { TransStatus } from '../domain/authentication.ts';
import type { OperationKind, PaymentMethod, Reason } from '../domain/operation.ts';
import type { OperationStatus } from '../domain/operation-status.ts';

/** Every operation that a merchant requested. No row ever contains a card number or CVV. */
export const operations = pgTable(
  'operations',
  {
    operationId: uuid('operation_id').primaryKey(),
    bankOperationId: text('bank_operation_id').notNull().unique(),
    kind: text('kind').$type<OperationKind>().notNull(),
    method: text('method').$type<PaymentMethod>().notNull(),
    status: text('status').$type<OperationStatus>().notNull(),
    reason: text('reason').$type<Reason>(),
    amountKopecks: minorUnits('amount_kopecks').notNull(),
    currency: text('currency').notNull(),
    description: text('description').notNull(),
    returnUrl: text('return_url'),
    expiresAt: moment('expires_at'),
    approvesAt: moment('approves_at'),
    originalOperationId: uuid('original_operation_id'),
    cardMask: text('card_mask'),
    cardExpiry: text('card_expiry'),
    cardToken: text('card_token'),
    threeDsId: text('three_ds_id').unique(),
    threeDsVersion: text('three_ds_version'),
    transStatus: text('trans_status').$type<TransStatus>(),
    eci: text('eci'),
    threeDsServerTransId: uuid('three_ds_server_trans_id'),
    dsTransId: uuid('ds_trans_id'),
    acsTransId: uuid('acs_trans_id'),
    threeDsMethodRan: boolean('three_ds_method_ran').notNull().default(false),
    unansweredReads: integer('unanswered_reads').notNull().default(0),
    requestSha256: text('request_sha256').notNull(),
    /** When to notify the merchant of the result; null: notified, given up, or not finished yet. */
    notifyAt: moment('notify_at'),
    notifyAttempts: integer('notify_attempts').notNull().default(0),
    createdAt: moment('created_at')
      .notNull()
      .default(sql`clock_now()`),
    updatedAt: moment('updated_at')
      .notNull()
      .default(sql`clock_now()`),
  },
  (table) => [
    index('operations_created_at').on(table.createdAt, table.operationId),
    index('operations_refunds')
      .on(table.originalOperationId)
      .where(sql`original_operation_id is not null`),
    // What the passage of time will change. Every listing reads it, so that a listing is as current as reading each
    // row.
    index('operations_due')
      .on(sql`(case when status = 'PENDING' then approves_at else expires_at end)`)
      .where(sql`status in ('REGISTERED', 'THREE_DS_REQUIRED', 'PENDING')`),
    uniqueIndex('operations_three_ds').on(table.threeDsServerTransId),
    index('operations_notify')
      .on(table.notifyAt)
      .where(sql`notify_at is not null`),
    check('operations_amount', sql`amount_kopecks > 0`),
    check(
      'operations_status',
      sql`status in ('REGISTERED', 'THREE_DS_REQUIRED', 'PENDING', 'APPROVED', 'DECLINED', 'CANCELLED', 'EXPIRED')`,
    ),
    check('operations_refund_names_payment', sql`(kind = 'REFUND') = (original_operation_id is not null)`),
  ],
);

/** Cards saved for a merchant, by the token that the bank issued. */
export const savedCards = pgTable('saved_cards', {
  token: text('token').primaryKey(),
  mask: text('mask').notNull(),
  expiry: text('expiry').notNull(),
  outcome: text('outcome').$type<TestCardOutcome>().notNull(),
  createdAt: moment('created_at')
    .notNull()
    .default(sql`clock_now()`),
});

/** What happened to an operation, in order; the counters of the control API count these rows. */
export const history = pgTable(
  'history',
  {
    position: bigserial('position', { mode: 'bigint' }).primaryKey(),
    operationId: uuid('operation_id')
      .notNull()
      .references(() => operations.operationId, { onDelete: 'cascade' }),
    event: text('event').$type<HistoryEvent>().notNull(),
    /** A status or a reason, never what a caller sent. */
    detail: text('detail'),
    at: moment('at')
      .notNull()
      .default(sql`clock_now()`),
  },
  (table) => [index('history_operation').on(table.operationId, table.position)],
);

/**
 * REQUESTED: a call asked for it (repeats included). MOVED: the status changed. MONEY_MOVED: money moved, once at most.
 */
export type HistoryEvent = 'REQUESTED' | 'MOVED' | 'MONEY_MOVED' | 'ANSWER_WITHHELD';
