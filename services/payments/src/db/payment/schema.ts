import { sql } from 'drizzle-orm';
import { boolean, check, index, integer, jsonb, pgTable, smallint, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import type { Receipt } from '@pay/contract/api/receipt.ts';
import type { ChargePeriod, FailureCode } from '@pay/contract/messages.ts';
import type { PaymentMethod, PaymentStatus } from '@pay/contract/states.ts';
import type { TransStatus, WhenNotAuthenticated } from '@pay/contract/operator/states.ts';
import { isOneOf, minorUnits, moment } from '@pay/shared/postgres/schema.ts';
import type { PartnerId } from '@pay/shared/identities/identities.ts';
import type { Consent, ConsentCapture } from '../../domain/payment/consent.ts';
import { createdAt, updatedAt } from '../columns.ts';
import { routes } from '../acquiring/schema.ts';
import { paymentPoints } from '../merchant/schema.ts';

/**
 * The columns that hold a partner's request, named as the contract's codecs name its fields (`Stored` compares them). A parsed
 * request has no `currency`: it is always RUB.
 */
const requestColumns = {
  /** The partner's order number; empty for QR. */
  merchantOrderId: text('merchant_order_id').notNull(),
  amountKopecks: minorUnits('amount_kopecks').notNull(),
  currency: text('currency').$type<'RUB'>().notNull().default('RUB'),
  description: text('description').notNull(),
  customerId: text('customer_id').notNull(),
  /** The return address of this order; null: the partner's saved one. */
  returnUrl: text('return_url'),
  /** The 54-FZ receipt as the partner wrote it; null: none is requested. See decisions/refunds. */
  receipt: jsonb('receipt').$type<Receipt>(),
};
export type RequestColumn = Exclude<keyof typeof requestColumns, 'currency'>;

/** The statuses that few payments have at any time. */
export const RARE_STATUSES: readonly PaymentStatus[] = ['CREATED', 'SUBMITTED', 'PENDING', 'FAILED'];
/** Whether a payment has one of them, as in the index `payments_rare_status`. */
export const hasRareStatus = isOneOf('status', RARE_STATUSES);

/** The last digits of the card's mask, as in the index `payments_card_last_four`. */
export const cardLastFour = sql`right(card_mask, 4)`;

/** One order's attempt to take money. No card number, expiry as typed, or CVV is ever in a row. */
export const payments = pgTable(
  'payments',
  {
    paymentId: uuid('payment_id').primaryKey(),
    partnerId: text('partner_id').$type<PartnerId>().notNull(),
    paymentPointId: text('payment_point_id')
      .notNull()
      .references(() => paymentPoints.paymentPointId),
    routeId: text('route_id')
      .notNull()
      .references(() => routes.routeId),
    method: text('method').$type<PaymentMethod>().notNull(),
    ...requestColumns,
    /**
     * The order number of a charge that failed because another payment had taken the number by then; `merchantOrderId` is
     * empty. Null otherwise.
     */
    duplicateOrderId: text('duplicate_order_id'),
    /** The fee when the payment was created: a later change of the point does not affect it. */
    feeBasisPoints: integer('fee_basis_points').notNull(),
    status: text('status').$type<PaymentStatus>().notNull(),
    failureCode: text('failure_code').$type<FailureCode>(),
    /** Number of events published so far: the next event carries this plus one. Gapless. */
    aggregateVersion: integer('aggregate_version').notNull().default(0),
    /** 256 random bits: whoever knows the token may pay. */
    checkoutToken: text('form_token').notNull().unique('payments_form_token'),
    expiresAt: moment('expires_at').notNull(),
    /**
     * Our id of the order that the present card is for; null: the payment's own id. A declined order is never used
     * again (decisions/orders-of-a-payment).
     */
    operationId: uuid('operation_id'),
    /** The bank's id of that order; null: it is not registered. */
    bankOperationId: text('bank_operation_id'),
    /**
     * Whether that order is paid by SBP, which the buyer of a card payment chose on the page
     * (decisions/orders-of-a-payment). A QR payment has no such order.
     */
    isSbpOrder: boolean('is_sbp_order').notNull().default(false),
    /** How many orders were left behind: of cards that the bank declined, and of ways to pay that the buyer left for another. */
    declinedCount: smallint('declined_count').notNull().default(0),
    /** How many of them the buyer left. */
    switchedCount: smallint('switched_count').notNull().default(0),
    /** Why the bank declined the last card; null: it declined none. */
    lastDecline: text('last_decline').$type<FailureCode>(),
    /** How many cards the point lets a buyer try, when the present card was sent; null before. */
    cardAttemptsMax: smallint('card_attempts_max'),
    /** Until this moment, one process may make the calls that move this payment's money. Null: nobody. */
    leaseUntil: moment('lease_until'),
    /**
     * Incremented each time the lease is taken: a process with an older number has lost it
     * (decisions/leases-and-fences).
     */
    leaseNumber: integer('lease_number').notNull().default(0),
    /** When a card went, or was about to go, to the bank: from then on the bank may have taken money. */
    cardSentAt: moment('card_sent_at'),
    /**
     * Names the call that took the payment for its card: after a COMMIT without an answer it finds its own intent. See
     * decisions/leases-and-fences.
     */
    cardIntentId: uuid('card_intent_id'),
    /**
     * SHA-256 (hex) of the cookie of the browser that sent the card; null if it had none. See decisions/saved-cards.
     */
    payerKeySha256: text('payer_key_sha256'),
    /** The bank's 3-D Secure page. */
    acsUrl: text('acs_url'),
    /** What the buyer's browser posts to it (EMV 3-D Secure, CReq); null: a plain visit is enough. */
    acsRequest: text('acs_request'),
    /** The point's setting when the card was sent; null before. */
    whenNotAuthenticated: text('when_not_authenticated').$type<WhenNotAuthenticated>(),
    /** The 3-D Secure result, as far as the bank reports it. Never a cryptogram. */
    threeDsVersion: text('three_ds_version'),
    transStatus: text('trans_status').$type<TransStatus>(),
    eci: text('eci'),
    threeDsServerTransId: text('three_ds_server_trans_id'),
    dsTransId: text('ds_trans_id'),
    acsTransId: text('acs_trans_id'),
    /** The link in the QR code, once the bank has registered the payment. */
    nspkUrl: text('nspk_url'),
    cardMask: text('card_mask'),
    cardExpiry: text('card_expiry'),
    /** How often the saved card may be charged. Null: no card is to be saved. */
    savePeriod: text('save_period').$type<ChargePeriod>(),
    /** Who asks the buyer; null without `savePeriod`. */
    consentCapture: text('consent_capture').$type<ConsentCapture>(),
    /** The buyer's answer; null without `savePeriod`. */
    consent: text('consent').$type<Consent>(),
    /** Set if the consent is GIVEN. */
    consentId: uuid('consent_id'),
    /** CARD: the binding that this payment creates. CARD_BINDING: the one that it charges. */
    bindingId: uuid('binding_id'),
    /** When the worker next registers, reads back or expires this payment. Null: never again. */
    nextReadAt: moment('next_read_at'),
    readCount: smallint('read_count').notNull().default(0),
    lastReadAt: moment('last_read_at'),
    /** The confirmed financial transaction, called `paymentId` in events. */
    ledgerTransactionId: uuid('ledger_transaction_id'),
    /** Confirmed refunds. */
    refundedKopecks: minorUnits('refunded_kopecks')
      .notNull()
      .default(sql`0`),
    /** Confirmed refunds and those in flight: the rest of the amount may still be refunded. */
    refundReservedKopecks: minorUnits('refund_reserved_kopecks')
      .notNull()
      .default(sql`0`),
    /** W3C: what happens to the payment later belongs to the trace that created it; null if it was not recorded. */
    traceparent: text('traceparent'),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [
    // The order comes first: operators search for it without knowing the partner.
    uniqueIndex('payments_merchant_order')
      .on(table.merchantOrderId, table.partnerId)
      .where(sql`merchant_order_id <> ''`),
    // The buyer comes first: operators search without knowing the partner.
    index('payments_buyer').on(table.customerId, table.partnerId, table.createdAt, table.paymentId),
    // A partner's card payments and charges, newest first.
    index('payments_partner_cards')
      .on(table.partnerId, table.createdAt, table.paymentId)
      .where(sql`method <> 'SBP_DYNAMIC_QR'`),
    // For a partner's list of a status that few of its payments have: in the list above it would read all of them.
    index('payments_partner_status')
      .on(table.partnerId, table.status, table.createdAt, table.paymentId)
      .where(sql`method <> 'SBP_DYNAMIC_QR'`),
    index('payments_bank_operation')
      .on(table.bankOperationId)
      .where(sql`bank_operation_id is not null`),
    index('payments_binding')
      .on(table.bindingId)
      .where(sql`binding_id is not null`),
    index('payments_consent')
      .on(table.consentId)
      .where(sql`consent_id is not null`),
    // Each route is searched separately.
    index('payments_next_read')
      .on(table.routeId, table.nextReadAt)
      .where(sql`next_read_at is not null`),
    // For lists of a status that few have at any time: by time they would read everything.
    index('payments_rare_status').on(table.status, table.createdAt, table.paymentId).where(hasRareStatus),
    // For an operator who knows the end of a buyer's card number.
    index('payments_card_last_four')
      .on(cardLastFour, table.createdAt, table.paymentId)
      .where(sql`card_mask is not null`),
    // For an operator who knows only the amount: by time, one that nobody paid lately would read everything.
    index('payments_by_amount').on(table.amountKopecks, table.createdAt, table.paymentId),
    index('payments_point').on(table.paymentPointId, table.createdAt, table.paymentId),
    // For operators' lists, newest first, and for the day of a reconciliation or report.
    index('payments_newest').on(table.createdAt, table.paymentId),
    check('payments_amount', sql`amount_kopecks > 0`),
    index('payments_qr_history')
      .on(table.paymentPointId, table.createdAt, table.paymentId)
      .where(sql`method = 'SBP_DYNAMIC_QR'`),
    index('payments_qr_status')
      .on(table.paymentPointId, table.status, table.createdAt, table.paymentId)
      .where(sql`method = 'SBP_DYNAMIC_QR'`),
    check('payments_refunded', sql`refunded_kopecks >= 0 and refund_reserved_kopecks between refunded_kopecks and amount_kopecks`),
    check(
      'payments_status',
      sql`status in ('CREATED', 'SUBMITTED', 'PENDING', 'COMPLETED', 'REJECTED', 'EXPIRED', 'FAILED', 'CANCELLED', 'REFUNDED')`,
    ),
    check('payments_failure', sql`(failure_code is not null) = (status in ('REJECTED', 'EXPIRED', 'FAILED', 'CANCELLED'))`),
    check('payments_booked', sql`(ledger_transaction_id is not null) = (status in ('COMPLETED', 'REFUNDED'))`),
    check('payments_saving', sql`(save_period is null) = (consent_capture is null) and (save_period is null) = (consent is null)`),
    check('payments_authentication', sql`when_not_authenticated in ('DECLINE', 'ACCEPT')`),
    check('payments_trans_status', sql`trans_status in ('Y', 'A', 'N', 'U', 'R', 'C', 'D', 'I')`),
    check('payments_consent', sql`consent in ('AWAITED', 'GIVEN', 'DECLINED')`),
    check('payments_consent_capture', sql`consent_capture in ('SERVICE', 'MERCHANT')`),
    check('payments_consent_id', sql`(consent_id is not null) = (consent is not distinct from 'GIVEN')`),
    check('payments_binding', sql`method <> 'CARD_BINDING' or binding_id is not null`),
  ],
);
