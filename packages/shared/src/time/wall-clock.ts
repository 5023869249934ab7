/**
 * Seconds since 1970 by this machine's clock: for how long something between two processes is good, and for nothing that is
 * kept or decided. What is kept has the database's time (`clock`).
 */
export const wallClockSeconds = (): number => Math.floor(Date.now() / 1_000);
