import { and, eq, sql, type SQL } from 'drizzle-orm';
import type { PaymentStatus } from '@pay/contract/states.ts';
import type { Tx } from '@pay/shared/postgres/db.ts';
import { valueIf } from '@pay/shared/postgres/fast/value-if.ts';
import { onlyRow } from '@pay/shared/postgres/only-row.ts';
import type { PaymentEvent } from '../../domain/payment/payment-status.ts';
import { touched, type Payment, type PaymentChange } from './payments.ts';
import { payments } from './schema.ts';

/** A transition of the state table. */
export type PaymentMove = { readonly to: PaymentStatus; readonly event: PaymentEvent | null };

/**
 * Moves a locked payment. The update repeats the guard of the table, and a move with an event takes the next
 * aggregateVersion. @throws Error if the row is not in the state in which it was locked.
 */
export async function movePayment(
  tx: Tx,
  payment: Payment,
  move: PaymentMove,
  change: PaymentChange = {},
): Promise<Payment> {
  return onlyRow(await moveStatement(tx, payment, { move, change }));
}

/** How old the time of a decision may be when its statement runs: as old as if it had waited for the row's lock. */
const NOW_MAX_AGE_MS = 2_000;

/**
 * The statement of `movePayment`, not sent yet. With `now`, for a payment that is not locked: the statement fails (`isMissed`) unless
 * the payment is as it was read, under the same lease, and `now` is the database's time (ADR 0173).
 */
export function moveStatement(
  tx: Tx,
  payment: Payment,
  { move, change }: { readonly move: PaymentMove; readonly change: PaymentChange },
  now?: Date,
) {
  const isIn = eq(payments.status, payment.status);
  const isThis = eq(payments.paymentId, payment.paymentId);
  const version = sql`${payments.aggregateVersion} + ${move.event === null ? 0 : 1}::int`;
  return tx
    .update(payments)
    .set({
      ...change,
      ...touched,
      status: move.to,
      aggregateVersion: now === undefined ? version : valueIf(and(isIn, isAsRead(payment), isNow(now)), version),
    })
    .where(now === undefined ? and(isThis, isIn) : isThis)
    .returning();
}

/** Whatever a decision depends on changes together with one of these. */
const isAsRead = ({ aggregateVersion, leaseNumber, updatedAt }: Payment): SQL | undefined =>
  and(
    eq(payments.aggregateVersion, aggregateVersion),
    eq(payments.leaseNumber, leaseNumber),
    eq(payments.updatedAt, updatedAt),
  );

const isNow = (now: Date): SQL =>
  sql`${now.toISOString()}::timestamptz between clock_now() - ${NOW_MAX_AGE_MS} * interval '1 millisecond' and clock_now()`;
