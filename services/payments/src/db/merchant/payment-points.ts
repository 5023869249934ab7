import { and, asc, eq, getTableColumns, gt, inArray, sql } from 'drizzle-orm';
import type { Reader, Tx } from '@pay/shared/postgres/db.ts';
import { onlyRow } from '@pay/shared/postgres/only-row.ts';
import { databaseNow } from '@pay/shared/postgres/clock.ts';
import type { PartnerId } from '@pay/shared/identities/identities.ts';
import { paymentPoints, stores } from './schema.ts';
import { routes } from '../acquiring/schema.ts';

export type PaymentPoint = Readonly<typeof paymentPoints.$inferSelect>;
export type Store = Readonly<typeof stores.$inferSelect>;
export type Route = Readonly<typeof routes.$inferSelect>;

/** All points of a partner, oldest first, each with the database's time. There are few. */
export async function listPoints(reader: Reader, partnerId: PartnerId): Promise<(PaymentPoint & { now: Date })[]> {
  return reader
    .select({ ...getTableColumns(paymentPoints), now: databaseNow })
    .from(paymentPoints)
    .where(eq(paymentPoints.partnerId, partnerId))
    .orderBy(asc(paymentPoints.createdAt), asc(paymentPoints.paymentPointId));
}

/** Whether the partner owns this point, in any status. */
export async function isPartnerPoint(reader: Reader, partnerId: PartnerId, paymentPointId: string): Promise<boolean> {
  const rows = await reader
    .select({ paymentPointId: paymentPoints.paymentPointId })
    .from(paymentPoints)
    .where(and(eq(paymentPoints.paymentPointId, paymentPointId), eq(paymentPoints.partnerId, partnerId)));
  return rows.length === 1;
}

export async function findRoute(reader: Reader, routeId: string): Promise<Route | undefined> {
  const [row] = await reader.select().from(routes).where(eq(routes.routeId, routeId));
  return row;
}

export async function findPoint(reader: Reader, paymentPointId: string): Promise<PaymentPoint | undefined> {
  const [row] = await reader.select().from(paymentPoints).where(eq(paymentPoints.paymentPointId, paymentPointId));
  return row;
}

/** The store of a point. */
export async function findStoreOfPoint(reader: Reader, paymentPointId: string): Promise<Store | undefined> {
  const [row] = await reader
    .select({ store: stores })
    .from(paymentPoints)
    .innerJoin(stores, eq(stores.storeId, paymentPoints.storeId))
    .where(eq(paymentPoints.paymentPointId, paymentPointId));
  return row?.store;
}

/** Inserts a route; false if it exists already. */
export async function insertRoute(tx: Tx, route: typeof routes.$inferInsert): Promise<boolean> {
  const rows = await tx.insert(routes).values(route).onConflictDoNothing().returning({ routeId: routes.routeId });
  return rows.length === 1;
}

/** All routes, by name. There are few. */
export async function listRoutes(reader: Reader): Promise<Route[]> {
  return reader.select().from(routes).orderBy(asc(routes.routeId));
}

/** Locks the route until the transaction ends. */
export async function lockRoute(tx: Tx, routeId: string): Promise<Route | undefined> {
  const [row] = await tx.select().from(routes).where(eq(routes.routeId, routeId)).for('update');
  return row;
}

/** Changes a locked route. */
export async function updateRoute(
  tx: Tx,
  routeId: string,
  change: Partial<Pick<Route, 'status' | 'minAmountKopecks' | 'maxAmountKopecks'>>,
): Promise<Route> {
  return onlyRow(await tx.update(routes).set(change).where(eq(routes.routeId, routeId)).returning());
}

/** The stores of all partners or of one, by id, starting after `after`. */
export async function listStores(
  reader: Reader,
  filter: { readonly partnerId: PartnerId | undefined; readonly after: string | undefined },
  limit: number,
): Promise<Store[]> {
  const { partnerId, after } = filter;
  return reader
    .select()
    .from(stores)
    .where(
      and(
        partnerId === undefined ? undefined : eq(stores.partnerId, partnerId),
        after === undefined ? undefined : gt(stores.storeId, after),
      ),
    )
    .orderBy(asc(stores.storeId))
    .limit(limit);
}

export async function findStore(reader: Reader, storeId: string): Promise<Store | undefined> {
  const [row] = await reader.select().from(stores).where(eq(stores.storeId, storeId));
  return row;
}

/** The points of these stores, oldest first. */
export async function listPointsOfStores(reader: Reader, storeIds: readonly string[]): Promise<PaymentPoint[]> {
  if (storeIds.length === 0) return [];
  return reader
    .select()
    .from(paymentPoints)
    .where(inArray(paymentPoints.storeId, [...storeIds]))
    .orderBy(asc(paymentPoints.createdAt), asc(paymentPoints.paymentPointId));
}

/** Locks the point until the transaction ends. */
export async function lockPoint(tx: Tx, paymentPointId: string): Promise<PaymentPoint | undefined> {
  const [row] = await tx.select().from(paymentPoints).where(eq(paymentPoints.paymentPointId, paymentPointId)).for('update');
  return row;
}

/** Changes a locked point and gives it the next revision. */
export async function updatePoint(
  tx: Tx,
  paymentPointId: string,
  change: Partial<typeof paymentPoints.$inferInsert>,
): Promise<PaymentPoint> {
  return onlyRow(
    await tx
      .update(paymentPoints)
      .set({ ...change, revision: sql`${paymentPoints.revision} + 1` })
      .where(eq(paymentPoints.paymentPointId, paymentPointId))
      .returning(),
  );
}

/** Inserts a store; false if it exists already. */
export async function insertStore(tx: Tx, store: typeof stores.$inferInsert): Promise<boolean> {
  const rows = await tx.insert(stores).values(store).onConflictDoNothing().returning({ storeId: stores.storeId });
  return rows.length === 1;
}

/** Sets whether the shop may show consents itself. Undefined if there is no such store. */
export async function updateMerchantConsent(tx: Tx, storeId: string, enabled: boolean): Promise<Store | undefined> {
  const [row] = await tx.update(stores).set({ merchantConsent: enabled }).where(eq(stores.storeId, storeId)).returning();
  return row;
}

/** Inserts a payment point; undefined if it exists already. */
export async function insertPoint(tx: Tx, point: typeof paymentPoints.$inferInsert): Promise<PaymentPoint | undefined> {
  const [row] = await tx.insert(paymentPoints).values(point).onConflictDoNothing().returning();
  return row;
}
