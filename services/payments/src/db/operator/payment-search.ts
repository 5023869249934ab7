import { and, asc, desc, eq, gte, inArray, lt, sql, type SQL } from 'drizzle-orm';
import type { PaymentStatus } from '@pay/contract/states.ts';
import type { Reader } from '@pay/shared/postgres/db.ts';
import type { ListPosition } from '@pay/shared/http/list-page.ts';
import type { PartnerId } from '@pay/shared/identities/identities.ts';
import { uuidsBeginning } from '@pay/shared/identities/uuid-range.ts';
import { LEDGER_KINDS } from '../../domain/ledger/ledger.ts';
import type { Exception } from '../reconciliation/exceptions.ts';
import type { MoneyReturn } from '../money-return/money-returns.ts';
import { listDeclinedCards, type DeclinedCard } from '../payment/declined-cards.ts';
import { declinedCards } from '../payment/declined-cards-schema.ts';
import { hasStatus, type Payment } from '../payment/payments.ts';
import type { Refund } from '../refund/refunds.ts';
import { exceptions } from '../reconciliation/schema.ts';
import { ledgerEntries, ledgerTransactions } from '../ledger/schema.ts';
import { moneyReturns } from '../money-return/schema.ts';
import { cardLastFour, payments } from '../payment/schema.ts';
import { refunds } from '../refund/schema.ts';

// Reads for operators: any partner's payments, and everything that belongs to one.

/** Filters for payments; an undefined one matches all. */
export type PaymentFilter = {
  /**
   * A full id: of the payment, the order, the buyer, the bank's operation, a refund, a binding or a ledger transaction;
   * or the beginning of the id of a payment, a refund or a binding.
   */
  readonly id: string | undefined;
  readonly partnerId: PartnerId | undefined;
  readonly paymentPointId: string | undefined;
  readonly status: PaymentStatus | undefined;
  readonly method: Payment['method'] | undefined;
  /** The last digits of the card's mask. */
  readonly cardLastFour: string | undefined;
  readonly amountKopecks: bigint | undefined;
  readonly from: Date | undefined;
  readonly to: Date | undefined;
};

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * The payments that an id belongs to. Each kind of id is looked up in its own index: one `or` over two tables would
 * read every payment.
 */
function withId(id: string): SQL {
  const { paymentId } = payments;
  const byText = [
    sql`select ${paymentId} from ${payments} where ${payments.merchantOrderId} = ${id} and ${payments.merchantOrderId} <> ''`,
    sql`select ${paymentId} from ${payments} where ${payments.customerId} = ${id}`,
    sql`select ${paymentId} from ${payments} where ${payments.bankOperationId} = ${id}`,
    sql`select ${declinedCards.paymentId} from ${declinedCards} where ${declinedCards.bankOperationId} = ${id}`,
    sql`select ${refunds.paymentId} from ${refunds} where ${refunds.merchantRefundId} = ${id}`,
    sql`select ${refunds.paymentId} from ${refunds} where ${refunds.bankOperationId} = ${id}`,
  ];
  if (!UUID.test(id)) return sql`${paymentId} in (${sql.join([...byText, ...byBeginning(id)], sql` union `)})`;
  const booked = sql`select ${ledgerTransactions.referenceId} from ${ledgerTransactions} where ${ledgerTransactions.ledgerTransactionId} = ${id}::uuid`;
  const byUuid = [
    sql`select ${id}::uuid`,
    sql`select ${paymentId} from ${payments} where ${payments.bindingId} = ${id}::uuid`,
    sql`select ${paymentId} from ${payments} where ${payments.consentId} = ${id}::uuid`,
    sql`select ${declinedCards.paymentId} from ${declinedCards} where ${declinedCards.nextOperationId} = ${id}::uuid`,
    sql`select ${refunds.paymentId} from ${refunds} where ${refunds.refundId} in (select ${id}::uuid union ${booked})`,
    booked,
  ];
  return sql`${paymentId} in (${sql.join([...byText, ...byUuid], sql` union `)})`;
}

function byBeginning(typed: string): SQL[] {
  const range = uuidsBeginning(typed);
  if (range === undefined) return [];
  const { paymentId } = payments;
  const within = sql`between ${range.first}::uuid and ${range.last}::uuid`;
  return [
    sql`select ${paymentId} from ${payments} where ${paymentId} ${within}`,
    sql`select ${paymentId} from ${payments} where ${payments.bindingId} ${within}`,
    sql`select ${refunds.paymentId} from ${refunds} where ${refunds.refundId} ${within}`,
  ];
}

/** Payments, newest first, starting after `after`. */
export async function searchPayments(
  reader: Reader,
  filter: PaymentFilter,
  after: ListPosition | undefined,
  limit: number,
): Promise<Payment[]> {
  const { id, partnerId, paymentPointId, status, method, cardLastFour: lastFour, amountKopecks, from, to } = filter;
  return reader
    .select()
    .from(payments)
    .where(
      and(
        id === undefined ? undefined : withId(id),
        partnerId === undefined ? undefined : eq(payments.partnerId, partnerId),
        paymentPointId === undefined ? undefined : eq(payments.paymentPointId, paymentPointId),
        hasStatus(status),
        method === undefined ? undefined : eq(payments.method, method),
        lastFour === undefined ? undefined : sql`${cardLastFour} = ${lastFour}`,
        amountKopecks === undefined ? undefined : eq(payments.amountKopecks, amountKopecks),
        from === undefined ? undefined : gte(payments.createdAt, from),
        to === undefined ? undefined : lt(payments.createdAt, to),
        after === undefined
          ? undefined
          : sql`(${payments.createdAt}, ${payments.paymentId}) < (${after.createdAt.toISOString()}::timestamptz, ${after.id}::uuid)`,
      ),
    )
    .orderBy(desc(payments.createdAt), desc(payments.paymentId))
    .limit(limit);
}

/** One ledger entry of a payment, its refunds or its returns. */
export type BookedEntry = {
  readonly ledgerTransactionId: string;
  readonly kind: (typeof ledgerTransactions.$inferSelect)['kind'];
  readonly createdAt: Date;
  readonly account: (typeof ledgerEntries.$inferSelect)['account'];
  readonly owner: string;
  readonly amountKopecks: bigint;
};

/** Everything that belongs to one payment, oldest first. */
export type PaymentRecords = {
  readonly declinedCards: readonly DeclinedCard[];
  readonly refunds: readonly Refund[];
  readonly returns: readonly MoneyReturn[];
  readonly exceptions: readonly Exception[];
  readonly entries: readonly BookedEntry[];
};

export async function readPaymentRecords(reader: Reader, paymentId: string): Promise<PaymentRecords> {
  const ofRefunds = await reader
    .select()
    .from(refunds)
    .where(eq(refunds.paymentId, paymentId))
    .orderBy(asc(refunds.createdAt), asc(refunds.refundId));
  const ofReturns = await reader
    .select()
    .from(moneyReturns)
    .where(eq(moneyReturns.paymentId, paymentId))
    .orderBy(asc(moneyReturns.createdAt), asc(moneyReturns.returnId));
  const found = await reader
    .select()
    .from(exceptions)
    .where(eq(exceptions.paymentId, paymentId))
    .orderBy(asc(exceptions.createdAt), asc(exceptions.exceptionId));
  const references = [paymentId, ...ofRefunds.map(({ refundId }) => refundId), ...ofReturns.map(({ returnId }) => returnId)];
  const entries = await reader
    .select({
      ledgerTransactionId: ledgerTransactions.ledgerTransactionId,
      kind: ledgerTransactions.kind,
      createdAt: ledgerTransactions.createdAt,
      account: ledgerEntries.account,
      owner: ledgerEntries.owner,
      amountKopecks: ledgerEntries.amountKopecks,
    })
    .from(ledgerTransactions)
    .innerJoin(ledgerEntries, eq(ledgerEntries.ledgerTransactionId, ledgerTransactions.ledgerTransactionId))
    // The index begins with the kind: without it every booking there is would be read.
    .where(and(inArray(ledgerTransactions.kind, LEDGER_KINDS), inArray(ledgerTransactions.referenceId, references)))
    .orderBy(asc(ledgerEntries.position));
  return {
    declinedCards: await listDeclinedCards(reader, paymentId),
    refunds: ofRefunds,
    returns: ofReturns,
    exceptions: found,
    entries,
  };
}
