import { sql } from 'drizzle-orm';
import type { Tx } from '@pay/shared/database/database.ts';
import { events } from './schema.ts';
import type { RenderedEvent } from '../events/render-event.ts';

/**
 * Stores an event and, when it is its aggregate's turn, makes it due. Takes the aggregate's row first: whoever records
 * an attempt of the same aggregate waits for this transaction and then sees the event.
 */
export async function insertEvent(tx: Tx, eventId: string, type: string, event: RenderedEvent): Promise<void> {
  const { partnerId, aggregateId, aggregateVersion, body } = event;
  await tx.execute(sql`insert into receivers (partner_id) values (${partnerId}) on conflict do nothing`);
  // The update changes nothing; it takes the row's lock.
  await tx.execute(sql`insert into aggregates (aggregate_id, partner_id) values (${aggregateId}, ${partnerId})
    on conflict (aggregate_id) do update set partner_id = aggregates.partner_id`);
  await tx.insert(events).values({
    eventId,
    partnerId,
    type,
    aggregateId,
    aggregateVersion,
    body,
    status: 'WAITING',
    nextAttemptAt: sql`clock_now()`,
  });
  // While an attempt runs, the row belongs to it: recording the attempt looks for the next event.
  await tx.execute(sql`update aggregates set due_at = clock_now()
    where aggregate_id = ${aggregateId} and next_version = ${aggregateVersion} and lease_id is null`);
}
