import { sql } from 'drizzle-orm';
import { check, date, index, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import type {
  ExceptionKind,
  ExceptionStatus,
  ReconciliationResult,
  ReconciliationStatus,
} from '@pay/contract/operator/states.ts';
import { minorUnits, moment } from '@pay/shared/postgres/schema.ts';
import type { OperatorLogin } from '@pay/shared/identities/identities.ts';
import { payments } from '../payment/schema.ts';
import { routes } from '../acquiring/schema.ts';

/**
 * What a person has to look at: our books and the bank's disagree. One of a kind an operation and what was found; what is
 * found again as it was is the same exception, resolved or not.
 */
export const exceptions = pgTable(
  'exceptions',
  {
    exceptionId: uuid('exception_id')
      .primaryKey()
      .default(sql`gen_random_uuid()`),
    kind: text('kind').$type<ExceptionKind>().notNull(),
    /** Null: the bank names an operation that is none of ours. */
    paymentId: uuid('payment_id').references(() => payments.paymentId),
    /** The operation's id at the bank: a payment's, a refund's or a return's; what the bank says where it is not ours. */
    operationId: text('operation_id').notNull(),
    routeId: text('route_id').references(() => routes.routeId),
    /** Found by comparing this day of the register (UTC); null: found on the way. */
    day: date('day'),
    /** One sentence for a person. */
    reason: text('reason').notNull(),
    /** Tells findings of a kind about one operation apart; empty where there can be one only. */
    finding: text('finding').notNull().default(''),
    bankOperationId: text('bank_operation_id'),
    bankAmountKopecks: minorUnits('bank_amount_kopecks'),
    bankCurrency: text('bank_currency'),
    bankStatus: text('bank_status'),
    ourAmountKopecks: minorUnits('our_amount_kopecks'),
    ourStatus: text('our_status'),
    status: text('status').$type<ExceptionStatus>().notNull().default('OPEN'),
    /** What was done about it, by whom. */
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

/** The comparison of one day of a route's register with our books; a later one of the same day takes its place. */
export const reconciliations = pgTable(
  'reconciliations',
  {
    routeId: text('route_id')
      .notNull()
      .references(() => routes.routeId),
    /** Of the bank's register, UTC. */
    day: date('day').notNull(),
    /** Of the newest run: items of an older one are not its own. */
    runId: uuid('run_id').notNull(),
    status: text('status').$type<ReconciliationStatus>().notNull(),
    /** An operator, or `daily`. */
    requestedBy: text('requested_by').$type<OperatorLogin>().notNull(),
    /** A run that has not said anything until then is dead: another may begin. */
    leaseUntil: moment('lease_until').notNull(),
    startedAt: moment('started_at').notNull(),
    completedAt: moment('completed_at'),
    /** What the bank says of the day: money taken, less money given back. Null until it is completed. */
    bankKopecks: minorUnits('bank_kopecks'),
    /** What our books say of the same operations. */
    ourKopecks: minorUnits('our_kopecks'),
  },
  (table) => [
    primaryKey({ columns: [table.routeId, table.day] }),
    check('reconciliations_status', sql`status in ('RUNNING', 'COMPLETED')`),
    check('reconciliations_completed', sql`(status = 'COMPLETED') = (completed_at is not null)`),
  ],
);

/** One operation of a compared day: both sides as they were then, and what follows. */
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
    bankOperationId: text('bank_operation_id'),
    bankStatus: text('bank_status'),
    bankAmountKopecks: minorUnits('bank_amount_kopecks'),
    ourStatus: text('our_status'),
    ourAmountKopecks: minorUnits('our_amount_kopecks'),
    /** Money as the bank has it: taken positive, given back negative, else zero. */
    bankKopecks: minorUnits('bank_kopecks').notNull(),
    /** Money as our ledger has it. */
    ourKopecks: minorUnits('our_kopecks').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.routeId, table.day, table.operationId] }),
    // For the report of a partner: how each operation compared.
    index('reconciliation_items_operation').on(table.operationId, table.day),
    check(
      'reconciliation_items_result',
      sql`result in ('MATCHED', 'IN_PROGRESS', 'MISSING_HERE', 'MISSING_THERE', 'DIFFERENT_AMOUNT', 'DIFFERENT_STATE')`,
    ),
  ],
);
