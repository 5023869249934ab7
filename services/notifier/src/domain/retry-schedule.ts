const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/**
 * The pause after the first, second, … failed attempt. Twelve attempts in about 71 h. See spec/decisions#retry-schedule.
 */
export const RETRY_PAUSES_MS: readonly number[] = [
  10 * SECOND,
  MINUTE,
  5 * MINUTE,
  15 * MINUTE,
  30 * MINUTE,
  HOUR,
  3 * HOUR,
  6 * HOUR,
  12 * HOUR,
  24 * HOUR,
  24 * HOUR,
];

/** Every pause is randomised by up to a fifth, so that attempts that failed together are not repeated together. */
const JITTER = 0.2;

/** How long to wait after failed attempt number `attempt` (from 1); undefined after the last. `random` is in [0, 1). */
export function retryPauseMs(attempt: number, random: number): number | undefined {
  const pause = RETRY_PAUSES_MS[attempt - 1];
  return pause === undefined ? undefined : Math.round(pause * (1 - JITTER + 2 * JITTER * random));
}
