import { and, asc, desc, eq, gte, lt, sql, type SQL } from 'drizzle-orm';
import { unionAll } from 'drizzle-orm/pg-core';
import type { PaymentMethod } from '@pay/contract/states.ts';
import type { ReconciliationResult } from '@pay/contract/operator/states.ts';
import type { Reader } from '@pay/shared/postgres/db.ts';
import type { PartnerId } from '@pay/shared/identities/identities.ts';
import { reconciliationItems } from './schema.ts';
import { payments } from '../payment/schema.ts';
import { refunds } from '../refund/schema.ts';

/** A partner's payment or refund, and the result of its newest comparison with a register. */
export type ReportLine = {
  readonly type: string;
  readonly operationId: string;
  readonly paymentId: string;
  readonly merchantOrderId: string;
  readonly refundId: string | null;
  readonly merchantRefundId: string | null;
  readonly paymentPointId: string;
  readonly method: PaymentMethod;
  readonly status: string;
  readonly amountKopecks: bigint;
  readonly feeBasisPoints: number;
  readonly currency: string;
  readonly bankOperationId: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly result: ReconciliationResult | null;
};

/** The last line of a page: the next page starts after it. */
export type ReportPosition = Pick<ReportLine, 'createdAt' | 'operationId'>;

type Wanted = { readonly partnerId: PartnerId; readonly from: Date; readonly to: Date };

/** A partner's payments and refunds that began in `[from, to)`, oldest first, at most `limit` after `after`. */
export async function listReportLines(
  reader: Reader,
  wanted: Wanted,
  after: ReportPosition | undefined,
  limit: number,
): Promise<ReportLine[]> {
  const lines = unionAll(paymentLines(reader, wanted, after, limit), refundLines(reader, wanted, after, limit));
  const rows = await lines.orderBy(sql`created_at`, sql`operation_id`).limit(limit);
  return rows;
}

function paymentLines(reader: Reader, wanted: Wanted, after: ReportPosition | undefined, limit: number) {
  return reader
    .select({
      type: sql<string>`'PAYMENT'`.as('type'),
      operationId: sql<string>`${payments.paymentId}::text`.as('operation_id'),
      paymentId: payments.paymentId,
      merchantOrderId: payments.merchantOrderId,
      refundId: sql<string | null>`null::uuid`.as('refund_id'),
      merchantRefundId: sql<string | null>`null::text`.as('merchant_refund_id'),
      paymentPointId: payments.paymentPointId,
      method: payments.method,
      status: sql<string>`${payments.status}`.as('status'),
      amountKopecks: payments.amountKopecks,
      feeBasisPoints: payments.feeBasisPoints,
      currency: sql<string>`${payments.currency}`.as('currency'),
      bankOperationId: payments.bankOperationId,
      createdAt: payments.createdAt,
      updatedAt: payments.updatedAt,
      result: resultOf(sql`${payments.paymentId}::text`),
    })
    .from(payments)
    .where(
      and(
        eq(payments.partnerId, wanted.partnerId),
        gte(payments.createdAt, wanted.from),
        lt(payments.createdAt, wanted.to),
        behind(sql`(${payments.createdAt}, ${payments.paymentId}::text)`, after),
      ),
    )
    .orderBy(asc(payments.createdAt), sql`${payments.paymentId}::text`)
    .limit(limit);
}

function refundLines(reader: Reader, wanted: Wanted, after: ReportPosition | undefined, limit: number) {
  return reader
    .select({
      type: sql<string>`'REFUND'`.as('type'),
      operationId: sql<string>`${refunds.refundId}::text`.as('operation_id'),
      paymentId: payments.paymentId,
      merchantOrderId: payments.merchantOrderId,
      refundId: sql<string | null>`${refunds.refundId}`.as('refund_id'),
      merchantRefundId: sql<string | null>`${refunds.merchantRefundId}`.as('merchant_refund_id'),
      paymentPointId: payments.paymentPointId,
      method: payments.method,
      status: sql<string>`${refunds.status}`.as('status'),
      amountKopecks: refunds.amountKopecks,
      feeBasisPoints: payments.feeBasisPoints,
      currency: sql<string>`${payments.currency}`.as('currency'),
      bankOperationId: refunds.bankOperationId,
      createdAt: refunds.createdAt,
      updatedAt: refunds.updatedAt,
      result: resultOf(sql`${refunds.refundId}::text`),
    })
    .from(refunds)
    .innerJoin(payments, eq(payments.paymentId, refunds.paymentId))
    .where(
      and(
        eq(refunds.partnerId, wanted.partnerId),
        gte(refunds.createdAt, wanted.from),
        lt(refunds.createdAt, wanted.to),
        behind(sql`(${refunds.createdAt}, ${refunds.refundId}::text)`, after),
      ),
    )
    .orderBy(asc(refunds.createdAt), sql`${refunds.refundId}::text`)
    .limit(limit);
}

/** The result from the newest day on which the operation was compared. */
function resultOf(operationId: SQL): SQL.Aliased<ReconciliationResult | null> {
  return sql<ReconciliationResult | null>`(select ${reconciliationItems.result} from ${reconciliationItems}
    where ${reconciliationItems.operationId} = ${operationId} order by ${desc(reconciliationItems.day)} limit 1)`.as('result');
}

function behind(position: SQL, after: ReportPosition | undefined): SQL | undefined {
  return after === undefined ? undefined : sql`${position} > (${after.createdAt.toISOString()}::timestamptz, ${after.operationId}::text)`;
}
