import { and, asc, eq, lte, min, sql } from 'drizzle-orm';
import { isClaimedBy } from '@pay/shared/postgres/claimed.ts';
import type { Reader, Tx } from '@pay/shared/postgres/db.ts';
import { onlyRow } from '@pay/shared/postgres/only-row.ts';
import type { Fence } from '../../domain/acquiring/fence.ts';
import { fenceAsking } from '../payment/leases.ts';
import { moneyReturns } from './schema.ts';

/** Money without an order that is being returned. */
export type MoneyReturn = Readonly<typeof moneyReturns.$inferSelect>;

/** Opens the return of a payment's money, due at once. */
export async function insertMoneyReturn(
  tx: Tx,
  moneyReturn: Pick<MoneyReturn, 'returnId' | 'paymentId' | 'why' | 'bankOperationId' | 'routeId' | 'amountKopecks'> &
    Partial<Pick<MoneyReturn, 'operationId'>>,
): Promise<void> {
  await tx.insert(moneyReturns).values({ ...moneyReturn, nextAttemptAt: sql`clock_now()` });
}

/**
 * Stores a part of an unknown order that the bank has refunded: nothing is sent. It may be a return of ours that the bank had declined, and
 * carried out after all.
 */
export async function insertReturned(
  tx: Tx,
  moneyReturn: Pick<MoneyReturn, 'returnId' | 'paymentId' | 'why' | 'bankOperationId' | 'routeId' | 'amountKopecks'>,
): Promise<void> {
  const { bankOperationId, amountKopecks } = moneyReturn;
  const completed = { status: 'COMPLETED', bankOperationId, amountKopecks } as const;
  const rows = await tx
    .insert(moneyReturns)
    .values({ ...moneyReturn, ...completed })
    .onConflictDoUpdate({
      target: moneyReturns.returnId,
      set: { ...completed, updatedAt: sql`clock_now()` },
      setWhere: eq(moneyReturns.status, 'FAILED'),
    })
    .returning({ returnId: moneyReturns.returnId });
  onlyRow(rows);
}

/** The returns of a payment, in any status. */
export async function listMoneyReturns(reader: Reader, paymentId: string): Promise<MoneyReturn[]> {
  return reader.select().from(moneyReturns).where(eq(moneyReturns.paymentId, paymentId));
}

/** The routes with due returns, longest waiting first. */
export async function listRoutesWithDueReturns(reader: Reader): Promise<string[]> {
  const rows = await reader
    .select({ routeId: moneyReturns.routeId })
    .from(moneyReturns)
    .where(lte(moneyReturns.nextAttemptAt, sql`clock_now()`))
    .groupBy(moneyReturns.routeId)
    .orderBy(min(moneyReturns.nextAttemptAt));
  return rows.map(({ routeId }) => routeId);
}

/** Claims due returns of a route. Each is hidden from other workers for a minute. */
export async function claimDueReturns(tx: Tx, routeId: string, limit: number): Promise<MoneyReturn[]> {
  const due = tx
    .select({ returnId: moneyReturns.returnId })
    .from(moneyReturns)
    .where(and(eq(moneyReturns.routeId, routeId), lte(moneyReturns.nextAttemptAt, sql`clock_now()`)))
    .orderBy(asc(moneyReturns.nextAttemptAt))
    .limit(limit)
    .for('update', { skipLocked: true });
  return tx
    .update(moneyReturns)
    .set({
      nextAttemptAt: sql`clock_now() + interval '60 seconds'`,
      attemptCount: sql`${moneyReturns.attemptCount} + 1`,
    })
    .where(isClaimedBy(moneyReturns.returnId, due))
    .returning();
}

/**
 * The fence that an acquirer checks before it returns the money: each attempt has a number and an end
 * (decisions/leases-and-fences).
 */
export function returnFence(reader: Reader, { returnId, attemptCount }: Pick<MoneyReturn, 'returnId' | 'attemptCount'>): Fence {
  const leftMs = sql`extract(epoch from ${moneyReturns.nextAttemptAt} - clock_now()) * 1000`.mapWith(Number);
  const isOurs = and(eq(moneyReturns.returnId, returnId), eq(moneyReturns.attemptCount, attemptCount), eq(moneyReturns.status, 'PENDING'));
  return fenceAsking(async () => (await reader.select({ leftMs }).from(moneyReturns).where(isOurs))[0]?.leftMs);
}

export async function lockMoneyReturn(tx: Tx, returnId: string): Promise<MoneyReturn> {
  return onlyRow(await tx.select().from(moneyReturns).where(eq(moneyReturns.returnId, returnId)).for('update'));
}

/** Ends a pending return, for good. */
export async function endMoneyReturn(tx: Tx, returnId: string, status: 'COMPLETED' | 'FAILED'): Promise<void> {
  await tx
    .update(moneyReturns)
    .set({ status, nextAttemptAt: null, updatedAt: sql`clock_now()` })
    .where(and(eq(moneyReturns.returnId, returnId), eq(moneyReturns.status, 'PENDING')));
}

/** Tries again at `nextAttemptAt`. */
export async function postponeMoneyReturn(tx: Tx, returnId: string, nextAttemptAt: Date): Promise<void> {
  await tx
    .update(moneyReturns)
    .set({ nextAttemptAt, updatedAt: sql`clock_now()` })
    .where(and(eq(moneyReturns.returnId, returnId), eq(moneyReturns.status, 'PENDING')));
}

/** Makes a pending return due now. False if there is none with this id. */
export async function wakeMoneyReturn(tx: Tx, returnId: string): Promise<boolean> {
  const rows = await tx
    .update(moneyReturns)
    .set({ nextAttemptAt: sql`clock_now()` })
    .where(and(eq(moneyReturns.returnId, returnId), eq(moneyReturns.status, 'PENDING')))
    .returning({ returnId: moneyReturns.returnId });
  return rows.length === 1;
}
