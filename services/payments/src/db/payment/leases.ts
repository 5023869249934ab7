import { and, eq, gt, inArray, isNotNull, isNull, lte, or, sql, type SQL } from 'drizzle-orm';
import type { Reader, Tx } from '@pay/shared/postgres/db.ts';
import { stopwatch } from '@pay/shared/time/wall-clock.ts';
import { HOLDS_MS, type Fence } from '../../domain/acquiring/fence.ts';
import { PAYMENT_STATUSES, type PaymentStatus } from '@pay/contract/states.ts';
import { payments } from './schema.ts';

/**
 * How long one process may make a payment's calls to the bank: an operation at the bank (10 s, `bank-client.ts`), any wait
 * before it, and the margin. See decisions/leases-and-fences.
 */
export const LEASE_MS = 20_000;
/** The last part of a lease, in which no call may still be running: the next holder may begin right after it. */
export const MARGIN_MS = 5_000;

/** The right to make the calls that move a payment's money. The number makes it a fence: it is incremented each time the lease is taken. */
export type Lease = {
  readonly paymentId: string;
  readonly number: number;
  /** The statuses in which the calls still make sense. */
  readonly statuses: readonly PaymentStatus[];
};

/** Not paid yet: for calls that take money. */
export const UNDECIDED = ['CREATED', 'SUBMITTED', 'PENDING'] as const satisfies readonly PaymentStatus[];
/** Not booked as paid: for withdrawing an order. Cancelling a paid order would return the booked money. */
export const UNBOOKED = PAYMENT_STATUSES.filter((status) => status !== 'COMPLETED' && status !== 'REFUNDED');

const isFree = or(isNull(payments.leaseUntil), lte(payments.leaseUntil, sql`clock_now()`));
const until = sql`clock_now() + ${LEASE_MS} * interval '1 millisecond'`;
const nextNumber = sql`${payments.leaseNumber} + 1`;

/** Takes the lease of a payment in one of these statuses. Undefined if somebody else holds it, or the payment is in none of them. */
export async function takeLease(tx: Tx, paymentId: string, statuses: readonly PaymentStatus[]): Promise<Lease | undefined> {
  const rows = await tx
    .update(payments)
    .set({ leaseUntil: until, leaseNumber: nextNumber })
    .where(and(eq(payments.paymentId, paymentId), inArray(payments.status, [...statuses]), isFree))
    .returning({ number: payments.leaseNumber });
  return rows[0] === undefined ? undefined : { paymentId, number: rows[0].number, statuses };
}

/**
 * As `takeLease`, to register a payment at the bank: it is CREATED, and the buyer has answered whether the card may be saved,
 * if that was asked.
 */
export async function takeRegisterLease(tx: Tx, paymentId: string): Promise<Lease | undefined> {
  const isAnswered = sql`${payments.consent} is distinct from 'AWAITED'`;
  const rows = await tx
    .update(payments)
    .set({ leaseUntil: until, leaseNumber: nextNumber })
    .where(and(eq(payments.paymentId, paymentId), eq(payments.status, 'CREATED'), isAnswered, isFree))
    .returning({ number: payments.leaseNumber });
  return rows[0] === undefined ? undefined : { paymentId, number: rows[0].number, statuses: UNDECIDED };
}

/** As `takeLease`, to register the order for the next card after a decline (`awaitsNextOrder`). */
export async function takeNextOrderLease(tx: Tx, paymentId: string, operationId: string): Promise<Lease | undefined> {
  const isAwaited = and(
    eq(payments.status, 'SUBMITTED'),
    eq(payments.operationId, operationId),
    isNull(payments.bankOperationId),
    gt(payments.expiresAt, sql`clock_now()`),
  );
  const rows = await tx
    .update(payments)
    .set({ leaseUntil: until, leaseNumber: nextNumber })
    .where(and(eq(payments.paymentId, paymentId), isAwaited, isFree))
    .returning({ number: payments.leaseNumber });
  return rows[0] === undefined ? undefined : { paymentId, number: rows[0].number, statuses: UNDECIDED };
}

/** The lease that the caller's own update gave the payment. */
export function leaseOf({ paymentId, leaseNumber }: { paymentId: string; leaseNumber: number }): Lease {
  return { paymentId, number: leaseNumber, statuses: UNDECIDED };
}

/** Releases a lease, unless somebody else has taken it in the meantime. */
export async function releaseLease(tx: Tx, { paymentId, number }: Lease): Promise<void> {
  await tx
    .update(payments)
    .set({ leaseUntil: null })
    .where(and(eq(payments.paymentId, paymentId), eq(payments.leaseNumber, number)));
}

/**
 * Lets the worker and repeats register a new payment whose own call ended before it began. Nothing was sent for it: the lease is still
 * the one with which it was stored. Returns whether the payment is there.
 */
export async function abandonNewPayment(tx: Tx, paymentId: string, checkoutToken: string): Promise<boolean> {
  const isThatCalls = and(eq(payments.paymentId, paymentId), eq(payments.checkoutToken, checkoutToken));
  await tx
    .update(payments)
    .set({ leaseUntil: null, nextReadAt: sql`clock_now()` })
    .where(and(isThatCalls, eq(payments.status, 'CREATED'), eq(payments.leaseNumber, 1), isNotNull(payments.leaseUntil)));
  return (await tx.select({ paymentId: payments.paymentId }).from(payments).where(isThatCalls)).length === 1;
}

/** The fence that an acquirer checks immediately before each call that moves money. `also`: a further condition on the payment. */
export function fenceOf(reader: Reader, { paymentId, number, statuses }: Lease, also?: SQL): Fence {
  const leftMs = sql`extract(epoch from ${payments.leaseUntil} - clock_now()) * 1000`.mapWith(Number);
  return fenceAsking(async () => {
    const [row] = await reader
      .select({ leftMs })
      .from(payments)
      .where(and(eq(payments.paymentId, paymentId), eq(payments.leaseNumber, number), inArray(payments.status, [...statuses]), also));
    return row?.leftMs;
  });
}

/** A fence of this question: how many milliseconds the lease still has; undefined if it is lost. */
export const fenceAsking = (leftMs: () => Promise<number | undefined>): Fence => ({
  async ask() {
    // Started before the question: a process that is frozen while it waits for the answer finds it too old.
    const ageMs = stopwatch();
    return { leftMs: Math.max(0, ((await leftMs()) ?? 0) - MARGIN_MS), ageMs };
  },
});

/**
 * The fence of a lease that the caller's own statement has just taken: its answer says what `fence` would ask for, so until the
 * next tick of the event loop, no query is needed. Once anything else was awaited, or if the answer took long, `fence` is asked
 * (decisions/leases-and-fences).
 * @param elapsedMs a stopwatch that was started before the statement was sent whose time began the lease
 */
export function fenceJustTaken(fence: Fence, elapsedMs: () => number): Fence {
  let isSameTick = true;
  setImmediate(() => {
    isSameTick = false;
  });
  return {
    ask: async () => (isSameTick && elapsedMs() <= HOLDS_MS ? { leftMs: LEASE_MS - MARGIN_MS, ageMs: elapsedMs } : fence.ask()),
  };
}
