import { and, desc, eq, exists, gte, isNull, lte, sql, type SQL } from 'drizzle-orm';
import { VELOCITY_RULES, type VelocityRule } from '@pay/contract/operator/states.ts';
import type { Db, Reader, Tx } from '@pay/shared/postgres/db.ts';
import { compiledRaw, compiledWrite } from '@pay/shared/postgres/fast/compiled.ts';
import { inOneRoundTrip, type Whole } from '@pay/shared/postgres/fast/one-round-trip.ts';
import { onlyRow } from '@pay/shared/postgres/only-row.ts';
import { selectRows } from '@pay/shared/postgres/select-rows.ts';
import { VELOCITY_WINDOW_SECONDS, type VelocityCounts } from '../../domain/checkout/velocity.ts';
import { cardAttempts, velocityLimits } from './schema.ts';

/** A card attempt as it is counted. */
export type CardAttempt = {
  readonly attemptId: string;
  readonly paymentId: string;
  readonly paymentPointId: string;
  /** Hashed with today's key, then with yesterday's. */
  readonly addressHashes: readonly [string, string];
  readonly binHashes: readonly [string, string];
};

/** Counting stops here: no limit can be higher. */
const COUNTED_MAX = 100_000;
/** Rows deleted in one statement. */
const BATCH = 5_000;

/**
 * Commits an attempt before anything is counted, so that of two simultaneous attempts at least one sees both.
 * A crash of PostgreSQL may lose the newest attempts: the count is a little low then, and no card waits for the disk.
 */
export async function insertCardAttempt(db: Db, attempt: CardAttempt): Promise<void> {
  await inOneRoundTrip(db, [insertStatement(attempt)]);
}

/** The statement of `insertCardAttempt`, a transaction by itself. An attempt that is there already stays as it is. */
export const insertStatement = (attempt: CardAttempt): Whole => insertAttempt(valuesOf(attempt));

const insertAttempt = compiledRaw(
  ['attemptId', 'paymentId', 'paymentPointId', 'address', 'bin'],
  ({ attemptId, paymentId, paymentPointId, address, bin }) =>
    sql`insert into card_attempts (attempt_id, payment_id, payment_point_id, address_hash, bin_hash)
      select ${attemptId}::uuid, ${paymentId}::uuid, ${paymentPointId}, ${address}, ${bin}
      from set_config('synchronous_commit', 'off', true) on conflict do nothing`,
);

/** How many recent cards share the address, BIN or point of this one, which is counted too. */
export async function countCardAttempts(reader: Reader, attempt: CardAttempt): Promise<VelocityCounts> {
  const { address, bin, point } = countsOf(valuesOf(attempt));
  const rows = await selectRows<VelocityCounts>(reader, sql`select ${address} as address, ${bin} as bin, ${point} as point`);
  return onlyRow(rows);
}

/** What two attempts may share. */
type Shared<Value> = Readonly<Record<'address' | 'addressBefore' | 'bin' | 'binBefore' | 'paymentPointId', Value>>;

/** The attempt, with today's and yesterday's hashes each by itself. */
export const valuesOf = ({ addressHashes, binHashes, ...attempt }: CardAttempt) => ({
  ...attempt,
  address: addressHashes[0],
  addressBefore: addressHashes[1],
  bin: binHashes[0],
  binBefore: binHashes[1],
});

function countsOf({ address, addressBefore, bin, binBefore, paymentPointId }: Shared<string | SQL>): Readonly<Record<VelocityRule, SQL>> {
  const since = sql`clock_now() - make_interval(secs => ${VELOCITY_WINDOW_SECONDS})`;
  const count = (same: SQL) =>
    sql`(select count(*)::int from (select from card_attempts where ${same} and held_back_by is null
      and created_at > ${since} and created_at <= clock_now() limit ${COUNTED_MAX}) as counted)`;
  return {
    address: count(sql`address_hash in (${address}, ${addressBefore})`),
    bin: count(sql`bin_hash in (${bin}, ${binBefore})`),
    point: count(sql`card_attempts.payment_point_id = ${paymentPointId}`),
  };
}

/** A condition: the attempt is stored, and no rule holds it back. The statement's form of `brokenRule`. */
export function isAdmitted(
  reader: Reader,
  attempt: AttemptId<SQL> & Shared<SQL>,
  limits: Readonly<Record<VelocityRule, SQL>>,
): SQL | undefined {
  const counts = countsOf(attempt);
  const within = VELOCITY_RULES.map((rule) => sql`${counts[rule]} <= ${limits[rule]}`);
  return and(isOpenAttempt(reader, attempt), ...within);
}

/** The columns that the values of `isAdmitted` are compared with. */
export const ADMITTED = {
  attemptId: cardAttempts.attemptId,
  paymentPointId: cardAttempts.paymentPointId,
  address: cardAttempts.addressHash,
  addressBefore: cardAttempts.addressHash,
  bin: cardAttempts.binHash,
  binBefore: cardAttempts.binHash,
  addressMax: velocityLimits.cardsMax,
  binMax: velocityLimits.cardsMax,
  pointMax: velocityLimits.cardsMax,
};

type AttemptId<Value> = { readonly attemptId: Value; readonly paymentId: Value };

/** A condition: this attempt of the payment is stored and not held back. */
export const isOpenAttempt = (reader: Reader, attempt: AttemptId<SQL>): SQL => exists(openAttempt(reader, attempt));

const openAttempt = (reader: Reader, { attemptId, paymentId }: AttemptId<string | SQL>) =>
  reader
    .select({ attemptId: cardAttempts.attemptId })
    .from(cardAttempts)
    .where(and(eq(cardAttempts.attemptId, attemptId), eq(cardAttempts.paymentId, paymentId), isNull(cardAttempts.heldBackBy)));

/** Marks an attempt as held back. It no longer counts, so that trying again does not prolong the block. */
export async function holdBackCardAttempt(tx: Tx, attemptId: string, rule: VelocityRule): Promise<void> {
  await tx.update(cardAttempts).set({ heldBackBy: rule }).where(eq(cardAttempts.attemptId, attemptId));
}

/** Whether this attempt of the payment was counted and not held back. */
export async function isCardAttemptOpen(reader: Reader, attemptId: string, paymentId: string): Promise<boolean> {
  return (await openAttempt(reader, { attemptId, paymentId })).length === 1;
}

/** Deletes an attempt that never reached the bank. */
export async function forgetCardAttempt(tx: Tx, attemptId: string): Promise<void> {
  await tx.delete(cardAttempts).where(eq(cardAttempts.attemptId, attemptId));
}

/** The statement that deletes the attempts of a payment that was paid, not sent yet. */
export const forgetAttemptsStatement = (tx: Tx, paymentId: string) => forgotten(tx, { paymentId });

const forgotten = compiledWrite({ paymentId: cardAttempts.paymentId }, ({ paymentId }, builder) =>
  builder
    .delete(cardAttempts)
    .where(and(eq(cardAttempts.paymentId, paymentId), isNull(cardAttempts.heldBackBy)))
    .returning({ attemptId: cardAttempts.attemptId }),
);

/** The cards that a rule held back at a point within a period. */
export type HeldBack = {
  readonly paymentPointId: string;
  readonly rule: VelocityRule;
  readonly cards: number;
  /** Distinct addresses, as far as daily hashes can tell. */
  readonly addresses: number;
  readonly bins: number;
  readonly lastAt: Date;
  /** The most cards that count now for one address or BIN: once this reaches the limit, the next card is held back. */
  readonly counting: number;
};

/**
 * Counts the cards behind a rule's hold at a point. The outer columns are spelled out: drizzle drops the table name in a
 * select from one table, and inside the subquery a bare name would mean the subquery's own column.
 */
const COUNTING = sql<number>`(case card_attempts.held_back_by
  when 'point' then (select count(*) from card_attempts c where ${counts('c')} and c.payment_point_id = card_attempts.payment_point_id)
  else coalesce((select max(n) from (
    select count(*) as n from card_attempts c where ${counts('c')} and exists (select from card_attempts h
      where h.payment_point_id = card_attempts.payment_point_id and h.held_back_by = card_attempts.held_back_by
        and case h.held_back_by when 'bin' then h.bin_hash = c.bin_hash else h.address_hash = c.address_hash end)
    group by case card_attempts.held_back_by when 'bin' then c.bin_hash else c.address_hash end) as same), 0) end)::int`;

/** Whether a row counts: its card went to the bank within the window and was not paid. */
function counts(alias: 'c') {
  const name = sql.raw(alias);
  return sql`${name}.held_back_by is null and ${name}.created_at <= clock_now()
    and ${name}.created_at > clock_now() - make_interval(secs => ${sql.raw(String(VELOCITY_WINDOW_SECONDS))})`;
}

/** The limits that the checkout was last started with. */
export async function listVelocityLimits(reader: Reader): Promise<{ readonly rule: VelocityRule; readonly cardsMax: number }[]> {
  return reader.select().from(velocityLimits).orderBy(velocityLimits.rule);
}

export async function saveVelocityLimits(tx: Tx, limits: VelocityCounts): Promise<void> {
  for (const rule of VELOCITY_RULES) {
    const cardsMax = limits[rule];
    await tx.insert(velocityLimits).values({ rule, cardsMax }).onConflictDoUpdate({ target: velocityLimits.rule, set: { cardsMax } });
  }
}

/**
 * Deletes the attempts that make a rule hold cards back at a point, wherever they were made. Held-back attempts stay on record. Returns how
 * many were deleted.
 */
export async function forgetCounting(tx: Tx, paymentPointId: string, rule: VelocityRule): Promise<number> {
  const common = {
    point: sql`c.payment_point_id = ${paymentPointId}`,
    address: sql`h.address_hash = c.address_hash`,
    bin: sql`h.bin_hash = c.bin_hash`,
  }[rule];
  const result = await tx.execute(sql`delete from card_attempts c where ${counts('c')} and exists (select from card_attempts h
    where h.payment_point_id = ${paymentPointId} and h.held_back_by = ${rule} and ${common})`);
  return result.rowCount ?? 0;
}

/** The points and rules with cards held back since a moment, worst first; at most a hundred. */
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

/** Deletes a batch of attempts older than a day. Returns how many. */
export async function deleteOldCardAttempts(tx: Tx): Promise<number> {
  const result = await tx.execute(sql`delete from card_attempts where ctid in (
    select ctid from card_attempts where created_at < clock_now() - interval '1 day' limit ${BATCH})`);
  return result.rowCount ?? 0;
}
