import { and, eq, sql } from 'drizzle-orm';
import type { PaymentStatus } from '@pay/contract/states.ts';
import type { Tx } from '@pay/shared/postgres/db.ts';
import { compiledByColumns } from '@pay/shared/postgres/fast/compiled.ts';
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
export async function movePayment(tx: Tx, payment: Payment, move: PaymentMove, change: PaymentChange = {}): Promise<Payment> {
  return onlyRow(await moveStatement(tx, payment, { move, change }));
}

/** How old the time of a decision may be when its statement runs: as old as if it had waited for the row's lock. */
const NOW_MAX_AGE_MS = 2_000;

/**
 * The statement of `movePayment`, not sent yet. With `now`, for a payment that is not locked: the statement fails (`isMissed`) unless
 * the payment is as it was read, under the same lease, and `now` is the database's time (decisions/leases-and-fences).
 */
export function moveStatement(
  tx: Tx,
  payment: Payment,
  { move, change }: { readonly move: PaymentMove; readonly change: PaymentChange },
  now?: Date,
) {
  const { event, to } = move;
  const { paymentId, status: from } = payment;
  const moving = { id: paymentId, from, to, versions: event === null ? 0 : 1 };
  if (now === undefined) return movedLocked(tx, change, moving);
  const { aggregateVersion: version, leaseNumber: lease, updatedAt: changedAt } = payment;
  return movedAsRead(tx, change, { ...moving, version, lease, changedAt, now });
}

const MOVING = {
  id: payments.paymentId,
  from: payments.status,
  to: payments.status,
  versions: payments.aggregateVersion,
};

const movedLocked = compiledByColumns(payments, MOVING, (change, { id, from, to, versions }, builder) =>
  builder
    .update(payments)
    .set({ ...change, ...touched, status: to, aggregateVersion: sql`${payments.aggregateVersion} + ${versions}::int` })
    .where(and(eq(payments.paymentId, id), eq(payments.status, from)))
    .returning(),
);

/** Whatever a decision depends on changes together with one of these. */
const READ = { version: payments.aggregateVersion, lease: payments.leaseNumber, changedAt: payments.updatedAt };

const movedAsRead = compiledByColumns(
  payments,
  { ...MOVING, ...READ, now: payments.updatedAt },
  (change, { id, from, to, versions, version, lease, changedAt, now }, builder) => {
    const isAsRead = and(
      eq(payments.status, from),
      eq(payments.aggregateVersion, version),
      eq(payments.leaseNumber, lease),
      eq(payments.updatedAt, changedAt),
    );
    const isNow = sql`${now}::timestamptz between clock_now() - ${NOW_MAX_AGE_MS} * interval '1 millisecond' and clock_now()`;
    const next = sql`${payments.aggregateVersion} + ${versions}::int`;
    return builder
      .update(payments)
      .set({ ...change, ...touched, status: to, aggregateVersion: valueIf(and(isAsRead, isNow), next) })
      .where(eq(payments.paymentId, id))
      .returning();
  },
);
