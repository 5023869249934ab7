import { sql } from 'drizzle-orm';
import { integer, pgTable, text } from 'drizzle-orm/pg-core';
import type { ExtraEvent } from '@pay/contract/extra-events.ts';
import { moment } from '@pay/shared/postgres/schema.ts';
import type { PartnerId } from '@pay/shared/identities/identities.ts';

/** One row a partner, once it saved its addresses. */
export const integrationEndpoints = pgTable('integration_endpoints', {
  partnerId: text('partner_id').$type<PartnerId>().primaryKey(),
  callbackUrl: text('callback_url').notNull(),
  returnUrl: text('return_url').notNull(),
  /** What the partner is sent beside the eight events. */
  extraEvents: text('extra_events')
    .array()
    .$type<ExtraEvent[]>()
    .notNull()
    .default(sql`'{}'`),
  /** Counts the saves from 1; receivers of the message apply only a higher one. */
  revision: integer('revision').notNull(),
  updatedAt: moment('updated_at')
    .notNull()
    .default(sql`clock_now()`),
});
