import { index, pgTable, smallint, text, uuid } from 'drizzle-orm/pg-core';
import type { FailureCode } from '@pay/contract/messages.ts';
import type { TransStatus } from '@pay/contract/operator/states.ts';
import { moment } from '@pay/shared/postgres/schema.ts';
import { payments } from './schema.ts';

/**
 * An order that was left behind: of a card that the bank declined while the buyer could try another one
 * (decisions/orders-of-a-payment), or of a way to pay that the buyer left, which ended CANCELLED_BY_CUSTOMER
 * (decisions/orders-of-a-payment). The last order of a payment is in the payment's own row.
 */
export const declinedCards = pgTable(
  'declined_cards',
  {
    /** Our id of the order that was declined. */
    operationId: uuid('operation_id').primaryKey(),
    /** Our id of the order for the next card. */
    nextOperationId: uuid('next_operation_id').notNull().unique('declined_cards_next'),
    paymentId: uuid('payment_id')
      .notNull()
      .references(() => payments.paymentId),
    /** 1 for the first card of the payment. */
    attempt: smallint('attempt').notNull(),
    bankOperationId: text('bank_operation_id'),
    failureCode: text('failure_code').$type<FailureCode>().notNull(),
    cardMask: text('card_mask'),
    threeDsVersion: text('three_ds_version'),
    transStatus: text('trans_status').$type<TransStatus>(),
    eci: text('eci'),
    /** When the card was sent to the bank. */
    sentAt: moment('sent_at').notNull(),
    declinedAt: moment('declined_at').notNull(),
  },
  (table) => [
    index('declined_cards_payment').on(table.paymentId),
    // For the day of a reconciliation.
    index('declined_cards_sent').on(table.sentAt),
    index('declined_cards_bank_operation').on(table.bankOperationId),
  ],
);
