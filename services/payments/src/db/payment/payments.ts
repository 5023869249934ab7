import { and, asc, eq, gt, isNull, lte, notInArray, or, sql, type SQL } from 'drizzle-orm';
import type { PaymentStatus } from '@pay/contract/states.ts';
import { isClaimedBy } from '@pay/shared/postgres/claimed.ts';
import type { Reader, Tx } from '@pay/shared/postgres/db.ts';
import { compiledInsert, compiledRead, compiledWrite } from '@pay/shared/postgres/fast/compiled.ts';
import { sharedRead } from '@pay/shared/postgres/fast/shared-pipeline.ts';
import type { Writer } from '@pay/shared/postgres/fast/one-statement.ts';
import { onlyRow } from '@pay/shared/postgres/only-row.ts';
import { databaseNow } from '@pay/shared/postgres/clock.ts';
import type { PartnerId } from '@pay/shared/identities/identities.ts';
import { selectRows } from '@pay/shared/postgres/select-rows.ts';
import { hasRareStatus, payments, RARE_STATUSES, type RequestColumn } from './schema.ts';

/** A payment as it is stored. */
export type Payment = Readonly<typeof payments.$inferSelect>;
/** A payment as it is inserted. */
export type NewPayment = typeof payments.$inferInsert;
/**
 * A parsed request as it is stored, each field under the name of its column. A field without a column becomes `never`, so that
 * it fails to compile instead of getting lost.
 */
export type Stored<Request> = {
  readonly [Field in keyof Request]: Field extends RequestColumn ? NewPayment[Field] : never;
};
/** The same for a request that fills every column there is for requests: a column without a field does not compile. */
export type StoredWhole<Request> = Stored<Request> & Required<Pick<NewPayment, RequestColumn>>;
/** What may change besides the status. Status and version change in `movePayment` (`move-payment.ts`) only. */
export type PaymentChange = Partial<
  Omit<Payment, 'paymentId' | 'partnerId' | 'status' | 'aggregateVersion' | 'refundedKopecks' | 'refundReservedKopecks'>
>;

/** A payment, and the database's time in the statement that read it. */
export type PaymentAt = { readonly payment: Payment; readonly now: Date };

/** Set with every change of a payment. */
export const touched = { updatedAt: sql`clock_now()` };

export const insertPayment = async (writer: Writer, payment: NewPayment): Promise<Payment> =>
  onlyRow(await paymentStatement(writer, payment));

/** The statement of `insertPayment`, not sent yet. */
export const paymentStatement = compiledInsert(payments);

/** A partner's payment; undefined if it belongs to another partner. */
export async function findPartnerPayment(reader: Reader, partnerId: PartnerId, paymentId: string): Promise<Payment | undefined> {
  const [row] = await reader
    .select()
    .from(payments)
    .where(and(eq(payments.paymentId, paymentId), eq(payments.partnerId, partnerId)));
  return row;
}

const partnerPaymentAt = compiledRead(
  { partnerId: payments.partnerId, paymentId: payments.paymentId },
  ({ partnerId, paymentId }, builder) =>
    builder
      .select({ payment: payments, now: databaseNow })
      .from(payments)
      .where(and(eq(payments.paymentId, paymentId), eq(payments.partnerId, partnerId))),
);

/** As `findPartnerPayment`, with the database's time in one statement: partners' most frequent read. */
export async function findPartnerPaymentAt(reader: Reader, partnerId: PartnerId, paymentId: string): Promise<PaymentAt | undefined> {
  const [row] = await sharedRead(reader, partnerId, partnerPaymentAt(reader, { partnerId, paymentId }));
  return row;
}

/** A filter for a status; for a rare one written as in its index, so that the planner uses it. */
export function hasStatus(status: PaymentStatus | undefined): SQL | undefined {
  if (status === undefined) return undefined;
  return and(eq(payments.status, status), RARE_STATUSES.includes(status) ? hasRareStatus : undefined);
}

/** The partner's card payment or charge with this order number. */
export async function findByOrder(reader: Reader, partnerId: PartnerId, merchantOrderId: string): Promise<Payment | undefined> {
  const isOrder = and(eq(payments.merchantOrderId, merchantOrderId), eq(payments.partnerId, partnerId));
  // Written as in the index, so that the planner uses it: a QR payment has no number.
  const [row] = await reader
    .select()
    .from(payments)
    .where(and(isOrder, sql`merchant_order_id <> ''`));
  return row;
}

const paymentById = compiledRead({ paymentId: payments.paymentId }, ({ paymentId }, builder) =>
  builder.select().from(payments).where(eq(payments.paymentId, paymentId)),
);

export async function findPayment(reader: Reader, paymentId: string): Promise<Payment | undefined> {
  const [row] = await paymentById(reader, { paymentId });
  return row;
}

export async function findPaymentByCheckout(reader: Reader, checkoutToken: string): Promise<Payment | undefined> {
  const [row] = await reader.select().from(payments).where(eq(payments.checkoutToken, checkoutToken));
  return row;
}

const paymentByCheckoutAt = compiledRead({ checkoutToken: payments.checkoutToken }, ({ checkoutToken }, builder) =>
  builder.select({ payment: payments, now: databaseNow }).from(payments).where(eq(payments.checkoutToken, checkoutToken)),
);

/** As `findPaymentByCheckout`, with the database's time. */
export async function findPaymentByCheckoutAt(reader: Reader, checkoutToken: string): Promise<PaymentAt | undefined> {
  const [row] = await paymentByCheckoutAt(reader, { checkoutToken });
  return row;
}

const lockedPaymentAt = compiledRead({ paymentId: payments.paymentId }, ({ paymentId }, builder) =>
  builder
    .select({ payment: payments, now: databaseNow })
    .from(payments)
    .where(eq(payments.paymentId, paymentId))
    .for('update', { of: payments }),
);

/**
 * As `lockPayment`, with the database's time. It is never earlier than the row's last change. If the previous holder changed
 * nothing, it is earlier than the lock by the time spent waiting (at most `lock_timeout`).
 */
export async function lockPaymentAt(tx: Tx, paymentId: string): Promise<PaymentAt> {
  return onlyRow(await lockedPaymentAt(tx, { paymentId }));
}

/** Locks the payment until the transaction ends; every change takes this lock. @throws Error if there is none. */
export async function lockPayment(tx: Tx, paymentId: string): Promise<Payment> {
  return onlyRow(await tx.select().from(payments).where(eq(payments.paymentId, paymentId)).for('update'));
}

/**
 * CREATED → SUBMITTED: the bank has the order and waits for a card until the session ends. The statement is the guard: no
 * row if somebody else holds the lease by now, the payment is in another status, or its session has ended.
 */
export const registrationStatement = compiledWrite(
  { paymentId: payments.paymentId, leaseNumber: payments.leaseNumber, bankOperationId: payments.bankOperationId },
  ({ paymentId, leaseNumber, bankOperationId }, builder) =>
    builder
      .update(payments)
      .set({
        ...touched,
        status: 'SUBMITTED',
        bankOperationId: sql`coalesce(${bankOperationId}, ${payments.bankOperationId})`,
        leaseUntil: null,
        lastReadAt: sql`clock_now()`,
        nextReadAt: sql`${payments.expiresAt}`,
        readCount: 0,
      })
      .where(
        and(
          eq(payments.paymentId, paymentId),
          eq(payments.status, 'CREATED'),
          eq(payments.leaseNumber, leaseNumber),
          isNull(payments.cardSentAt),
          gt(payments.expiresAt, sql`clock_now()`),
        ),
      )
      .returning(),
);

/** Changes a locked payment, but not its status. */
export async function changePayment(tx: Tx, paymentId: string, change: PaymentChange): Promise<Payment> {
  const rows = await tx
    .update(payments)
    .set({ ...change, ...touched })
    .where(eq(payments.paymentId, paymentId))
    .returning();
  return onlyRow(rows);
}

/** Locks a partner's payment until the transaction ends; undefined if it belongs to another partner. */
export async function lockPartnerPayment(tx: Tx, partnerId: PartnerId, paymentId: string): Promise<Payment | undefined> {
  const [row] = await tx
    .select()
    .from(payments)
    .where(and(eq(payments.paymentId, paymentId), eq(payments.partnerId, partnerId)))
    .for('update');
  return row;
}

/** The routes with payments due for the worker, longest waiting first. */
export async function listRoutesWithDuePayments(reader: Reader): Promise<string[]> {
  const rows = await selectRows<{ routeId: string }>(
    reader,
    sql`
    select route_id as "routeId" from routes cross join lateral
      (select min(next_read_at) as due from payments where payments.route_id = routes.route_id) as first
    where due <= clock_now() order by due`,
  );
  return rows.map(({ routeId }) => routeId);
}

/**
 * Claims payments of a route that are due for the worker. Each is hidden from other workers for a minute, longer than the
 * two bank calls that it takes; if the worker dies, only that minute is lost.
 */
export async function claimDuePayments(tx: Tx, routeId: string, limit: number): Promise<string[]> {
  const due = tx
    .select({ paymentId: payments.paymentId })
    .from(payments)
    .where(and(eq(payments.routeId, routeId), lte(payments.nextReadAt, sql`clock_now()`)))
    .orderBy(asc(payments.nextReadAt))
    .limit(limit)
    .for('update', { skipLocked: true });
  const rows = await tx
    .update(payments)
    .set({ nextReadAt: sql`clock_now() + interval '60 seconds'` })
    .where(isClaimedBy(payments.paymentId, due))
    .returning({ paymentId: payments.paymentId });
  return rows.map((row) => row.paymentId);
}

/**
 * Claims a payment about which the bank has news, to read it now. If that fails or takes longer than five seconds, the worker
 * reads it too: two reads do no harm, and a minute's wait would. False if there is no such payment, or if it is booked and the
 * news is about the booked bank payment: then there is nothing to learn. A payment that ended without money may still turn out to
 * be paid, and a paid one may have been paid again with another of the bank's own payments.
 */
export async function claimPaymentForNotification(tx: Tx, paymentId: string, bankOperationId?: string): Promise<boolean> {
  const isUnbooked = notInArray(payments.status, ['COMPLETED', 'REFUNDED']);
  const isNews =
    bankOperationId === undefined ? isUnbooked : or(isUnbooked, sql`${payments.bankOperationId} is distinct from ${bankOperationId}`);
  const rows = await tx
    .update(payments)
    .set({ nextReadAt: sql`clock_now() + interval '5 seconds'` })
    .where(and(eq(payments.paymentId, paymentId), isNews))
    .returning({ paymentId: payments.paymentId });
  return rows.length === 1;
}
