import { setTimeout as wait } from 'node:timers/promises';
import { isUnavailable, sqlState } from './errors.ts';

const SERIALIZATION_FAILURE = '40001';
const DEADLOCK_DETECTED = '40P01';
const ATTEMPTS = 3;

/** Runs a whole transaction again, at most three times in all, when PostgreSQL asks for it: serialisation failure, deadlock. */
export async function repeatOnConflict<T>(run: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await run();
    } catch (error) {
      const state = sqlState(error);
      const repeatable = state === SERIALIZATION_FAILURE || state === DEADLOCK_DETECTED;
      if (!repeatable || attempt === ATTEMPTS) throw error;
    }
  }
}

/** Between two tries of `repeatWhileUnavailable`; doubled each time. */
const FIRST_PAUSE_MS = 50;
const LAST_PAUSE_MS = 1_000;

/**
 * Runs `work`, and again while the database is unavailable, for `forMs`: for work that is safe to repeat whatever became of
 * the previous try, and that would otherwise be left to a later worker. @throws what the last try threw
 */
export async function repeatWhileUnavailable<T>(
  forMs: number,
  work: () => Promise<T>,
  isPassing: (error: unknown) => boolean = isUnavailable,
): Promise<T> {
  const end = performance.now() + forMs;
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, LAST_PAUSE_MS)) {
    try {
      return await work();
    } catch (error) {
      if (!isPassing(error) || performance.now() + pauseMs > end) throw error;
      await wait(pauseMs);
    }
  }
}
