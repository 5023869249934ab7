import { randomInt } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { isUnavailable, sqlState } from './errors.ts';

const SERIALIZATION_FAILURE = '40001';
const DEADLOCK_DETECTED = '40P01';
const ATTEMPTS = 3;
/** Between these, at random, and longer each time: who waits for the freed lock has it by then, on all but the busiest machine. */
const CONFLICT_PAUSE_MS = { min: 20, max: 60 };

/**
 * Repeats a whole transaction, up to three runs in total, if PostgreSQL asks for it: serialisation failure, deadlock. It pauses
 * before each: repeated at once, it could take the freed lock again before the session that waits for that lock has woken up,
 * and be in the same deadlock.
 */
export async function repeatOnConflict<T>(run: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await run();
    } catch (error) {
      const state = sqlState(error);
      const repeatable = state === SERIALIZATION_FAILURE || state === DEADLOCK_DETECTED;
      if (!repeatable || attempt === ATTEMPTS) throw error;
      await wait(attempt * randomInt(CONFLICT_PAUSE_MS.min, CONFLICT_PAUSE_MS.max));
    }
  }
}

/** The first pause of `repeatWhileUnavailable`; doubled each time. */
const FIRST_PAUSE_MS = 50;
const LAST_PAUSE_MS = 1_000;

/**
 * Repeats `work` while the database is unavailable, for up to `forMs`: for work that is safe to repeat whatever
 * happened to the previous try, and that would otherwise be left to a later worker.
 * @throws the error of the last try
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
