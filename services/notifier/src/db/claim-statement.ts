import { sql, type SQL } from 'drizzle-orm';
import { ADVISORY_LOCKS } from '@pay/shared/postgres/advisory-locks.ts';
import { compiledRaw } from '@pay/shared/postgres/fast/compiled.ts';
import type { Whole } from '@pay/shared/postgres/fast/one-round-trip.ts';
import { PLAN_BY_INDEXES } from './plan-by-indexes.ts';

/** Maximum concurrent attempts per partner, over all replicas: enough for a fast receiver, harmless to a small one. */
export const PARTNER_CONCURRENCY_MAX = 16;
/** The same for a receiver that was slow within the last minute or has failed `FAILING_AFTER` times in a row. */
const SLOW_PARTNER_CONCURRENCY_MAX = 2;
export const FAILING_AFTER = 20;
/** The same for a dead address: a single probe. */
const DEAD_PARTNER_CONCURRENCY_MAX = 1;
/**
 * Longer than an attempt (10 s) and its recording. Afterwards other replicas may take over, whatever became of the
 * holder. That of a replica whose session ended is over sooner (`holders.ts`).
 */
export const LEASE_SECONDS = 30;

/** The partners whose events a claim may take: all that have something due, or only these. */
export type Among = 'everybody' | readonly string[];

export type ClaimRequest = {
  readonly leaseId: string;
  /** The number that this replica's session holds; null without a session: then only time ends the lease. */
  readonly holder: number | null;
  /** Maximum number of events to claim. */
  readonly room: number;
  readonly among: Among;
};

/** An encrypted key. */
export type SigningKeyRow = { readonly keyId: string; readonly encryptedSecret: string };

/**
 * One row per claimed event, each with the facts about the whole claim. If nothing was claimed, one row without an
 * event.
 */
export type ClaimRow = ClaimedRow | (WholeClaim & { event_id: null });

type WholeClaim = { wants_room: boolean; at_cap: string[]; milliseconds: string; real_milliseconds: string };

export type ClaimedRow = WholeClaim & {
  event_id: string;
  partner_id: string;
  type: string;
  aggregate_id: string;
  aggregate_version: number;
  is_followed: boolean;
  attempt_count: number;
  body: Buffer;
  resent_by: string | null;
  last_answer: Buffer | null;
  traceparent: string | null;
  callback_url: string;
  due_milliseconds: string;
  is_held_back: boolean;
  keys: SigningKeyRow[];
};

/**
 * The statements of a claim, as one transaction; the last one returns the rows. One claim runs at a time over all replicas
 * (an advisory lock): it is short, and this keeps the caps above exact.
 */
export function claimTransaction({ leaseId, holder, room, among }: ClaimRequest): readonly Whole[] {
  const values = { leaseId, holder, room };
  return [oneClaimAtATime({}), among === 'everybody' ? claimOfEverybody(values) : claimOfSome({ ...values, among: JSON.stringify(among) })];
}

// A lease that is lost in a database crash is claimed again: at worst, the same event is sent twice.
const oneClaimAtATime = compiledRaw(
  [],
  () =>
    sql`select ${PLAN_BY_INDEXES}, set_config('synchronous_commit', 'off', true), pg_advisory_xact_lock(${ADVISORY_LOCKS.claimDeliveries})`,
);
const claimOfEverybody = compiledRaw(['leaseId', 'holder', 'room'], (given) => claimStatement(given, EVERY_PARTNER));
const claimOfSome = compiledRaw(['leaseId', 'holder', 'room', 'among'], ({ among, ...given }) =>
  claimStatement(given, sql`select partner_id from jsonb_array_elements_text(${among}::jsonb) as given (partner_id)`),
);

/** Every partner with something due: steps through the index from partner to partner without reading their events. */
const EVERY_PARTNER = sql`
  (select partner_id from aggregates where due_at is not null order by partner_id limit 1)
  union all
  select (select a.partner_id from aggregates a
    where a.due_at is not null and a.partner_id > p.partner_id order by a.partner_id limit 1)
  from partners p where p.partner_id is not null`;

/**
 * What the statement does, in the order of its parts:
 * 1. `moment`: reads the clock, once. In TEST the clock is a row of its own.
 * 2. `partners`: whose events may be taken.
 * 3. `ready_receivers`: those that can be called now (address, no pause, secret, of this cell), how many attempts each may have at
 * once, and how many more.
 * 4. `fair_share`: divides our room by their number. What one partner does not use goes to others at the next claim.
 * 5. `candidates`: each receiver's events that have been due longest, up to its share plus one, which shows whether
 * more is left.
 * 6. `chosen`: first one event of every partner, then a second one, and so on, until our room is used up.
 * 7. `leased`: leases the payments (or bindings) that they belong to.
 * Then it returns, for each lease, the next event to send with the keys that sign it, and what was left.
 */
function claimStatement({ leaseId, holder, room }: Readonly<Record<'leaseId' | 'holder' | 'room', SQL>>, partners: SQL): SQL {
  return sql`
    with recursive moment as materialized (
      select clock_now() as now, clock_timestamp() as real_now
    ), partners as (${partners}
    ), ready_receivers as materialized (
      select r.partner_id, r.callback_url, allowed.most as cap,
        allowed.most - (select count(*) from aggregates l
          where l.partner_id = r.partner_id and l.leased_until > (select real_now from moment)) as room
      from receivers r cross join lateral (
        select case
          when r.dead_since is not null then ${DEAD_PARTNER_CONCURRENCY_MAX}::int
          when r.slow_until > (select now from moment) or r.failures_in_a_row >= ${FAILING_AFTER}::int then ${SLOW_PARTNER_CONCURRENCY_MAX}::int
          else ${PARTNER_CONCURRENCY_MAX}::int
        end as most) allowed
      where r.partner_id = any(array(select partner_id from partners)) and r.callback_url is not null
        and (r.paused_until is null or r.paused_until <= (select now from moment))
        and exists (select from callback_keys k
        where k.partner_id = r.partner_id and (k.expires_at is null or k.expires_at > (select now from moment)))
        and not exists (select from moved_partners m where m.partner_id = r.partner_id)
    ), fair_share as materialized (
      select greatest(1, ${room}::int / greatest(1, count(*))) as most from ready_receivers r where r.room > 0
    ), candidates as materialized (
      select r.partner_id, due.aggregate_id, due.due_at, r.callback_url, r.cap, due.rank, due.rank <= r.room as is_under_cap,
        due.rank <= least(r.room, fair_share.most) as fits
      from ready_receivers r cross join fair_share cross join lateral (
        select a.aggregate_id, a.due_at, row_number() over (order by a.due_at) as rank from aggregates a
        where a.partner_id = r.partner_id and a.due_at <= (select now from moment)
          and (a.leased_until is null or a.leased_until <= (select real_now from moment))
        order by a.due_at limit least(greatest(r.room, 0), fair_share.most) + 1) due
    ), chosen as materialized (
      select aggregate_id, due_at, callback_url, cap from candidates where fits order by rank, random() limit ${room}::int
    ), leased as (
      update aggregates a
      set lease_id = ${leaseId}::uuid, lease_holder = ${holder}::int, due_at = (select now from moment) + make_interval(secs => ${LEASE_SECONDS}),
        leased_until = (select real_now from moment) + make_interval(secs => ${LEASE_SECONDS})
      from chosen c where a.aggregate_id = c.aggregate_id and a.due_at <= (select now from moment)
        and (a.leased_until is null or a.leased_until <= (select real_now from moment))
      returning a.aggregate_id, a.next_version, a.last_version, c.callback_url, c.cap, c.due_at as was_due_at
    )
    select e.event_id, e.partner_id, e.type, e.aggregate_id, e.aggregate_version,
      l.last_version > e.aggregate_version as is_followed, e.attempt_count, e.body, e.resent_by, e.last_answer, e.traceparent,
      l.callback_url, trunc(extract(epoch from l.was_due_at) * 1000)::bigint as due_milliseconds,
      l.cap < ${PARTNER_CONCURRENCY_MAX}::int as is_held_back, (select count(*) from candidates where is_under_cap) > (select count(*) from chosen) as wants_room,
      array(select partner_id from candidates where not is_under_cap) as at_cap,
      (select jsonb_agg(jsonb_build_object('keyId', k.key_id, 'encryptedSecret', k.encrypted_secret) order by k.issued_at desc)
        from callback_keys k
        where k.partner_id = e.partner_id and (k.expires_at is null or k.expires_at > (select now from moment))) as keys,
      trunc(extract(epoch from moment.now) * 1000)::bigint as milliseconds,
      trunc(extract(epoch from moment.real_now) * 1000)::bigint as real_milliseconds
    from moment left join (leased l cross join lateral (select * from events e
      where e.aggregate_id = l.aggregate_id and e.status = 'WAITING' and e.aggregate_version <= l.next_version
      order by e.aggregate_version limit 1) e) on true`;
}
