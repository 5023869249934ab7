import type { Statement } from '../postgres/fast/send-whole.ts';
import { statementName } from '../postgres/fast/statement-name.ts';

/**
 * Who publishes a service's outbox: whoever holds the one row of `relay_lease`. Not a lock of a session: a pooler keeps a
 * session, and its lock, for nobody, or hands it to somebody else. Longer than a leader pauses after faults; short enough that
 * what a killed leader leaves is told within ten seconds. ADR 0093.
 */
const LEASE_SECONDS = 7;

// By PostgreSQL's own clock: that of TEST can be moved, and a lease is about processes.
const UNTIL = `clock_timestamp() + interval '${String(LEASE_SECONDS)} seconds'`;

/** Takes a lease that is over, or one's own. Returns its fence: higher than any before. */
export const TAKE_LEASE = `update relay_lease set fence = fence + 1, holder = $1, until = ${UNTIL}
  where one and (until < clock_timestamp() or holder = $1) returning fence::text as fence`;

/** Returns a row while the lease is held. */
export const KEEP_LEASE = `update relay_lease set until = ${UNTIL} where one and fence = $1 returning true as held`;

/** For the next one, at once. */
export const LEAVE_LEASE = `update relay_lease set until = '-infinity' where one and fence = $1`;

const MOVE = `with held as (update relay_lease set until = ${UNTIL} where one and fence = $2 returning true as held),
  gone as (delete from outbox where position = any($1::bigint[]) and exists (select from held) returning *),
  kept as (insert into published (message_id, type, aggregate_id, payload, request_id, traceparent, occurred_at)
    select message_id, type, aggregate_id, payload, request_id, traceparent, occurred_at from gone)
  select held from held`;

/**
 * Moves these from the outbox to what was published, and keeps the lease, while it is held: no row comes back where it is
 * somebody else's, and nothing is moved. The row of the lease is locked, so that nobody takes it in between.
 */
export function movePublishedWhileHeld(positions: readonly string[], fence: string): Statement {
  return { name: statementName(MOVE), text: MOVE, values: [`{${positions.join(',')}}`, fence] };
}
