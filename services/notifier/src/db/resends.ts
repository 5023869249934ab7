import { sql } from 'drizzle-orm';
import type { Tx } from '@pay/shared/postgres/db.ts';
import type { OperatorLogin, PartnerId } from '@pay/shared/identities/identities.ts';

/**
 * Makes events due now; finished ones start a new round of the schedule. The aggregate's lease still decides when: a second
 * attempt never joins a running one of the same payment. An event whose own attempt is running, or not recorded yet, is
 * sent once more after it, however often that is requested meanwhile: what has left may be what the receiver lost.
 * Returns how many events changed.
 */
export async function makeDue(tx: Tx, eventIds: readonly string[], operator: OperatorLogin): Promise<number> {
  const ids = sql`(select value::uuid from jsonb_array_elements_text(${JSON.stringify(eventIds)}::jsonb))`;
  // In the same order as the recording of attempts.
  await tx.execute(sql`select 1 from aggregates
    where aggregate_id in (select aggregate_id from events where event_id in ${ids}) order by aggregate_id for update`);
  const changed = await tx.execute(sql`
    update events e set
      attempt_count = case when e.status = 'WAITING' then e.attempt_count else 0 end,
      status = 'WAITING', next_attempt_at = clock_now(), ended_at = null, resent_by = ${operator}, resend_lease = a.lease_id
    from aggregates a
    where e.event_id in ${ids} and a.aggregate_id = e.aggregate_id`);
  await tx.execute(sql`
    update aggregates a set due_at = (select e.next_attempt_at from events e
      where e.aggregate_id = a.aggregate_id and e.status = 'WAITING' and e.aggregate_version <= a.next_version
      order by e.aggregate_version limit 1)
    where a.lease_id is null
      and a.aggregate_id in (select aggregate_id from events where event_id in ${ids})`);
  return changed.rowCount ?? 0;
}

/** One test callback per minute and partner: each costs an attempt, which is kept for 30 days. */
const TEST_EVERY_SECONDS = 60;

/** Lets a partner send a test callback, and notes that; or returns the seconds to wait. */
export async function admitTest(tx: Tx, partnerId: PartnerId): Promise<{ readonly waitSeconds: number }> {
  const { rows: taken } = await tx.execute(sql`
    update receivers set tested_at = clock_now()
    where partner_id = ${partnerId}
      and (tested_at is null or tested_at <= clock_now() - make_interval(secs => ${TEST_EVERY_SECONDS}))
    returning partner_id`);
  if (taken.length === 1) return { waitSeconds: 0 };
  const { rows } = await tx.execute<{ left: string }>(sql`
    select ceil(extract(epoch from tested_at - clock_now()) + ${TEST_EVERY_SECONDS}) as left
    from receivers where partner_id = ${partnerId}`);
  return { waitSeconds: Math.max(1, Number(rows[0]?.left)) };
}

/** How many replays a partner may request per minute: each costs an attempt, with a response excerpt in the log. */
export const REPLAYS_A_MINUTE = 60;

/**
 * Lets a partner replay an event, and counts that; or says how long to wait, or that the partner has no
 * secret yet.
 */
export type ReplayAdmission =
  | { readonly kind: 'taken' }
  | { readonly kind: 'wait'; readonly seconds: number }
  | { readonly kind: 'not-configured' };

/** Takes one of this minute's replays. */
export async function admitReplay(tx: Tx, partnerId: PartnerId): Promise<ReplayAdmission> {
  const minute = sql`date_trunc('minute', clock_now())`;
  const { rows: taken } = await tx.execute(sql`
    update receivers set replay_minute = ${minute},
      replays_in_minute = case when replay_minute = ${minute} then replays_in_minute + 1 else 1 end
    where partner_id = ${partnerId} and configured_at is not null
      and (replay_minute is distinct from ${minute} or replays_in_minute < ${REPLAYS_A_MINUTE})
    returning partner_id`);
  if (taken.length === 1) return { kind: 'taken' };
  const { rows } = await tx.execute<{ is_configured: boolean; left: string }>(sql`
    select configured_at is not null as is_configured, ceil(60 - extract(second from clock_now())) as left
    from receivers where partner_id = ${partnerId}`);
  const [row] = rows;
  if (row?.is_configured !== true) return { kind: 'not-configured' };
  return { kind: 'wait', seconds: Math.max(1, Number(row.left)) };
}
