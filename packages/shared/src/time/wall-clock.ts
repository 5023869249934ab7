/**
 * Seconds since 1970 by this machine's clock: for the validity of something between two processes, never for stored
 * data or decisions. Those use the database's time (`clock`).
 */
export const wallClockSeconds = (): number => Math.floor(Date.now() / 1_000);
