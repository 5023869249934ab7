import { and, eq, sql, type SQL } from 'drizzle-orm';
import type { Tx } from '@pay/shared/postgres/db.ts';
import { compiledWrite } from '@pay/shared/postgres/fast/compiled.ts';
import type { Writer } from '@pay/shared/postgres/fast/one-statement.ts';
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
export function reserveStatement(tx: Tx, { paymentId, aggregateVersion }: Seen, amountKopecks: bigint) {
  return reserved(tx, { paymentId, aggregateVersion, amountKopecks });
}

const SEEN = {
  paymentId: payments.paymentId,
  aggregateVersion: payments.aggregateVersion,
  amountKopecks: payments.amountKopecks,
};

const reserved = compiledWrite(SEEN, ({ amountKopecks, ...seen }, builder) => {
  const total = sql`${payments.refundReservedKopecks} + ${amountKopecks}::bigint`;
  return changeStatement(builder, seen, {
    change: { refundReservedKopecks: total },
    guard: sql`${total} <= ${payments.amountKopecks}`,
    versions: 1,
  });
});

/**
 * The statement that confirms that the buyer received the reserved amount, not sent yet. It takes the version of `refund.completed`
 * and, if the payment moves to `to`, of that move's event. It fails (`isMissed`) unless the payment is still as seen and COMPLETED.
 */
export function confirmStatement(tx: Tx, { paymentId, aggregateVersion }: Seen, amountKopecks: bigint, to: PaymentStatus | undefined) {
  const values = { paymentId, aggregateVersion, amountKopecks };
  return to === undefined ? confirmed(tx, values) : confirmedWhole(tx, { ...values, to });
}

const confirmedBy = (amountKopecks: SQL) => sql`${payments.refundedKopecks} + ${amountKopecks}::bigint`;

const confirmed = compiledWrite(SEEN, ({ amountKopecks, ...seen }, builder) =>
  changeStatement(builder, seen, { change: { refundedKopecks: confirmedBy(amountKopecks) }, versions: 1 }),
);

const confirmedWhole = compiledWrite({ ...SEEN, to: payments.status }, ({ amountKopecks, to, ...seen }, builder) =>
  changeStatement(builder, seen, { change: { refundedKopecks: confirmedBy(amountKopecks), status: to }, versions: 2 }),
);

/** Releases the amount of a failed refund: it may be refunded again. Takes the version of `refund.failed`. */
export async function releaseRefund(tx: Tx, seen: Seen, amountKopecks: bigint): Promise<Payment> {
  const released = sql`${payments.refundReservedKopecks} - ${amountKopecks}::bigint`;
  return onlyRow(await changeStatement(tx, seen, { change: { refundReservedKopecks: released }, versions: 1 }));
}

type Change = {
  readonly change: {
    readonly refundedKopecks?: SQL;
    readonly refundReservedKopecks?: SQL;
    readonly status?: SQL;
  };
  readonly guard?: SQL;
  readonly versions: 1 | 2;
};

function changeStatement(writer: Writer, seen: Seen | { readonly [Name in keyof Seen]: SQL }, { change, guard, versions }: Change) {
  const isAsSeen = and(eq(payments.aggregateVersion, seen.aggregateVersion), eq(payments.status, 'COMPLETED'), guard);
  return writer
    .update(payments)
    .set({
      ...change,
      updatedAt: sql`clock_now()`,
      aggregateVersion: valueIf(isAsSeen, sql`${payments.aggregateVersion} + ${versions}::int`),
    })
    .where(eq(payments.paymentId, seen.paymentId))
    .returning();
}
