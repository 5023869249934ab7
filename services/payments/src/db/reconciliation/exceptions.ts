import { and, eq, getTableColumns, sql } from 'drizzle-orm';
import type { Reader, Tx } from '@pay/shared/postgres/db.ts';
import type { ListOrder, ListPosition } from '@pay/shared/http/list-page.ts';
import { following, sortedBy } from '@pay/shared/http/list-order.ts';
import { EXCEPTION_REASONS } from '../../domain/reconciliation/reconciliation.ts';
import { exceptions, reconciliationItems } from './schema.ts';

/** An exception that an operator must look at, as it is stored. */
export type Exception = Readonly<typeof exceptions.$inferSelect>;

/** With what the register says of its operation, if the comparison of a day found it. */
export type FoundException = Exception & {
  readonly operationKind: 'PAYMENT' | 'REFUND' | 'RETURN' | null;
  readonly originalOperationId: string | null;
};

type Raised = Pick<Exception, 'kind'> &
  Partial<Omit<Exception, 'exceptionId' | 'status' | 'note' | 'resolvedBy' | 'createdAt' | 'resolvedAt'>> &
  /** Without an operation id it concerns the order of the payment's first card. */
  ({ readonly paymentId: string } | { readonly operationId: string });

/** Raises an exception for an operator. False if the same one exists already, resolved or not. */
export async function raiseException(tx: Tx, exception: Raised): Promise<boolean> {
  const operationId = exception.operationId ?? exception.paymentId;
  if (operationId === undefined || operationId === null) throw new Error('an exception names no operation');
  const rows = await tx
    .insert(exceptions)
    .values({ reason: EXCEPTION_REASONS[exception.kind], ...exception, operationId })
    .onConflictDoNothing()
    .returning({ exceptionId: exceptions.exceptionId });
  return rows.length === 1;
}

export type ExceptionFilter = {
  readonly status: Exception['status'] | undefined;
  readonly kind: Exception['kind'] | undefined;
  readonly day: string | undefined;
};

/** Which rows of the list follow: those that match, in this order, starting after `after`. */
export type ExceptionList = {
  readonly filter: ExceptionFilter;
  readonly order: ListOrder;
  readonly after: ListPosition | undefined;
};

const FOUND = {
  ...getTableColumns(exceptions),
  operationKind: reconciliationItems.kind,
  originalOperationId: reconciliationItems.originalOperationId,
};
const isItemOf = and(
  eq(reconciliationItems.routeId, exceptions.routeId),
  eq(reconciliationItems.day, exceptions.day),
  eq(reconciliationItems.operationId, exceptions.operationId),
);

const SORTED = { createdAt: exceptions.createdAt, id: exceptions.exceptionId };

export async function listExceptions(
  reader: Reader,
  { filter: { status, kind, day }, order, after }: ExceptionList,
  limit: number,
): Promise<FoundException[]> {
  return reader
    .select(FOUND)
    .from(exceptions)
    .leftJoin(reconciliationItems, isItemOf)
    .where(
      and(
        status === undefined ? undefined : eq(exceptions.status, status),
        kind === undefined ? undefined : eq(exceptions.kind, kind),
        day === undefined ? undefined : eq(exceptions.day, day),
        following(SORTED, order, after),
      ),
    )
    .orderBy(...sortedBy(SORTED, order))
    .limit(limit);
}

export async function findException(reader: Reader, exceptionId: string): Promise<FoundException | undefined> {
  const [row] = await reader
    .select(FOUND)
    .from(exceptions)
    .leftJoin(reconciliationItems, isItemOf)
    .where(eq(exceptions.exceptionId, exceptionId));
  return row;
}

/** Locks an exception until the transaction ends. Undefined if there is none. */
export async function lockException(tx: Tx, exceptionId: string): Promise<Exception | undefined> {
  const [row] = await tx.select().from(exceptions).where(eq(exceptions.exceptionId, exceptionId)).for('update');
  return row;
}

/**
 * Resolves everything OPEN that says that we do not know this operation. False if there is nothing: then somebody else has
 * done so. Whoever resolves it waits for others that do the same.
 */
export async function resolveUnknown(
  tx: Tx,
  operationId: string,
  resolution: { readonly note: string; readonly resolvedBy: string },
): Promise<boolean> {
  const rows = await tx
    .update(exceptions)
    .set({ ...resolution, status: 'RESOLVED', resolvedAt: sql`clock_now()` })
    .where(and(eq(exceptions.operationId, operationId), eq(exceptions.kind, 'MISSING_HERE'), eq(exceptions.status, 'OPEN')))
    .returning({ exceptionId: exceptions.exceptionId });
  return rows.length > 0;
}

/** Resolves an OPEN exception; undefined if it is not OPEN: of two operators only one succeeds. */
export async function saveResolution(
  tx: Tx,
  exceptionId: string,
  resolution: { readonly note: string; readonly resolvedBy: string },
): Promise<Exception | undefined> {
  const [row] = await tx
    .update(exceptions)
    .set({ ...resolution, status: 'RESOLVED', resolvedAt: sql`clock_now()` })
    .where(and(eq(exceptions.exceptionId, exceptionId), eq(exceptions.status, 'OPEN')))
    .returning();
  return row;
}
