import { createHash } from 'node:crypto';
import type { SealedTable } from './sealed-tables.ts';

/** A batch of rows of a sealed table with the hash that chains it to the previous batch (decisions/audit-logs). */
export type Seal = {
  /** The name of the table. */
  readonly trail: string;
  /** 1, 2, 3 … */
  readonly number: bigint;
  /** The columns covered by the rows' digests: a column that is added later changes no seal. */
  readonly columns: readonly string[];
  readonly positions: readonly bigint[];
  /** SHA-256 of each row, in the same order. */
  readonly digests: readonly Buffer[];
  readonly previousHash: Buffer;
};

/** Used before the first seal. */
export const NO_HASH: Buffer = Buffer.alloc(32);

/** What the next seal builds on: it covers everything in the batch and, through `previousHash`, everything before. */
export function hashOf(seal: Seal): Buffer {
  const head = JSON.stringify([seal.trail, seal.number.toString(), seal.columns, seal.positions.map(String)]);
  const hash = createHash('sha256').update(seal.previousHash).update(head).update('\n');
  for (const digest of seal.digests) hash.update(digest);
  return hash.digest();
}

/**
 * One row's digest and columns as PostgreSQL makes them, of a row `t` and, where the table has one, the row `w` that belongs
 * to it: SHA-256 over its columns and values as jsonb, whose text has one form. In UTC (`set_config('timezone', …)`).
 * `columns`: which of them; all by default.
 */
export function rowSql(
  { name, with: joined }: SealedTable,
  columns = 'true',
): { readonly from: string; readonly digest: string; readonly columns: string } {
  const from = joined === undefined ? `${name} t` : `${name} t left join ${joined.table} w using (${joined.key})`;
  const beside = `select '${joined?.table ?? ''}.' || key, value from jsonb_each(to_jsonb(w))`;
  const pairs = `select key, value from jsonb_each(to_jsonb(t)) ${joined === undefined ? '' : `union all ${beside}`}`;
  return {
    from,
    digest: `(select sha256(convert_to(coalesce(jsonb_object_agg(key, value), '{}')::text, 'UTF8'))
      from (${pairs}) as pairs (key, value) where ${columns})`,
    columns: `(select array_agg(key order by key) from (${pairs}) as pairs (key, value))`,
  };
}
