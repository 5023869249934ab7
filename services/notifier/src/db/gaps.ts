import { sql } from 'drizzle-orm';
import type { Db } from '@pay/shared/postgres/db.ts';
import { inOneRoundTrip } from '@pay/shared/postgres/fast/one-round-trip.ts';
import type { PartnerId } from '@pay/shared/identities/identities.ts';
import { PLAN_BY_INDEXES } from './plan-by-indexes.ts';

/** A payment or binding whose next event never arrived, while a later one is here and waits for it. */
export type Gap = {
  readonly aggregateId: string;
  readonly partnerId: PartnerId;
  /** First word of its event types. */
  readonly kind: string;
  /** The version that is missing. */
  readonly nextVersion: number;
  /** The lowest version that is waiting. */
  readonly firstWaiting: number;
  /** When the first waiting event was recorded. */
  readonly since: Date;
  /** Seconds since then, by the database's clock. */
  readonly ageSeconds: number;
};

/** Facts of one payment may briefly overtake each other: after a replica takes over, or a message is redelivered. */
export const GAP_GRACE_SECONDS = 60;
/** The most that one check returns. */
export const GAPS_MAX = 1_000;

/** Where a list of gaps goes on: behind this one. */
export type AfterGap = Pick<Gap, 'since' | 'aggregateId'>;

/**
 * Gaps older than `graceSeconds`, longest wait first, behind `after`. Reads only the entries of the index `aggregates_behind_gap` and
 * their events, however much else waits: a backlog is due and has no entry there.
 */
export async function listGaps(db: Db, limit: number, graceSeconds = GAP_GRACE_SECONDS, after: AfterGap = FIRST): Promise<Gap[]> {
  const [, rows = []] = await inOneRoundTrip<GapRow>(db, [
    sql`select ${PLAN_BY_INDEXES}`,
    // Nothing is limited before it is known to be a gap: what waits for nothing, or arrived just now, would hide others.
    sql`
    with moment as materialized (
      select clock_now() as now
    )
    select a.aggregate_id, a.partner_id, a.kind, a.next_version, e.first_waiting,
      extract(epoch from e.since) * 1000 as since, extract(epoch from moment.now - e.since) as age
    from moment cross join aggregates a cross join lateral (
      select min(aggregate_version) as first_waiting, min(recorded_at) as since from events
      where aggregate_id = a.aggregate_id and aggregate_version > a.next_version and status = 'WAITING') e
    where a.due_at is null and a.next_version <= a.last_version
      and e.since <= moment.now - make_interval(secs => ${graceSeconds})
      and (e.since, a.aggregate_id) > (${after.since.toISOString()}::timestamptz, ${after.aggregateId}::uuid)
    order by e.since, a.aggregate_id limit ${limit}`,
  ]);
  return rows.map((row) => ({
    aggregateId: row.aggregate_id,
    partnerId: row.partner_id,
    kind: row.kind,
    nextVersion: row.next_version,
    firstWaiting: row.first_waiting,
    since: new Date(Number(row.since)),
    ageSeconds: Math.floor(Number(row.age)),
  }));
}

type GapRow = {
  aggregate_id: string;
  partner_id: string;
  kind: string;
  next_version: number;
  first_waiting: number;
  since: string;
  age: string;
};

/** Before every other. */
const FIRST: AfterGap = { since: new Date(0), aggregateId: '00000000-0000-0000-0000-000000000000' };

/** Rows that are closed in one statement. */
const CLOSED_MAX = 1_000;

/**
 * Goes on with payments and bindings that wait for a version that is in the log: it ended, or its turn has come. Nothing leaves them so
 * any more, but the version before this one did: it asked whose turn it was before it had the row. Returns how many.
 */
export async function closeKnownGaps(db: Db): Promise<number> {
  const [, closed = []] = await inOneRoundTrip(db, [
    sql`select ${PLAN_BY_INDEXES}`,
    // A row that is locked is being recorded or claimed.
    sql`
    with known as materialized (
      select a.aggregate_id from aggregates a where a.due_at is null and a.next_version <= a.last_version and a.lease_id is null
        and exists (select from events e where e.aggregate_id = a.aggregate_id and e.aggregate_version = a.next_version)
      order by a.aggregate_id limit ${CLOSED_MAX} for update of a skip locked
    )
    update aggregates a set (next_version, due_at) = (
      select turn, due_by(a.aggregate_id, turn) from (select turn_from(a.aggregate_id, a.next_version, null) as turn) as t)
    where a.aggregate_id = any(array(select aggregate_id from known)) returning 1`,
  ]);
  return closed.length;
}
