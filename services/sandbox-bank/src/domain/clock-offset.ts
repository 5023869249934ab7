import { Temporal } from 'temporal-polyfill';

/** The furthest that the clock can be moved: a hundred years keep every date within what PostgreSQL and Date hold. */
export const CLOCK_OFFSET_MILLISECONDS_MAX = 100 * 366 * 24 * 3_600_000;

/**
 * The offset of a clock that reads `now` at offset `offsetMilliseconds` and is moved forward by an ISO 8601 duration.
 * Calendar units count from `now` in UTC. Undefined if the text is not a duration, does not move forward, or goes too
 * far.
 */
export function advancedOffset(now: Date, offsetMilliseconds: number, duration: string): number | undefined {
  const from = Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO('UTC');
  let milliseconds: number;
  try {
    milliseconds = from.add(Temporal.Duration.from(duration)).epochMilliseconds - now.getTime();
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
  const moved = offsetMilliseconds + milliseconds;
  return milliseconds > 0 && moved <= CLOCK_OFFSET_MILLISECONDS_MAX ? moved : undefined;
}
