import { and, asc, desc, eq, gte, inArray, isNotNull, lt, lte, or, sql, type SQL } from 'drizzle-orm';
import { isClaimedBy } from '@pay/shared/postgres/claimed.ts';
import type { Reader, Tx } from '@pay/shared/postgres/db.ts';
import { onlyRow } from '@pay/shared/postgres/only-row.ts';
import { selectRows } from '@pay/shared/postgres/select-rows.ts';
import type { Authentication } from '../domain/authentication.ts';
import type { Operation } from '../domain/operation.ts';
import { isFinal, type OperationStatus } from '../domain/operation-status.ts';
import { operations } from './schema.ts';

/** The operation with the merchant's id, if the bank knows it. */
export async function findOperation(reader: Reader, operationId: string): Promise<Operation | undefined> {
  const [row] = await reader.select().from(operations).where(eq(operations.operationId, operationId));
  return row;
}

/** The operation, locked until the transaction ends: one decision at a time. */
export async function lockOperation(tx: Tx, operationId: string): Promise<Operation | undefined> {
  const [row] = await tx.select().from(operations).where(eq(operations.operationId, operationId)).for('update');
  return row;
}

/**
 * The id of the operation that a page belongs to. Both ids are random, so only a buyer who was sent there knows one.
 */
export async function findIdByPage(
  reader: Reader,
  page: { readonly threeDsId: string } | { readonly bankOperationId: string },
): Promise<string | undefined> {
  const condition =
    'threeDsId' in page
      ? eq(operations.threeDsId, page.threeDsId)
      : and(eq(operations.bankOperationId, page.bankOperationId), eq(operations.kind, 'ORDER'), eq(operations.method, 'SBP'));
  const [row] = await reader.select({ operationId: operations.operationId }).from(operations).where(condition);
  return row?.operationId;
}

type NewOperation = typeof operations.$inferInsert;

/** Inserts a new operation; undefined if the merchant's id is taken. Waits for a concurrent insert of the same id. */
export async function insertOperation(tx: Tx, operation: NewOperation): Promise<Operation | undefined> {
  const [row] = await tx.insert(operations).values(operation).onConflictDoNothing({ target: operations.operationId }).returning();
  return row;
}

type Change = Partial<
  Pick<
    Operation,
    'reason' | 'approvesAt' | 'cardMask' | 'cardExpiry' | 'cardToken' | 'threeDsId' | 'unansweredReads' | keyof Authentication
  >
>;

/**
 * Changes the status of a locked operation. The update repeats the guard: it finds no row, and throws, if the status is
 * not the one the decision was based on.
 */
export async function moveOperation(tx: Tx, operation: Operation, to: OperationStatus, change: Change): Promise<Operation> {
  const rows = await tx
    .update(operations)
    .set({ ...change, status: to, updatedAt: sql`clock_now()`, ...(isFinal(to) ? { notifyAt: sql`clock_now()` } : {}) })
    .where(and(eq(operations.operationId, operation.operationId), eq(operations.status, operation.status)))
    .returning();
  return onlyRow(rows);
}

/** Begins another authentication of a locked order. */
export async function beginAuthentication(tx: Tx, operationId: string, threeDsServerTransId: string): Promise<void> {
  await tx.update(operations).set({ threeDsServerTransId, threeDsMethodRan: false }).where(eq(operations.operationId, operationId));
}

/** Records that the 3DS Method of an authentication ran. Undefined if none with this id is in progress. */
export async function noteThreeDsMethod(tx: Tx, threeDsServerTransId: string): Promise<Operation | undefined> {
  const [row] = await tx
    .update(operations)
    .set({ threeDsMethodRan: true })
    .where(and(eq(operations.threeDsServerTransId, threeDsServerTransId), eq(operations.status, 'REGISTERED')))
    .returning();
  return row;
}

/** Uses up one of the read-backs that stay unanswered; false if there is none (left). */
export async function takeUnansweredRead(tx: Tx, operationId: string): Promise<boolean> {
  const rows = await tx
    .update(operations)
    .set({ unansweredReads: sql`${operations.unansweredReads} - 1` })
    .where(and(eq(operations.operationId, operationId), sql`${operations.unansweredReads} > 0`))
    .returning({ operationId: operations.operationId });
  return rows.length === 1;
}

/** The sum of this payment's approved refunds, in kopecks. The caller holds the payment's row. */
export async function sumOfRefunds(tx: Tx, originalOperationId: string): Promise<bigint> {
  const [row] = await tx
    .select({ sum: sql<string>`coalesce(sum(${operations.amountKopecks}), 0)` })
    .from(operations)
    .where(and(eq(operations.originalOperationId, originalOperationId), inArray(operations.status, ['REGISTERED', 'PENDING', 'APPROVED'])));
  return BigInt(row?.sum ?? '0');
}

/** Written as in the index: a plan that is good for any parameters could not use it. */
const changesByTime = sql`${operations.status} in ('REGISTERED', 'THREE_DS_REQUIRED', 'PENDING')`;
const dueAt = sql`(case when ${operations.status} = 'PENDING' then ${operations.approvesAt} else ${operations.expiresAt} end)`;

/**
 * Ids of operations that have changed by `now` through the passage of time, at most `limit`; locked rows are skipped.
 */
export async function lockDueOperations(tx: Tx, now: Date, limit: number): Promise<readonly Operation[]> {
  return tx
    .select()
    .from(operations)
    .where(and(changesByTime, lte(dueAt, now.toISOString())))
    .orderBy(dueAt)
    .limit(limit)
    .for('update', { skipLocked: true });
}

/**
 * How long until an operation changes through the passage of time, or a notification is due; 0 or less: now. Undefined
 * if nothing will be.
 */
export async function findNextDueMs(reader: Reader): Promise<number | undefined> {
  const rows = await selectRows<{ milliseconds: number | null }>(
    reader,
    sql`select (extract(epoch from least(
        (select ${operations.notifyAt} from ${operations} where ${isNotNull(operations.notifyAt)} order by ${operations.notifyAt} limit 1),
        (select ${dueAt} from ${operations} where ${changesByTime} order by ${dueAt} limit 1)
      ) - clock_now()) * 1000)::float as milliseconds`,
  );
  return onlyRow(rows).milliseconds ?? undefined;
}

/** Where a page of the register begins: after this operation. */
export type RegisterPosition = { readonly createdAt: Date; readonly operationId: string };

/** Operations created in `[from, to)`, oldest first, at most `limit`: a page of one day's register. */
export async function listRegister(
  reader: Reader,
  { from, to, after }: { readonly from: Date; readonly to: Date; readonly after: RegisterPosition | undefined },
  limit: number,
): Promise<readonly Operation[]> {
  const behind =
    after === undefined
      ? undefined
      : sql`(${operations.createdAt}, ${operations.operationId}) > (${after.createdAt.toISOString()}::timestamptz, ${after.operationId}::uuid)`;
  return reader
    .select()
    .from(operations)
    .where(and(gte(operations.createdAt, from), lt(operations.createdAt, to), behind))
    .orderBy(asc(operations.createdAt), asc(operations.operationId))
    .limit(limit);
}

export type OperationFilter = {
  /** The merchant's id or the bank's. */
  readonly id: string | undefined;
  readonly status: OperationStatus | undefined;
  /** Only operations after this one in the list. */
  readonly after: { readonly createdAt: Date; readonly operationId: string } | undefined;
};

/** A page of operations, newest first. */
export async function listOperations(reader: Reader, filter: OperationFilter, limit: number): Promise<readonly Operation[]> {
  const conditions: (SQL | undefined)[] = [];
  if (filter.id !== undefined) {
    conditions.push(or(sql`${operations.operationId}::text = ${filter.id}`, eq(operations.bankOperationId, filter.id)));
  }
  if (filter.status !== undefined) conditions.push(eq(operations.status, filter.status));
  if (filter.after !== undefined) {
    const { createdAt, operationId } = filter.after;
    conditions.push(
      sql`(${operations.createdAt}, ${operations.operationId}) < (${createdAt.toISOString()}::timestamptz, ${operationId}::uuid)`,
    );
  }
  return reader
    .select()
    .from(operations)
    .where(and(...conditions))
    .orderBy(desc(operations.createdAt), desc(operations.operationId))
    .limit(limit);
}

/** Totals over the whole bank, in kopecks: what was taken (orders and charges) and what was refunded. */
export type Totals = {
  readonly operations: number;
  readonly approvedCount: number;
  readonly approvedKopecks: bigint;
  readonly refundedCount: number;
  readonly refundedKopecks: bigint;
};

export async function sumTotals(reader: Reader): Promise<Totals> {
  const taken = sql`${operations.status} = 'APPROVED' and ${operations.kind} <> 'REFUND'`;
  const given = sql`${operations.status} = 'APPROVED' and ${operations.kind} = 'REFUND'`;
  const [row] = await reader
    .select({
      operations: sql<string>`count(*)`,
      approvedCount: sql<string>`count(*) filter (where ${taken})`,
      approvedKopecks: sql<string>`coalesce(sum(${operations.amountKopecks}) filter (where ${taken}), 0)`,
      refundedCount: sql<string>`count(*) filter (where ${given})`,
      refundedKopecks: sql<string>`coalesce(sum(${operations.amountKopecks}) filter (where ${given}), 0)`,
    })
    .from(operations);
  return {
    operations: Number(row?.operations ?? 0),
    approvedCount: Number(row?.approvedCount ?? 0),
    approvedKopecks: BigInt(row?.approvedKopecks ?? 0),
    refundedCount: Number(row?.refundedCount ?? 0),
    refundedKopecks: BigInt(row?.refundedKopecks ?? 0),
  };
}

/** Deletes every operation with its history. */
export async function deleteOperations(tx: Tx): Promise<void> {
  await tx.delete(operations);
}

/** The parts of a finished operation that a notification contains. */
export type DueNotification = Pick<Operation, 'operationId' | 'bankOperationId' | 'kind' | 'status' | 'amountKopecks' | 'updatedAt'> & {
  readonly notifyAttempts: number;
};

/** Claims the operations whose merchant must be notified now, and hides them for a minute. */
export async function claimDueNotifications(tx: Tx, order: 'oldest' | 'newest', limit: number): Promise<readonly DueNotification[]> {
  const direction = order === 'oldest' ? asc : desc;
  const due = tx
    .select({ operationId: operations.operationId })
    .from(operations)
    .where(lte(operations.notifyAt, sql`clock_now()`))
    .orderBy(direction(operations.updatedAt), direction(operations.operationId))
    .limit(limit)
    .for('update', { skipLocked: true });
  const rows = await tx
    .update(operations)
    .set({
      notifyAt: sql`clock_now() + interval '60 seconds'`,
      notifyAttempts: sql`${operations.notifyAttempts} + 1`,
    })
    .where(isClaimedBy(operations.operationId, due))
    .returning();
  const sign = order === 'oldest' ? 1 : -1;
  return rows.toSorted((a, b) => sign * (a.updatedAt.getTime() - b.updatedAt.getTime()));
}

/** Schedules another attempt after `seconds`; null: no further attempt. */
export async function scheduleNotification(tx: Tx, operationId: string, seconds: number | null): Promise<void> {
  await tx
    .update(operations)
    .set({ notifyAt: seconds === null ? null : sql`clock_now() + ${seconds} * interval '1 second'` })
    .where(eq(operations.operationId, operationId));
}

/** The number of notifications that are waiting. */
export async function countWaitingNotifications(reader: Reader): Promise<number> {
  const [row] = await reader
    .select({ count: sql<number>`count(*)::int` })
    .from(operations)
    .where(isNotNull(operations.notifyAt));
  return row?.count ?? 0;
}
