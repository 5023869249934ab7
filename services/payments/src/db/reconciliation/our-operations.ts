import { and, asc, eq, gt, gte, inArray, isNotNull, isNull, lt, notExists, or, sql } from 'drizzle-orm';
import type { Reader } from '@pay/shared/postgres/db.ts';
import { operationOf } from '../../domain/payment/next-card.ts';
import { isNegativeEnd, isOpen } from '../../domain/payment/payment-status.ts';
import type { OurOperation } from '../../domain/reconciliation/reconciliation.ts';
import { reconciliationItems } from './schema.ts';
import { ledgerEntries, ledgerTransactions } from '../ledger/schema.ts';
import { moneyReturns } from '../money-return/schema.ts';
import { declinedCards } from '../payment/declined-cards-schema.ts';
import { payments } from '../payment/schema.ts';
import { refunds } from '../refund/schema.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Whether an id of the bank's register can be one of ours. */
export const isUuid = (operationId: string): boolean => UUID.test(operationId);

/** An order of ours: of a payment, or of a card that the bank declined. */
export type OurOrder = OurOperation & { readonly paymentId: string };

/** Our operations with these ids at the bank, on any day. */
export async function findOurOperations(reader: Reader, operationIds: readonly string[]): Promise<OurOperation[]> {
  const ids = operationIds.filter(isUuid);
  if (ids.length === 0) return [];
  const later = reader
    .select({ paymentId: declinedCards.paymentId })
    .from(declinedCards)
    .where(inArray(declinedCards.nextOperationId, ids));
  const ofPayment = and(isNull(payments.operationId), inArray(payments.paymentId, ids));
  const ofNextCard = and(inArray(payments.paymentId, later), inArray(payments.operationId, ids));
  return [
    ...(await selectPayments(reader).where(or(ofPayment, ofNextCard))).map(paymentOperation),
    ...(await selectDeclined(reader).where(inArray(declinedCards.operationId, ids))).map(declinedOperation),
    ...(await reader.select().from(refunds).where(inArray(refunds.refundId, ids))).map(refundOperation),
    ...(await reader.select().from(moneyReturns).where(inArray(moneyReturns.returnId, ids))).map(returnOperation),
    ...(await findUnknownOrders(reader, ids)),
  ];
}

/** Orders that only the bank knew, with what we booked to suspense: all that was taken. */
async function findUnknownOrders(reader: Reader, ids: readonly string[]): Promise<OurOperation[]> {
  const rows = await reader
    .select({ operationId: ledgerTransactions.referenceId, total: sql<string>`sum(${ledgerEntries.amountKopecks})` })
    .from(ledgerTransactions)
    .innerJoin(ledgerEntries, eq(ledgerEntries.ledgerTransactionId, ledgerTransactions.ledgerTransactionId))
    .where(
      and(
        eq(ledgerTransactions.kind, 'UNKNOWN_ORDER'),
        inArray(ledgerTransactions.referenceId, [...ids]),
        eq(ledgerEntries.account, 'ACQUIRER_CLEARING'),
      ),
    )
    .groupBy(ledgerTransactions.referenceId);
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

export async function listUncomparedPayments(reader: Reader, wanted: Uncompared, limit: number): Promise<OurOrder[]> {
  const rows = await selectPayments(reader)
    .where(
      and(
        eq(payments.routeId, wanted.run.routeId),
        gte(payments.createdAt, wanted.from),
        lt(payments.createdAt, wanted.to),
        wanted.isEveryOrder === true
          ? or(isNotNull(payments.bankOperationId), gt(payments.leaseNumber, 0))
          : isNotNull(payments.bankOperationId),
        notExists(itemOf(reader, wanted.run, OPERATION)),
        wanted.after === undefined ? undefined : sql`${OPERATION} > ${wanted.after}::uuid`,
      ),
    )
    .orderBy(asc(OPERATION))
    .limit(limit);
  return rows.map(paymentOperation);
}

/** As for payments: orders that were left behind. */
export async function listUncomparedDeclined(reader: Reader, wanted: Uncompared, limit: number): Promise<OurOrder[]> {
  const rows = await selectDeclined(reader)
    .where(
      and(
        eq(payments.routeId, wanted.run.routeId),
        gte(declinedCards.sentAt, wanted.from),
        lt(declinedCards.sentAt, wanted.to),
        // An order that the bank refused before it had one is not there.
        wanted.isEveryOrder === true ? undefined : isNotNull(declinedCards.bankOperationId),
        notExists(itemOf(reader, wanted.run, declinedCards.operationId)),
        wanted.after === undefined ? undefined : gt(declinedCards.operationId, wanted.after),
      ),
    )
    .orderBy(asc(declinedCards.operationId))
    .limit(limit);
  return rows.map(declinedOperation);
}

/** As for payments. A refund takes the route of its payment. */
export async function listUncomparedRefunds(
  reader: Reader,
  wanted: Uncompared,
  limit: number,
): Promise<(OurOperation & { readonly originalOperationId: string })[]> {
  const rows = await reader
    .select({ refund: refunds, originalOperationId: OPERATION })
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
  return rows.map(({ refund, originalOperationId }) => ({ ...refundOperation(refund), originalOperationId }));
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
        // What was never sent was booked from a register, which may be another day's, and may have no id of ours.
        gt(moneyReturns.attemptCount, 0),
        notExists(itemOf(reader, wanted.run, moneyReturns.returnId)),
        wanted.after === undefined ? undefined : gt(moneyReturns.returnId, wanted.after),
      ),
    )
    .orderBy(asc(moneyReturns.returnId))
    .limit(limit);
  return rows.map((row) => ({ ...returnOperation(row), originalOperationId: operationOf(row) }));
}

/** `operationOf` in SQL. */
const OPERATION = sql<string>`coalesce(${payments.operationId}, ${payments.paymentId})`;

type IdColumn = typeof OPERATION | typeof declinedCards.operationId | typeof refunds.refundId | typeof moneyReturns.returnId;

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

/** Money that the bank took for a declined order after all, in kopecks: it is being returned. */
const LATE_OF_DECLINED = sql<string | null>`(select sum(money_returns.amount_kopecks) from money_returns
  where money_returns.payment_id = declined_cards.payment_id
    and coalesce(money_returns.operation_id, money_returns.payment_id) = declined_cards.operation_id)`;

/** As above, for a payment's present order. If the payment has ended unpaid, this is everything that was taken for it. */
const LATE_OF_PRESENT = sql<string | null>`(select sum(money_returns.amount_kopecks) from money_returns
  where money_returns.payment_id = payments.payment_id
    and coalesce(money_returns.operation_id, money_returns.payment_id)
      = coalesce(payments.operation_id, payments.payment_id))`;

function selectPayments(reader: Reader) {
  return reader.select({ payment: payments, lateKopecks: LATE_OF_PRESENT }).from(payments);
}

function selectDeclined(reader: Reader) {
  return reader
    .select({ card: declinedCards, amountKopecks: payments.amountKopecks, lateKopecks: LATE_OF_DECLINED })
    .from(declinedCards)
    .innerJoin(payments, eq(payments.paymentId, declinedCards.paymentId));
}

function declinedOperation({
  card: { operationId, paymentId, bankOperationId },
  amountKopecks,
  lateKopecks,
}: {
  card: typeof declinedCards.$inferSelect;
  amountKopecks: bigint;
  lateKopecks: string | null;
}): OurOrder {
  const isLate = lateKopecks !== null;
  return {
    operationId,
    kind: 'PAYMENT',
    paymentId,
    bankOperationId,
    status: isLate ? 'DECLINED, LATE_SUCCESS' : 'DECLINED',
    money: isLate ? 'moved' : 'none',
    amountKopecks: isLate ? BigInt(lateKopecks) : amountKopecks,
    isFollowedUp: false,
  };
}

function paymentOperation({ payment, lateKopecks }: { payment: typeof payments.$inferSelect; lateKopecks: string | null }): OurOrder {
  const { paymentId, status, bankOperationId } = payment;
  const isLate = isNegativeEnd(status) && lateKopecks !== null;
  return {
    operationId: operationOf(payment),
    kind: 'PAYMENT',
    paymentId,
    bankOperationId,
    status: isLate ? `${status}, LATE_SUCCESS` : status,
    money: isLate ? 'moved' : isOpen(status) ? 'open' : isNegativeEnd(status) ? 'none' : 'moved',
    amountKopecks: isLate ? BigInt(lateKopecks) : payment.amountKopecks,
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
