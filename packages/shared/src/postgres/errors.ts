import pg from 'pg';

/** PostgreSQL's error code (`23505`) of an error or its cause; drizzle wraps the driver's error. */
export function sqlState(error: unknown): string | undefined {
  if (error instanceof pg.DatabaseError) return error.code;
  return error instanceof Error && error.cause !== undefined ? sqlState(error.cause) : undefined;
}

/** The constraint that a statement violated, if the error says one. */
export function violatedConstraint(error: unknown): string | undefined {
  if (error instanceof pg.DatabaseError) return error.constraint;
  return error instanceof Error && error.cause !== undefined ? violatedConstraint(error.cause) : undefined;
}

/** An index row of more than about 2,700 bytes: a text that was let through with any length. */
const INDEX_ROW_TOO_LONG = '54000';

/**
 * PostgreSQL could not keep a value of a statement: class 22, "data exception", a moment out of range, U+0000, a number with
 * too many digits. The codec of a field should have refused it.
 */
export function isUnkeepable(error: unknown): boolean {
  const state = sqlState(error);
  return state?.startsWith('22') === true || state === INDEX_ROW_TOO_LONG;
}

/** Raised by `refuse_moved_partner()`: the partner lives in another cell. The message says which. */
const MOVED_STATE = 'PM001';

/** The database's sentence if it refused because the partner lives in another cell (decisions/cells). */
export function movedElsewhere(error: unknown): string | undefined {
  if (error instanceof pg.DatabaseError) return error.code === MOVED_STATE ? error.message : undefined;
  return error instanceof Error && error.cause !== undefined ? movedElsewhere(error.cause) : undefined;
}

/** PostgreSQL is unavailable, or too busy to decide now: the caller gets 503, and nothing was decided. */
export function isUnavailable(error: unknown): boolean {
  return isAway(error) || BUSY_STATES.has(sqlState(error) ?? '');
}

/** PostgreSQL cannot be reached or accepts no work: temporary, and unrelated to the statement. */
export function isAway(error: unknown): boolean {
  for (let current: unknown = error; Error.isError(current); current = current.cause) {
    const code = 'code' in current && typeof current.code === 'string' ? current.code : '';
    if (AWAY_CODES.has(code) || AWAY_MESSAGE.test(current.message)) return true;
  }
  return false;
}

/**
 * Messages of pg and its pool, which have no code, and of PgBouncer, which says 08P01 to everything: what PostgreSQL
 * means by that is a bug.
 */
const AWAY_MESSAGE =
  /^(timeout exceeded when trying to connect|timeout expired|Connection terminated|Client has encountered a connection error|Client was closed|Query read timeout|server login has been failing|server conn crashed\?|query_wait_timeout|no more connections allowed)/;

/** Broken sockets, and PostgreSQL's classes for "shutting down", "starting", "too many", "disk full", "read only". */
const AWAY_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  '57P01',
  '57P02',
  '57P03',
  '57P05',
  '25P03',
  '53300',
  '53100',
  '25006',
  '08000',
  '08003',
  '08006',
]);

/** A lock or a statement that took too long, or memory that ran out: temporary load. */
const BUSY_STATES = new Set(['55P03', '57014', '53200']);
