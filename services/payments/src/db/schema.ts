import { sql } from 'drizzle-orm';
import {
  bigserial,
  boolean,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  smallint,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import type { Receipt } from '@pay/contract/api/receipt.ts';
import type { ChargePeriod, FailureCode, RefundFailureCode } from '@pay/contract/messages.ts';
import { minorUnits, moment } from '@pay/shared/postgres/schema.ts';
import type { OperatorLogin, PartnerId } from '@pay/shared/identities/identities.ts';
import type { PaymentMethod } from '../domain/payment/payment.ts';
import type { Consent, ConsentCapture } from '../domain/payment/consent.ts';
import type { PaymentPointStatus, PointMethod } from '../domain/merchant/payment-point.ts';
import type { PaymentStatus } from '../domain/payment/payment-status.ts';
import type { RefundStatus } from '../domain/refund/refund-status.ts';
import type { TransStatus, WhenNotAuthenticated } from '../domain/acquiring/three-ds.ts';

export { idempotencyRecords, inbox, outbox, relayLease, seals } from '@pay/shared/postgres/schema.ts';

const createdAt = () =>
  moment('created_at')
    .notNull()
    .default(sql`clock_now()`);
const updatedAt = () =>
  moment('updated_at')
    .notNull()
    .default(sql`clock_now()`);

/** A shop of a partner. */
export const stores = pgTable(
  'stores',
  {
    storeId: text('store_id').primaryKey(),
    partnerId: text('partner_id').$type<PartnerId>().notNull(),
    name: text('name').notNull(),
    /** The shop may show the consent in its own interface. See spec/decisions#merchant-capture. */
    merchantConsent: boolean('merchant_consent').notNull().default(false),
    createdAt: createdAt(),
  },
  (table) => [index('stores_partner').on(table.partnerId)],
);

/** What the gateway said of its partners; one that is not here may take payments. ADR 0101. */
export const partnerStandings = pgTable(
  'partner_standings',
  {
    partnerId: text('partner_id').$type<PartnerId>().primaryKey(),
    status: text('status').$type<'ACTIVE' | 'SUSPENDED'>().notNull(),
    /** Of the gateway: what is older than this is ignored. */
    revision: minorUnits('revision').notNull(),
    updatedAt: updatedAt(),
  },
  () => [check('partner_standings_status', sql`status in ('ACTIVE', 'SUSPENDED')`)],
);

/** A way to a bank. Never shown to partners. */
export const routes = pgTable(
  'routes',
  {
    routeId: text('route_id').primaryKey(),
    /** The folder of `acquirers/` that speaks to it. */
    connector: text('connector').notNull(),
    /** SUSPENDED: no new payments; those that run are finished. */
    status: text('status').$type<'ACTIVE' | 'SUSPENDED'>().notNull().default('ACTIVE'),
    minAmountKopecks: minorUnits('min_amount_kopecks')
      .notNull()
      .default(sql`1`),
    maxAmountKopecks: minorUnits('max_amount_kopecks')
      .notNull()
      .default(sql`100000000`),
    createdAt: createdAt(),
  },
  () => [
    check('routes_status', sql`status in ('ACTIVE', 'SUSPENDED')`),
    check('routes_amounts', sql`min_amount_kopecks > 0 and max_amount_kopecks >= min_amount_kopecks`),
  ],
);

/**
 * Where a partner takes payments: methods, limits, fee, and the route behind it. See
 * spec/service-contract#payment-point.
 */
export const paymentPoints = pgTable(
  'payment_points',
  {
    paymentPointId: text('payment_point_id').primaryKey(),
    storeId: text('store_id')
      .notNull()
      .references(() => stores.storeId),
    partnerId: text('partner_id').$type<PartnerId>().notNull(),
    name: text('name').notNull(),
    status: text('status').$type<PaymentPointStatus>().notNull().default('ACTIVE'),
    paymentMethods: text('payment_methods').array().$type<PointMethod[]>().notNull(),
    routeId: text('route_id')
      .notNull()
      .references(() => routes.routeId),
    minAmountKopecks: minorUnits('min_amount_kopecks')
      .notNull()
      .default(sql`1`),
    maxAmountKopecks: minorUnits('max_amount_kopecks')
      .notNull()
      .default(sql`100000000`),
    /** Our fee in hundredths of a percent of the amount. */
    feeBasisPoints: integer('fee_basis_points').notNull().default(0),
    /** How long a buyer may take. See spec/decisions#payment-session. */
    sessionMinutes: integer('session_minutes').notNull().default(60),
    /** Whether a card goes through whose buyer the issuer does not authenticate. */
    whenNotAuthenticated: text('when_not_authenticated').$type<WhenNotAuthenticated>().notNull().default('ACCEPT'),
    /** Counts the changes that operators make: a change names the one that was seen. */
    revision: integer('revision').notNull().default(1),
    createdAt: createdAt(),
  },
  (table) => [
    index('payment_points_partner').on(table.partnerId),
    check('payment_points_status', sql`status in ('ACTIVE', 'SUSPENDED', 'CLOSED')`),
    check('payment_points_amounts', sql`min_amount_kopecks > 0 and max_amount_kopecks >= min_amount_kopecks`),
    check('payment_points_fee', sql`fee_basis_points between 0 and 10000`),
    check('payment_points_authentication', sql`when_not_authenticated in ('DECLINE', 'ACCEPT')`),
    check('payment_points_session', sql`session_minutes between 5 and 1440`),
  ],
);

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
    /** The partner's own number; empty for QR. */
    merchantOrderId: text('merchant_order_id').notNull(),
    amountKopecks: minorUnits('amount_kopecks').notNull(),
    currency: text('currency').$type<'RUB'>().notNull().default('RUB'),
    description: text('description').notNull(),
    customerId: text('customer_id').notNull(),
    /** Of this order; null: the partner's saved one. */
    returnUrl: text('return_url'),
    /** Of 54-FZ, as the partner wrote it; null: none is asked of the bank. ADR 0138. */
    receipt: jsonb('receipt').$type<Receipt>(),
    /** As it was when the payment was made: a later change of the point moves no money of this one. */
    feeBasisPoints: integer('fee_basis_points').notNull(),
    status: text('status').$type<PaymentStatus>().notNull(),
    failureCode: text('failure_code').$type<FailureCode>(),
    /** Events told to the partner so far: the next one carries this plus one. Gapless. */
    aggregateVersion: integer('aggregate_version').notNull().default(0),
    /** 256 random bits: whoever knows it may pay this payment. */
    formToken: text('form_token').notNull().unique('payments_form_token'),
    expiresAt: moment('expires_at').notNull(),
    bankOperationId: text('bank_operation_id'),
    /** One process makes the calls that move this payment's money until this moment. Null: nobody does. */
    leaseUntil: moment('lease_until'),
    /** Counts the takings: a process whose number is not the newest has lost its lease (ADR 0070). */
    leaseNumber: integer('lease_number').notNull().default(0),
    /** A card went to the bank (or is about to): from here on the bank may have taken money. */
    cardSentAt: moment('card_sent_at'),
    /** SHA-256, hex, of what the browser that sent the card shows as its own; null where it shows nothing. ADR 0117. */
    payerKeySha256: text('payer_key_sha256'),
    /** The bank's 3-D Secure page. */
    acsUrl: text('acs_url'),
    /** What our page posts to it for the buyer's browser (EMV 3-D Secure, CReq); null: a plain visit is enough. */
    acsRequest: text('acs_request'),
    /** As it was at the point when the card was sent; null before. */
    whenNotAuthenticated: text('when_not_authenticated').$type<WhenNotAuthenticated>(),
    /** What 3-D Secure said, as far as the bank tells. Never a cryptogram. */
    threeDsVersion: text('three_ds_version'),
    transStatus: text('trans_status').$type<TransStatus>(),
    eci: text('eci'),
    threeDsServerTransId: text('three_ds_server_trans_id'),
    dsTransId: text('ds_trans_id'),
    acsTransId: text('acs_trans_id'),
    /** The link behind the code of a QR payment, once the bank registered it. */
    nspkUrl: text('nspk_url'),
    cardMask: text('card_mask'),
    cardExpiry: text('card_expiry'),
    /** How often a card that this payment saves may be charged. Null: no card is to be saved. */
    savePeriod: text('save_period').$type<ChargePeriod>(),
    /** Who asks the buyer; null without `savePeriod`. */
    consentCapture: text('consent_capture').$type<ConsentCapture>(),
    /** What the buyer said; null without `savePeriod`. */
    consent: text('consent').$type<Consent>(),
    /** Of a consent that is GIVEN. */
    consentId: uuid('consent_id'),
    /** CARD: the binding that this payment makes. CARD_BINDING: the one that it charges. */
    bindingId: uuid('binding_id'),
    /** When the worker looks at this payment next: registers, reads back or expires it. Null: never again. */
    nextReadAt: moment('next_read_at'),
    readCount: smallint('read_count').notNull().default(0),
    lastReadAt: moment('last_read_at'),
    /** The confirmed financial transaction: what partners know as `paymentId` in events. */
    ledgerTransactionId: uuid('ledger_transaction_id'),
    /** Confirmed refunds. */
    refundedKopecks: minorUnits('refunded_kopecks')
      .notNull()
      .default(sql`0`),
    /** Refunds that are confirmed or on their way: what is left of the amount may still be refunded. */
    refundReservedKopecks: minorUnits('refund_reserved_kopecks')
      .notNull()
      .default(sql`0`),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [
    // The order first: operators look for it without knowing whose it is.
    uniqueIndex('payments_merchant_order')
      .on(table.merchantOrderId, table.partnerId)
      .where(sql`merchant_order_id <> ''`),
    index('payments_customer').on(table.customerId),
    // A partner's card payments and charges, the newest first.
    index('payments_partner_cards')
      .on(table.partnerId, table.createdAt, table.paymentId)
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
    // Each route's are looked for by themselves.
    index('payments_next_read')
      .on(table.routeId, table.nextReadAt)
      .where(sql`next_read_at is not null`),
    index('payments_point').on(table.paymentPointId, table.createdAt, table.paymentId),
    // The newest first for operators, and the day of a reconciliation or a report.
    index('payments_newest').on(table.createdAt, table.paymentId),
    check('payments_amount', sql`amount_kopecks > 0`),
    index('payments_qr_history')
      .on(table.paymentPointId, table.createdAt, table.paymentId)
      .where(sql`method = 'SBP_DYNAMIC_QR'`),
    check(
      'payments_refunded',
      sql`refunded_kopecks >= 0 and refund_reserved_kopecks between refunded_kopecks and amount_kopecks`,
    ),
    check(
      'payments_status',
      sql`status in ('CREATED', 'SUBMITTED', 'PENDING', 'COMPLETED', 'REJECTED', 'EXPIRED', 'FAILED', 'CANCELLED', 'REFUNDED')`,
    ),
    check(
      'payments_failure',
      sql`(failure_code is not null) = (status in ('REJECTED', 'EXPIRED', 'FAILED', 'CANCELLED'))`,
    ),
    check('payments_booked', sql`(ledger_transaction_id is not null) = (status in ('COMPLETED', 'REFUNDED'))`),
    check(
      'payments_saving',
      sql`(save_period is null) = (consent_capture is null) and (save_period is null) = (consent is null)`,
    ),
    check('payments_authentication', sql`when_not_authenticated in ('DECLINE', 'ACCEPT')`),
    check('payments_trans_status', sql`trans_status in ('Y', 'A', 'N', 'U', 'R', 'C', 'D', 'I')`),
    check('payments_consent', sql`consent in ('AWAITED', 'GIVEN', 'DECLINED')`),
    check('payments_consent_capture', sql`consent_capture in ('SERVICE', 'MERCHANT')`),
    check('payments_consent_id', sql`(consent_id is not null) = (consent is not distinct from 'GIVEN')`),
    check('payments_binding', sql`method <> 'CARD_BINDING' or binding_id is not null`),
  ],
);

/** A card that a buyer saved, once its first payment is booked; charged by its bindingId. The token never leaves. */
export const savedCards = pgTable(
  'saved_cards',
  {
    bindingId: uuid('binding_id').primaryKey(),
    partnerId: text('partner_id').$type<PartnerId>().notNull(),
    customerId: text('customer_id').notNull(),
    /** The first payment: charges take its payment point and its route, where the bank knows the token. */
    paymentId: uuid('payment_id')
      .notNull()
      .unique('saved_cards_payment')
      .references(() => payments.paymentId),
    paymentPointId: text('payment_point_id')
      .notNull()
      .references(() => paymentPoints.paymentPointId),
    /** The bank's token of the card, encrypted for this binding. */
    cardTokenEncrypted: text('card_token_encrypted').notNull(),
    /** As far as the bank told. */
    cardMask: text('card_mask'),
    cardExpiry: text('card_expiry'),
    /** The binding is revoked: what has not reached the bank by now never does. ADR 0100. */
    revokedAt: moment('revoked_at'),
    /** Until then the buyer's link to it opens. Moved when he opens it, and when the card has ended. ADR 0117. */
    linkExpiresAt: moment('link_expires_at')
      .notNull()
      .default(sql`clock_now() + interval '400 days'`),
    createdAt: createdAt(),
  },
  (table) => [index('saved_cards_payment_point').on(table.paymentPointId)],
);

/** Money back to the buyer, a part or all of a payment; with PENDING ones never more than was paid. */
export const refunds = pgTable(
  'refunds',
  {
    /** Also the refund's operation id at the bank. */
    refundId: uuid('refund_id').primaryKey(),
    paymentId: uuid('payment_id')
      .notNull()
      .references(() => payments.paymentId),
    partnerId: text('partner_id').$type<PartnerId>().notNull(),
    /** The partner's own number; null where it gave none. */
    merchantRefundId: text('merchant_refund_id'),
    amountKopecks: minorUnits('amount_kopecks').notNull(),
    reason: text('reason'),
    /** Of what is given back, as the partner wrote it. */
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
    // The number first: operators look for it without knowing whose it is.
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

/** What operators did here, written in the transaction that did it. Append-only by rights. */
export const operatorActions = pgTable(
  'operator_actions',
  {
    position: bigserial('position', { mode: 'bigint' }).primaryKey(),
    at: moment('at')
      .notNull()
      .default(sql`clock_now()`),
    operator: text('operator').$type<OperatorLogin>().notNull(),
    action: text('action').notNull(),
    /** What it was done to: a payment, a store, a payment point, a route. */
    subjectId: text('subject_id').notNull(),
    /** Null where the action made the subject. */
    before: jsonb('before').$type<ActionState | null>(),
    after: jsonb('after').$type<ActionState>().notNull(),
    /** The request that it came with, also in the console's trail. */
    requestId: text('request_id'),
  },
  (table) => [index('operator_actions_subject').on(table.subjectId, table.position)],
);

/** The parts of a subject that an action may change. */
export type ActionState = Readonly<Record<string, unknown>>;
