import { and, asc, eq, sql } from 'drizzle-orm';
import type { AcquiringRouteStatus } from '@pay/contract/operator/states.ts';
import type { PointMethod } from '@pay/contract/states.ts';
import { databaseNow } from '@pay/shared/postgres/clock.ts';
import type { Reader, Tx } from '@pay/shared/postgres/db.ts';
import type { PaymentPoint } from './payment-points.ts';
import { pointRoutes } from './point-acquiring-routes-schema.ts';
import { paymentPoints } from './schema.ts';
import { routes } from '../acquiring/schema.ts';

/** A route of a point's method, with the narrowest of the limits that hold there. */
export type PointAcquiringRoute = {
  readonly routeId: string;
  readonly connector: string;
  readonly status: AcquiringRouteStatus;
  readonly minAmountKopecks: bigint;
  readonly maxAmountKopecks: bigint;
};

/** The limits of the route, the point and the row, folded into the narrowest. */
const ROUTE_AT_POINT = {
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
};

const isOfMethod = (method: PointMethod) =>
  and(eq(pointRoutes.paymentPointId, paymentPoints.paymentPointId), eq(pointRoutes.method, method));
/** Its own row's, or the point's one route where it has no rows. */
const isRouteOfRow = eq(routes.routeId, sql`coalesce(${pointRoutes.routeId}, ${paymentPoints.routeId})`);

/** The routes of a point's method in the order they are tried: its own rows, or the point's one route where it has none. */
export async function listPointAcquiringRoutes(
  reader: Reader,
  paymentPointId: string,
  method: PointMethod,
): Promise<PointAcquiringRoute[]> {
  return reader
    .select(ROUTE_AT_POINT)
    .from(paymentPoints)
    .leftJoin(pointRoutes, isOfMethod(method))
    .innerJoin(routes, isRouteOfRow)
    .where(eq(paymentPoints.paymentPointId, paymentPointId))
    .orderBy(asc(pointRoutes.priority));
}

/** A point as a new payment sees it: with its routes for the method, and the database's now. */
export type PointWithRoutes = PaymentPoint & { readonly routes: readonly PointAcquiringRoute[]; readonly now: Date };

/** All points of a partner, oldest first, each with `listPointAcquiringRoutes`, in one statement; there are few. */
export async function listPointsWithRoutes(
  reader: Reader,
  partnerId: string,
  method: PointMethod,
): Promise<PointWithRoutes[]> {
  const rows = await reader
    .select({ point: paymentPoints, acquiringRoute: ROUTE_AT_POINT, now: databaseNow })
    .from(paymentPoints)
    .leftJoin(pointRoutes, isOfMethod(method))
    .innerJoin(routes, isRouteOfRow)
    .where(eq(paymentPoints.partnerId, partnerId))
    .orderBy(asc(paymentPoints.createdAt), asc(paymentPoints.paymentPointId), asc(pointRoutes.priority));
  const points = Map.groupBy(rows, ({ point }) => point.paymentPointId);
  return [...points.values()].flatMap((ofPoint) =>
    ofPoint.slice(0, 1).map(({ point, now }) => ({
      ...point,
      routes: ofPoint.map(({ acquiringRoute }) => acquiringRoute),
      now,
    })),
  );
}

type NewPointRoute = Pick<PointAcquiringRoute, 'routeId'> &
  Partial<Pick<PointAcquiringRoute, 'minAmountKopecks' | 'maxAmountKopecks'>>;

/** Replaces the routes of a point's method, in the order they are to be tried; none: the point's own route again. */
export async function replacePointAcquiringRoutes(
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
