import { sql } from 'drizzle-orm';
import { integer, pgTable, text } from 'drizzle-orm/pg-core';
import type { ExtraEvent } from '@pay/contract/extra-events.ts';
import { moment } from '@pay/shared/postgres/schema.ts';
import type { PartnerId } from '@pay/shared/identities/identities.ts';

/** A partner's addresses; one row per partner, once saved. */
export const integrationEndpoints = pgTable('integration_endpoints', {
  partnerId: text('partner_id').$type<PartnerId>().primaryKey(),
  callbackUrl: text('callback_url').notNull(),
  returnUrl: text('return_url').notNull(),
  /** Event types that the partner receives in addition to the standard eight. */
  extraEvents: text('extra_events')
    .array()
    .$type<ExtraEvent[]>()
    .notNull()
    .default(sql`'{}'`),
  /** Incremented with each save, from 1; consumers of the message ignore older revisions. */
  revision: integer('revision').notNull(),
  updatedAt: moment('updated_at')
    .notNull()
    .default(sql`clock_now()`),
});
