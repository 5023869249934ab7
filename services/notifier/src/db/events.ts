import { sql, type SQL } from 'drizzle-orm';
import type { Db } from '@pay/shared/database/database.ts';
import type { RenderedEvent } from '../events/render-event.ts';

/** An event that is told for the first time, as far as its message knows. `eventId` is the message's id. */
export type NewEvent = RenderedEvent & {
  readonly eventId: string;
  readonly type: string;
  readonly requestId: string | null;
};

/**
 * Stores events, each once however often its message comes (the inbox row is part of the statement), and makes their
 * aggregates due where it is one's turn. One statement, and so a transaction without the two round trips of one. Takes the
 * aggregates' rows before the events are there: whoever records an attempt of the same aggregate waits for it and then
 * sees them.
 */
export async function insertEvents(db: Db, events: readonly NewEvent[]): Promise<void> {
  await db.execute(insertStatement(events));
}

/** `insertEvents`, for a transaction that is sent whole. */
export function insertStatement(events: readonly NewEvent[]): SQL {
  const rows = events.map(({ eventId, type, partnerId, aggregateId, aggregateVersion, body, requestId }) => ({
    event_id: eventId,
    type,
    partner_id: partnerId,
    aggregate_id: aggregateId,
    version: aggregateVersion,
    body: body.toString('base64'),
    request_id: requestId,
  }));
  // Everything in one order, so that two replicas with the same aggregates wait for each other instead of deadlocking.
  // While an attempt runs, the aggregate belongs to it: recording the attempt looks for the next event.
  return sql`
    with moment as materialized (
      select clock_now() as now
    ), given as materialized (
      select * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r (event_id uuid, type text, partner_id text,
        aggregate_id uuid, version int, body text, request_id text)
    ), received as (
      insert into inbox (message_id, received_at) select event_id, now from given, moment order by event_id on conflict do nothing
      returning message_id
    ), fresh as materialized (
      select given.* from given join received on message_id = event_id
    ), receiver as (
      insert into receivers (partner_id) select distinct partner_id from fresh order by partner_id on conflict do nothing
    ), aggregate as (
      insert into aggregates as a (aggregate_id, partner_id, kind, due_at, created_at, last_version)
      select aggregate_id, min(partner_id), min(split_part(type, '.', 1)), case when min(version) = 1 then now end, now,
        max(version)
      from fresh, moment group by aggregate_id, now order by aggregate_id
      on conflict (aggregate_id) do update set last_version = greatest(a.last_version, excluded.last_version), due_at = case
        when a.lease_id is null and exists (select from fresh f
          where f.aggregate_id = a.aggregate_id and f.version = a.next_version) then coalesce(a.due_at, excluded.created_at)
        else a.due_at end
      returning a.aggregate_id
    )
    insert into events (event_id, partner_id, type, aggregate_id, aggregate_version, body, recorded_at, status,
      next_attempt_at, request_id)
    select event_id, partner_id, type, aggregate_id, version, decode(body, 'base64'), now, 'WAITING', now, request_id
    from fresh join aggregate using (aggregate_id) cross join moment`;
}
