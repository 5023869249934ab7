import { pgTable, text } from 'drizzle-orm/pg-core';

// The tables of this service.
export { idempotencyRecords, inbox, outbox } from '@pay/shared/database/schema.ts';

/** A copy of the stores that payments owns, kept from `store.created`: whose store is it? */
export const stores = pgTable('stores', {
  storeId: text('store_id').primaryKey(),
  partnerId: text('partner_id').notNull(),
  name: text('name').notNull(),
});
