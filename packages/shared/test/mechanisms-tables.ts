import { bigserial, pgTable, text } from 'drizzle-orm/pg-core';

/** The effects of handlers and commands, in order. */
export const effects = pgTable('effects', {
  id: bigserial('id', { mode: 'bigint' }).primaryKey(),
  name: text('name').notNull(),
});
