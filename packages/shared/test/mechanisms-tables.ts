import { bigserial, pgTable, text } from 'drizzle-orm/pg-core';

/** What a handler or a command did, in order. */
export const effects = pgTable('effects', {
  id: bigserial('id', { mode: 'bigint' }).primaryKey(),
  name: text('name').notNull(),
});
