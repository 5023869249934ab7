import { sql } from 'drizzle-orm';
import type { ExceptionKind } from '@pay/contract/operator/states.ts';
import type { Reader } from '@pay/shared/postgres/db.ts';
import { onlyRow } from '@pay/shared/postgres/only-row.ts';
import { selectRows } from '@pay/shared/postgres/select-rows.ts';
import { ledgerBalances } from '../ledger/schema.ts';

/** Money that belongs to no order and has not been returned. */
export async function readSuspenseKopecks(reader: Reader): Promise<bigint> {
  const rows = await selectRows<{ suspense: string }>(
    reader,
    sql`select coalesce(-sum(balance_kopecks), 0)::text as suspense from ${ledgerBalances} where account = 'SUSPENSE'`,
  );
  return BigInt(onlyRow(rows).suspense);
}

/** Open returns of such money. */
export async function countOpenReturns(reader: Reader): Promise<number> {
  const rows = await selectRows<Count>(reader, sql`select count(*)::int as count from money_returns where next_attempt_at is not null`);
  return onlyRow(rows).count;
}

/** Payments that should have been read back a minute ago or earlier; at most 10,000. */
export async function countLateReads(reader: Reader): Promise<number> {
  const rows = await selectRows<Count>(
    reader,
    sql`
    select count(*)::int as count
    from (select from payments where next_read_at < clock_now() - interval '1 minute' limit 10000) as late`,
  );
  return onlyRow(rows).count;
}

/** Open exceptions by kind. Kinds without one are absent. */
export async function countOpenExceptions(reader: Reader): Promise<ReadonlyMap<ExceptionKind, number>> {
  const rows = await selectRows<Count & { kind: ExceptionKind }>(
    reader,
    sql`select kind, count(*)::int as count from exceptions where status = 'OPEN' group by kind`,
  );
  return new Map(rows.map(({ kind, count }) => [kind, count]));
}

type Count = { count: number };

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
