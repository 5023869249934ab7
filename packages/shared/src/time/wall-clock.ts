/**
 * Seconds since 1970 by this machine's clock: for the validity of something between two processes, never for stored
 * data or decisions. Those use the database's time (`clock`).
 */
export const wallClockSeconds = (): number => Math.floor(Date.now() / 1_000);

/** The same in milliseconds, to compare it with the database's clock. */
export const wallClockMs = (): number => Date.now();

/**
 * Milliseconds since this call, by whichever clock went further: the monotonic one may stand still while a virtual machine
 * is paused, and the wall clock may be set back.
 */
export function stopwatch(): () => number {
  const [monotonicMs, wallMs] = [performance.now(), Date.now()];
  return () => Math.max(performance.now() - monotonicMs, Date.now() - wallMs);
}
