import { and, desc, eq, gte, isNull, lte, sql } from 'drizzle-orm';
import { VELOCITY_RULES, type VelocityRule } from '@pay/contract/operator/states.ts';
import type { Db, Reader, Tx } from '@pay/shared/postgres/db.ts';
import { inOneRoundTrip } from '@pay/shared/postgres/fast/one-round-trip.ts';
import { selectRows } from '@pay/shared/postgres/select-rows.ts';
import { VELOCITY_WINDOW_SECONDS, type VelocityCounts } from '../../domain/checkout/velocity.ts';
import { cardAttempts, velocityLimits } from './schema.ts';

/** A card as it is counted. */
export type CardAttempt = {
  readonly attemptId: string;
  readonly paymentId: string;
  readonly paymentPointId: string;
  /** By today's key, then by yesterday's. */
  readonly addressHashes: readonly [string, string];
  readonly binHashes: readonly [string, string];
};

/** More than a limit can be is not counted further. */
const COUNTED_MAX = 100_000;
/** Rows deleted in one statement. */
const BATCH = 5_000;

/**
 * Commits an attempt, so that whoever counts after it counts it too: of two at once that are one too many, one at least sees
 * both. In a crash of PostgreSQL the last ones may be lost, which costs a count and spares each card a wait for the disk.
 */
export async function insertCardAttempt(db: Db, attempt: CardAttempt): Promise<void> {
  const { attemptId, paymentId, paymentPointId, addressHashes, binHashes } = attempt;
  await inOneRoundTrip(db, [
    sql`set local synchronous_commit = off`,
    sql`insert into card_attempts (attempt_id, payment_id, payment_point_id, address_hash, bin_hash)
      values (${attemptId}, ${paymentId}, ${paymentPointId}, ${addressHashes[0]}, ${binHashes[0]})`,
  ]);
}

/** How many cards of the last minutes have the address, the BIN or the point of this one, itself among them. */
export async function countCardAttempts(reader: Reader, attempt: CardAttempt): Promise<VelocityCounts> {
  const since = sql`clock_now() - make_interval(secs => ${VELOCITY_WINDOW_SECONDS})`;
  const count = (same: ReturnType<typeof sql>) =>
    sql`(select count(*)::int from (select from card_attempts where ${same} and held_back_by is null
      and created_at > ${since} and created_at <= clock_now() limit ${COUNTED_MAX}) as counted)`;
  const [addresses, bins] = [attempt.addressHashes, attempt.binHashes];
  const rows = await selectRows<VelocityCounts>(
    reader,
    sql`select
    ${count(sql`address_hash in (${addresses[0]}, ${addresses[1]})`)} as address,
    ${count(sql`bin_hash in (${bins[0]}, ${bins[1]})`)} as bin,
    ${count(sql`payment_point_id = ${attempt.paymentPointId}`)} as point`,
  );
  const [counts] = rows;
  if (counts === undefined) throw new Error('a count returned no row');
  return counts;
}

/** It does not go to the bank, and does not count any more: who is held back is not so for longer because he tries again. */
export async function holdBackCardAttempt(tx: Tx, attemptId: string, rule: VelocityRule): Promise<void> {
  await tx.update(cardAttempts).set({ heldBackBy: rule }).where(eq(cardAttempts.attemptId, attemptId));
}

/** Whether this attempt of the payment was counted and not kept back. */
export async function isCardAttemptOpen(reader: Reader, attemptId: string, paymentId: string): Promise<boolean> {
  const rows = await reader
    .select({ attemptId: cardAttempts.attemptId })
    .from(cardAttempts)
    .where(
      and(
        eq(cardAttempts.attemptId, attemptId),
        eq(cardAttempts.paymentId, paymentId),
        isNull(cardAttempts.heldBackBy),
      ),
    );
  return rows.length === 1;
}

/** It never reached the bank. */
export async function forgetCardAttempt(tx: Tx, attemptId: string): Promise<void> {
  await tx.delete(cardAttempts).where(eq(cardAttempts.attemptId, attemptId));
}

/** The payment's money came. */
export async function forgetCardAttempts(tx: Tx, paymentId: string): Promise<void> {
  await tx.delete(cardAttempts).where(and(eq(cardAttempts.paymentId, paymentId), isNull(cardAttempts.heldBackBy)));
}

/** What was held back at a point by a rule in a span of time. */
export type HeldBack = {
  readonly paymentPointId: string;
  readonly rule: VelocityRule;
  readonly cards: number;
  /** Different ones among them, as far as hashes of a day tell. */
  readonly addresses: number;
  readonly bins: number;
  readonly lastAt: Date;
  /** Cards that count now and have that in common, of the address or BIN that has the most: from the limit on, the next one is held back. */
  readonly counting: number;
};

/**
 * Of the cards that were held back at a point by a rule. The columns of the row are spelt out: drizzle names a column of
 * a select from one table without its table, and inside a subquery that is the subquery's own.
 */
const COUNTING = sql<number>`(case card_attempts.held_back_by
  when 'point' then (select count(*) from card_attempts c where ${counts('c')} and c.payment_point_id = card_attempts.payment_point_id)
  else coalesce((select max(n) from (
    select count(*) as n from card_attempts c where ${counts('c')} and exists (select from card_attempts h
      where h.payment_point_id = card_attempts.payment_point_id and h.held_back_by = card_attempts.held_back_by
        and case h.held_back_by when 'bin' then h.bin_hash = c.bin_hash else h.address_hash = c.address_hash end)
    group by case card_attempts.held_back_by when 'bin' then c.bin_hash else c.address_hash end) as same), 0) end)::int`;

/** That a row counts: its card went to the bank within the window and brought no money. */
function counts(alias: 'c') {
  const name = sql.raw(alias);
  return sql`${name}.held_back_by is null and ${name}.created_at <= clock_now()
    and ${name}.created_at > clock_now() - make_interval(secs => ${sql.raw(String(VELOCITY_WINDOW_SECONDS))})`;
}

/** The limits as the checkout last began with them. */
export async function listVelocityLimits(
  reader: Reader,
): Promise<{ readonly rule: VelocityRule; readonly cardsMax: number }[]> {
  return reader.select().from(velocityLimits).orderBy(velocityLimits.rule);
}

export async function saveVelocityLimits(tx: Tx, limits: VelocityCounts): Promise<void> {
  for (const rule of VELOCITY_RULES) {
    const cardsMax = limits[rule];
    await tx
      .insert(velocityLimits)
      .values({ rule, cardsMax })
      .onConflictDoUpdate({ target: velocityLimits.rule, set: { cardsMax } });
  }
}

/** Forgets the cards that hold others back at a point by a rule, wherever they were tried; how many. What was held back stays on record. */
export async function forgetCounting(tx: Tx, paymentPointId: string, rule: VelocityRule): Promise<number> {
  const common = {
    point: sql`c.payment_point_id = ${paymentPointId}`,
    address: sql`h.address_hash = c.address_hash`,
    bin: sql`h.bin_hash = c.bin_hash`,
  }[rule];
  const result =
    await tx.execute(sql`delete from card_attempts c where ${counts('c')} and exists (select from card_attempts h
    where h.payment_point_id = ${paymentPointId} and h.held_back_by = ${rule} and ${common})`);
  return result.rowCount ?? 0;
}

/** Where cards were held back since a moment, worst first; at most a hundred. */
export async function listHeldBack(reader: Reader, since: Date): Promise<HeldBack[]> {
  const cards = sql<number>`count(*)::int`;
  const rows = await reader
    .select({
      paymentPointId: cardAttempts.paymentPointId,
      rule: cardAttempts.heldBackBy,
      cards,
      addresses: sql<number>`count(distinct ${cardAttempts.addressHash})::int`,
      bins: sql<number>`count(distinct ${cardAttempts.binHash})::int`,
      lastAt: sql`max(${cardAttempts.createdAt})`.mapWith(cardAttempts.createdAt),
      counting: COUNTING,
    })
    .from(cardAttempts)
    .where(and(gte(cardAttempts.createdAt, since), lte(cardAttempts.createdAt, sql`clock_now()`)))
    .groupBy(cardAttempts.paymentPointId, cardAttempts.heldBackBy)
    .having(sql`${cardAttempts.heldBackBy} is not null`)
    .orderBy(desc(cards))
    .limit(100);
  return rows.flatMap(({ rule, ...row }) => (rule === null ? [] : [{ ...row, rule }]));
}

/** Deletes attempts of more than a day ago, some thousands at a time; how many it were. */
export async function deleteOldCardAttempts(tx: Tx): Promise<number> {
  const result = await tx.execute(sql`delete from card_attempts where ctid in (
    select ctid from card_attempts where created_at < clock_now() - interval '1 day' limit ${BATCH})`);
  return result.rowCount ?? 0;
}
