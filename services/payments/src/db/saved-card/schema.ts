import { sql } from 'drizzle-orm';
import { index, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { moment } from '@pay/shared/postgres/schema.ts';
import type { PartnerId } from '@pay/shared/identities/identities.ts';
import { createdAt } from '../columns.ts';
import { paymentPoints } from '../merchant/schema.ts';
import { payments } from '../payment/schema.ts';

/** A card that a buyer saved, created when its first payment is booked; charged by its bindingId. The token never leaves the service. */
export const savedCards = pgTable(
  'saved_cards',
  {
    bindingId: uuid('binding_id').primaryKey(),
    partnerId: text('partner_id').$type<PartnerId>().notNull(),
    customerId: text('customer_id').notNull(),
    /** The first payment. Charges use its payment point and its route, whose bank knows the token. */
    paymentId: uuid('payment_id')
      .notNull()
      .unique('saved_cards_payment')
      .references(() => payments.paymentId),
    paymentPointId: text('payment_point_id')
      .notNull()
      .references(() => paymentPoints.paymentPointId),
    /** The bank's token of the card, encrypted for this binding. */
    cardTokenEncrypted: text('card_token_encrypted').notNull(),
    /** If the bank reported it. */
    cardMask: text('card_mask'),
    cardExpiry: text('card_expiry'),
    /**
     * When the binding was revoked: a charge that has not reached the bank by then never will. See
     * decisions/recurring-charges.
     */
    revokedAt: moment('revoked_at'),
    /** When the buyer's link expires. Moved when they open it, and when the card ends. See decisions/saved-cards. */
    linkExpiresAt: moment('link_expires_at')
      .notNull()
      .default(sql`clock_now() + interval '400 days'`),
    createdAt: createdAt(),
  },
  (table) => [index('saved_cards_payment_point').on(table.paymentPointId)],
);
