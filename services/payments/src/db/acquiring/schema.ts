import { sql } from 'drizzle-orm';
import { check, pgTable, text } from 'drizzle-orm/pg-core';
import type { AcquiringRouteStatus } from '@pay/contract/operator/states.ts';
import { minorUnits } from '@pay/shared/postgres/schema.ts';
import { createdAt } from '../columns.ts';

/** An account at an acquirer. Never shown to partners. */
export const routes = pgTable(
  'routes',
  {
    routeId: text('route_id').primaryKey(),
    /** The folder in `acquirers/` with its connector. */
    connector: text('connector').notNull(),
    /** SUSPENDED: no new payments; those in progress are completed. */
    status: text('status').$type<AcquiringRouteStatus>().notNull().default('ACTIVE'),
    minAmountKopecks: minorUnits('min_amount_kopecks')
      .notNull()
      .default(sql`1`),
    maxAmountKopecks: minorUnits('max_amount_kopecks')
      .notNull()
      .default(sql`100000000`),
    createdAt: createdAt(),
  },
  () => [
    check('routes_status', sql`status in ('ACTIVE', 'SUSPENDED')`),
    check('routes_amounts', sql`min_amount_kopecks > 0 and max_amount_kopecks >= min_amount_kopecks`),
  ],
);
