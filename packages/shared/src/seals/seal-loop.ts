import { sql } from 'drizzle-orm';
import type { Db, Tx } from '../postgres/db.ts';
import { selectRows } from '../postgres/select-rows.ts';
import type { Log } from '../logging/logger.ts';
import type { Loop } from '../time/loop.ts';
import { hashOf, NO_HASH, rowSql } from './chain.ts';
import { writeHeads, type HeadsConfig } from './heads.ts';
import { SEALED_TABLES, type SealedSchema, type SealedTable } from './sealed-tables.ts';

const INTERVAL_MS = 30_000;
/** Rows per seal: some 40 KB of positions and digests. */
const BATCH = 1_000;

/**
 * The position up to which no row can be added any more, once every transaction before `horizon` has ended. The horizon
 * is taken one round after the position was read: a statement that had drawn a lower number but had no transaction id
 * yet has one by then (it may run for 5 s).
 */
type Mark = { readonly position: bigint; horizon: bigint | undefined };

/**
 * Seals what was added to a schema's sealed tables, in batches, after the writers: nobody waits for it, and an open
 * transaction delays the seal, not the booking. One replica seals at a time. Once a day the newest seals are written
 * outside (`heads.ts`).
 */
export function sealLoop(db: Db, log: Log, schema: SealedSchema, heads: HeadsConfig): Loop {
  const marks = new Map<string, Mark>();
  let headsOf = '';
  return {
    name: 'seals',
    intervalMs: INTERVAL_MS,
    round: async () => {
      let sealed = 0;
      for (const table of SEALED_TABLES[schema]) sealed += await sealSettled(db, table, marks);
      if (sealed >= BATCH) return 'more';
      const rows = await selectRows<{ day: string }>(db, sql`select clock_now()::date::text as day`);
      const day = rows[0]?.day ?? '';
      if (day !== headsOf && (await writeHeads(db, log, schema, heads)) > 0) headsOf = day;
      return 'done';
    },
  };
}

/** Seals at most one batch of a table, if it is settled, and advances the mark. Returns the number of rows sealed. */
async function sealSettled(db: Db, table: SealedTable, marks: Map<string, Mark>): Promise<number> {
  const mark = marks.get(table.name);
  if (mark?.horizon === undefined) {
    marks.set(table.name, await nextMark(db, table, mark));
    return 0;
  }
  const rows = await selectRows<{ oldest: string }>(db, sql`select pg_snapshot_xmin(pg_current_snapshot())::text as oldest`);
  if (BigInt(rows[0]?.oldest ?? 0) < mark.horizon) return 0;
  const sealed = await db.transaction((tx) => sealUpTo(tx, table, mark.position));
  if (sealed < BATCH) marks.delete(table.name);
  return sealed;
}

async function nextMark(db: Db, { name, position }: SealedTable, before: Mark | undefined): Promise<Mark> {
  const rows = await selectRows<{ newest: string; next: string }>(
    db,
    sql`
    select (select coalesce(max(${sql.raw(position)}), 0) from ${sql.raw(name)})::text as newest,
      pg_snapshot_xmax(pg_current_snapshot())::text as next`,
  );
  const [{ newest, next } = { newest: '0', next: '0' }] = rows;
  if (before === undefined) return { position: BigInt(newest), horizon: undefined };
  return { position: before.position, horizon: BigInt(next) };
}

/**
 * Writes the next seal of a table over at most a thousand rows up to that position, which must be settled. Returns the
 * number of rows; 0 also if another replica is sealing.
 */
export async function sealUpTo(tx: Tx, table: SealedTable, settled: bigint): Promise<number> {
  const lock = await tx.execute<{ mine: boolean }>(
    sql`select pg_try_advisory_xact_lock(hashtext(current_schema()), hashtext(${`seal ${table.name}`})) as mine,
      set_config('timezone', 'UTC', true)`,
  );
  if (lock.rows[0]?.mine !== true) return 0;
  const newest = await tx.execute<{ number: string; last: string; hash: Buffer }>(sql`
    select number::text as number, positions[cardinality(positions)]::text as last, hash from seals
    where trail = ${table.name} order by number desc limit 1`);
  const [before] = newest.rows;
  const row = rowSql(table);
  const position = sql.raw(`t.${table.position}`);
  const { rows } = await tx.execute<{ position: string; digest: Buffer; columns: string[] }>(sql`
    select ${position}::text as position, ${sql.raw(row.digest)} as digest, ${sql.raw(row.columns)} as columns
    from ${sql.raw(row.from)} where ${position} > ${before?.last ?? '0'}::bigint and ${position} <= ${settled.toString()}::bigint
    order by ${position} limit ${BATCH}`);
  const [first] = rows;
  if (first === undefined) return 0;
  const seal = {
    trail: table.name,
    number: BigInt(before?.number ?? 0) + 1n,
    columns: first.columns,
    positions: rows.map((one) => BigInt(one.position)),
    digests: rows.map((one) => one.digest),
    previousHash: before?.hash ?? NO_HASH,
  };
  await tx.execute(sql`
    insert into seals (trail, number, columns, positions, digests, previous_hash, hash) values (${seal.trail},
      ${seal.number.toString()}::bigint, ${JSON.stringify(seal.columns)}::jsonb,
      ${`{${seal.positions.join(',')}}`}::bigint[], ${Buffer.concat(seal.digests)}, ${seal.previousHash}, ${hashOf(seal)})`);
  return rows.length;
}
