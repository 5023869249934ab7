import { and, asc, desc, eq, isNotNull, lte, min, sql, type SQL } from 'drizzle-orm';
import { isClaimedBy } from '@pay/shared/postgres/claimed.ts';
import type { Reader, Tx } from '@pay/shared/postgres/db.ts';
import { onlyRow } from '@pay/shared/postgres/only-row.ts';
import type { ListPosition } from '@pay/shared/http/list-page.ts';
import type { RefundFailureCode } from '@pay/contract/messages.ts';
import type { PartnerId } from '@pay/shared/identities/identities.ts';
import { databaseNow } from '@pay/shared/postgres/clock.ts';
import { compiledInsert, compiledRead, compiledWrite, type ReadyStatement } from '@pay/shared/postgres/fast/compiled.ts';
import { outboxStatementAt } from '@pay/shared/outbox/outbox.ts';
import { valueIf } from '@pay/shared/postgres/fast/value-if.ts';
import type { Fence } from '../../domain/acquiring/fence.ts';
import { routes } from '../acquiring/schema.ts';
import { ledgerTransactions } from '../ledger/schema.ts';
import type { Route } from '../merchant/payment-points.ts';
import { fenceAsking } from '../payment/leases.ts';
import type { Payment } from '../payment/payments.ts';
import { payments } from '../payment/schema.ts';
import { refunds } from './schema.ts';

/** A refund as it is stored. */
export type Refund = Readonly<typeof refunds.$inferSelect>;

/** A refund with what its API record says about the payment. */
export type RefundOfPayment = Refund & {
  readonly merchantOrderId: string;
  readonly currency: 'RUB';
  /** Total of the payment's confirmed refunds. */
  readonly refundedKopecks: bigint;
};

/** What is stored of a new refund. */
export type NewRefund = Pick<
  Refund,
  'refundId' | 'paymentId' | 'partnerId' | 'merchantRefundId' | 'amountKopecks' | 'reason' | 'receipt' | 'nextReadAt'
>;

/** The statement that stores a new refund, not sent yet. */
export const refundStatement: (tx: Tx, refund: NewRefund) => ReadyStatement<Refund[]> = compiledInsert(refunds);

/** What a new refund is decided on. */
export type Refundable = {
  readonly payment: Payment;
  /** When the payment was booked; null if it never was. */
  readonly bookedAt: Date | null;
  readonly route: Route;
  /** The database's time of the read. */
  readonly now: Date;
};

/** Reads everything that a refund of a partner's payment is decided on, in one statement. */
export async function findRefundable(reader: Reader, partnerId: PartnerId, paymentId: string): Promise<Refundable | undefined> {
  const [row] = await refundable(reader, { partnerId, paymentId });
  return row;
}

const refundable = compiledRead({ partnerId: payments.partnerId, paymentId: payments.paymentId }, ({ partnerId, paymentId }, builder) =>
  builder
    .select({ payment: payments, bookedAt: ledgerTransactions.createdAt, route: routes, now: databaseNow })
    .from(payments)
    .innerJoin(routes, eq(routes.routeId, payments.routeId))
    .leftJoin(ledgerTransactions, eq(ledgerTransactions.ledgerTransactionId, payments.ledgerTransactionId))
    .where(and(eq(payments.paymentId, paymentId), eq(payments.partnerId, partnerId))),
);

/** Whether the partner has used this refund number before. */
export async function findByMerchantRefundId(reader: Reader, partnerId: PartnerId, merchantRefundId: string): Promise<string | undefined> {
  const rows = await reader
    .select({ refundId: refunds.refundId })
    .from(refunds)
    .where(and(eq(refunds.partnerId, partnerId), eq(refunds.merchantRefundId, merchantRefundId)));
  return rows[0]?.refundId;
}

/** A partner's refund; undefined if it belongs to another partner. */
export async function findPartnerRefund(reader: Reader, partnerId: PartnerId, refundId: string): Promise<RefundOfPayment | undefined> {
  const [row] = await selectRefunds(reader, and(eq(refunds.refundId, refundId), eq(refunds.partnerId, partnerId)), 1);
  return row;
}

/** The refunds of a payment, newest first, beginning after `after`. */
export async function listRefunds(
  reader: Reader,
  paymentId: string,
  after: ListPosition | undefined,
  limit: number,
): Promise<RefundOfPayment[]> {
  const older =
    after === undefined
      ? undefined
      : sql`(${refunds.createdAt}, ${refunds.refundId}) < (${after.createdAt.toISOString()}::timestamptz, ${after.id}::uuid)`;
  return selectRefunds(reader, and(eq(refunds.paymentId, paymentId), older), limit);
}

async function selectRefunds(reader: Reader, where: SQL | undefined, limit: number): Promise<RefundOfPayment[]> {
  const { merchantOrderId, currency, refundedKopecks } = payments;
  const rows = await reader
    .select({ refund: refunds, payment: { merchantOrderId, currency, refundedKopecks } })
    .from(refunds)
    .innerJoin(payments, eq(payments.paymentId, refunds.paymentId))
    .where(where)
    .orderBy(desc(refunds.createdAt), desc(refunds.refundId))
    .limit(limit);
  return rows.map(({ refund, payment }) => ({ ...refund, ...payment }));
}

export async function findRefund(reader: Reader, refundId: string): Promise<Refund | undefined> {
  const [row] = await reader.select().from(refunds).where(eq(refunds.refundId, refundId));
  return row;
}

/** Locks the refund until the transaction ends. The caller must lock its payment first: that is the lock order. */
export async function lockRefund(tx: Tx, refundId: string): Promise<Refund> {
  return onlyRow(await tx.select().from(refunds).where(eq(refunds.refundId, refundId)).for('update'));
}

/** The statement that ends a refund as COMPLETED, not sent yet. It fails (`isMissed`) unless the refund is PENDING. */
export const completeStatement = (tx: Tx, refundId: string, bankOperationId: string) => completed(tx, { refundId, bankOperationId });

const completed = compiledWrite(
  { refundId: refunds.refundId, bankOperationId: refunds.bankOperationId },
  ({ refundId, bankOperationId }, builder) => {
    const readCount = valueIf(eq(refunds.status, 'PENDING'), refunds.readCount);
    const now = sql`clock_now()`;
    return builder
      .update(refunds)
      .set({ status: 'COMPLETED', readCount, completedAt: now, bankOperationId, nextReadAt: null, updatedAt: now })
      .where(eq(refunds.refundId, refundId))
      .returning();
  },
);

/** The statement that records a message of the moment at which a refund was completed, not sent yet. */
export const completionStatement = outboxStatementAt(
  refunds.refundId,
  (refundId) => sql`(select completed_at from ${refunds} where refund_id = ${refundId})`,
);

/** Ends a PENDING refund as FAILED. @throws Error if it is not PENDING. */
export async function failRefund(
  tx: Tx,
  refundId: string,
  end: { readonly failureCode: RefundFailureCode; readonly bankOperationId: string | null },
): Promise<Refund> {
  const rows = await tx
    .update(refunds)
    .set({ status: 'FAILED', ...end, nextReadAt: null, updatedAt: sql`clock_now()` })
    .where(and(eq(refunds.refundId, refundId), eq(refunds.status, 'PENDING')))
    .returning();
  return onlyRow(rows);
}

/**
 * The fence that an acquirer checks before it pays a refund: each attempt has a number and an end
 * (decisions/leases-and-fences).
 */
export function refundFence(reader: Reader, { refundId, readCount }: Pick<Refund, 'refundId' | 'readCount'>): Fence {
  const leftMs = sql`extract(epoch from ${refunds.nextReadAt} - clock_now()) * 1000`.mapWith(Number);
  const isOurs = and(eq(refunds.refundId, refundId), eq(refunds.readCount, readCount), eq(refunds.status, 'PENDING'));
  return fenceAsking(async () => (await reader.select({ leftMs }).from(refunds).where(isOurs))[0]?.leftMs);
}

/** Sets when the worker next asks about a PENDING refund. `acceptedAs`: the bank has accepted it, under this id. */
export async function postponeRefund(tx: Tx, refundId: string, nextReadAt: Date, acceptedAs?: string): Promise<Refund> {
  const rows = await tx
    .update(refunds)
    .set({
      nextReadAt,
      updatedAt: sql`clock_now()`,
      ...(acceptedAs === undefined ? {} : { bankOperationId: acceptedAs }),
    })
    .where(and(eq(refunds.refundId, refundId), eq(refunds.status, 'PENDING')))
    .returning();
  return onlyRow(rows);
}

/** The routes with due refunds, longest waiting first. */
export async function listRoutesWithDueRefunds(reader: Reader): Promise<string[]> {
  const rows = await reader
    .select({ routeId: payments.routeId })
    .from(refunds)
    .innerJoin(payments, eq(payments.paymentId, refunds.paymentId))
    .where(lte(refunds.nextReadAt, sql`clock_now()`))
    .groupBy(payments.routeId)
    .orderBy(min(refunds.nextReadAt));
  return rows.map(({ routeId }) => routeId);
}

/** Claims due refunds of a route. Each is hidden from other workers for a minute, longer than two bank calls. */
export async function claimDueRefunds(tx: Tx, routeId: string, limit: number): Promise<Refund[]> {
  const due = tx
    .select({ refundId: refunds.refundId })
    .from(refunds)
    .innerJoin(payments, eq(payments.paymentId, refunds.paymentId))
    .where(and(eq(payments.routeId, routeId), lte(refunds.nextReadAt, sql`clock_now()`)))
    .orderBy(asc(refunds.nextReadAt))
    .limit(limit)
    .for('update', { of: refunds, skipLocked: true });
  return tx
    .update(refunds)
    .set({
      nextReadAt: sql`clock_now() + interval '60 seconds'`,
      readCount: sql`least(${refunds.readCount} + 1, 30000)`,
    })
    .where(isClaimedBy(refunds.refundId, due))
    .returning();
}

/** As `claimDueRefunds`, for one refund about which the bank has news. False if it has ended or does not exist. */
export async function claimRefundForNotification(tx: Tx, refundId: string): Promise<boolean> {
  const rows = await tx
    .update(refunds)
    .set({
      nextReadAt: sql`clock_now() + interval '60 seconds'`,
      readCount: sql`least(${refunds.readCount} + 1, 30000)`,
    })
    .where(and(eq(refunds.refundId, refundId), eq(refunds.status, 'PENDING')))
    .returning({ refundId: refunds.refundId });
  return rows.length === 1;
}

/** Lets the worker send a new refund whose own call ended before it began. Returns whether the refund is there. */
export async function abandonNewRefund(tx: Tx, refundId: string): Promise<boolean> {
  await tx
    .update(refunds)
    .set({ nextReadAt: sql`clock_now()` })
    .where(and(eq(refunds.refundId, refundId), eq(refunds.status, 'PENDING'), eq(refunds.readCount, 0)));
  return (await findRefund(tx, refundId)) !== undefined;
}

/** Makes the unfinished refunds of a payment due now. False if there are none. */
export async function wakeRefundsOf(tx: Tx, paymentId: string): Promise<boolean> {
  const rows = await tx
    .update(refunds)
    .set({ nextReadAt: sql`clock_now()` })
    .where(and(eq(refunds.paymentId, paymentId), eq(refunds.status, 'PENDING'), isNotNull(refunds.nextReadAt)))
    .returning({ refundId: refunds.refundId });
  return rows.length > 0;
}
