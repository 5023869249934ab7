import { sql } from 'drizzle-orm';
import { check, date, index, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import type { ExceptionKind, ExceptionStatus, ReconciliationResult, ReconciliationStatus } from '@pay/contract/operator/states.ts';
import { minorUnits, moment } from '@pay/shared/postgres/schema.ts';
import type { OperatorLogin } from '@pay/shared/identities/identities.ts';
import { payments } from '../payment/schema.ts';
import { routes } from '../acquiring/schema.ts';

/**
 * Something that an operator must look at: our books and the bank's disagree. One per kind, operation and finding; the
 * same finding again is the same exception, resolved or not.
 */
export const exceptions = pgTable(
  'exceptions',
  {
    exceptionId: uuid('exception_id')
      .primaryKey()
      .default(sql`gen_random_uuid()`),
    kind: text('kind').$type<ExceptionKind>().notNull(),
    /** Null: the bank names an operation that is not ours. */
    paymentId: uuid('payment_id').references(() => payments.paymentId),
    /** The operation's id at the bank: of a payment, refund or return; the bank's own id if the operation is not ours. */
    operationId: text('operation_id').notNull(),
    routeId: text('route_id').references(() => routes.routeId),
    /** The day of the register (UTC) whose comparison found it; null: found during processing. */
    day: date('day'),
    /** One sentence for operators. */
    reason: text('reason').notNull(),
    /** Distinguishes findings of one kind about one operation; empty if there can be only one. */
    finding: text('finding').notNull().default(''),
    bankOperationId: text('bank_operation_id'),
    bankAmountKopecks: minorUnits('bank_amount_kopecks'),
    bankCurrency: text('bank_currency'),
    bankStatus: text('bank_status'),
    ourAmountKopecks: minorUnits('our_amount_kopecks'),
    ourStatus: text('our_status'),
    status: text('status').$type<ExceptionStatus>().notNull().default('OPEN'),
    /** What was done about it. */
    note: text('note'),
    resolvedBy: text('resolved_by').$type<OperatorLogin>(),
    createdAt: moment('created_at')
      .notNull()
      .default(sql`clock_now()`),
    resolvedAt: moment('resolved_at'),
  },
  (table) => [
    uniqueIndex('exceptions_once').on(table.operationId, table.kind, table.finding),
    index('exceptions_payment').on(table.paymentId),
    index('exceptions_newest').on(table.createdAt, table.exceptionId),
    index('exceptions_open')
      .on(table.createdAt)
      .where(sql`status = 'OPEN'`),
    check('exceptions_status', sql`status in ('OPEN', 'RESOLVED')`),
    check(
      'exceptions_resolved',
      sql`(status = 'RESOLVED') = (resolved_at is not null) and (status = 'RESOLVED') = (resolved_by is not null) and (status = 'RESOLVED') = (note is not null)`,
    ),
  ],
);

/** The comparison of one day of a route's register with our books; a later comparison of the day replaces it. */
export const reconciliations = pgTable(
  'reconciliations',
  {
    routeId: text('route_id')
      .notNull()
      .references(() => routes.routeId),
    /** The day of the bank's register, UTC. */
    day: date('day').notNull(),
    /** The newest run; items of older runs do not count. */
    runId: uuid('run_id').notNull(),
    status: text('status').$type<ReconciliationStatus>().notNull(),
    /** An operator, or `daily`. */
    requestedBy: text('requested_by').$type<OperatorLogin>().notNull(),
    /** A run that has not renewed its lease by then is dead: another may begin. */
    leaseUntil: moment('lease_until').notNull(),
    startedAt: moment('started_at').notNull(),
    completedAt: moment('completed_at'),
    /** The bank's total for the day: money taken, less money returned. Null until the run is completed. */
    bankKopecks: minorUnits('bank_kopecks'),
    /** Our total for the same operations. */
    ourKopecks: minorUnits('our_kopecks'),
  },
  (table) => [
    primaryKey({ columns: [table.routeId, table.day] }),
    check('reconciliations_status', sql`status in ('RUNNING', 'COMPLETED')`),
    check('reconciliations_completed', sql`(status = 'COMPLETED') = (completed_at is not null)`),
  ],
);

/** One operation of a compared day: both sides as they were then, and the result. */
export const reconciliationItems = pgTable(
  'reconciliation_items',
  {
    routeId: text('route_id').notNull(),
    day: date('day').notNull(),
    operationId: text('operation_id').notNull(),
    runId: uuid('run_id').notNull(),
    result: text('result').$type<ReconciliationResult>().notNull(),
    kind: text('kind').$type<'PAYMENT' | 'REFUND' | 'RETURN'>().notNull(),
    paymentId: uuid('payment_id'),
    /** Of a refund: the operation that it refunds, if the register names it. */
    originalOperationId: text('original_operation_id'),
    bankOperationId: text('bank_operation_id'),
    bankStatus: text('bank_status'),
    bankAmountKopecks: minorUnits('bank_amount_kopecks'),
    ourStatus: text('our_status'),
    ourAmountKopecks: minorUnits('our_amount_kopecks'),
    /** What moved according to the bank: taken is positive, returned is negative, otherwise zero. */
    bankKopecks: minorUnits('bank_kopecks').notNull(),
    /** What moved according to our ledger. */
    ourKopecks: minorUnits('our_kopecks').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.routeId, table.day, table.operationId] }),
    // For a partner's report: the result of each operation.
    index('reconciliation_items_operation').on(table.operationId, table.day),
    check(
      'reconciliation_items_result',
      sql`result in ('MATCHED', 'IN_PROGRESS', 'MISSING_HERE', 'MISSING_THERE', 'DIFFERENT_AMOUNT', 'DIFFERENT_STATE')`,
    ),
  ],
);
