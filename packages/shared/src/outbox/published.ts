import { sql } from 'drizzle-orm';
import type { Db, Reader } from '../postgres/db.ts';
import { afterCommit, inTransaction } from '../postgres/transaction.ts';
import { selectRows } from '../postgres/select-rows.ts';
import { arrayOf, lowestId, partsOf, type Part, type Stretch } from './parts.ts';
import { wakeRelay } from './outbox.ts';

/**
 * How long a service keeps what it published (the migrations' `roll_published_partitions` has the same number): the
 * longest that a consumer may be down and lose its queue. Shorter than the retention of inboxes, so that whatever is
 * republished is recognised there.
 */
export const PUBLISHED_DAYS = 7;
/** Recently published facts are still in flight: they are not republished within this time, whoever asks. */
const SETTLE_SECONDS = 5;

const isOfTypes = (types: readonly string[]) => sql`type = any(${arrayOf(types)})`;

/** What was published of these types, in parts. */
export function publishedParts(reader: Reader, types: readonly string[], stretch: Stretch, partMs: number): Promise<Part[]> {
  return partsOf(reader, { table: sql`published`, isMeant: isOfTypes(types) }, stretch, partMs);
}

/** The ids of what was published of these types, oldest first. */
export async function publishedIds(reader: Reader, types: readonly string[], { fromMs, toMs }: Stretch, limit: number): Promise<string[]> {
  const rows = await selectRows<{ id: string }>(
    reader,
    sql`select message_id as id from published
    where message_id >= ${lowestId(fromMs)}::uuid and message_id < ${lowestId(toMs)}::uuid and ${isOfTypes(types)}
    order by message_id limit ${limit}`,
  );
  return rows.map(({ id }) => id);
}

/** Versions of one aggregate, `to` not included. */
export type Versions = { readonly aggregateId: string; readonly from: number; readonly to: number };

/** The facts that a consumer lacks: by their ids, or by the versions missing between two that arrived. */
export type Lacking = { readonly messageIds: readonly string[] } | { readonly versions: readonly Versions[] };

/**
 * Moves facts of these types back to the outbox, to be published and signed like any other: all that are still stored
 * and were not published within the last seconds. Returns their number. All consumers get them, and drop what they
 * already have.
 */
export async function publishAgain(db: Db, types: readonly string[], lacking: Lacking): Promise<number> {
  const isLacked =
    'messageIds' in lacking
      ? sql`message_id = any(${arrayOf(lacking.messageIds)}::uuid[])`
      : sql`exists (select from jsonb_to_recordset(${JSON.stringify(lacking.versions)}::jsonb)
          as lacked ("aggregateId" text, "from" int, "to" int)
        where lacked."aggregateId" = aggregate_id and (payload ->> 'aggregateVersion')::int >= lacked."from"
          and (payload ->> 'aggregateVersion')::int < lacked."to")
        and aggregate_id = any(${arrayOf(lacking.versions.map(({ aggregateId }) => aggregateId))})`;
  return inTransaction(db, async (tx) => {
    const moved = await tx.execute(sql`
      with again as (
        delete from published where ${isLacked} and ${isOfTypes(types)}
          and published_at < clock_now() - make_interval(secs => ${SETTLE_SECONDS}) returning *)
      insert into outbox (message_id, type, aggregate_id, payload, request_id, traceparent, occurred_at)
      select message_id, type, aggregate_id, payload, request_id, traceparent, occurred_at from again order by message_id`);
    afterCommit(tx, wakeRelay);
    return moved.rowCount ?? 0;
  });
}
