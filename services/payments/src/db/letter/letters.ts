import { and, asc, eq, getTableColumns, lte, sql } from 'drizzle-orm';
import { isClaimedBy } from '@pay/shared/postgres/claimed.ts';
import type { Reader, Tx } from '@pay/shared/postgres/db.ts';
import { onlyRow } from '@pay/shared/postgres/only-row.ts';
import { selectRows } from '@pay/shared/postgres/select-rows.ts';
import { databaseNow } from '@pay/shared/postgres/clock.ts';
import { ledgerTransactions } from '../ledger/schema.ts';
import { paymentPoints, stores } from '../merchant/schema.ts';
import { payments } from '../payment/schema.ts';
import { ABOUT_RECIPIENT } from '../../domain/letter/letter-outcome.ts';
import { letters, type LetterStatus } from './schema.ts';

export type Letter = Readonly<typeof letters.$inferSelect>;

/** How many letters share the payment or the address of a wanted one, and whether it is one of them. */
export type LetterCounts = { readonly ofPayment: number; readonly ofAddress: number; readonly isKnown: boolean };

/** By the highest number: those of an erased buyer are gone, and still count. */
export async function countLetters(
  reader: Reader,
  { paymentId, addressHash }: Pick<Letter, 'paymentId' | 'addressHash'>,
): Promise<LetterCounts> {
  const rows = await selectRows<LetterCounts>(
    reader,
    sql`select (select coalesce(max(number), 0)::int from letters where payment_id = ${paymentId}) as "ofPayment",
      (select coalesce(max(number_of_day), 0)::int from letters where address_hash = ${addressHash}) as "ofAddress",
      exists (select from letters where payment_id = ${paymentId} and address_hash = ${addressHash}) as "isKnown"`,
  );
  return onlyRow(rows);
}

/** How many letters a payment's buyer has asked for. */
export async function countLettersOf(reader: Reader, paymentId: string): Promise<number> {
  const rows = await reader
    .select({ letterId: letters.letterId })
    .from(letters)
    .where(eq(letters.paymentId, paymentId));
  return rows.length;
}

/** Queues a letter, due at once. False if another one has taken one of its numbers. */
export async function insertLetter(tx: Tx, letter: typeof letters.$inferInsert): Promise<boolean> {
  const rows = await tx.insert(letters).values(letter).onConflictDoNothing().returning({ letterId: letters.letterId });
  return rows.length === 1;
}

/** Claims due letters, each with the database's time. Each is hidden from other replicas for two minutes. */
export async function claimDueLetters(tx: Tx, limit: number): Promise<(Letter & { now: Date })[]> {
  const due = tx
    .select({ letterId: letters.letterId })
    .from(letters)
    .where(lte(letters.nextAttemptAt, sql`clock_now()`))
    .orderBy(asc(letters.nextAttemptAt))
    .limit(limit)
    .for('update', { skipLocked: true });
  return tx
    .update(letters)
    .set({
      nextAttemptAt: sql`clock_now() + interval '2 minutes'`,
      attemptCount: sql`${letters.attemptCount} + 1`,
    })
    .where(isClaimedBy(letters.letterId, due))
    .returning({ ...getTableColumns(letters), now: databaseNow });
}

/** What a letter says; undefined while the payment is not booked. */
export async function findLetterFacts(reader: Reader, paymentId: string) {
  const [row] = await reader
    .select({
      storeName: stores.name,
      merchantOrderId: payments.merchantOrderId,
      amountKopecks: payments.amountKopecks,
      cardMask: payments.cardMask,
      paidAt: ledgerTransactions.createdAt,
    })
    .from(payments)
    .innerJoin(paymentPoints, eq(paymentPoints.paymentPointId, payments.paymentPointId))
    .innerJoin(stores, eq(stores.storeId, paymentPoints.storeId))
    .innerJoin(ledgerTransactions, eq(ledgerTransactions.ledgerTransactionId, payments.ledgerTransactionId))
    .where(eq(payments.paymentId, paymentId));
  return row;
}

/** Ends a letter that waits, whoever claimed it last: what is known to have left is not sent again. False: it has ended before. */
export async function endLetter(
  tx: Tx,
  letterId: string,
  { status, failure }: { readonly status: Exclude<LetterStatus, 'WAITING'>; readonly failure: string | null },
): Promise<boolean> {
  const rows = await tx
    .update(letters)
    .set({ status, addressEncrypted: null, nextAttemptAt: null, lastFailure: failure, endedAt: sql`clock_now()` })
    .where(and(eq(letters.letterId, letterId), eq(letters.status, 'WAITING')))
    .returning({ letterId: letters.letterId });
  return rows.length === 1;
}

/** Puts off a letter whose attempt failed. Nothing happens if it was claimed again meanwhile. */
export async function putOffLetter(
  tx: Tx,
  { letterId, attemptCount }: Letter,
  { inMs, failure }: { readonly inMs: number; readonly failure: string },
): Promise<void> {
  await tx
    .update(letters)
    .set({ nextAttemptAt: sql`clock_now() + make_interval(secs => ${inMs / 1_000})`, lastFailure: failure })
    .where(and(eq(letters.letterId, letterId), eq(letters.attemptCount, attemptCount), eq(letters.status, 'WAITING')));
}

/** An address that does not take letters now is its buyer's matter; those of so many payments are a matter of the mail server. */
const PAYMENTS_OF_BAD_ADDRESSES = 3;

/**
 * How many seconds the oldest letter has waited (0: none waits), and whether letters stand: some wait for an hour, not only for a bad address, and none
 * has left within the last hour.
 */
export async function readLetterDelay(
  reader: Reader,
): Promise<{ readonly waitingSeconds: number; readonly isStanding: boolean }> {
  const rows = await selectRows<{ waitingSeconds: number; isStanding: boolean }>(
    reader,
    sql`with waiting as (
      select payment_id, created_at, created_at < clock_now() - interval '1 hour' as is_late,
        coalesce(starts_with(last_failure, ${ABOUT_RECIPIENT}), false) as is_recipients
      from letters where next_attempt_at is not null)
    select coalesce(extract(epoch from clock_now() - min(created_at)), 0)::float as "waitingSeconds",
      (count(*) filter (where is_late and not is_recipients) > 0
        or count(distinct payment_id) filter (where is_late and is_recipients) >= ${PAYMENTS_OF_BAD_ADDRESSES})
      and not exists (select from letters where status = 'SENT' and created_at > clock_now() - interval '4 days'
        and ended_at > clock_now() - interval '1 hour') as "isStanding"
    from waiting`,
  );
  return onlyRow(rows);
}

/** Rows deleted in one statement. */
const BATCH = 5_000;

/** Deletes a batch of letters that no page counts any more: a payment is shown for at most 31 days. Returns how many. */
export async function deleteOldLetters(tx: Tx): Promise<number> {
  const result = await tx.execute(sql`delete from letters where ctid in (
    select ctid from letters where created_at < clock_now() - interval '35 days' limit ${BATCH})`);
  return result.rowCount ?? 0;
}
