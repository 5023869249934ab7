import { date, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { minorUnits } from '@pay/shared/postgres/schema.ts';
import type { OperatorLogin } from '@pay/shared/identities/identities.ts';

/**
 * What each person booked or returned without a second one on a day: the sum counts against their limit
 * (decisions/reconciliation).
 */
export const onePersonTotals = pgTable(
  'one_person_totals',
  {
    operator: text('operator').$type<OperatorLogin>().notNull(),
    /** UTC. */
    day: date('day').notNull(),
    /** The partner whose payments were booked; empty: orders of nobody, returned to their buyers. */
    credited: text('credited').notNull(),
    amountKopecks: minorUnits('amount_kopecks').notNull(),
  },
  (table) => [primaryKey({ columns: [table.operator, table.day, table.credited] })],
);
