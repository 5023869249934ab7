import { sql } from 'drizzle-orm';
import type { Tx } from '@pay/shared/postgres/db.ts';
import { RETENTION_DAYS } from '@pay/shared/postgres/schema.ts';
import type { PartnerId } from '@pay/shared/identities/identities.ts';

/** Events deleted per statement. */
export const ERASURE_BATCH = 1_000;

/** Records that a binding's buyer must be erased. Events of the binding that arrive later are erased too. */
export async function markBuyerErased(tx: Tx, bindingId: string, partnerId: PartnerId): Promise<void> {
  await tx.execute(sql`
    insert into aggregates as a (aggregate_id, partner_id, kind, buyer_erased_at)
    values (${bindingId}::uuid, ${partnerId}, 'binding', clock_now())
    on conflict (aggregate_id) do update set buyer_erased_at = coalesce(a.buyer_erased_at, excluded.buyer_erased_at)`);
}

/**
 * Deletes events of erased buyers with their attempts: finished ones at once, undeliverable ones after 30 days. Dead
 * letters about them follow the same rule. Returns the number of events.
 */
export async function deleteErasedEvents(tx: Tx): Promise<number> {
  const isOver = sql`a.buyer_erased_at < clock_now() - make_interval(days => ${RETENTION_DAYS})`;
  const { rowCount } = await tx.execute(sql`
    with over as materialized (
      select e.event_id, e.aggregate_id, e.status from aggregates a join events e using (aggregate_id)
      where a.buyer_erased_at is not null and (e.status <> 'WAITING' or ${isOver}) and a.lease_id is null
      limit ${ERASURE_BATCH}
    ), attempts_over as (
      delete from attempts where event_id in (select event_id from over)
    ), given_up as (
      -- Nothing is left to send: the aggregate neither comes up again nor counts as waiting for a version before.
      update aggregates a set due_at = null, next_version = a.last_version + 1
      where a.aggregate_id in (select aggregate_id from over where status = 'WAITING')
    )
    delete from events where event_id in (select event_id from over)`);
  await tx.execute(sql`
    delete from dead_letters d using aggregates a
    where a.buyer_erased_at is not null and d.aggregate_id = a.aggregate_id::text
      and (d.status = 'REDRIVEN' or d.refused or ${isOver})`);
  // Done: the next rounds read only what is left to do, however many buyers were erased over the years.
  await tx.execute(sql`
    update aggregates a set buyer_erased_at = null
    where ${isOver} and not exists (select from events e where e.aggregate_id = a.aggregate_id)`);
  return rowCount ?? 0;
}
