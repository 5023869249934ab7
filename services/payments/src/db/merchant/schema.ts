import { sql } from 'drizzle-orm';
import { boolean, check, index, integer, pgTable, smallint, text } from 'drizzle-orm/pg-core';
import type { PartnerStatus, WhenNotAuthenticated } from '@pay/contract/operator/states.ts';
import type { PointMethod, PointStatus } from '@pay/contract/states.ts';
import { bytes, minorUnits } from '@pay/shared/postgres/schema.ts';
import type { PartnerId } from '@pay/shared/identities/identities.ts';
import { createdAt, updatedAt } from '../columns.ts';
import { routes } from '../acquiring/schema.ts';

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

/** Logos of stores, which only the previous version reads and writes. The table goes in the next version. */
export const storeLogos = pgTable(
  'store_logos',
  {
    storeId: text('store_id')
      .primaryKey()
      .references(() => stores.storeId),
    png: bytes('png').notNull(),
    /** Hex, of `png`: the picture's name on the checkout. */
    sha256: text('sha256').notNull(),
    /** Pixels. */
    width: smallint('width').notNull(),
    height: smallint('height').notNull(),
    updatedAt: updatedAt(),
  },
  (table) => [index('store_logos_sha256').on(table.sha256), check('store_logos_png', sql`octet_length(png) <= 16384`)],
);

/**
 * The status of partners, as the gateway reported it. A partner without a row may take payments. See
 * decisions/suspension.
 */
export const partnerStandings = pgTable(
  'partner_standings',
  {
    partnerId: text('partner_id').$type<PartnerId>().primaryKey(),
    status: text('status').$type<PartnerStatus>().notNull(),
    /** The gateway's revision; older reports are ignored. */
    revision: minorUnits('revision').notNull(),
    updatedAt: updatedAt(),
  },
  () => [check('partner_standings_status', sql`status in ('ACTIVE', 'SUSPENDED')`)],
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
    status: text('status').$type<PointStatus>().notNull().default('ACTIVE'),
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
    /** How long a buyer has to pay. See spec/decisions#payment-session. */
    sessionMinutes: integer('session_minutes').notNull().default(60),
    /** Whether to accept a card whose buyer the issuer does not authenticate. */
    whenNotAuthenticated: text('when_not_authenticated').$type<WhenNotAuthenticated>().notNull().default('ACCEPT'),
    /** How many cards a buyer may try for one payment. See decisions/orders-of-a-payment. */
    cardAttempts: integer('card_attempts').notNull().default(1),
    /** Only the previous version reads and writes it. It goes in the next version. */
    emailConfirmation: boolean('email_confirmation').notNull().default(false),
    /** Whether the buyer of a card payment may pay it by SBP instead. See decisions/orders-of-a-payment. */
    sbpOnCardPage: boolean('sbp_on_card_page').notNull().default(false),
    /** Incremented with each change by an operator; a change names the revision that the operator saw. */
    revision: integer('revision').notNull().default(1),
    createdAt: createdAt(),
  },
  (table) => [
    index('payment_points_partner').on(table.partnerId),
    check('payment_points_status', sql`status in ('ACTIVE', 'SUSPENDED', 'CLOSED')`),
    check('payment_points_amounts', sql`min_amount_kopecks > 0 and max_amount_kopecks >= min_amount_kopecks`),
    check('payment_points_fee', sql`fee_basis_points between 0 and 10000`),
    check('payment_points_authentication', sql`when_not_authenticated in ('DECLINE', 'ACCEPT')`),
    check('payment_points_card_attempts', sql`card_attempts between 1 and 5`),
    check('payment_points_session', sql`session_minutes between 5 and 1440`),
  ],
);
