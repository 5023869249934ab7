const DAY_MS = 86_400_000;

/** What PostgreSQL keeps as JavaScript writes it: there is no year 0, and years after 9999 have a sign. */
const FIRST_MOMENT_MS = Date.parse('0001-01-01T00:00:00.000Z');
const LAST_MOMENT_MS = Date.parse('9999-12-31T23:59:59.999Z');

/** Whether a moment, in milliseconds since 1970, can be kept: it is in the years 1 to 9999 of UTC. NaN is no moment. */
export const isKept = (milliseconds: number): boolean => milliseconds >= FIRST_MOMENT_MS && milliseconds <= LAST_MOMENT_MS;

/** The day (`2026-11-21`, UTC) of a moment. */
export const dayOf = (moment: Date): string => moment.toISOString().slice(0, 10);
/** Its first moment. */
export const startOfDay = (day: string): Date => new Date(`${day}T00:00:00.000Z`);
/** The first moment of the next day; of the last day there is, its last. */
export const endOfDay = (day: string): Date => new Date(Math.min(startOfDay(day).getTime() + DAY_MS, LAST_MOMENT_MS));
