import { sql } from 'drizzle-orm';
import type pg from 'pg';
import type { Db } from '@pay/shared/postgres/db.ts';
import { compiledRaw } from '@pay/shared/postgres/fast/compiled.ts';
import { inOneRoundTrip } from '@pay/shared/postgres/fast/one-round-trip.ts';
import { onlyRow } from '@pay/shared/postgres/only-row.ts';
import { selectRows } from '@pay/shared/postgres/select-rows.ts';

/** Each partition holds fifteen minutes of nonces. */
const SLOT_SECONDS = 900;
/**
 * In the first seconds of a slot, a statement from the previous slot may still be running. Longer than any statement
 * timeout.
 */
const BOUNDARY_SECONDS = 10;

const [slotSeconds, boundarySeconds] = [SLOT_SECONDS, BOUNDARY_SECONDS].map((seconds) => sql.raw(String(seconds)));

/**
 * A nonce is fresh if neither its slot nor the previous one has it. While a slot is young, both slots are written, so
 * that a statement of the old slot that is still running conflicts on the old slot's key. Sorted, so that two batches
 * with the same nonces wait for each other instead of deadlocking.
 */
const claim = compiledRaw(
  ['digests'],
  ({ digests }) => sql`
with moment as materialized (select extract(epoch from clock_timestamp())::bigint as seconds),
given as materialized (
  select d.digest, m.seconds / ${slotSeconds} as slot,
    m.seconds % ${slotSeconds} < ${boundarySeconds} as young
  from unnest(${digests}::uuid[]) as d (digest), moment m order by d.digest),
before as (
  insert into nonces (slot, digest) select slot - 1, digest from given where young
  on conflict do nothing returning digest),
fresh as (
  insert into nonces (slot, digest)
  select g.slot, g.digest from given g
  where case when g.young then exists (select from before b where b.digest = g.digest)
    else not exists (select from nonces n where n.slot = g.slot - 1 and n.digest = g.digest) end
  on conflict do nothing returning digest)
select replace(digest::text, '-', '') as digest from fresh`,
);

/**
 * PostgreSQL would plan the statement each time, because it knows only then how many digests there are: that took twice as long as
 * carrying it out.
 */
const planOnce = compiledRaw([], () => sql`select set_config('plan_cache_mode', 'force_generic_plan', true)`);

/**
 * Stores the digests (32 hex digits, no duplicates) that were not used in at least the last fifteen minutes, and
 * returns them. The statement is its own guard (CONTRIBUTING, rule 5).
 */
export async function claimNonces(db: Db, digests: readonly string[]): Promise<Set<string>> {
  const statements = [planOnce({}), claim({ digests: `{${digests.join(',')}}` })];
  const [, fresh = []] = await inOneRoundTrip<{ digest: string }>(db, statements);
  return new Set(fresh.map(({ digest }) => digest));
}

/**
 * Creates the partitions of the near future and drops those that no signature can need any more. Safe to run on all
 * replicas at once. Calls a function of the owner, because the service's own role may not create tables.
 */
export async function rollNoncePartitions(pool: pg.Pool): Promise<{ made: number; dropped: number }> {
  const { rows } = await pool.query<{ made: number; dropped: number }>('select made, dropped from roll_nonce_partitions()');
  return rows[0] ?? { made: 0, dropped: 0 };
}

/** When the newest partition ends, in seconds since 1970. Without one of the current slot no call is accepted. */
export async function endOfNoncePartitions(db: Db): Promise<number> {
  const slots = sql`select (coalesce(max(substr(c.relname, length('nonces_') + 1)::bigint), -1) + 1)::float8 as slot
    from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = 'nonces'::regclass`;
  return onlyRow(await selectRows<{ slot: number }>(db, slots)).slot * SLOT_SECONDS;
}
