import { and, eq, sql, type SQL } from 'drizzle-orm';
import type { Tx } from '@pay/shared/postgres/db.ts';
import { valueIf } from '@pay/shared/postgres/fast/value-if.ts';
import { onlyRow } from '@pay/shared/postgres/only-row.ts';
import type { PaymentStatus } from '@pay/contract/states.ts';
import type { Payment } from '../payment/payments.ts';
import { payments } from '../payment/schema.ts';

/** A payment as it was when the change was decided. */
type Seen = Pick<Payment, 'paymentId' | 'aggregateVersion'>;

/**
 * The statement that reserves an amount of a payment for a refund and takes the version of `refund.pending`, not sent yet. It
 * fails (`isMissed`) unless the payment is still as seen and COMPLETED, and in total never more than was paid is reserved.
 */
export function reserveStatement(tx: Tx, seen: Seen, amountKopecks: bigint) {
  const reserved = sql`${payments.refundReservedKopecks} + ${amountKopecks}::bigint`;
  return changeStatement(tx, seen, {
    change: { refundReservedKopecks: reserved },
    guard: sql`${reserved} <= ${payments.amountKopecks}`,
    versions: 1,
  });
}

/**
 * The statement that confirms that the buyer received the reserved amount, not sent yet. It takes the version of `refund.completed`
 * and, if the payment moves to `to`, of that move's event. It fails (`isMissed`) unless the payment is still as seen and COMPLETED.
 */
export function confirmStatement(tx: Tx, seen: Seen, amountKopecks: bigint, to: PaymentStatus | undefined) {
  return changeStatement(tx, seen, {
    change: {
      refundedKopecks: sql`${payments.refundedKopecks} + ${amountKopecks}::bigint`,
      ...(to === undefined ? {} : { status: to }),
    },
    versions: to === undefined ? 1 : 2,
  });
}

/** Releases the amount of a failed refund: it may be refunded again. Takes the version of `refund.failed`. */
export async function releaseRefund(tx: Tx, seen: Seen, amountKopecks: bigint): Promise<Payment> {
  const released = sql`${payments.refundReservedKopecks} - ${amountKopecks}::bigint`;
  return onlyRow(await changeStatement(tx, seen, { change: { refundReservedKopecks: released }, versions: 1 }));
}

type Change = {
  readonly change: {
    readonly refundedKopecks?: SQL;
    readonly refundReservedKopecks?: SQL;
    readonly status?: PaymentStatus;
  };
  readonly guard?: SQL;
  readonly versions: 1 | 2;
};

function changeStatement(tx: Tx, seen: Seen, { change, guard, versions }: Change) {
  const isAsSeen = and(eq(payments.aggregateVersion, seen.aggregateVersion), eq(payments.status, 'COMPLETED'), guard);
  return tx
    .update(payments)
    .set({
      ...change,
      updatedAt: sql`clock_now()`,
      aggregateVersion: valueIf(isAsSeen, sql`${payments.aggregateVersion} + ${versions}::int`),
    })
    .where(eq(payments.paymentId, seen.paymentId))
    .returning();
}
