import { sql, type SQL } from 'drizzle-orm';
import { ADVISORY_LOCKS } from '@pay/shared/postgres/advisory-locks.ts';
import type { Db } from '@pay/shared/postgres/db.ts';
import { inOneRoundTrip, inOneWrite } from '@pay/shared/postgres/fast/one-round-trip.ts';
import type { PartnerId } from '@pay/shared/identities/identities.ts';
import { insertStatement, type NewEvent } from './events.ts';
import { PLAN_BY_INDEXES } from './plan-by-indexes.ts';

/** Attempts of one partner that run at once, over all replicas: enough for a fast receiver, harmless to a small one. */
export const PARTNER_CONCURRENCY_MAX = 16;
/** The same for a receiver that was slow within the last minute, or has failed `FAILING_AFTER` times in a row. */
const SLOW_PARTNER_CONCURRENCY_MAX = 2;
export const FAILING_AFTER = 20;
/** The same for a dead address: one probe. */
const DEAD_PARTNER_CONCURRENCY_MAX = 1;
/** Longer than an attempt can take (10 s) and its record; what a killed replica held is free after it. */
export const LEASE_SECONDS = 30;
/** An event that this replica may send now, once. */
export type Claimed = {
  readonly eventId: string;
  readonly partnerId: PartnerId;
  readonly type: string;
  readonly aggregateId: string;
  readonly aggregateVersion: number;
  /** Attempts before this one in the present round. */
  readonly attemptCount: number;
  readonly body: Buffer;
  readonly resentBy: string | null;
  readonly callbackUrl: string;
  /** Those that sign at the moment of the claim, newest first. */
  readonly keys: readonly SigningKeyRow[];
};

/** An encrypted key. */
export type SigningKeyRow = { readonly keyId: string; readonly encryptedSecret: string };

/** What was due and stays. */
export type Left = {
  /** Something would have been taken with more room: whichever attempt ends makes some. */
  readonly forWantOfRoom: boolean;
  /** Those with as many attempts running as they may have: one of their own has to end. */
  readonly partnersAtTheirCap: readonly string[];
};

export type Claim = {
  readonly claimed: readonly Claimed[];
  readonly left: Left;
  /** The database's time of the claim, for our own records. */
  readonly now: Date;
  /** Its real time, for receivers: they compare with clocks of their own, which TEST's does not move. */
  readonly realNow: Date;
};

/** Of whom a claim takes: of everybody who has something due, or of these partners alone. */
export type Among = 'everybody' | readonly string[];

type ClaimRequest = {
  readonly leaseId: string;
  /** How many at most. */
  readonly room: number;
  readonly among: Among;
};

/**
 * Leases up to `room` due events, fairly: the first of every partner, then the second of every partner, and so on. A
 * partner without address or without a secret that signs is passed over; its events stay due. The cost does not depend
 * on how much a partner has waiting: each partner costs one look into the index.
 */
export async function claimDeliveries(db: Db, leaseId: string, room: number): Promise<Claim> {
  return toClaim(await inOneRoundTrip<ClaimRow>(db, claimTransaction({ leaseId, room, among: 'everybody' })));
}

/**
 * Stores events and claims as `claimDeliveries` does, in one round trip. Two transactions: nobody else's claim waits until
 * the events are on the disk. Resolves when both are through, to how each went: a claim that follows a failure took something, too.
 */
export async function storeAndClaim(
  db: Db,
  events: readonly NewEvent[],
  request: ClaimRequest,
): Promise<{ readonly stored: Promise<unknown>; readonly claim: Promise<Claim> }> {
  const { stored, claimed } = await inOneWrite(db, (send) => ({
    stored: send([insertStatement(events)]),
    claimed: send<ClaimRow>(claimTransaction(request)),
  }));
  return { stored, claim: claimed.then(toClaim) };
}

function claimTransaction(request: ClaimRequest): readonly SQL[] {
  return [
    // A lease that a crash of the database takes back is claimed again: at worst somebody repeats the same event.
    sql`select ${PLAN_BY_INDEXES}, set_config('synchronous_commit', 'off', true), pg_advisory_xact_lock(${ADVISORY_LOCKS.claimDeliveries})`,
    claimStatement(request),
  ];
}

function toClaim([, rows = []]: readonly (readonly ClaimRow[])[]): Claim {
  return {
    claimed: rows.filter(isClaimed).map((row) => ({
      eventId: row.event_id,
      partnerId: row.partner_id,
      type: row.type,
      aggregateId: row.aggregate_id,
      aggregateVersion: row.aggregate_version,
      attemptCount: row.attempt_count,
      body: row.body,
      resentBy: row.resent_by,
      callbackUrl: row.callback_url,
      keys: row.keys,
    })),
    left: { forWantOfRoom: rows[0]?.wants_room ?? false, partnersAtTheirCap: rows[0]?.at_cap ?? [] },
    now: new Date(Number(rows[0]?.milliseconds ?? 0)),
    realNow: new Date(Number(rows[0]?.real_milliseconds ?? 0)),
  };
}

/** The partners with something due: from one to the next in the index, without reading what each has. */
const EVERYBODY = sql`
  (select partner_id from aggregates where due_at is not null order by partner_id limit 1)
  union all
  select (select a.partner_id from aggregates a
    where a.due_at is not null and a.partner_id > w.partner_id order by a.partner_id limit 1)
  from waiting w where w.partner_id is not null`;

function claimStatement({ leaseId, room, among }: ClaimRequest): SQL {
  const waiting =
    among === 'everybody'
      ? EVERYBODY
      : sql`select partner_id from jsonb_array_elements_text(${JSON.stringify(among)}::jsonb) as given (partner_id)`;
  // One call of the clock: in TEST it reads a row of its own.
  return sql`
    with recursive moment as materialized (
      select clock_now() as now, clock_timestamp() as real_now
    ), waiting as (${waiting}
    ), able as materialized (
      select r.partner_id, r.callback_url,
        case
          when r.dead_since is not null then ${DEAD_PARTNER_CONCURRENCY_MAX}::int
          when r.slow_until > (select now from moment) or r.failures_in_a_row >= ${FAILING_AFTER}::int then ${SLOW_PARTNER_CONCURRENCY_MAX}::int
          else ${PARTNER_CONCURRENCY_MAX}::int
        end - (select count(*) from aggregates l
          where l.partner_id = r.partner_id and l.leased_until > (select real_now from moment)) as room
      from receivers r
      where r.partner_id = any(array(select partner_id from waiting)) and r.callback_url is not null
        and (r.paused_until is null or r.paused_until <= (select now from moment))
        and exists (select from callback_keys k
        where k.partner_id = r.partner_id and (k.expires_at is null or k.expires_at > (select now from moment)))
    ), share as materialized (
      -- An equal part for each; what one does not need, others get at the next claim.
      select greatest(1, ${room}::int / greatest(1, count(*))) as most from able where able.room > 0
    ), due as materialized (
      -- And one more, to see whether something is left.
      select able.partner_id, found.aggregate_id, able.callback_url, found.turn, found.turn <= able.room as is_under_cap,
        found.turn <= least(able.room, share.most) as fits
      from able cross join share cross join lateral (
        select a.aggregate_id, row_number() over (order by a.due_at) as turn from aggregates a
        where a.partner_id = able.partner_id and a.due_at <= (select now from moment)
          and (a.leased_until is null or a.leased_until <= (select real_now from moment))
        order by a.due_at limit least(greatest(able.room, 0), share.most) + 1) found
    ), picked as materialized (
      select aggregate_id, callback_url from due where fits order by turn, random() limit ${room}
    ), leased as (
      update aggregates a
      set lease_id = ${leaseId}::uuid, due_at = (select now from moment) + make_interval(secs => ${LEASE_SECONDS}),
        leased_until = (select real_now from moment) + make_interval(secs => ${LEASE_SECONDS})
      from picked p where a.aggregate_id = p.aggregate_id and a.due_at <= (select now from moment)
        and (a.leased_until is null or a.leased_until <= (select real_now from moment))
      returning a.aggregate_id, a.next_version, p.callback_url
    )
    select e.event_id, e.partner_id, e.type, e.aggregate_id, e.aggregate_version, e.attempt_count, e.body, e.resent_by,
      l.callback_url, (select count(*) from due where is_under_cap) > (select count(*) from picked) as wants_room,
      array(select partner_id from due where not is_under_cap) as at_cap,
      (select jsonb_agg(jsonb_build_object('keyId', k.key_id, 'encryptedSecret', k.encrypted_secret) order by k.issued_at desc)
        from callback_keys k
        where k.partner_id = e.partner_id and (k.expires_at is null or k.expires_at > (select now from moment))) as keys,
      trunc(extract(epoch from moment.now) * 1000)::bigint as milliseconds,
      trunc(extract(epoch from moment.real_now) * 1000)::bigint as real_milliseconds
    from moment left join (leased l cross join lateral (select * from events e
      where e.aggregate_id = l.aggregate_id and e.status = 'WAITING' and e.aggregate_version <= l.next_version
      order by e.aggregate_version limit 1) e) on true`;
}

/** The moment of a claim with what it took, a row each; without anything taken a row of its own. */
type ClaimRow = ClaimedRow | (ClaimMoment & { event_id: null });

type ClaimMoment = { wants_room: boolean; at_cap: string[]; milliseconds: string; real_milliseconds: string };

const isClaimed = (row: ClaimRow): row is ClaimedRow => row.event_id !== null;

type ClaimedRow = ClaimMoment & {
  event_id: string;
  partner_id: string;
  type: string;
  aggregate_id: string;
  aggregate_version: number;
  attempt_count: number;
  body: Buffer;
  resent_by: string | null;
  callback_url: string;
  keys: SigningKeyRow[];
};

/** Gives back what was claimed and not sent: it is due at once, for any replica, and no attempt is counted. */
export async function releaseLeases(db: Db, leaseId: string, aggregateIds: readonly string[]): Promise<void> {
  await inOneRoundTrip(db, [
    sql`update aggregates set lease_id = null, leased_until = null, due_at = clock_now()
      where lease_id = ${leaseId}::uuid
        and aggregate_id in (select value::uuid from jsonb_array_elements_text(${JSON.stringify(aggregateIds)}::jsonb))`,
  ]);
}
