import { sql } from 'drizzle-orm';
import { check, pgTable, primaryKey, smallint, text, uniqueIndex } from 'drizzle-orm/pg-core';
import type { PointMethod } from '@pay/contract/states.ts';
import { minorUnits } from '@pay/shared/postgres/schema.ts';
import { paymentPoints } from './schema.ts';
import { routes } from '../acquiring/schema.ts';

/**
 * The routes for a method of a point, in the order in which they are tried. A method without rows uses the point's own route.
 * These limits apply in addition to those of the route and the point: the narrowest ones count.
 */
export const pointRoutes = pgTable(
  'point_routes',
  {
    paymentPointId: text('payment_point_id')
      .notNull()
      .references(() => paymentPoints.paymentPointId),
    method: text('method').$type<PointMethod>().notNull(),
    /** 1 is tried first. */
    priority: smallint('priority').notNull(),
    routeId: text('route_id')
      .notNull()
      .references(() => routes.routeId),
    minAmountKopecks: minorUnits('min_amount_kopecks')
      .notNull()
      .default(sql`1`),
    maxAmountKopecks: minorUnits('max_amount_kopecks')
      .notNull()
      .default(sql`100000000`),
  },
  (table) => [
    primaryKey({ columns: [table.paymentPointId, table.method, table.priority] }),
    uniqueIndex('point_routes_route').on(table.paymentPointId, table.method, table.routeId),
    check('point_routes_method', sql`method in ('CARD', 'SBP_DYNAMIC_QR')`),
    check('point_routes_priority', sql`priority > 0`),
    check('point_routes_amounts', sql`min_amount_kopecks > 0 and max_amount_kopecks >= min_amount_kopecks`),
  ],
);
