import { and, asc, eq, gt, gte, inArray, isNotNull, lt, notExists, or, sql } from 'drizzle-orm';
import type { Reader } from '@pay/shared/postgres/db.ts';
import { isNegativeEnd, isOpen } from '../../domain/payment/payment-status.ts';
import type { OurOperation } from '../../domain/reconciliation/reconciliation.ts';
import { reconciliationItems } from './schema.ts';
import { moneyReturns } from '../money-return/schema.ts';
import { payments } from '../payment/schema.ts';
import { refunds } from '../refund/schema.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Our operations with these ids at the bank, on any day. */
export async function findOurOperations(reader: Reader, operationIds: readonly string[]): Promise<OurOperation[]> {
  const ids = operationIds.filter((id) => UUID.test(id));
  if (ids.length === 0) return [];
  return [
    ...(await selectPayments(reader).where(inArray(payments.paymentId, ids))).map(paymentOperation),
    ...(await reader.select().from(refunds).where(inArray(refunds.refundId, ids))).map(refundOperation),
    ...(await reader.select().from(moneyReturns).where(inArray(moneyReturns.returnId, ids))).map(returnOperation),
    ...(await findUnknownOrders(reader, ids)),
  ];
}

/** Orders that only the bank knew, and whose money we booked to suspense: the returns of one add up to what was taken. */
async function findUnknownOrders(reader: Reader, ids: readonly string[]): Promise<OurOperation[]> {
  const rows = await reader
    .select({ operationId: moneyReturns.paymentId, total: sql<string>`sum(${moneyReturns.amountKopecks})` })
    .from(moneyReturns)
    .where(and(inArray(moneyReturns.paymentId, [...ids]), eq(moneyReturns.why, 'UNKNOWN_ORDER')))
    .groupBy(moneyReturns.paymentId);
  return rows.map(({ operationId, total }) => ({
    operationId,
    kind: 'PAYMENT',
    paymentId: null,
    bankOperationId: null,
    status: 'UNKNOWN_ORDER',
    money: 'moved',
    amountKopecks: BigInt(total),
    isFollowedUp: false,
  }));
}

/** Selects operations begun in `[from, to)` on a route that the bank has acknowledged and that a run has no item for. */
export type Uncompared = {
  readonly run: { readonly routeId: string; readonly day: string; readonly runId: string };
  readonly from: Date;
  readonly to: Date;
  /** Starting after this id; undefined: from the first. */
  readonly after: string | undefined;
  /** Also operations that were sent but never acknowledged. */
  readonly isEveryOrder?: boolean;
};

export async function listUncomparedPayments(
  reader: Reader,
  wanted: Uncompared,
  limit: number,
): Promise<OurOperation[]> {
  const rows = await selectPayments(reader)
    .where(
      and(
        eq(payments.routeId, wanted.run.routeId),
        gte(payments.createdAt, wanted.from),
        lt(payments.createdAt, wanted.to),
        wanted.isEveryOrder === true
          ? or(isNotNull(payments.bankOperationId), gt(payments.leaseNumber, 0))
          : isNotNull(payments.bankOperationId),
        notExists(itemOf(reader, wanted.run, payments.paymentId)),
        wanted.after === undefined ? undefined : gt(payments.paymentId, wanted.after),
      ),
    )
    .orderBy(asc(payments.paymentId))
    .limit(limit);
  return rows.map(paymentOperation);
}

/** As for payments. A refund takes the route of its payment. */
export async function listUncomparedRefunds(
  reader: Reader,
  wanted: Uncompared,
  limit: number,
): Promise<(OurOperation & { readonly originalOperationId: string })[]> {
  const rows = await reader
    .select({ refund: refunds })
    .from(refunds)
    .innerJoin(payments, eq(payments.paymentId, refunds.paymentId))
    .where(
      and(
        eq(payments.routeId, wanted.run.routeId),
        gte(refunds.createdAt, wanted.from),
        lt(refunds.createdAt, wanted.to),
        isNotNull(refunds.bankOperationId),
        notExists(itemOf(reader, wanted.run, refunds.refundId)),
        wanted.after === undefined ? undefined : gt(refunds.refundId, wanted.after),
      ),
    )
    .orderBy(asc(refunds.refundId))
    .limit(limit);
  return rows.map(({ refund }) => ({ ...refundOperation(refund), originalOperationId: refund.paymentId }));
}

/** As for refunds: returned money of late successes. */
export async function listUncomparedReturns(
  reader: Reader,
  wanted: Uncompared,
  limit: number,
): Promise<(OurOperation & { readonly originalOperationId: string })[]> {
  const rows = await reader
    .select()
    .from(moneyReturns)
    .where(
      and(
        eq(moneyReturns.routeId, wanted.run.routeId),
        gte(moneyReturns.createdAt, wanted.from),
        lt(moneyReturns.createdAt, wanted.to),
        eq(moneyReturns.status, 'COMPLETED'),
        notExists(itemOf(reader, wanted.run, moneyReturns.returnId)),
        wanted.after === undefined ? undefined : gt(moneyReturns.returnId, wanted.after),
      ),
    )
    .orderBy(asc(moneyReturns.returnId))
    .limit(limit);
  return rows.map((row) => ({ ...returnOperation(row), originalOperationId: row.paymentId }));
}

type IdColumn = typeof payments.paymentId | typeof refunds.refundId | typeof moneyReturns.returnId;

function itemOf(reader: Reader, { routeId, day, runId }: Uncompared['run'], operationId: IdColumn) {
  return reader
    .select({ one: sql`1` })
    .from(reconciliationItems)
    .where(
      and(
        eq(reconciliationItems.routeId, routeId),
        eq(reconciliationItems.day, day),
        eq(reconciliationItems.operationId, sql`${operationId}::text`),
        eq(reconciliationItems.runId, runId),
      ),
    );
}

/** A late success is booked to suspense exactly when its return is opened. */
function selectPayments(reader: Reader) {
  return reader
    .select({ payment: payments, lateKopecks: moneyReturns.amountKopecks })
    .from(payments)
    .leftJoin(moneyReturns, and(eq(moneyReturns.paymentId, payments.paymentId), eq(moneyReturns.why, 'LATE_SUCCESS')));
}

function paymentOperation({
  payment,
  lateKopecks,
}: {
  payment: typeof payments.$inferSelect;
  lateKopecks: bigint | null;
}): OurOperation {
  const { paymentId, status, bankOperationId } = payment;
  const isLate = isNegativeEnd(status) && lateKopecks !== null;
  return {
    operationId: paymentId,
    kind: 'PAYMENT',
    paymentId,
    bankOperationId,
    status: isLate ? `${status}, LATE_SUCCESS` : status,
    money: isLate ? 'moved' : isOpen(status) ? 'open' : isNegativeEnd(status) ? 'none' : 'moved',
    amountKopecks: isLate ? lateKopecks : payment.amountKopecks,
    isFollowedUp: payment.nextReadAt !== null,
  };
}

const MONEY_OF = { PENDING: 'open', COMPLETED: 'moved', FAILED: 'none' } as const;

function refundOperation(refund: typeof refunds.$inferSelect): OurOperation {
  const { refundId: operationId, paymentId, bankOperationId, status, amountKopecks, nextReadAt } = refund;
  const money = MONEY_OF[status];
  return {
    operationId,
    kind: 'REFUND',
    paymentId,
    bankOperationId,
    status,
    money,
    amountKopecks,
    isFollowedUp: nextReadAt !== null,
  };
}

function returnOperation(row: typeof moneyReturns.$inferSelect): OurOperation {
  const { returnId: operationId, status, amountKopecks, nextAttemptAt } = row;
  const paymentId = row.why === 'UNKNOWN_ORDER' ? null : row.paymentId;
  const money = MONEY_OF[status];
  return {
    operationId,
    kind: 'RETURN',
    paymentId,
    bankOperationId: null,
    status,
    money,
    amountKopecks,
    isFollowedUp: nextAttemptAt !== null,
  };
}
