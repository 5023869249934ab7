import type { Statement } from '../postgres/fast/send-whole.ts';
import { statementName } from '../postgres/fast/statement-name.ts';

/**
 * The holder of the single row of `relay_lease` publishes a service's outbox. It is not a session lock: behind a pooler
 * a session, and its lock, may be dropped or handed to somebody else. The lease is longer than a leader's pauses after
 * failures, and short enough that what a killed leader left is published within ten seconds. See
 * decisions/outbox-and-relay.
 */
const LEASE_SECONDS = 7;

// By PostgreSQL's own clock: the TEST clock can be moved, and a lease is about processes.
const UNTIL = `clock_timestamp() + interval '${String(LEASE_SECONDS)} seconds'`;

/** Takes an expired lease, or renews one's own. Returns its fence: higher than any before. */
export const TAKE_LEASE = `update relay_lease set fence = fence + 1, holder = $1, until = ${UNTIL}
  where one and (until < clock_timestamp() or holder = $1) returning fence::text as fence`;

const KEEP = `update relay_lease set until = ${UNTIL} where one and fence = $1 returning true as held`;

/** Extends the lease, and returns a row, while it is held. */
export const keepLease = (fence: string): Statement => ({ name: statementName(KEEP), text: KEEP, values: [fence] });

/** Releases the lease at once for the next leader. */
export const LEAVE_LEASE = `update relay_lease set until = '-infinity' where one and fence = $1`;

const MOVE = `with held as (update relay_lease set until = ${UNTIL} where one and fence = $2 returning true as held),
  gone as (delete from outbox where position = any($1::bigint[]) and exists (select from held) returning *),
  kept as (insert into published (message_id, type, aggregate_id, payload, request_id, traceparent, occurred_at)
    select message_id, type, aggregate_id, payload, request_id, traceparent, occurred_at from gone)
  select held from held`;

/**
 * Moves these rows from the outbox to `published`, and extends the lease, while it is held: returns no row and moves
 * nothing if somebody else holds it. The lease's row is locked, so that nobody takes it in between.
 */
export function movePublishedWhileHeld(positions: readonly string[], fence: string): Statement {
  return { name: statementName(MOVE), text: MOVE, values: [`{${positions.join(',')}}`, fence] };
}
