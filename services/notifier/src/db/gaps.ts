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
/** The most that one check reads: gaps of the oldest payments. */
export const GAPS_MAX = 1_000;

/**
 * Gaps older than `graceSeconds`, longest wait first. Reads only the entries of the index `aggregates_behind_gap` and
 * their events, however much else waits: a backlog is due and has no entry there.
 */
export async function listGaps(db: Db, limit: number, graceSeconds = GAP_GRACE_SECONDS): Promise<Gap[]> {
  const [, rows = []] = await inOneRoundTrip<GapRow>(db, [
    sql`select ${PLAN_BY_INDEXES}`,
    sql`
    with moment as materialized (
      select clock_now() as now
    ), behind as materialized (
      select aggregate_id, partner_id, kind, next_version from aggregates
      where due_at is null and next_version <= last_version order by created_at limit ${GAPS_MAX}
    )
    select b.aggregate_id, b.partner_id, b.kind, b.next_version, e.first_waiting,
      extract(epoch from e.since) * 1000 as since, extract(epoch from moment.now - e.since) as age
    from moment cross join behind b cross join lateral (
      select min(aggregate_version) as first_waiting, min(recorded_at) as since from events
      where aggregate_id = b.aggregate_id and aggregate_version > b.next_version and status = 'WAITING') e
    where e.since <= moment.now - make_interval(secs => ${graceSeconds})
    order by e.since limit ${limit}`,
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

type GapRow = { aggregate_id: string; partner_id: string; kind: string; next_version: number; first_waiting: number; since: string; age: string }; // prettier-ignore
