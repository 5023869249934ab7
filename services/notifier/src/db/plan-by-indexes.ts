import { sql } from 'drizzle-orm';

/**
 * Columns of a `select` that has PostgreSQL plan the rest of the transaction once and with indexes only, entry by entry
 * in their order: a bitmap, and a sort, read all that waits. Statistics of a quiet hour must not choose how a backlog of a
 * million is read, and making a plan takes half as long as what is planned (ADR 0010).
 */
export const PLAN_BY_INDEXES = sql`set_config('enable_seqscan', 'off', true), set_config('enable_bitmapscan', 'off', true),
  set_config('plan_cache_mode', 'force_generic_plan', true), set_config('jit', 'off', true)`;
