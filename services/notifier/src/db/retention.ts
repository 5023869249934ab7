import { sql, type SQL } from 'drizzle-orm';
import { SWEEP_BATCH } from '@pay/shared/postgres/partitions.ts';
import { RETENTION_DAYS } from '@pay/shared/postgres/schema.ts';
import type { Tx } from '@pay/shared/postgres/db.ts';

/**
 * A payment can be refunded for 365 days, and its refund's event must find the previous version. Doubled for a refund
 * that a bank leaves open.
 */
const AGGREGATE_DAYS = 730;

/** Deletes one batch of finished events older than 30 days. A waiting event is never deleted. */
export async function sweepEvents(tx: Tx): Promise<number> {
  return rowsOf(
    tx,
    sql`delete from events where event_id in (
    select event_id from events where recorded_at < clock_now() - make_interval(days => ${RETENTION_DAYS})
      and status <> 'WAITING' and ended_at < clock_now() - make_interval(days => ${RETENTION_DAYS})
    order by recorded_at limit ${SWEEP_BATCH})`,
  );
}

/** Deletes one batch of payments' rows that can have no further event. Bindings stay: they may be revoked years later. */
export async function sweepAggregates(tx: Tx): Promise<number> {
  return rowsOf(
    tx,
    sql`delete from aggregates where aggregate_id in (
    select aggregate_id from aggregates a where a.created_at < clock_now() - make_interval(days => ${AGGREGATE_DAYS})
      and a.kind <> 'binding' and a.due_at is null and a.lease_id is null
      and not exists (select from events e where e.aggregate_id = a.aggregate_id) limit ${SWEEP_BATCH})`,
  );
}

async function rowsOf(tx: Tx, statement: SQL): Promise<number> {
  const { rowCount } = await tx.execute(statement);
  return rowCount ?? 0;
}
