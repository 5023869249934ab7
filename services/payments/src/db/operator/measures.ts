import { sql } from 'drizzle-orm';
import type { ExceptionKind } from '@pay/contract/operator/states.ts';
import type { Reader } from '@pay/shared/postgres/db.ts';
import { onlyRow } from '@pay/shared/postgres/only-row.ts';
import { selectRows } from '@pay/shared/postgres/select-rows.ts';
import { ledgerBalances } from '../ledger/schema.ts';

/** What somebody should know about money that is not where it should be. */
export type Measures = {
  /** Money that belongs to no order and has not been returned. */
  readonly suspenseKopecks: bigint;
  /** Open returns of such money. */
  readonly openReturns: number;
  /** Payments that should have been read back a minute ago or earlier; at most 10,000. */
  readonly lateReads: number;
  /** Kinds without an open exception are absent. */
  readonly openExceptions: ReadonlyMap<ExceptionKind, number>;
};

export async function readMeasures(reader: Reader): Promise<Measures> {
  const [amounts, kinds] = await Promise.all([
    selectRows<{ suspense: string; returns: number; reads: number }>(
      reader,
      sql`
      select (select coalesce(-sum(balance_kopecks), 0)::text from ${ledgerBalances} where account = 'SUSPENSE') as suspense,
        (select count(*)::int from money_returns where next_attempt_at is not null) as returns,
        (select count(*)::int from (select from payments where next_read_at < clock_now() - interval '1 minute' limit 10000) as late) as reads`,
    ),
    selectRows<{ kind: ExceptionKind; count: number }>(
      reader,
      sql`select kind, count(*)::int as count from exceptions where status = 'OPEN' group by kind`,
    ),
  ]);
  const { suspense, returns, reads } = onlyRow(amounts);
  return {
    suspenseKopecks: BigInt(suspense),
    openReturns: returns,
    lateReads: reads,
    openExceptions: new Map(kinds.map(({ kind, count }) => [kind, count])),
  };
}

/** A route whose days are compared with the bank's register, and for how many seconds they have not been. */
export type ReconciliationAge = { readonly routeId: string; readonly connector: string; readonly seconds: number };

/**
 * Per route: the time since the end of the newest day that was compared after it had ended; for a route without one,
 * since its creation.
 */
export async function readReconciliationAges(reader: Reader): Promise<ReconciliationAge[]> {
  return selectRows<ReconciliationAge>(
    reader,
    sql`
    select r.route_id as "routeId", r.connector,
      extract(epoch from clock_now() - coalesce(max((c.day + 1)::timestamp at time zone 'UTC'), r.created_at))::float as seconds
    from routes r left join reconciliations c on c.route_id = r.route_id and c.status = 'COMPLETED'
      and c.started_at >= (c.day + 1)::timestamp at time zone 'UTC'
    where r.status in ('ACTIVE', 'SUSPENDED') group by r.route_id`,
  );
}
