import { sql } from 'drizzle-orm';
import { inTransaction, type Db } from '@pay/shared/database/database.ts';
import type { Outcome } from '../domain/answer.ts';
import type { EventStatus } from '../domain/event-status.ts';

/** Attempts of one partner that run at once, over all replicas: enough for a fast receiver, harmless to a small one. */
export const PARTNER_CONCURRENCY_MAX = 16;
/** The same for a receiver that was slow within the last minute. */
const SLOW_PARTNER_CONCURRENCY_MAX = 2;
/** The same for a dead address: one probe. */
const DEAD_PARTNER_CONCURRENCY_MAX = 1;
/** Longer than an attempt can take (10 s) and its record; what a killed replica held is free after it. */
export const LEASE_SECONDS = 30;
/** One claim at a time over all replicas: it is short, and so the caps above are exact. */
const CLAIM_LOCK = 7_305_011;

/** An event that this replica may send now, once. */
export type Claimed = {
  readonly eventId: string;
  readonly partnerId: string;
  readonly type: string;
  readonly aggregateId: string;
  readonly aggregateVersion: number;
  /** Attempts before this one in the present round. */
  readonly attemptCount: number;
  readonly body: Buffer;
  readonly resentBy: string | null;
  readonly callbackUrl: string;
};

/** An encrypted key that signs for a partner at the moment of the claim. */
export type SigningKeyRow = { readonly partnerId: string; readonly keyId: string; readonly encryptedSecret: string };

export type Claim = {
  readonly claimed: readonly Claimed[];
  /** Newest first within a partner. */
  readonly keys: readonly SigningKeyRow[];
  /** The database's time of the claim. */
  readonly now: Date;
};

/**
 * Leases up to `room` due events, fairly: the first of every partner, then the second of every partner, and so on. A
 * partner without address or without a secret that signs is passed over; its events stay due. The cost does not depend
 * on how much a partner has waiting: each partner costs one look into the index.
 */
export async function claimDeliveries(db: Db, leaseId: string, room: number): Promise<Claim> {
  return inTransaction(db, async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(${CLAIM_LOCK})`);
    const { rows } = await tx.execute<ClaimedRow>(sql`
      with recursive waiting as (
        (select partner_id from aggregates where due_at is not null order by partner_id limit 1)
        union all
        select (select a.partner_id from aggregates a
          where a.due_at is not null and a.partner_id > w.partner_id order by a.partner_id limit 1)
        from waiting w where w.partner_id is not null
      ), able as materialized (
        select r.partner_id, r.callback_url,
          case
            when r.dead_since is not null then ${DEAD_PARTNER_CONCURRENCY_MAX}::int
            when r.slow_until > clock_now() then ${SLOW_PARTNER_CONCURRENCY_MAX}::int
            else ${PARTNER_CONCURRENCY_MAX}::int
          end - (select count(*) from aggregates l
            where l.partner_id = r.partner_id and l.lease_id is not null and l.due_at > clock_now()) as room
        from waiting w join receivers r on r.partner_id = w.partner_id
        where r.callback_url is not null and exists (select from callback_keys k
          where k.partner_id = r.partner_id and (k.expires_at is null or k.expires_at > clock_now()))
      ), picked as (
        select due.aggregate_id, able.callback_url,
          row_number() over (partition by able.partner_id order by due.due_at) as turn
        from able cross join lateral (
          select a.aggregate_id, a.due_at from aggregates a
          where a.partner_id = able.partner_id and a.due_at <= clock_now()
          order by a.due_at limit greatest(able.room, 0)) due
        order by turn, random() limit ${room}
      ), leased as (
        update aggregates a
        set lease_id = ${leaseId}::uuid, due_at = clock_now() + make_interval(secs => ${LEASE_SECONDS})
        from picked p where a.aggregate_id = p.aggregate_id and a.due_at <= clock_now()
        returning a.aggregate_id, a.next_version, p.callback_url
      )
      select e.event_id, e.partner_id, e.type, e.aggregate_id, e.aggregate_version, e.attempt_count, e.body, e.resent_by,
        l.callback_url
      from leased l cross join lateral (select * from events e
        where e.aggregate_id = l.aggregate_id and e.status = 'WAITING' and e.aggregate_version <= l.next_version
        order by e.aggregate_version limit 1) e`);
    const partnerIds = [...new Set(rows.map((row) => row.partner_id))];
    const keys = await tx.execute<KeyRow>(sql`
      select partner_id, key_id, encrypted_secret from callback_keys
      where partner_id in (select jsonb_array_elements_text(${JSON.stringify(partnerIds)}::jsonb))
        and (expires_at is null or expires_at > clock_now())
      order by issued_at desc`);
    const clock = await tx.execute<{ milliseconds: string }>(
      sql`select trunc(extract(epoch from clock_now()) * 1000)::bigint as milliseconds`,
    );
    return {
      claimed: rows.map((row) => ({
        eventId: row.event_id,
        partnerId: row.partner_id,
        type: row.type,
        aggregateId: row.aggregate_id,
        aggregateVersion: row.aggregate_version,
        attemptCount: row.attempt_count,
        body: row.body,
        resentBy: row.resent_by,
        callbackUrl: row.callback_url,
      })),
      keys: keys.rows.map((row) => ({
        partnerId: row.partner_id,
        keyId: row.key_id,
        encryptedSecret: row.encrypted_secret,
      })),
      now: new Date(Number(clock.rows[0]?.milliseconds)),
    };
  });
}

type ClaimedRow = {
  event_id: string;
  partner_id: string;
  type: string;
  aggregate_id: string;
  aggregate_version: number;
  attempt_count: number;
  body: Buffer;
  resent_by: string | null;
  callback_url: string;
};
type KeyRow = { partner_id: string; key_id: string; encrypted_secret: string };

/** An attempt that was made, and what was decided after it. */
export type AttemptRecord = {
  readonly leaseId: string;
  readonly event: Claimed;
  readonly keyIds: string;
  readonly startedAt: Date;
  readonly durationMs: number;
  readonly httpStatus: number | null;
  readonly failure: string | null;
  readonly excerpt: Buffer;
  readonly outcome: Outcome;
  readonly status: EventStatus;
  /** Set while the event waits. */
  readonly waitMs: number | null;
};

/** A receiver that answered later than this is served slowly for the next minute. */
const SLOW_ANSWER_MS = 3_000;
const SLOW_LANE_SECONDS = 60;
/** Decisions "a dead address". */
const DEAD_AFTER_FAILURES = 20;
const DEAD_AFTER_MINUTES = 10;

/** Something that a human should look at, as it was raised. */
export type RaisedAlert = { readonly partnerId: string; readonly kind: string };

/**
 * Records attempts, many at once: the attempt rows, what becomes of each event, the next event of each aggregate, and
 * how each receiver behaves. An attempt whose lease was taken over meanwhile is kept as a fact and decides nothing.
 */
export async function recordAttempts(db: Db, records: readonly AttemptRecord[]): Promise<readonly RaisedAlert[]> {
  const json = JSON.stringify(records.map(toJson));
  const receivers = JSON.stringify(behaviourOf(records));
  return inTransaction(db, async (tx) => {
    // Locks first, in one order: a new event of these aggregates is now either visible below or waits for us.
    await tx.execute(sql`
      select 1 from aggregates a
      where a.aggregate_id in (select aggregate_id from jsonb_to_recordset(${json}::jsonb) as r (aggregate_id uuid))
      order by a.aggregate_id for update`);
    await tx.execute(sql`
      insert into attempts (event_id, partner_id, number, url, key_ids, started_at, duration_ms, status, failure, outcome,
        excerpt, next_attempt_at, resent_by)
      select event_id, partner_id, number, url, key_ids, started_at, duration_ms, http_status, failure, outcome,
        decode(excerpt, 'base64'), clock_now() + wait_ms * interval '1 millisecond', resent_by
      from jsonb_to_recordset(${json}::jsonb) as r (event_id uuid, partner_id text, number int, url text, key_ids text,
        started_at timestamptz, duration_ms int, http_status smallint, failure text, outcome text, excerpt text,
        wait_ms bigint, resent_by text)`);
    await tx.execute(sql`
      update events e set
        status = r.status,
        attempt_count = r.number,
        next_attempt_at = clock_now() + r.wait_ms * interval '1 millisecond',
        ended_at = case when r.status = 'WAITING' then null else clock_now() end
      from jsonb_to_recordset(${json}::jsonb) as r (event_id uuid, aggregate_id uuid, lease_id uuid, number int,
        status text, wait_ms bigint)
      join aggregates a on a.aggregate_id = r.aggregate_id and a.lease_id = r.lease_id
      where e.event_id = r.event_id`);
    await tx.execute(sql`
      update aggregates a set
        lease_id = null,
        next_version = n.next_version,
        due_at = (select e.next_attempt_at from events e
          where e.aggregate_id = a.aggregate_id and e.status = 'WAITING' and e.aggregate_version <= n.next_version
          order by e.aggregate_version limit 1)
      from (
        select r.aggregate_id, r.lease_id, case when r.status = 'WAITING' then held.next_version
          else greatest(held.next_version, r.version + 1) end as next_version
        from jsonb_to_recordset(${json}::jsonb) as r (aggregate_id uuid, lease_id uuid, version int, status text)
        join aggregates held on held.aggregate_id = r.aggregate_id) n
      where a.aggregate_id = n.aggregate_id and a.lease_id = n.lease_id`);
    const raised = await tx.execute<{ partner_id: string; kind: string; event_id: string | null }>(sql`
      with seen as (
        select * from jsonb_to_recordset(${receivers}::jsonb) as s (partner_id text, living boolean, failures int,
          slow boolean, refused_event uuid, exhausted_event uuid, delivered boolean)
      ), held as materialized (
        select r.partner_id, r.dead_since, r.refusing_since from receivers r join seen s on s.partner_id = r.partner_id
        where not (s.living and s.failures = 0) or s.slow or s.refused_event is not null or s.exhausted_event is not null
          or r.failures_in_a_row > 0 or r.dead_since is not null or r.refusing_since is not null
        order by r.partner_id for update of r
      ), changed as (
        update receivers r set
          failures_in_a_row = case when s.living then s.failures else r.failures_in_a_row + s.failures end,
          failing_since = case when s.failures = 0 then case when s.living then null else r.failing_since end
            when s.living then clock_now() else coalesce(r.failing_since, clock_now()) end,
          dead_since = case
            when s.living then null
            when r.dead_since is not null then r.dead_since
            when r.failures_in_a_row + s.failures >= ${DEAD_AFTER_FAILURES}
              and r.failing_since <= clock_now() - make_interval(mins => ${DEAD_AFTER_MINUTES}) then clock_now()
          end,
          slow_until = case when s.slow then clock_now() + make_interval(secs => ${SLOW_LANE_SECONDS}) else r.slow_until end,
          refusing_since = case
            when s.refused_event is not null then coalesce(r.refusing_since, clock_now())
            when s.delivered then null else r.refusing_since end
        from seen s join held h on h.partner_id = s.partner_id where r.partner_id = s.partner_id
        returning r.partner_id, s.refused_event, s.exhausted_event,
          h.refusing_since is null and s.refused_event is not null as first_refusal,
          h.dead_since is null and r.dead_since is not null as died
      ), news as (
        select partner_id, 'FIRST_REFUSAL' as kind, refused_event as event_id from changed where first_refusal
        union all select partner_id, 'EXHAUSTED', exhausted_event from changed where exhausted_event is not null
        union all select partner_id, 'DEAD_ADDRESS', null from changed where died
      )
      insert into alerts (partner_id, kind, event_id) select partner_id, kind, event_id from news
      returning partner_id, kind, event_id`);
    return raised.rows.map((row) => ({ partnerId: row.partner_id, kind: row.kind }));
  });
}

function toJson({ event, ...record }: AttemptRecord): Readonly<Record<string, unknown>> {
  return {
    lease_id: record.leaseId,
    event_id: event.eventId,
    aggregate_id: event.aggregateId,
    version: event.aggregateVersion,
    partner_id: event.partnerId,
    number: event.attemptCount + 1,
    url: event.callbackUrl,
    key_ids: record.keyIds,
    started_at: record.startedAt.toISOString(),
    duration_ms: record.durationMs,
    http_status: record.httpStatus,
    failure: record.failure,
    outcome: record.outcome,
    status: record.status,
    excerpt: record.excerpt.length === 0 ? null : record.excerpt.toString('base64'),
    wait_ms: record.waitMs,
    resent_by: event.resentBy,
  };
}

/** One row a partner: what its receiver showed in these attempts, in their order. */
function behaviourOf(records: readonly AttemptRecord[]): readonly Readonly<Record<string, unknown>>[] {
  const byPartner = new Map<string, AttemptRecord[]>();
  for (const record of records) {
    const own = byPartner.get(record.event.partnerId);
    if (own === undefined) byPartner.set(record.event.partnerId, [record]);
    else own.push(record);
  }
  return [...byPartner].map(([partnerId, own]) => {
    // A clear yes or no shows a living receiver; everything else is one more failure in a row.
    const lastSign = own.findLastIndex((record) => record.outcome === 'DELIVERED' || record.outcome === 'REFUSED');
    const refused = own.find((record) => record.outcome === 'REFUSED');
    return {
      partner_id: partnerId,
      living: lastSign !== -1,
      failures: own.length - 1 - lastSign,
      slow: own.some((record) => record.durationMs > SLOW_ANSWER_MS),
      refused_event: refused?.event.eventId ?? null,
      exhausted_event: own.find((record) => record.status === 'EXHAUSTED')?.event.eventId ?? null,
      delivered: own.some((record) => record.outcome === 'DELIVERED'),
    };
  });
}

/** Gives back what was claimed and not sent: it is due at once, for any replica, and no attempt is counted. */
export async function releaseLeases(db: Db, leaseId: string, aggregateIds: readonly string[]): Promise<void> {
  await inTransaction(db, (tx) =>
    tx.execute(sql`update aggregates set lease_id = null, due_at = clock_now()
      where lease_id = ${leaseId}::uuid
        and aggregate_id in (select value::uuid from jsonb_array_elements_text(${JSON.stringify(aggregateIds)}::jsonb))`),
  );
}
