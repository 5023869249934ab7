import { sql } from 'drizzle-orm';
import { moment } from '@pay/shared/postgres/schema.ts';

/** When the row was inserted. */
export const createdAt = () =>
  moment('created_at')
    .notNull()
    .default(sql`clock_now()`);
/** When the row last changed; set with every change. */
export const updatedAt = () =>
  moment('updated_at')
    .notNull()
    .default(sql`clock_now()`);
