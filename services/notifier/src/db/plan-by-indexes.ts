import { sql } from 'drizzle-orm';

/**
 * Columns of a `select` that makes PostgreSQL plan the rest of the transaction once and with index scans in order only:
 * a bitmap scan or a sort reads everything that waits. Statistics from a quiet hour must not decide how a backlog of a
 * million is read, and planning takes half as long as execution (decisions/sql-statements).
 */
export const PLAN_BY_INDEXES = sql`set_config('enable_seqscan', 'off', true), set_config('enable_bitmapscan', 'off', true),
  set_config('plan_cache_mode', 'force_generic_plan', true), set_config('jit', 'off', true)`;
