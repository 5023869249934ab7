import { sql, type SQL, type SQLWrapper } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';

/**
 * The rows whose `column` a `select … limit … for update skip locked` took: the condition of the update that claims
 * them. `array()` runs that select once. `in (select …)` may be planned to run it again for every row, taking other
 * rows each time, far beyond its limit; decisions/sql-statements.
 */
export function isClaimedBy(column: PgColumn, claim: SQLWrapper): SQL {
  return sql`${column} = any(array(${claim}))`;
}
