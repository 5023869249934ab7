import { and, asc, eq, sql } from 'drizzle-orm';
import type { Reader, Tx } from '@pay/shared/postgres/db.ts';
import type { PointMethod } from '../../domain/merchant/payment-point.ts';
import { pointRoutes } from './point-acquiring-routes-schema.ts';
import { paymentPoints, routes } from '../schema.ts';

/** A route of a point's method, with the narrowest of the limits that hold there. */
export type PointRoute = {
  readonly routeId: string;
  readonly connector: string;
  readonly status: 'ACTIVE' | 'SUSPENDED';
  readonly minAmountKopecks: bigint;
  readonly maxAmountKopecks: bigint;
};

/**
 * The routes of a point's method in the order they are tried: its own rows, or the point's one route where it has none.
 * The limits of the route, the point and the row are folded into the narrowest.
 */
export async function listPointRoutes(
  reader: Reader,
  paymentPointId: string,
  method: PointMethod,
): Promise<PointRoute[]> {
  const rows = await reader
    .select({
      routeId: routes.routeId,
      connector: routes.connector,
      status: routes.status,
      minAmountKopecks:
        sql`greatest(${routes.minAmountKopecks}, ${paymentPoints.minAmountKopecks}, ${pointRoutes.minAmountKopecks})`.mapWith(
          BigInt,
        ),
      maxAmountKopecks:
        sql`least(${routes.maxAmountKopecks}, ${paymentPoints.maxAmountKopecks}, ${pointRoutes.maxAmountKopecks})`.mapWith(
          BigInt,
        ),
    })
    .from(paymentPoints)
    .leftJoin(
      pointRoutes,
      and(eq(pointRoutes.paymentPointId, paymentPoints.paymentPointId), eq(pointRoutes.method, method)),
    )
    .innerJoin(routes, eq(routes.routeId, sql`coalesce(${pointRoutes.routeId}, ${paymentPoints.routeId})`))
    .where(eq(paymentPoints.paymentPointId, paymentPointId))
    .orderBy(asc(pointRoutes.priority));
  return rows;
}

type NewPointRoute = Pick<PointRoute, 'routeId'> & Partial<Pick<PointRoute, 'minAmountKopecks' | 'maxAmountKopecks'>>;

/** Replaces the routes of a point's method, in the order they are to be tried; none: the point's own route again. */
export async function replacePointRoutes(
  tx: Tx,
  paymentPointId: string,
  method: PointMethod,
  wanted: readonly NewPointRoute[],
): Promise<void> {
  await tx
    .delete(pointRoutes)
    .where(and(eq(pointRoutes.paymentPointId, paymentPointId), eq(pointRoutes.method, method)));
  if (wanted.length === 0) return;
  await tx
    .insert(pointRoutes)
    .values(wanted.map((route, index) => ({ paymentPointId, method, priority: index + 1, ...route })));
}
