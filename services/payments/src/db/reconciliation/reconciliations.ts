import { and, asc, desc, eq, gte, lte, max, ne, or, sql } from 'drizzle-orm';
import type { ReconciliationResult } from '@pay/contract/operator/states.ts';
import { isClaimedBy } from '@pay/shared/postgres/claimed.ts';
import type { Reader, Tx } from '@pay/shared/postgres/db.ts';
import { onlyRow } from '@pay/shared/postgres/only-row.ts';
import { reconciliationItems, reconciliations } from './schema.ts';
import { routes } from '../acquiring/schema.ts';

export type Reconciliation = Readonly<typeof reconciliations.$inferSelect>;
export type ReconciliationItem = Readonly<typeof reconciliationItems.$inferSelect>;
/** A route's day. */
export type RouteDay = Pick<Reconciliation, 'routeId' | 'day'>;

/** One page takes much less than this; the run renews its lease after each. */
const LEASE = sql`clock_now() + interval '60 seconds'`;

const isDay = ({ routeId, day }: RouteDay) => and(eq(reconciliations.routeId, routeId), eq(reconciliations.day, day));

/** Requests a comparison of a day. Undefined if one is already running. */
export async function requestReconciliation(
  tx: Tx,
  { routeId, day }: RouteDay,
  runId: string,
  requestedBy: string,
): Promise<Reconciliation | undefined> {
  const run = {
    runId,
    requestedBy,
    status: 'RUNNING' as const,
    leaseUntil: sql`clock_now()`,
    startedAt: sql`clock_now()`,
    completedAt: null,
    bankKopecks: null,
    ourKopecks: null,
  };
  const rows = await tx
    .insert(reconciliations)
    .values({ routeId, day, ...run })
    .onConflictDoUpdate({
      target: [reconciliations.routeId, reconciliations.day],
      set: run,
      setWhere: eq(reconciliations.status, 'COMPLETED'),
    })
    .returning();
  return rows[0];
}

/** Claims a run that nobody is working on: a new one, or one whose process died. Undefined if there is none. */
export async function claimReconciliation(tx: Tx, wanted?: RouteDay): Promise<Reconciliation | undefined> {
  const free = tx
    .select({ runId: reconciliations.runId })
    .from(reconciliations)
    .where(
      and(
        eq(reconciliations.status, 'RUNNING'),
        lte(reconciliations.leaseUntil, sql`clock_now()`),
        wanted === undefined ? undefined : isDay(wanted),
      ),
    )
    .orderBy(asc(reconciliations.leaseUntil))
    .limit(1)
    .for('update', { skipLocked: true });
  const rows = await tx.update(reconciliations).set({ leaseUntil: LEASE }).where(isClaimedBy(reconciliations.runId, free)).returning();
  return rows[0];
}

/** Renews the lease of a run. @throws Error if another run replaced it: anything that this one still writes would be wrong */
export async function keepReconciliation(tx: Tx, runId: string): Promise<void> {
  const rows = await tx
    .update(reconciliations)
    .set({ leaseUntil: LEASE })
    .where(and(eq(reconciliations.runId, runId), eq(reconciliations.status, 'RUNNING')))
    .returning({ runId: reconciliations.runId });
  onlyRow(rows);
}

/** Saves items of a run, replacing those of earlier runs of the day. */
export async function saveItems(tx: Tx, items: readonly ReconciliationItem[]): Promise<void> {
  if (items.length === 0) return;
  await tx
    .insert(reconciliationItems)
    .values([...items])
    .onConflictDoUpdate({
      target: [reconciliationItems.routeId, reconciliationItems.day, reconciliationItems.operationId],
      set: {
        runId: sql`excluded.run_id`,
        result: sql`excluded.result`,
        kind: sql`excluded.kind`,
        paymentId: sql`excluded.payment_id`,
        originalOperationId: sql`excluded.original_operation_id`,
        bankOperationId: sql`excluded.bank_operation_id`,
        bankStatus: sql`excluded.bank_status`,
        bankAmountKopecks: sql`excluded.bank_amount_kopecks`,
        ourStatus: sql`excluded.our_status`,
        ourAmountKopecks: sql`excluded.our_amount_kopecks`,
        bankKopecks: sql`excluded.bank_kopecks`,
        ourKopecks: sql`excluded.our_kopecks`,
      },
    });
}

/** Completes a run: deletes items of earlier runs of the day, and sums up its own. */
export async function completeReconciliation(tx: Tx, { routeId, day, runId }: Reconciliation): Promise<Reconciliation> {
  const items = and(eq(reconciliationItems.routeId, routeId), eq(reconciliationItems.day, day));
  await tx.delete(reconciliationItems).where(and(items, ne(reconciliationItems.runId, runId)));
  const [sums] = await tx
    .select({
      bank: sql<string>`coalesce(sum(${reconciliationItems.bankKopecks}), 0)`,
      ours: sql<string>`coalesce(sum(${reconciliationItems.ourKopecks}), 0)`,
    })
    .from(reconciliationItems)
    .where(items);
  const rows = await tx
    .update(reconciliations)
    .set({
      status: 'COMPLETED',
      completedAt: sql`clock_now()`,
      bankKopecks: BigInt(sums?.bank ?? '0'),
      ourKopecks: BigInt(sums?.ours ?? '0'),
    })
    .where(and(eq(reconciliations.runId, runId), eq(reconciliations.status, 'RUNNING')))
    .returning();
  return onlyRow(rows);
}

export async function findReconciliation(reader: Reader, wanted: RouteDay): Promise<Reconciliation | undefined> {
  const [row] = await reader.select().from(reconciliations).where(isDay(wanted));
  return row;
}

/** When each day of a route was last compared, from `since` on. */
export async function listStarts(reader: Reader, routeId: string, since: string): Promise<Map<string, Date>> {
  const rows = await reader
    .select({ day: reconciliations.day, startedAt: reconciliations.startedAt })
    .from(reconciliations)
    .where(and(eq(reconciliations.routeId, routeId), gte(reconciliations.day, since)));
  return new Map(rows.map(({ day, startedAt }) => [day, startedAt]));
}

/** Reconciliations, newest day first. */
export async function listReconciliations(reader: Reader, day: string | undefined, limit: number): Promise<Reconciliation[]> {
  return reader
    .select()
    .from(reconciliations)
    .where(day === undefined ? undefined : eq(reconciliations.day, day))
    .orderBy(desc(reconciliations.day), asc(reconciliations.routeId))
    .limit(limit);
}

/** How many operations of a compared day had each result. */
export async function countItems(reader: Reader, { routeId, day, runId }: Reconciliation): Promise<Map<ReconciliationResult, number>> {
  const rows = await reader
    .select({ result: reconciliationItems.result, count: sql<number>`count(*)::int` })
    .from(reconciliationItems)
    .where(and(eq(reconciliationItems.routeId, routeId), eq(reconciliationItems.day, day), eq(reconciliationItems.runId, runId)))
    .groupBy(reconciliationItems.result);
  return new Map(rows.map(({ result, count }) => [result, count]));
}

/** Operations that did not match, at most `limit`. */
export async function listDifferences(
  reader: Reader,
  { routeId, day, runId }: Reconciliation,
  limit: number,
): Promise<ReconciliationItem[]> {
  return reader
    .select()
    .from(reconciliationItems)
    .where(
      and(
        eq(reconciliationItems.routeId, routeId),
        eq(reconciliationItems.day, day),
        eq(reconciliationItems.runId, runId),
        ne(reconciliationItems.result, 'MATCHED'),
      ),
    )
    .orderBy(asc(reconciliationItems.operationId))
    .limit(limit);
}

/** An operation of a compared day. */
export async function findItem(reader: Reader, { routeId, day }: RouteDay, operationId: string): Promise<ReconciliationItem | undefined> {
  const [row] = await reader
    .select()
    .from(reconciliationItems)
    .where(
      and(eq(reconciliationItems.routeId, routeId), eq(reconciliationItems.day, day), eq(reconciliationItems.operationId, operationId)),
    );
  return row;
}

/**
 * Refunds of an order in the route's registers that reached the buyer, and that we did not know, or took for declined, when they were
 * compared; each once.
 */
export async function listUnknownRefunds(
  reader: Reader,
  routeId: string,
  originalOperationId: string,
): Promise<{ operationId: string; bankOperationId: string; amountKopecks: bigint }[]> {
  const { operationId, bankOperationId, bankAmountKopecks } = reconciliationItems;
  const rows = await reader
    .select({ operationId, bankOperationId: max(bankOperationId), amountKopecks: max(bankAmountKopecks) })
    .from(reconciliationItems)
    .where(
      and(
        eq(reconciliationItems.routeId, routeId),
        eq(reconciliationItems.originalOperationId, originalOperationId),
        or(
          eq(reconciliationItems.result, 'MISSING_HERE'),
          and(eq(reconciliationItems.kind, 'RETURN'), eq(reconciliationItems.ourKopecks, 0n)),
        ),
        ne(reconciliationItems.bankKopecks, 0n),
      ),
    )
    .groupBy(operationId);
  return rows.map((row) => ({
    operationId: row.operationId,
    bankOperationId: row.bankOperationId ?? row.operationId,
    amountKopecks: row.amountKopecks ?? 0n,
  }));
}

/** Routes that may have a register. */
export async function listRoutes(reader: Reader): Promise<{ routeId: string; connector: string; createdAt: Date }[]> {
  return reader
    .select({ routeId: routes.routeId, connector: routes.connector, createdAt: routes.createdAt })
    .from(routes)
    .where(or(eq(routes.status, 'ACTIVE'), eq(routes.status, 'SUSPENDED')))
    .orderBy(asc(routes.routeId));
}
