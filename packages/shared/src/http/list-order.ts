import { asc, desc, sql, type SQL } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import type { ListOrder, ListPosition } from './list-page.ts';

/** The columns that a list is sorted by. Each row has an id of its own, so that no two rows share a place. */
type Sorted = { readonly createdAt: PgColumn; readonly id: PgColumn };

/** For `orderBy`. */
export function sortedBy({ createdAt, id }: Sorted, order: ListOrder): SQL[] {
  const direction = order === 'newest' ? desc : asc;
  return [direction(createdAt), direction(id)];
}

/** The rows after a position; undefined, which is every row, without one. */
export function following({ createdAt, id }: Sorted, order: ListOrder, after: ListPosition | undefined): SQL | undefined {
  if (after === undefined) return undefined;
  const row = sql`(${createdAt}, ${id})`;
  const position = sql`(${after.createdAt.toISOString()}::timestamptz, ${after.id}::uuid)`;
  return order === 'newest' ? sql`${row} < ${position}` : sql`${row} > ${position}`;
}
