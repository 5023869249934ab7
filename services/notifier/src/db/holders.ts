import { randomInt } from 'node:crypto';
import { sql } from 'drizzle-orm';
import type pg from 'pg';
import { ADVISORY_LOCKS } from '@pay/shared/postgres/advisory-locks.ts';
import type { Db } from '@pay/shared/postgres/db.ts';
import { compiledRaw } from '@pay/shared/postgres/fast/compiled.ts';
import { inOneRoundTrip } from '@pay/shared/postgres/fast/one-round-trip.ts';
import { LEASE_SECONDS } from './claim-statement.ts';
import { PLAN_BY_INDEXES } from './plan-by-indexes.ts';

/** A number for this process that no other replica has: a signed 32-bit integer, as a lock takes it. */
export const newHolder = (): number => randomInt(1, 2 ** 31);

/**
 * Leases with this number are kept until `session` ends. The lock is shared: a process that lost its connection takes it
 * again on the next one, although PostgreSQL may not have noticed yet. @throws Error of the database
 */
export async function holdLeases(session: pg.Client, holder: number): Promise<void> {
  await session.query('select pg_advisory_lock_shared($1, $2)', [ADVISORY_LOCKS.deliverCallbacks, holder]);
}

/** Leases of a holder that no session holds. By index: it reads what is leased now, and the locks only if anything is. */
const IS_ABSENT = sql`a.leased_until is not null and a.lease_holder is not null and not exists (
  select from pg_locks l where l.locktype = 'advisory' and l.classid = ${ADVISORY_LOCKS.deliverCallbacks}::int::oid
    and l.objid = a.lease_holder::oid and l.objsubid = 2
    and l.database = (select d.oid from pg_database d where d.datname = current_database()))`;

/** A holder of leases that had no session at a moment: real time of the database, as its text, to the millisecond. */
export type Absence = { readonly holder: number; readonly seenAt: string };

/** The holders of leases whose session has ended. */
export async function listAbsentHolders(db: Db): Promise<readonly Absence[]> {
  const [, absences = []] = await inOneRoundTrip<Absence>(db, [planByIndexes({}), absentHolders({})]);
  return absences;
}

const planByIndexes = compiledRaw([], () => sql`select ${PLAN_BY_INDEXES}`);
// The time is read after the locks, and rounded as a lease's end is.
const absentHolders = compiledRaw(
  [],
  () => sql`select a.lease_holder as holder, clock_timestamp()::timestamptz(3)::text as "seenAt"
    from aggregates a where ${IS_ABSENT} group by a.lease_holder`,
);

/**
 * Ends the leases that these holders had when they were seen to be absent, unless their session is back: what they were
 * for is due now. A later one is that of a process that runs, and stands. No attempt is counted. Returns how many.
 */
export async function freeLeases(db: Db, absences: readonly Absence[]): Promise<number> {
  const [, freed = []] = await inOneRoundTrip(db, [
    planByIndexes({}),
    // A row that is locked is being recorded or claimed.
    sql`with absent as materialized (
        select a.aggregate_id from aggregates a
        join jsonb_to_recordset(${JSON.stringify(absences)}::jsonb) as h (holder int, "seenAt" timestamptz) on h.holder = a.lease_holder
        where ${IS_ABSENT} and a.leased_until - make_interval(secs => ${LEASE_SECONDS}) <= h."seenAt"
        order by a.aggregate_id for update of a skip locked
      )
      update aggregates a set lease_id = null, lease_holder = null, leased_until = null, due_at = clock_now()
      where a.aggregate_id = any(array(select aggregate_id from absent)) returning 1`,
  ]);
  return freed.length;
}
