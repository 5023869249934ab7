import { and, asc, eq, sql, type SQL } from 'drizzle-orm';
import type { AcquiringRouteStatus } from '@pay/contract/operator/states.ts';
import type { PointMethod } from '@pay/contract/states.ts';
import type { PartnerId } from '@pay/shared/identities/identities.ts';
import { databaseNow } from '@pay/shared/postgres/clock.ts';
import type { Reader, Tx } from '@pay/shared/postgres/db.ts';
import { compiledRead } from '@pay/shared/postgres/fast/compiled.ts';
import { sharedRead } from '@pay/shared/postgres/fast/shared-pipeline.ts';
import type { PaymentPoint, Store } from './payment-points.ts';
import { pointRoutes } from './point-acquiring-routes-schema.ts';
import { integrationEndpoints } from './endpoints-schema.ts';
import { paymentPoints, stores } from './schema.ts';
import { routes } from '../acquiring/schema.ts';

/** A route for a method of a point, with the narrowest applicable limits. */
export type PointAcquiringRoute = {
  readonly routeId: string;
  readonly connector: string;
  readonly status: AcquiringRouteStatus;
  readonly minAmountKopecks: bigint;
  readonly maxAmountKopecks: bigint;
};

/** The narrowest of the limits of the route, the point and the row. */
const ROUTE_AT_POINT = {
  routeId: routes.routeId,
  connector: routes.connector,
  status: routes.status,
  minAmountKopecks: sql`greatest(${routes.minAmountKopecks}, ${paymentPoints.minAmountKopecks}, ${pointRoutes.minAmountKopecks})`.mapWith(
    BigInt,
  ),
  maxAmountKopecks: sql`least(${routes.maxAmountKopecks}, ${paymentPoints.maxAmountKopecks}, ${pointRoutes.maxAmountKopecks})`.mapWith(
    BigInt,
  ),
};

const isOfMethod = (method: PointMethod | SQL<PointMethod>) =>
  and(eq(pointRoutes.paymentPointId, paymentPoints.paymentPointId), eq(pointRoutes.method, method));
/** The row's route, or the point's own one if the method has no rows. */
const isRouteOfRow = eq(routes.routeId, sql`coalesce(${pointRoutes.routeId}, ${paymentPoints.routeId})`);

/** The routes for a method of a point, in the order in which they are tried: its rows, or the point's own route if it has none. */
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

/** A point as a new payment needs it: with its routes for the method, and the database's time. */
export type PointWithRoutes = PaymentPoint & {
  readonly routes: readonly PointAcquiringRoute[];
  readonly store: Store;
  /** The partner's saved return address; null if none is saved. */
  readonly savedReturnUrl: string | null;
  readonly now: Date;
};

const pointsWithRoutes = compiledRead(
  { partnerId: paymentPoints.partnerId, method: pointRoutes.method },
  ({ partnerId, method }, builder) =>
    builder
      .select({
        point: paymentPoints,
        acquiringRoute: ROUTE_AT_POINT,
        store: stores,
        savedReturnUrl: integrationEndpoints.returnUrl,
        now: databaseNow,
      })
      .from(paymentPoints)
      .leftJoin(pointRoutes, isOfMethod(method))
      .innerJoin(routes, isRouteOfRow)
      .innerJoin(stores, eq(stores.storeId, paymentPoints.storeId))
      .leftJoin(integrationEndpoints, eq(integrationEndpoints.partnerId, paymentPoints.partnerId))
      .where(eq(paymentPoints.partnerId, partnerId))
      .orderBy(asc(paymentPoints.createdAt), asc(paymentPoints.paymentPointId), asc(pointRoutes.priority)),
);

/** All points of a partner, oldest first, each with `listPointAcquiringRoutes`, in one statement. There are few. */
export async function listPointsWithRoutes(reader: Reader, partnerId: PartnerId, method: PointMethod): Promise<PointWithRoutes[]> {
  const rows = await sharedRead(reader, partnerId, pointsWithRoutes(reader, { partnerId, method }));
  const points = Map.groupBy(rows, ({ point }) => point.paymentPointId);
  return [...points.values()].flatMap((ofPoint) =>
    ofPoint.slice(0, 1).map(({ point, store, savedReturnUrl, now }) => ({
      ...point,
      store,
      savedReturnUrl,
      routes: ofPoint.map(({ acquiringRoute }) => acquiringRoute),
      now,
    })),
  );
}

type NewPointRoute = Pick<PointAcquiringRoute, 'routeId'> & Partial<Pick<PointAcquiringRoute, 'minAmountKopecks' | 'maxAmountKopecks'>>;

/** Replaces the routes for a method of a point, in the order in which they are tried. None: the point's own route again. */
export async function replacePointAcquiringRoutes(
  tx: Tx,
  paymentPointId: string,
  method: PointMethod,
  wanted: readonly NewPointRoute[],
): Promise<void> {
  await tx.delete(pointRoutes).where(and(eq(pointRoutes.paymentPointId, paymentPointId), eq(pointRoutes.method, method)));
  if (wanted.length === 0) return;
  await tx.insert(pointRoutes).values(wanted.map((route, index) => ({ paymentPointId, method, priority: index + 1, ...route })));
}
