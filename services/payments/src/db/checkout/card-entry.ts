import { and, eq, exists, getTableColumns, gt, isNotNull, isNull, ne, or, sql, type SQL } from 'drizzle-orm';
import type { Reader, Tx } from '@pay/shared/postgres/db.ts';
import { databaseNow } from '@pay/shared/postgres/clock.ts';
import { compiledRead, compiledWrite } from '@pay/shared/postgres/fast/compiled.ts';
import type { Writer } from '@pay/shared/postgres/fast/one-statement.ts';
import type { VelocityCounts } from '../../domain/checkout/velocity.ts';
import { LEASE_MS } from '../payment/leases.ts';
import { ADMITTED, isAdmitted, isOpenAttempt, valuesOf, type CardAttempt } from './card-attempts.ts';
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
  const [row] = await cardEntry(reader, { checkoutToken });
  if (row === undefined) return undefined;
  return { payment: row.payment, now: row.now, route: row.acquiringRoute, held: heldBy(row) };
}

const cardEntry = compiledRead({ checkoutToken: payments.checkoutToken }, ({ checkoutToken }, builder) =>
  builder
    .select({ payment: payments, now: databaseNow, acquiringRoute: routes, ...WHAT_HOLDS })
    .from(payments)
    .innerJoin(paymentPoints, eq(paymentPoints.paymentPointId, payments.paymentPointId))
    .innerJoin(routes, eq(routes.routeId, payments.routeId))
    .leftJoin(partnerStandings, eq(partnerStandings.partnerId, payments.partnerId))
    .where(eq(payments.checkoutToken, checkoutToken)),
);

const until = sql`clock_now() + ${LEASE_MS} * interval '1 millisecond'`;

/** Who takes a payment for a card. */
type CardIntent = {
  /** Fresh for each call. */
  readonly intentId: string;
  /** Of the browser; null if it has no key. */
  readonly payerKeySha256: string | null;
  /** How many cards of the payment were declined when the buyer saw it: a card is sent only for the order that it was typed for. */
  readonly declinedCount: number;
};

/**
 * Records that a card is about to be sent, and takes the payment's lease. The process that registered the payment has finished or is
 * frozen, and the new lease number fences it off. The worker reads the payment back when the lease has expired. The statement
 * repeats `canEnterCard` and the checks that hold a payment back: of two clicks one gets the payment, the other undefined.
 */
export async function takeForCard(tx: Tx, paymentId: string, intent: CardIntent): Promise<PaymentAt | undefined> {
  return takenBy(await taken(tx, { paymentId, ...intent }));
}

/** The payment that `takeStatement` took; undefined if it took none. */
export function takenBy([row]: Awaited<ReturnType<typeof takeStatement>>): PaymentAt | undefined {
  if (row === undefined) return undefined;
  const { now, ...payment } = row;
  return { payment, now };
}

/** Why a card may go to the bank: it is counted and no rule holds it back, or it was counted before, by this attempt. */
export type Admission =
  | { readonly kind: 'fresh'; readonly attempt: CardAttempt; readonly limits: VelocityCounts }
  | { readonly kind: 'counted'; readonly attemptId: string };

/**
 * The statement of `takeForCard`, not sent yet, for a payment whose lease nobody has had since it was read. It takes nothing unless the
 * card is admitted.
 */
export function takeStatement(
  tx: Tx,
  { paymentId, leaseNumber }: Pick<Payment, 'paymentId' | 'leaseNumber'>,
  intent: CardIntent,
  admission?: Admission,
) {
  const values = { paymentId, leaseNumber, ...intent };
  if (admission === undefined) return takenAsRead(tx, values);
  if (admission.kind === 'counted') return takenAsCounted(tx, { ...values, attemptId: admission.attemptId });
  const { attempt, limits } = admission;
  return takenIfAdmitted(tx, {
    ...valuesOf(attempt),
    ...values,
    addressMax: limits.address,
    binMax: limits.bin,
    pointMax: limits.point,
  });
}

const INTENT = {
  paymentId: payments.paymentId,
  intentId: payments.cardIntentId,
  payerKeySha256: payments.payerKeySha256,
  declinedCount: payments.declinedCount,
};
const INTENT_AS_READ = { ...INTENT, leaseNumber: payments.leaseNumber };

const isUnderLease = (leaseNumber: SQL) => eq(payments.leaseNumber, leaseNumber);

const taken = compiledWrite(INTENT, (given, builder) => take(builder, given));
const takenAsRead = compiledWrite(INTENT_AS_READ, ({ leaseNumber, ...given }, builder) => take(builder, given, isUnderLease(leaseNumber)));
const takenAsCounted = compiledWrite(
  { ...INTENT_AS_READ, attemptId: ADMITTED.attemptId },
  ({ leaseNumber, attemptId, ...given }, builder) =>
    take(builder, given, isUnderLease(leaseNumber), isOpenAttempt(builder, { attemptId, paymentId: given.paymentId })),
);
const takenIfAdmitted = compiledWrite({ ...INTENT_AS_READ, ...ADMITTED }, (given, builder) => {
  const { leaseNumber, addressMax: address, binMax: bin, pointMax: point } = given;
  return take(builder, given, isUnderLease(leaseNumber), isAdmitted(builder, given, { address, bin, point }));
});

type Builder = Writer & Reader;

function take(
  builder: Builder,
  { paymentId, intentId, payerKeySha256, declinedCount }: { readonly [Name in keyof typeof INTENT]: SQL },
  ...also: readonly (SQL | undefined)[]
) {
  const isReady = and(
    eq(payments.method, 'CARD'),
    eq(payments.isSbpOrder, false),
    eq(payments.status, 'SUBMITTED'),
    isNull(payments.cardSentAt),
    eq(payments.declinedCount, declinedCount),
    or(isNull(payments.operationId), isNotNull(payments.bankOperationId)),
    gt(payments.expiresAt, sql`clock_now()`),
  );
  const isHeldByNobody = exists(
    builder
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
  return builder
    .update(payments)
    .set({
      cardSentAt: sql`clock_now()`,
      cardIntentId: intentId,
      payerKeySha256,
      whenNotAuthenticated: sql`(select when_not_authenticated from payment_points
        where payment_points.payment_point_id = payments.payment_point_id)`,
      cardAttemptsMax: sql`(select card_attempts from payment_points
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

/**
 * The intent of a call whose `takeStatement` got no answer. Undefined if it was not carried out: then it
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
  await changePayment(tx, paymentId, {
    cardSentAt: null,
    cardAttemptsMax: null,
    leaseUntil: null,
    nextReadAt: expiresAt,
  });
}
