import { and, eq, exists, gt, isNull, ne, or, sql } from 'drizzle-orm';
import type { Reader, Tx } from '@pay/shared/postgres/db.ts';
import { databaseNow } from '@pay/shared/postgres/clock.ts';
import { LEASE_MS } from '../payment/leases.ts';
import type { Route } from '../merchant/payment-points.ts';
import type { Payment, PaymentAt } from '../payment/payments.ts';
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

/**
 * Records that a card is about to be sent, and takes the payment's lease. The process that registered the payment has finished or is
 * frozen, and the new lease number fences it off. The worker reads the payment back when the lease has expired. The statement
 * repeats `canEnterCard` and the checks that hold a payment back: of two clicks one gets the payment, the other undefined.
 */
export async function takeForCard(
  tx: Tx,
  paymentId: string,
  payerKeySha256: string | null,
): Promise<Payment | undefined> {
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
  const [payment] = await tx
    .update(payments)
    .set({
      cardSentAt: sql`clock_now()`,
      payerKeySha256,
      whenNotAuthenticated: sql`(select when_not_authenticated from payment_points
        where payment_points.payment_point_id = payments.payment_point_id)`,
      readCount: 0,
      nextReadAt: until,
      leaseUntil: until,
      leaseNumber: sql`${payments.leaseNumber} + 1`,
      updatedAt: sql`clock_now()`,
    })
    .where(and(eq(payments.paymentId, paymentId), isReady, isHeldByNobody))
    .returning();
  return payment;
}
