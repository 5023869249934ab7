import { and, desc, eq, gt, inArray, isNull, lte, min, sql, type SQL } from 'drizzle-orm';
import type { FailureCode } from '@pay/contract/messages.ts';
import { isClaimedBy } from '@pay/shared/postgres/claimed.ts';
import type { Reader, Tx } from '@pay/shared/postgres/db.ts';
import { compiledRead, compiledWrite } from '@pay/shared/postgres/fast/compiled.ts';
import type { Writer } from '@pay/shared/postgres/fast/one-statement.ts';
import { onlyRow } from '@pay/shared/postgres/only-row.ts';
import { idempotencyRecords } from '@pay/shared/postgres/schema.ts';
import type { PartnerId } from '@pay/shared/identities/identities.ts';
import { isFurther, OPEN_CHARGE_STATUSES, type FinalChargeStatus, type WithdrawalReason } from '../domain/charge-status.ts';
import type { Decline } from '../domain/charge-retry.ts';
import { cardIsGood, type Binding } from './bindings.ts';
import { bindings, charges } from './schema.ts';

/** A charge as it is stored. */
export type Charge = Readonly<typeof charges.$inferSelect>;

/** The data of a newly accepted charge. */
export type NewCharge = Pick<
  Charge,
  'paymentId' | 'bindingId' | 'partnerId' | 'merchantOrderId' | 'amountKopecks' | 'description' | 'receipt' | 'idempotencyKey' | 'createdAt'
>;

/**
 * How long one caller has the sole right to call payments: longer than a call (14 s), so that a charge that is undone
 * has no second call in progress. Real time, because a call's deadline does not move with the TEST clock.
 */
export const LEASE_SECONDS = 20;
const leasedFor = (seconds: number) => sql`clock_timestamp() + make_interval(secs => ${seconds})`;
const touched = { updatedAt: sql`clock_now()` };

/** A charge and the slot that it takes. */
export type Slot = Pick<NewCharge, 'paymentId' | 'partnerId' | 'bindingId'>;

/**
 * THE ACCEPTANCE: occupies the slot of a binding that may be charged now, by the database's clock. Returns the binding,
 * whose `updatedAt` is the time of acceptance; undefined if it may not be charged, and `domain/charge-refusal.ts` says
 * why. One statement, because PostgreSQL re-checks a row that it had to wait for. See
 * spec/service-contract#recurring-charge-acceptance-rules.
 */
export async function occupySlot(tx: Tx, { paymentId, partnerId, bindingId }: Slot): Promise<Binding | undefined> {
  const [row] = await tx
    .update(bindings)
    .set({ openPaymentId: paymentId, ...touched })
    .where(and(eq(bindings.bindingId, bindingId), mayBeCharged(partnerId)))
    .returning();
  return row;
}

/** A condition: the binding may be charged now, by the database’s clock. */
export const mayBeCharged = (partnerId: PartnerId | SQL<PartnerId>) =>
  and(
    eq(bindings.partnerId, partnerId),
    eq(bindings.status, 'ACTIVE'),
    isNull(bindings.openPaymentId),
    lte(bindings.nextChargeAt, sql`clock_now()`),
    cardIsGood(),
  );

/** The unique constraint on a partner's order numbers. */
export const ORDER_CONSTRAINT = 'charges_order';

/** Stores an accepted charge, leased to its caller. @throws a violation of ORDER_CONSTRAINT */
export const insertCharge = async (tx: Tx, charge: NewCharge): Promise<Charge> =>
  onlyRow(
    await tx
      .insert(charges)
      .values({ ...charge, ...LEASED })
      .returning(),
  );

const LEASED = { status: 'CREATED', attemptCount: 1, leasedUntil: leasedFor(LEASE_SECONDS) } as const;

/** The statement of `insertCharge`, not sent yet, for a charge of the moment at which its binding was changed last. */
export const chargeStatement = (tx: Tx, charge: Omit<NewCharge, 'createdAt'>) => insertedNow(tx, charge);

const insertedNow = compiledWrite(
  {
    paymentId: charges.paymentId,
    bindingId: charges.bindingId,
    partnerId: charges.partnerId,
    merchantOrderId: charges.merchantOrderId,
    amountKopecks: charges.amountKopecks,
    description: charges.description,
    receipt: charges.receipt,
    idempotencyKey: charges.idempotencyKey,
  },
  (charge, builder) => {
    const createdAt = sql`(select updated_at from ${bindings} where binding_id = ${charge.bindingId})`;
    return builder
      .insert(charges)
      .values({ ...charge, ...LEASED, createdAt })
      .returning();
  },
);

/** Lets others hand over a new charge whose own call ended before it began. Returns whether the charge is there. */
export async function abandonNewCharge(tx: Tx, paymentId: string): Promise<boolean> {
  await tx
    .update(charges)
    .set({ leasedUntil: sql`clock_timestamp()` })
    .where(and(eq(charges.paymentId, paymentId), eq(charges.status, 'CREATED'), eq(charges.attemptCount, 1)));
  return (await findCharge(tx, paymentId)) !== undefined;
}

export async function findCharge(reader: Reader, paymentId: string): Promise<Charge | undefined> {
  const [row] = await reader.select().from(charges).where(eq(charges.paymentId, paymentId));
  return row;
}

/** The charge for which the partner used this order number. */
export async function findChargeOfOrder(reader: Reader, partnerId: PartnerId, merchantOrderId: string): Promise<string | undefined> {
  const rows = await reader
    .select({ paymentId: charges.paymentId })
    .from(charges)
    .where(and(eq(charges.partnerId, partnerId), eq(charges.merchantOrderId, merchantOrderId)));
  return rows[0]?.paymentId;
}

/** Nobody is handing it over at the moment. */
const isWaiting = () => and(eq(charges.status, 'CREATED'), lte(charges.leasedUntil, sql`clock_timestamp()`));

/** Partners with charges that nobody is handing over, longest wait first. */
export async function listPartnersWithWaitingCharges(reader: Reader): Promise<string[]> {
  const rows = await partnersWithWaitingCharges(reader, {});
  return rows.map(({ partnerId }) => partnerId);
}

// Asked every second, by every replica.
const partnersWithWaitingCharges = compiledRead({}, (_nothing, builder) =>
  builder
    .select({ partnerId: charges.partnerId })
    .from(charges)
    .where(isWaiting())
    .groupBy(charges.partnerId)
    .orderBy(min(charges.leasedUntil)),
);

/** Leases charges that nobody is handing over: those of a partner, or a single one. */
export async function leaseCharges(tx: Tx, whose: Partial<Pick<Charge, 'partnerId' | 'paymentId'>>, limit: number): Promise<Charge[]> {
  const { partnerId, paymentId } = whose;
  const waiting = tx
    .select({ paymentId: charges.paymentId })
    .from(charges)
    .where(
      and(
        isWaiting(),
        partnerId === undefined ? undefined : eq(charges.partnerId, partnerId),
        paymentId === undefined ? undefined : eq(charges.paymentId, paymentId),
      ),
    )
    .orderBy(charges.leasedUntil)
    .limit(limit)
    .for('update', { skipLocked: true });
  return tx
    .update(charges)
    .set({ attemptCount: sql`${charges.attemptCount} + 1`, leasedUntil: leasedFor(LEASE_SECONDS) })
    .where(isClaimedBy(charges.paymentId, waiting))
    .returning();
}

/**
 * A charge that could not be handed over for this long is of no use any more. See
 * spec/decisions#a-charge-that-cannot-be-handed-over.
 */
const HAND_OVER_MINUTES = 60;

/** Why a charge that waits to be handed over must not be made any more; undefined if it still may. */
export async function whyWithdraw(reader: Reader, paymentId: string): Promise<WithdrawalReason | undefined> {
  const isOld = sql<boolean>`${charges.createdAt} <= clock_now() - make_interval(mins => ${HAND_OVER_MINUTES})`;
  const [row] = await reader
    .select({ status: bindings.status, isOld })
    .from(charges)
    .innerJoin(bindings, eq(bindings.bindingId, charges.bindingId))
    .where(eq(charges.paymentId, paymentId));
  if (row?.status === 'REVOKED') return 'CONSENT_REVOKED';
  return row?.isOld === true ? 'PROCESSING_ERROR' : undefined;
}

/**
 * Ends the pause, or the lease, of a binding's charge that waits to be handed over, so that the next attempt starts at
 * once. A call in progress does no harm: it can undo only its own attempt, and payments decides which of two calls is
 * first.
 */
export async function hurryCharge(tx: Tx, bindingId: string): Promise<void> {
  await tx
    .update(charges)
    .set({ leasedUntil: sql`clock_timestamp()` })
    .where(and(eq(charges.bindingId, bindingId), eq(charges.status, 'CREATED')));
}

/**
 * Counts a repeat that was answered during the first attempt as an attempt of its own: the first one then undoes nothing
 * (`forgetCharge`).
 */
export async function keepCharge(tx: Tx, paymentId: string): Promise<void> {
  await tx
    .update(charges)
    .set({ attemptCount: sql`${charges.attemptCount} + 1` })
    .where(and(eq(charges.paymentId, paymentId), eq(charges.status, 'CREATED'), eq(charges.attemptCount, 1)));
}

/** Ends the lease of an attempt that got no answer; the next one waits `seconds`. */
export async function releaseCharge(tx: Tx, { paymentId, attemptCount }: Charge, seconds: number): Promise<void> {
  await tx
    .update(charges)
    .set({ leasedUntil: leasedFor(seconds) })
    .where(and(eq(charges.paymentId, paymentId), eq(charges.attemptCount, attemptCount)));
}

/** Payments has the charge: an open charge moves forward, never back. */
export async function advanceCharge(writer: Writer, paymentId: string, to: 'SUBMITTED' | 'PENDING'): Promise<void> {
  await ADVANCED[to](writer, { paymentId });
}

const advanced = (to: 'SUBMITTED' | 'PENDING') =>
  compiledWrite({ paymentId: charges.paymentId }, ({ paymentId }, builder) => {
    const before = OPEN_CHARGE_STATUSES.filter((from) => isFurther(from, to));
    return builder
      .update(charges)
      .set({ status: to, ...touched })
      .where(and(eq(charges.paymentId, paymentId), inArray(charges.status, before)))
      .returning({ paymentId: charges.paymentId });
  });
const ADVANCED = { SUBMITTED: advanced('SUBMITTED'), PENDING: advanced('PENDING') };

/** How a charge ended. Every end but COMPLETED has a failure code. */
export type ChargeEnd = {
  readonly paymentId: string;
  readonly status: FinalChargeStatus;
  readonly failureCode: FailureCode | null;
  readonly occurredAt: Date;
};

/** How many of a binding's declines are read: more than any limit counts (`CHARGE_RETRY_LIMITS`). */
export const DECLINES_MAX = 100;

/** Of two charges that ended in the same moment, as under a stopped test clock, the one that was made later is the newer. */
export const newestFirst = [desc(charges.endedAt), desc(charges.paymentId)] as const;

/** A binding's charges that ended without money since the last one that succeeded, newest first. */
export async function listDeclines(
  reader: Reader,
  { bindingId, lastChargedAt }: Pick<Binding, 'bindingId' | 'lastChargedAt'>,
): Promise<Decline[]> {
  const rows = await reader
    .select({ failureCode: charges.failureCode, endedAt: charges.endedAt })
    .from(charges)
    .where(and(eq(charges.bindingId, bindingId), gt(charges.endedAt, lastChargedAt), sql`failure_code is not null`))
    .orderBy(...newestFirst)
    .limit(DECLINES_MAX);
  return rows.flatMap(declineOf);
}

/** The decline in a row; none if it did not end without money. */
export const declineOf = (row: Pick<Charge, 'failureCode' | 'endedAt'> | null): Decline[] => {
  const { failureCode = null, endedAt = null } = row ?? {};
  return failureCode === null || endedAt === null ? [] : [{ failureCode, endedAt }];
};

/**
 * Stores the final result of the charge; undefined if it already has one or does not exist. The caller holds the
 * binding's row.
 */
export async function endCharge(tx: Tx, { paymentId, status, failureCode, occurredAt }: ChargeEnd): Promise<Charge | undefined> {
  const [charge] = await tx
    .update(charges)
    .set({ status, failureCode, endedAt: occurredAt, ...touched })
    .where(and(eq(charges.paymentId, paymentId), inArray(charges.status, [...OPEN_CHARGE_STATUSES])))
    .returning();
  return charge;
}

/**
 * Deletes a charge that payments refused, and its idempotency record, as if nothing had happened. False unless the
 * charge waits to be handed over by this very attempt, and no repeat was answered with it. The caller holds the binding's row.
 */
export async function forgetCharge(tx: Tx, { paymentId, attemptCount }: Charge): Promise<boolean> {
  const rows = await tx
    .delete(charges)
    .where(and(eq(charges.paymentId, paymentId), eq(charges.attemptCount, attemptCount), eq(charges.status, 'CREATED')))
    .returning();
  if (rows.length === 0) return false;
  const { partnerId, idempotencyKey } = onlyRow(rows);
  await tx.delete(idempotencyRecords).where(and(eq(idempotencyRecords.partnerId, partnerId), eq(idempotencyRecords.key, idempotencyKey)));
  return true;
}
