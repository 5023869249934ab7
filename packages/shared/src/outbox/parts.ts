import { sql, type SQL } from 'drizzle-orm';
import type { Reader } from '../postgres/db.ts';
import { selectRows } from '../postgres/select-rows.ts';

/**
 * A time range, its end not included, in milliseconds since 1970 by the clocks of the processes that generated the ids
 * in it: message ids are UUIDs of version 7, which begin with that time.
 */
export type Stretch = { readonly fromMs: number; readonly toMs: number };

/**
 * The content of one part of a range: the number of ids, and an order-independent digest of them (64 bits, decimal).
 */
export type Part = { readonly fromMs: number; readonly count: number; readonly digest: string };

/** The most parts that one request may ask for. */
export const PARTS_MAX = 100;

/** The lowest id that can be generated at that moment. */
export function lowestId(ms: number): string {
  const hex = Math.max(0, Math.floor(ms)).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}

/** An array as one parameter: drizzle expands an array to a list of parameters. */
export const arrayOf = (texts: readonly string[]): SQL => sql`array(select jsonb_array_elements_text(${JSON.stringify(texts)}::jsonb))`;

/**
 * The non-empty parts of a range in `table`, each `partMs` long. Uses an index-only scan on `message_id` if `isMeant`
 * allows it. The digest is the exclusive or of hashes, so the digests of several tables combine the same way.
 */
export async function partsOf(
  reader: Reader,
  { table, isMeant }: { readonly table: SQL; readonly isMeant?: SQL },
  { fromMs, toMs }: Stretch,
  partMs: number,
): Promise<Part[]> {
  const bounds = [fromMs];
  while ((bounds.at(-1) ?? toMs) < toMs) bounds.push(Math.min(toMs, (bounds.at(-1) ?? toMs) + partMs));
  if (bounds.length > PARTS_MAX + 1) throw new RangeError(`more than ${String(PARTS_MAX)} parts`);
  const rows = await selectRows<{ place: string; count: string; digest: string }>(
    reader,
    sql`
    with bounds as materialized (
      select place, id::uuid as low, lead(id::uuid) over (order by place) as high
      from jsonb_array_elements_text(${JSON.stringify(bounds.map(lowestId))}::jsonb) with ordinality as b (id, place))
    select place, count, digest from bounds cross join lateral (
      select count(*) as count, bit_xor(uuid_hash_extended(message_id, 0)) as digest from ${table}
      where message_id >= low and message_id < high ${isMeant === undefined ? sql`` : sql`and ${isMeant}`}) as found
    where high is not null and count > 0 order by place`,
  );
  return rows.map(({ place, count, digest }) => ({
    fromMs: bounds[Number(place) - 1] ?? fromMs,
    count: Number(count),
    digest,
  }));
}

/** Combines the parts of several tables as if they were one. */
export function together(all: readonly (readonly Part[])[]): Map<number, Part> {
  const sums = new Map<number, Part>();
  for (const part of all.flat()) {
    const known = sums.get(part.fromMs);
    if (known === undefined) sums.set(part.fromMs, part);
    else
      sums.set(part.fromMs, {
        fromMs: part.fromMs,
        count: known.count + part.count,
        digest: BigInt.asIntN(64, BigInt(known.digest) ^ BigInt(part.digest)).toString(),
      });
  }
  return sums;
}
