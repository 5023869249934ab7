import { sql } from 'drizzle-orm';
import type { Reader } from '@pay/shared/postgres/db.ts';
import { selectRows } from '@pay/shared/postgres/select-rows.ts';
import { bucketsOf, type TimeRange } from '@pay/shared/http/time-range.ts';
import type { LedgerAccount } from '../../domain/ledger/ledger.ts';
import { ledgerBalances } from '../ledger/schema.ts';

/** The outcomes of the payments created in a period. */
export type PaymentBucket = {
  readonly at: Date;
  readonly created: number;
  /** Paid, including those refunded later. */
  readonly completed: number;
  /** Ended without being paid. */
  readonly failed: number;
  /** Of the failed: sessions in which nobody tried to pay. */
  readonly expired: number;
  readonly cancelled: number;
  /** Total of the completed payments. */
  readonly amountKopecks: bigint;
  /** Median time from the partner's request to completion; null if nothing was completed. */
  readonly medianMs: number | null;
  readonly p95Ms: number | null;
};

/** Payments by the time of their creation, in buckets, including empty ones. */
export async function readPaymentBuckets(reader: Reader, range: TimeRange): Promise<PaymentBucket[]> {
  const { from, to, bucketSeconds } = range;
  const rows = await selectRows<BucketRow>(
    reader,
    sql`
    select extract(epoch from date_bin(make_interval(secs => ${bucketSeconds}), created_at, ${from.toISOString()}::timestamptz)) * 1000 as at,
      count(*)::int as created,
      (count(*) filter (where status in ('COMPLETED', 'REFUNDED')))::int as completed,
      (count(*) filter (where status in ('REJECTED', 'EXPIRED', 'FAILED', 'CANCELLED')))::int as failed,
      (count(*) filter (where status = 'EXPIRED'))::int as expired,
      (count(*) filter (where status = 'CANCELLED'))::int as cancelled,
      coalesce(sum(amount_kopecks) filter (where status in ('COMPLETED', 'REFUNDED')), 0)::text as amount,
      percentile_disc(0.5) within group (order by took) as median, percentile_disc(0.95) within group (order by took) as p95
    from (select p.created_at, p.status, p.amount_kopecks,
        (extract(epoch from b.created_at - p.created_at) * 1000)::bigint as took
      from payments p left join ledger_transactions b on b.ledger_transaction_id = p.ledger_transaction_id
      where p.created_at >= ${from.toISOString()} and p.created_at < ${to.toISOString()}) as made
    group by 1`,
  );
  const found = new Map(rows.map((row) => [Number(row.at), row]));
  return bucketsOf(range).map((at) => {
    const { created, completed, failed, expired, cancelled, amount, median, p95 } = found.get(at.getTime()) ?? NOTHING;
    return {
      at,
      created,
      completed,
      failed,
      expired,
      cancelled,
      amountKopecks: BigInt(amount),
      medianMs: milliseconds(median),
      p95Ms: milliseconds(p95),
    };
  });
}

/** A bucket in which no payment was created. */
const NOTHING = { created: 0, completed: 0, failed: 0, expired: 0, cancelled: 0, amount: '0', median: null, p95: null };

type BucketRow = {
  at: string;
  created: number;
  completed: number;
  failed: number;
  expired: number;
  cancelled: number;
  amount: string;
  median: string | null;
  p95: string | null;
};

const milliseconds = (text: string | null): number | null => (text === null ? null : Number(text));

/** How often payments of a range failed for a reason, most frequent first. */
export type FailureCount = { readonly failureCode: string; readonly count: number };

export async function countFailures(reader: Reader, { from, to }: TimeRange): Promise<FailureCount[]> {
  const rows = await selectRows<{ failure_code: string; count: number }>(
    reader,
    sql`
    select failure_code, count(*)::int as count from payments
    where created_at >= ${from.toISOString()} and created_at < ${to.toISOString()} and failure_code is not null
    group by failure_code order by count desc, failure_code`,
  );
  return rows.map(({ failure_code: failureCode, count }) => ({ failureCode, count }));
}

/** The total of an account, and its size in thousandths of the largest one, for a chart. */
export type AccountShare = { readonly account: LedgerAccount; readonly balanceKopecks: bigint; readonly share: number };

/**
 * Every ledger account by its running total, debits positive. Shares are computed in SQL, so that no amount becomes a JavaScript number.
 */
export async function readAccountShares(reader: Reader): Promise<AccountShare[]> {
  const rows = await selectRows<{ account: LedgerAccount; balance: string; share: number | null }>(
    reader,
    sql`
    select account, balance::text, round(1000 * abs(balance) / nullif(max(abs(balance)) over (), 0))::int as share
    from (select account, sum(balance_kopecks) as balance from ${ledgerBalances} group by account) as summed
    order by account`,
  );
  return rows.map(({ account, balance, share }) => ({ account, balanceKopecks: BigInt(balance), share: share ?? 0 }));
}
