import { sql, type SQL } from 'drizzle-orm';
import { sqlState } from '../errors.ts';

const NOT_NULL_VIOLATION = '23502';

/**
 * `value` for a NOT NULL column in an update that must not miss: while `guard` does not hold, the statement fails instead of
 * changing no row, and everything sent with it fails as well (`inOneTurn`). `where` names the row by its key only.
 */
export const valueIf = (guard: SQL | undefined, value: SQL): SQL => sql`case when ${guard} then ${value} end`;

/** Whether a guard of `valueIf` did not hold. Then nothing is stored. */
export const isMissed = (error: unknown): boolean => sqlState(error) === NOT_NULL_VIOLATION;
