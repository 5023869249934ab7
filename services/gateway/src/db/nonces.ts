import type pg from 'pg';

/** A partition holds the nonces of a quarter of an hour. */
const SLOT_SECONDS = 900;
/** In the first seconds of a slot a statement of the slot before may still run: longer than any statement may take. */
const BOUNDARY_SECONDS = 10;
/** Partitions that exist before they are needed: half an hour of a database role that may not make tables. */
const SLOTS_AHEAD = 2;
const PARTITIONS_LOCK = 7_305_002;

/**
 * A nonce is fresh when neither its slot nor the slot before has it. While a slot is young, both slots are written, so
 * that a statement of the old slot that is still running collides on the old slot's key. Sorted, so that two batches
 * with the same nonces wait for each other instead of deadlocking.
 */
const CLAIM = `
with moment as materialized (select extract(epoch from clock_timestamp())::bigint as seconds),
given as materialized (
  select d.digest, m.seconds / ${String(SLOT_SECONDS)} as slot,
    m.seconds % ${String(SLOT_SECONDS)} < ${String(BOUNDARY_SECONDS)} as young
  from unnest($1::uuid[]) as d (digest), moment m order by d.digest),
before as (
  insert into nonces (slot, digest) select slot - 1, digest from given where young
  on conflict do nothing returning digest),
fresh as (
  insert into nonces (slot, digest)
  select g.slot, g.digest from given g
  where case when g.young then exists (select from before b where b.digest = g.digest)
    else not exists (select from nonces n where n.slot = g.slot - 1 and n.digest = g.digest) end
  on conflict do nothing returning digest)
select replace(digest::text, '-', '') as digest from fresh`;

/** Stores the digests (32 hex digits, each once) that were not used in at least fifteen minutes, and returns those. */
export async function claimNonces(pool: pg.Pool, digests: readonly string[]): Promise<ReadonlySet<string>> {
  const { rows } = await pool.query<{ digest: string }>({ name: 'claim-nonces', text: CLAIM, values: [digests] });
  return new Set(rows.map((row) => row.digest));
}

/**
 * Makes the partitions of the near future and drops those that no signature can need any more. Safe to run on every
 * replica at once.
 */
export async function rollNoncePartitions(pool: pg.Pool): Promise<{ made: number; dropped: number }> {
  const { rows } = await pool.query<{ slot: string }>(CURRENT_SLOT);
  const current = Number(rows[0]?.slot);
  const wanted = Array.from({ length: SLOTS_AHEAD + 2 }, (_none, index) => current - 1 + index);
  const present = await findSlots(pool);
  const missing = wanted.filter((slot) => !present.includes(slot));
  const old = present.filter((slot) => slot < current - 1);
  if (missing.length + old.length === 0) return { made: 0, dropped: 0 };
  const client = await pool.connect();
  try {
    await client.query('begin');
    await client.query('select pg_advisory_xact_lock($1)', [PARTITIONS_LOCK]);
    for (const slot of missing) {
      const name = partitionName(slot);
      await client.query(`create table if not exists ${name} partition of nonces for values in (${String(slot)})`);
    }
    for (const slot of old) await client.query(`drop table if exists ${partitionName(slot)}`);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    throw error;
  } finally {
    client.release();
  }
  return { made: missing.length, dropped: old.length };
}

const CURRENT_SLOT = `select (extract(epoch from clock_timestamp())::bigint / ${String(SLOT_SECONDS)})::text as slot`;

function partitionName(slot: number): string {
  return `nonces_${String(slot)}`;
}

async function findSlots(pool: pg.Pool): Promise<number[]> {
  const { rows } = await pool.query<{ name: string }>(
    `select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = 'nonces'::regclass`,
  );
  return rows.map((row) => Number(row.name.slice('nonces_'.length)));
}
