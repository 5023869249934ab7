const DAY_MS = 86_400_000;

/** The day (`2026-11-21`, UTC) of a moment. */
export const dayOf = (moment: Date): string => moment.toISOString().slice(0, 10);
/** Its first moment. */
export const startOfDay = (day: string): Date => new Date(`${day}T00:00:00.000Z`);
/** The first moment of the next day. */
export const endOfDay = (day: string): Date => new Date(startOfDay(day).getTime() + DAY_MS);
