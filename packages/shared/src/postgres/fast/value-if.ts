import { sql, type SQL, type SQLWrapper } from 'drizzle-orm';
import { sqlState } from '../errors.ts';

const DIVISION_BY_ZERO = '22012';

/**
 * `value`, a number of the row, in an update that must not miss: while `guard` does not hold, the statement fails instead of
 * changing no row, and everything sent with it fails as well (`inPipeline`). `where` names the row by its key only. It fails with an
 * error that tells nothing of the row: PostgreSQL would log the row whose constraint is violated, tokens and names with it.
 */
export const valueIf = (guard: SQL | undefined, value: SQLWrapper): SQL => sql`case when ${guard} then ${value} else (${value}) / 0 end`;

/** Whether a guard of `valueIf` did not hold. Then nothing is stored. */
export const isMissed = (error: unknown): boolean => sqlState(error) === DIVISION_BY_ZERO;
