import { sql } from 'drizzle-orm';
import { EXTRA_EVENTS } from '@pay/contract/extra-events.ts';
import type { Db } from '@pay/shared/postgres/db.ts';
import { compiledRaw } from '@pay/shared/postgres/fast/compiled.ts';
import { inOneRoundTrip, type Whole } from '@pay/shared/postgres/fast/one-round-trip.ts';
import type { RenderedEvent } from '../events/render-event.ts';

/** A new event, as far as its message knows. `eventId` is the message's id. */
export type NewEvent = RenderedEvent & {
  readonly eventId: string;
  readonly type: string;
  readonly requestId: string | null;
  readonly traceparent: string | null;
};

/**
 * Stores events, each once however often its message arrives (the inbox row is part of the statement), and makes their
 * aggregates due if they wait for nothing else. An event whose partner has no address, never had a secret, or has not switched it
 * on is stored as NOT_CONFIGURED and skipped: only a replay sends it (spec/service-contract#events,
 * decisions/partner-events). One statement is a transaction without the two extra round trips. It locks the aggregates'
 * rows before the events exist, so that whoever records an attempt of the same aggregate waits for it and then sees
 * them.
 */
export async function insertEvents(db: Db, events: readonly NewEvent[]): Promise<void> {
  await inOneRoundTrip(db, [insertStatement(events)]);
}

/** The types that are sent only to partners who switched them on. */
const EXTRA = sql.raw(`'{${EXTRA_EVENTS.join(',')}}'::text[]`);

/** The statement of `insertEvents`, for a transaction that is sent in one round trip. */
export function insertStatement(events: readonly NewEvent[]): Whole {
  const rows = events.map(({ eventId, type, partnerId, aggregateId, aggregateVersion, body, requestId, traceparent }) => ({
    event_id: eventId,
    type,
    partner_id: partnerId,
    aggregate_id: aggregateId,
    version: aggregateVersion,
    body: body.toString('base64'),
    request_id: requestId,
    traceparent,
  }));
  return insertRows({ rows: JSON.stringify(rows) });
}

const insertRows = compiledRaw(['rows'], ({ rows }) => {
  // All in one order, so that two replicas with the same aggregates wait for each other instead of deadlocking.
  // While an attempt is running, the aggregate belongs to it: recording the attempt looks for the next event.
  return sql`
    with moment as materialized (
      select clock_now() as now
    ), given as materialized (
      select * from jsonb_to_recordset(${rows}::jsonb) as r (event_id uuid, type text, partner_id text,
        aggregate_id uuid, version int, body text, request_id text, traceparent text)
    ), received as (
      insert into inbox (message_id, received_at) select event_id, now from given, moment order by event_id on conflict do nothing
      returning message_id
    ), fresh as materialized (
      select given.*, case when (
          select r.configured_at is not null and (given.type <> all(${EXTRA}) or given.type = any(r.extra_events))
          from receivers r where r.partner_id = given.partner_id)
        then 'WAITING' else 'NOT_CONFIGURED' end as status
      from given join received on message_id = event_id
    ), receiver as (
      insert into receivers (partner_id) select distinct partner_id from fresh order by partner_id on conflict do nothing
    ), passed as materialized (
      select aggregate_id, array_agg(version) as versions from fresh where status <> 'WAITING' group by aggregate_id
    ), aggregate as (
      insert into aggregates as a (aggregate_id, partner_id, kind, next_version, due_at, created_at, last_version)
      select aggregate_id, partner_id, kind, next_version,
        case when exists (select from fresh f where f.aggregate_id = g.aggregate_id and f.status = 'WAITING'
          and f.version = g.next_version) then now end, now, last_version
      from moment cross join (
        select aggregate_id, min(partner_id) as partner_id, min(split_part(type, '.', 1)) as kind, max(version) as last_version,
          turn_from(aggregate_id, 1, (select p.versions from passed p where p.aggregate_id = fresh.aggregate_id)) as next_version
        from fresh group by aggregate_id) g
      order by aggregate_id
      on conflict (aggregate_id) do update set last_version = greatest(a.last_version, excluded.last_version),
        (next_version, due_at) = (
          select turn, case
            when a.lease_id is not null or a.due_at is not null then a.due_at
            when exists (select from fresh f where f.aggregate_id = a.aggregate_id and f.status = 'WAITING' and f.version <= turn)
            then excluded.created_at else due_by(a.aggregate_id, turn) end
          from (select case
            when excluded.last_version > a.next_version or exists (select from passed p where p.aggregate_id = a.aggregate_id)
            then turn_from(a.aggregate_id, a.next_version, (select p.versions from passed p where p.aggregate_id = a.aggregate_id))
            else a.next_version end as turn) as t)
      returning a.aggregate_id
    )
    insert into events (event_id, partner_id, type, aggregate_id, aggregate_version, body, recorded_at, status,
      next_attempt_at, ended_at, request_id, traceparent)
    select event_id, partner_id, type, aggregate_id, version, decode(body, 'base64'), now, status,
      case when status = 'WAITING' then now end, case when status <> 'WAITING' then now end, request_id, traceparent
    from fresh join aggregate using (aggregate_id) cross join moment order by version`;
});
