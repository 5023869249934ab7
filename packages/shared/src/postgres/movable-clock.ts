/**
 * TEST's clock (decisions/clock): its offset is one row that all roles may read and the sandbox bank's may change.
 * Provisioned by `tools/infrastructure/provision.ts`.
 */
export const TEST_CLOCK = { schema: 'test_clock', table: 'moved' } as const;

const relation = `${TEST_CLOCK.schema}.${TEST_CLOCK.table}`;

/** Whether the database has that row. */
export const HAS_TEST_CLOCK = `select to_regclass('${relation}') is not null as there`;

const REAL_CLOCK_BODY = ` BEGIN RETURN date_trunc('milliseconds', clock_timestamp()); END `;

/**
 * `clock_now()` of LIVE. It reads nothing that could be moved. PL/pgSQL caches its plan for a whole session; SQL, as in
 * the first migration, is planned in every statement (measured for TEST's: 90 µs against 15).
 */
export const REAL_CLOCK_SQL = `CREATE OR REPLACE FUNCTION clock_now() RETURNS timestamptz LANGUAGE plpgsql STABLE
  AS $$${REAL_CLOCK_BODY}$$`;

/** Whether this schema's `clock_now()` is exactly LIVE's. No row if there is none: the schema was never migrated. */
export const IS_REAL_CLOCK = `select prosrc = $$${REAL_CLOCK_BODY}$$ as real from pg_proc where oid = to_regproc('clock_now')`;

/** `clock_now()` of TEST: the same for every schema of the database, from the next statement after a move. */
export const MOVABLE_CLOCK_SQL = `CREATE OR REPLACE FUNCTION clock_now() RETURNS timestamptz LANGUAGE plpgsql STABLE
  AS $$ BEGIN RETURN date_trunc('milliseconds', clock_timestamp())
    + coalesce((SELECT milliseconds FROM ${relation}), 0) * interval '1 millisecond'; END $$`;
