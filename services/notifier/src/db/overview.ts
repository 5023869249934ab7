import { sql } from 'drizzle-orm';
import type { Reader } from '@pay/shared/postgres/db.ts';
import { onlyRow } from '@pay/shared/postgres/only-row.ts';
import { selectRows } from '@pay/shared/postgres/select-rows.ts';
import { bucketsOf, type TimeRange } from '@pay/shared/http/time-range.ts';

/** What was recorded for partners in a time range, and how long delivery took, from recorded to confirmed. */
export type DeliveryBucket = {
  readonly at: Date;
  readonly recorded: number;
  readonly delivered: number;
  readonly stopped: number;
  /** Median delivery time; null without deliveries. */
  readonly medianMs: number | null;
  readonly p95Ms: number | null;
};

/** One row per bucket of recording time, including empty ones. */
export async function readDeliveryBuckets(reader: Reader, range: TimeRange): Promise<DeliveryBucket[]> {
  const { from, to, bucketSeconds } = range;
  const rows = await selectRows<Row>(
    reader,
    sql`
    select extract(epoch from date_bin(make_interval(secs => ${bucketSeconds}), recorded_at, ${from.toISOString()}::timestamptz)) * 1000 as at,
      count(*)::int as recorded,
      (count(*) filter (where status = 'DELIVERED'))::int as delivered,
      (count(*) filter (where status in ('REFUSED', 'EXHAUSTED')))::int as stopped,
      percentile_disc(0.5) within group (order by took) as median, percentile_disc(0.95) within group (order by took) as p95
    from (select recorded_at, status,
        case when status = 'DELIVERED' then (extract(epoch from ended_at - recorded_at) * 1000)::bigint end as took
      from events where recorded_at >= ${from.toISOString()} and recorded_at < ${to.toISOString()}) as told
    group by 1`,
  );
  const found = new Map(rows.map((row) => [Number(row.at), row]));
  return bucketsOf(range).map((at) => {
    const row = found.get(at.getTime());
    return {
      at,
      recorded: row?.recorded ?? 0,
      delivered: row?.delivered ?? 0,
      stopped: row?.stopped ?? 0,
      medianMs: milliseconds(row?.median),
      p95Ms: milliseconds(row?.p95),
    };
  });
}

type Row = { at: string; recorded: number; delivered: number; stopped: number; median: string | null; p95: string | null };

const milliseconds = (text: string | null | undefined): number | null => (text === null || text === undefined ? null : Number(text));

/**
 * Payments and bindings with something due that a claim would take: their receivers have an address and a valid secret,
 * and are not paused. At most 10,000 are counted.
 */
export async function countDue(reader: Reader): Promise<number> {
  const rows = await selectRows<{ due: number }>(
    reader,
    sql`
    select count(*)::int as due
    from (select from aggregates a join receivers r on r.partner_id = a.partner_id
      where a.due_at <= clock_now() and r.callback_url is not null and (r.paused_until is null or r.paused_until <= clock_now())
        and exists (select from callback_keys k
          where k.partner_id = r.partner_id and (k.expires_at is null or k.expires_at > clock_now()))
        and not exists (select from moved_partners m where m.partner_id = r.partner_id)
      limit 10000) as ready`,
  );
  return onlyRow(rows).due;
}

/** How many events are still to be sent, and the time of the oldest of them; at most 10,000 are counted. */
export async function readWaiting(reader: Reader): Promise<{ readonly waiting: number; readonly oldestAt: Date | null }> {
  const rows = await selectRows<{ waiting: number; oldest: string | null }>(
    reader,
    sql`
    select count(*)::int as waiting, extract(epoch from min(recorded_at)) * 1000 as oldest
    from (select e.recorded_at
      from (select aggregate_id, next_version from aggregates where due_at is not null limit 10000) as a
      join events e on e.aggregate_id = a.aggregate_id and e.aggregate_version >= a.next_version
      where e.status = 'WAITING' limit 10000) as unsent`,
  );
  const oldest = rows[0]?.oldest ?? null;
  return { waiting: rows[0]?.waiting ?? 0, oldestAt: oldest === null ? null : new Date(Number(oldest)) };
}
