import { sql } from 'drizzle-orm';
import { check, index, jsonb, pgTable, smallint, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import type { Receipt } from '@pay/contract/api/receipt.ts';
import type { RefundFailureCode } from '@pay/contract/messages.ts';
import type { RefundStatus } from '@pay/contract/states.ts';
import { minorUnits, moment } from '@pay/shared/postgres/schema.ts';
import type { PartnerId } from '@pay/shared/identities/identities.ts';
import { createdAt, updatedAt } from '../columns.ts';
import { payments } from '../payment/schema.ts';

/** A refund of a part or all of a payment. Together with PENDING ones never more than was paid. */
export const refunds = pgTable(
  'refunds',
  {
    /** Also the refund's operation id at the bank. */
    refundId: uuid('refund_id').primaryKey(),
    paymentId: uuid('payment_id')
      .notNull()
      .references(() => payments.paymentId),
    partnerId: text('partner_id').$type<PartnerId>().notNull(),
    /** The partner's refund number; null if none was given. */
    merchantRefundId: text('merchant_refund_id'),
    amountKopecks: minorUnits('amount_kopecks').notNull(),
    reason: text('reason'),
    /** The receipt of what is refunded, as the partner wrote it. */
    receipt: jsonb('receipt').$type<Receipt>(),
    status: text('status').$type<RefundStatus>().notNull().default('PENDING'),
    failureCode: text('failure_code').$type<RefundFailureCode>(),
    bankOperationId: text('bank_operation_id'),
    /** When the worker asks the bank next. Null: never again. */
    nextReadAt: moment('next_read_at'),
    readCount: smallint('read_count').notNull().default(0),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
    completedAt: moment('completed_at'),
  },
  (table) => [
    // The number comes first: operators search for it without knowing the partner.
    uniqueIndex('refunds_merchant_refund')
      .on(table.merchantRefundId, table.partnerId)
      .where(sql`merchant_refund_id is not null`),
    index('refunds_payment').on(table.paymentId, table.createdAt, table.refundId),
    index('refunds_bank_operation')
      .on(table.bankOperationId)
      .where(sql`bank_operation_id is not null`),
    index('refunds_created').using('brin', table.createdAt),
    index('refunds_next_read')
      .on(table.nextReadAt)
      .where(sql`next_read_at is not null`),
    check('refunds_amount', sql`amount_kopecks > 0`),
    check('refunds_status', sql`status in ('PENDING', 'COMPLETED', 'FAILED')`),
    check('refunds_failure', sql`(failure_code is not null) = (status = 'FAILED')`),
    check('refunds_completed', sql`(completed_at is not null) = (status = 'COMPLETED')`),
  ],
);
