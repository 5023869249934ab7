import { and, asc, eq } from 'drizzle-orm';
import type { Reader, Tx } from '@pay/shared/database/database.ts';
import { paymentPoints, routes, stores } from './schema.ts';

export type PaymentPoint = Readonly<typeof paymentPoints.$inferSelect>;
export type Store = Readonly<typeof stores.$inferSelect>;
export type Route = Readonly<typeof routes.$inferSelect>;

/** All points of a partner, oldest first; there are few. */
export async function listPoints(reader: Reader, partnerId: string): Promise<PaymentPoint[]> {
  return reader
    .select()
    .from(paymentPoints)
    .where(eq(paymentPoints.partnerId, partnerId))
    .orderBy(asc(paymentPoints.createdAt), asc(paymentPoints.paymentPointId));
}

/** Whether the partner has this point, whatever its status. */
export async function isPartnerPoint(reader: Reader, partnerId: string, paymentPointId: string): Promise<boolean> {
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

/** The shop behind a point. */
export async function findStoreOfPoint(reader: Reader, paymentPointId: string): Promise<Store | undefined> {
  const [row] = await reader
    .select({ store: stores })
    .from(paymentPoints)
    .innerJoin(stores, eq(stores.storeId, paymentPoints.storeId))
    .where(eq(paymentPoints.paymentPointId, paymentPointId));
  return row?.store;
}

/** A new route, unless it is there. */
export async function insertRoute(tx: Tx, route: typeof routes.$inferInsert): Promise<void> {
  await tx.insert(routes).values(route).onConflictDoNothing();
}

/** A new store; false when it is there already. */
export async function insertStore(tx: Tx, store: typeof stores.$inferInsert): Promise<boolean> {
  const rows = await tx.insert(stores).values(store).onConflictDoNothing().returning({ storeId: stores.storeId });
  return rows.length === 1;
}

/** Says whether the shop may show consents itself. Undefined when there is no such shop. */
export async function updateMerchantConsent(tx: Tx, storeId: string, enabled: boolean): Promise<Store | undefined> {
  const [row] = await tx
    .update(stores)
    .set({ merchantConsent: enabled })
    .where(eq(stores.storeId, storeId))
    .returning();
  return row;
}

/** A new payment point, unless it is there. */
export async function insertPoint(tx: Tx, point: typeof paymentPoints.$inferInsert): Promise<void> {
  await tx.insert(paymentPoints).values(point).onConflictDoNothing();
}
