import { and, eq, exists, getTableColumns, gt, isNull, ne, or, sql, type SQL } from 'drizzle-orm';
import type { Reader, Tx } from '@pay/shared/postgres/db.ts';
import { databaseNow } from '@pay/shared/postgres/clock.ts';
import { LEASE_MS } from '../payment/leases.ts';
import type { Route } from '../merchant/payment-points.ts';
import { changePayment, lockPayment, lockPaymentAt, type Payment, type PaymentAt } from '../payment/payments.ts';
import { partnerStandings, paymentPoints } from '../merchant/schema.ts';
import { payments } from '../payment/schema.ts';
import { routes } from '../acquiring/schema.ts';
import { heldBy, WHAT_HOLDS, type Held } from '../payment/standings.ts';

/** A payment whose buyer sends a card, the route that the card would take, and what holds it back. */
export type CardEntry = PaymentAt & { readonly route: Route; readonly held: Held | undefined };

/** Reads everything needed to decide on a buyer's card, in one statement. */
export async function findCardEntry(reader: Reader, checkoutToken: string): Promise<CardEntry | undefined> {
  const [row] = await reader
    .select({ payment: payments, now: databaseNow, acquiringRoute: routes, ...WHAT_HOLDS })
    .from(payments)
    .innerJoin(paymentPoints, eq(paymentPoints.paymentPointId, payments.paymentPointId))
    .innerJoin(routes, eq(routes.routeId, payments.routeId))
    .leftJoin(partnerStandings, eq(partnerStandings.partnerId, payments.partnerId))
    .where(eq(payments.checkoutToken, checkoutToken));
  if (row === undefined) return undefined;
  return { payment: row.payment, now: row.now, route: row.acquiringRoute, held: heldBy(row) };
}

const until = sql`clock_now() + ${LEASE_MS} * interval '1 millisecond'`;

/** Who takes a payment for a card. */
type CardIntent = {
  /** Fresh for each call. */
  readonly intentId: string;
  /** Of the browser; null if it has no key. */
  readonly payerKeySha256: string | null;
};

/**
 * Records that a card is about to be sent, and takes the payment's lease. The process that registered the payment has finished or is
 * frozen, and the new lease number fences it off. The worker reads the payment back when the lease has expired. The statement
 * repeats `canEnterCard` and the checks that hold a payment back: of two clicks one gets the payment, the other undefined.
 */
export async function takeForCard(tx: Tx, paymentId: string, intent: CardIntent): Promise<PaymentAt | undefined> {
  return takenBy(await takeStatement(tx, paymentId, intent));
}

/** The payment that `takeStatement` took; undefined if it took none. */
export function takenBy([row]: Awaited<ReturnType<typeof takeStatement>>): PaymentAt | undefined {
  if (row === undefined) return undefined;
  const { now, ...payment } = row;
  return { payment, now };
}

/** The statement of `takeForCard`, not sent yet. `also`: further conditions. */
export function takeStatement(
  tx: Tx,
  paymentId: string,
  { intentId, payerKeySha256 }: CardIntent,
  also: readonly (SQL | undefined)[] = [],
) {
  const isReady = and(
    eq(payments.method, 'CARD'),
    eq(payments.status, 'SUBMITTED'),
    isNull(payments.cardSentAt),
    gt(payments.expiresAt, sql`clock_now()`),
  );
  const isHeldByNobody = exists(
    tx
      .select({ one: sql`1` })
      .from(paymentPoints)
      .innerJoin(routes, eq(routes.routeId, payments.routeId))
      .leftJoin(partnerStandings, eq(partnerStandings.partnerId, payments.partnerId))
      .where(
        and(
          eq(paymentPoints.paymentPointId, payments.paymentPointId),
          eq(paymentPoints.status, 'ACTIVE'),
          eq(routes.status, 'ACTIVE'),
          or(isNull(partnerStandings.status), ne(partnerStandings.status, 'SUSPENDED')),
        ),
      ),
  );
  return tx
    .update(payments)
    .set({
      cardSentAt: sql`clock_now()`,
      cardIntentId: intentId,
      payerKeySha256,
      whenNotAuthenticated: sql`(select when_not_authenticated from payment_points
        where payment_points.payment_point_id = payments.payment_point_id)`,
      readCount: 0,
      nextReadAt: until,
      leaseUntil: until,
      leaseNumber: sql`${payments.leaseNumber} + 1`,
      updatedAt: sql`clock_now()`,
    })
    .where(and(eq(payments.paymentId, paymentId), isReady, isHeldByNobody, ...also))
    .returning({ ...getTableColumns(payments), now: databaseNow });
}

/** A condition for `takeStatement`: nobody has had the payment's lease since it was read. */
export const isUnderLease = ({ leaseNumber }: Payment): SQL => eq(payments.leaseNumber, leaseNumber);

/**
 * The intent of a call whose statement (with `isUnderLease`) got no answer. Undefined if it was not carried out: then it
 * no longer can be, because the lease's number moves on.
 */
export async function findIntent(tx: Tx, read: Payment, intentId: string): Promise<PaymentAt | undefined> {
  const { paymentId, leaseNumber } = read;
  const found = await lockPaymentAt(tx, paymentId);
  if (found.payment.cardIntentId === intentId) {
    // With our lease, or with that of somebody who took it since: then the card is no longer ours to send.
    return found.payment.leaseNumber === leaseNumber + 1 ? found : undefined;
  }
  if (found.payment.leaseNumber === leaseNumber) await changePayment(tx, paymentId, { leaseNumber: leaseNumber + 1 });
  return undefined;
}

/**
 * Reverts an intent after which nothing was sent: the payment is as if nobody had pressed "pay", unless it has moved on or
 * another process has its lease.
 */
export async function revertIntent(tx: Tx, intended: Payment): Promise<void> {
  const { paymentId, expiresAt, leaseNumber } = intended;
  const payment = await lockPayment(tx, paymentId);
  if (payment.status !== 'SUBMITTED' || payment.leaseNumber !== leaseNumber) return;
  await changePayment(tx, paymentId, { cardSentAt: null, leaseUntil: null, nextReadAt: expiresAt });
}
