import { sql } from 'drizzle-orm';
import type { Tx } from '@pay/shared/database/database.ts';
import type { RenderedEvent } from '../events/render-event.ts';

/**
 * Stores an event and, when it is its aggregate's turn, makes it due. Takes the aggregate's row first: whoever records
 * an attempt of the same aggregate waits for this transaction and then sees the event.
 */
export async function insertEvent(tx: Tx, eventId: string, type: string, event: RenderedEvent): Promise<void> {
  const { partnerId, aggregateId, aggregateVersion, body } = event;
  // While an attempt runs, the aggregate belongs to it: recording the attempt looks for the next event.
  await tx.execute(sql`
    with receiver as (
      insert into receivers (partner_id) values (${partnerId}) on conflict do nothing
    ), aggregate as (
      insert into aggregates as a (aggregate_id, partner_id, kind, due_at)
      values (${aggregateId}, ${partnerId}, split_part(${type}, '.', 1),
        case when ${aggregateVersion}::int = 1 then clock_now() end)
      on conflict (aggregate_id) do update set due_at = case
        when a.lease_id is null and a.next_version = ${aggregateVersion}::int then coalesce(a.due_at, clock_now())
        else a.due_at end
      returning a.aggregate_id
    )
    insert into events (event_id, partner_id, type, aggregate_id, aggregate_version, body, status, next_attempt_at)
    select ${eventId}::uuid, ${partnerId}, ${type}, aggregate_id, ${aggregateVersion}::int, ${body}::bytea, 'WAITING', clock_now()
    from aggregate`);
}
