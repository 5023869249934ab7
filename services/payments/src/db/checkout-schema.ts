import { sql } from 'drizzle-orm';
import { check, index, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { moment } from '@pay/shared/database/schema.ts';

/** What a buyer's browser can have a bank asked for: how a payment stands, or to look at a 3-D Secure result. */
export type BankAsk = 'READ' | 'CONFIRM';

/** That a bank is being asked for a buyer, or was a moment ago: nobody else asks before `heldUntil`. */
export const bankAsks = pgTable(
  'bank_asks',
  {
    paymentId: uuid('payment_id').notNull(),
    kind: text('kind').$type<BankAsk>().notNull(),
    heldUntil: moment('held_until').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.paymentId, table.kind] }),
    index('bank_asks_old').on(table.heldUntil),
    check('bank_asks_kind', sql`kind in ('READ', 'CONFIRM')`),
  ],
);
