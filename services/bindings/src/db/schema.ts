import { sql } from 'drizzle-orm';
import { check, index, integer, jsonb, pgTable, smallint, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import type { Receipt } from '@pay/contract/api/receipt.ts';
import type { FailureCode } from '@pay/contract/messages.ts';
import { BINDING_STATUSES, CHARGE_PERIODS, type BindingStatus, type ChargePeriod } from '@pay/contract/states.ts';
import { isOneOf, minorUnits, moment } from '@pay/shared/postgres/schema.ts';
import type { PartnerId } from '@pay/shared/identities/identities.ts';
import { FINAL_CHARGE_STATUSES, OPEN_CHARGE_STATUSES, type ChargeStatus } from '../domain/charge-status.ts';

// The tables of this service.
export { deadLetters, idempotencyRecords, inbox, movedPartners, outbox, relayLease, usedIdentities } from '@pay/shared/postgres/schema.ts';

const createdAt = () =>
  moment('created_at')
    .notNull()
    .default(sql`clock_now()`);
const updatedAt = () =>
  moment('updated_at')
    .notNull()
    .default(sql`clock_now()`);

/**
 * What a buyer agreed to, with the evidence. Kept whether or not a binding resulted, and never changed. There is no
 * foreign key to or from `bindings`: the two facts arrive as two messages, in either order.
 */
export const consents = pgTable(
  'consents',
  {
    consentId: uuid('consent_id').primaryKey(),
    bindingId: uuid('binding_id').notNull(),
    /** The first payment. */
    paymentId: uuid('payment_id').notNull(),
    partnerId: text('partner_id').$type<PartnerId>().notNull(),
    customerId: text('customer_id').notNull(),
    storeName: text('store_name'),
    period: text('period').$type<ChargePeriod>().notNull(),
    /** Who showed the text. "Capture" alone is a card payment term. */
    consentCapture: text('consent_capture').$type<'SERVICE' | 'MERCHANT'>().notNull(),
    /** Exactly what the buyer read; null if the partner showed it. */
    text: text('text'),
    version: text('version').notNull(),
    sha256: text('sha256').notNull(),
    reference: text('reference'),
    acceptedAt: moment('accepted_at').notNull(),
    address: text('address'),
    userAgent: text('user_agent'),
    createdAt: createdAt(),
  },
  (table) => [
    uniqueIndex('consents_binding').on(table.bindingId),
    check('consents_capture', sql`consent_capture in ('SERVICE', 'MERCHANT')`),
    check('consents_text', sql`(text is not null) = (consent_capture = 'SERVICE')`),
    check('consents_sha256', sql`sha256 ~ '^[0-9a-f]{64}$'`),
  ],
);

/** A saved card that its buyer agreed to have charged, and its schedule. */
export const bindings = pgTable(
  'bindings',
  {
    bindingId: uuid('binding_id').primaryKey(),
    partnerId: text('partner_id').$type<PartnerId>().notNull(),
    customerId: text('customer_id').notNull(),
    consentId: uuid('consent_id').notNull(),
    period: text('period').$type<ChargePeriod>().notNull(),
    status: text('status').$type<BindingStatus>().notNull(),
    cardMask: text('card_mask'),
    cardExpiry: text('card_expiry'),
    lastChargedAt: moment('last_charged_at').notNull(),
    nextChargeAt: moment('next_charge_at').notNull(),
    anchorDay: smallint('anchor_day').notNull(),
    /** THE SLOT: the charge that is not finished. There is at most one, because it is one column. */
    openPaymentId: uuid('open_payment_id'),
    /** Version of the binding's own events, gapless from 1. */
    aggregateVersion: integer('aggregate_version').notNull(),
    revokedAt: moment('revoked_at'),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [
    index('bindings_buyer').on(table.partnerId, table.customerId, table.createdAt, table.bindingId),
    check('bindings_status', isOneOf('status', BINDING_STATUSES)),
    check('bindings_revoked', sql`(status = 'REVOKED') = (revoked_at is not null)`),
    check('bindings_period', isOneOf('period', CHARGE_PERIODS)),
    check('bindings_next', sql`next_charge_at > last_charged_at`),
    check('bindings_anchor', sql`anchor_day between 1 and 31`),
    check('bindings_expiry', sql`card_expiry ~ '^[0-9]{4}-(0[1-9]|1[0-2])$'`),
  ],
);

/** An accepted charge. Its payment lives in the payments service under the same id. */
export const charges = pgTable(
  'charges',
  {
    paymentId: uuid('payment_id').primaryKey(),
    bindingId: uuid('binding_id')
      .notNull()
      .references(() => bindings.bindingId),
    partnerId: text('partner_id').$type<PartnerId>().notNull(),
    merchantOrderId: text('merchant_order_id').notNull(),
    amountKopecks: minorUnits('amount_kopecks').notNull(),
    description: text('description').notNull(),
    /** The 54-FZ receipt, for payments; null if there is none. See decisions/refunds. */
    receipt: jsonb('receipt').$type<Receipt>(),
    status: text('status').$type<ChargeStatus>().notNull(),
    /**
     * Why and when it ended without money. Null while it is open, and for charges that ended before these were stored.
     */
    failureCode: text('failure_code').$type<FailureCode>(),
    endedAt: moment('ended_at'),
    /** The command's key, which is undone with the charge when payments refuses. */
    idempotencyKey: text('idempotency_key').notNull(),
    /** How often payments was called, and until when nobody else calls. Real time: a call's deadline does not move. */
    attemptCount: integer('attempt_count').notNull(),
    leasedUntil: moment('leased_until').notNull(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [
    uniqueIndex('charges_order').on(table.partnerId, table.merchantOrderId),
    // Enforces the slot from the other side.
    uniqueIndex('charges_one_open').on(table.bindingId).where(isOneOf('status', OPEN_CHARGE_STATUSES)),
    index('charges_not_handed_over')
      .on(table.leasedUntil)
      .where(sql`status = 'CREATED'`),
    index('charges_declined')
      .on(table.bindingId, table.endedAt)
      .where(sql`failure_code is not null`),
    check('charges_amount', sql`amount_kopecks > 0`),
    check('charges_status', isOneOf('status', [...OPEN_CHARGE_STATUSES, ...FINAL_CHARGE_STATUSES])),
  ],
);
