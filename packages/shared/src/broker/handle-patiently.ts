import { setTimeout as wait } from 'node:timers/promises';
import type { Log } from '../logging/logger.ts';
import { isAway, isUnavailable } from '../postgres/errors.ts';
import type { Pauses } from './pauses.ts';

/**
 * While the database is down a message is held and does not count as failed: an outage must not fill the dead letters.
 */
export const DATABASE_WAIT_MS = 1_000;
/**
 * A message whose rows are locked waits for so long before that counts as failed: less than the half hour after which the broker
 * takes back what is not acknowledged.
 */
const BUSY_MS_MAX = 900_000;

type Options = {
  readonly log: Log;
  readonly stop: AbortSignal;
  readonly pauses: Pauses;
  /** The pause after so many tries. */
  readonly pauseMs: (tries: number) => number;
};

/** Handles a message, however long the database is away or busy. @throws what `handle` throws for another reason */
export type HandlePatiently = (messageId: string, handle: () => Promise<void>) => Promise<void>;

/** Sleeps, or until `signal`. */
export const sleep = (ms: number, signal: AbortSignal): Promise<void> => wait(ms, undefined, { signal }).catch(() => undefined);

export function createHandlePatiently({ log, stop, pauses, pauseMs }: Options): HandlePatiently {
  /** Those whose rows were locked try again one after another: together they would hold every connection. */
  let line = Promise.resolve();

  /** Its error; undefined if it was handled. */
  const inLine = (handle: () => Promise<void>): Promise<Error | undefined> => {
    const error = line.then(handle).then(() => undefined, asError);
    line = error.then(() => undefined);
    return error;
  };

  /**
   * A lock or a statement that took too long says nothing against the message: a table may be locked for minutes. It waits, without
   * counting as failed and beside the places of others, and tries again, each time after a longer pause. After a quarter of an hour
   * that counts as failed.
   */
  async function whenNotBusy(messageId: string, handle: () => Promise<void>, first: Error): Promise<void> {
    const endMs = performance.now() + BUSY_MS_MAX;
    const leave = pauses.enter();
    let busy = first;
    try {
      for (let tries = 0; performance.now() < endMs && !stop.aborted; tries += 1) {
        log.warn('the database is busy, the message waits', { messageId, err: busy });
        await sleep(pauseMs(tries), stop);
        const error = await inLine(handle);
        if (error === undefined) return;
        if (!isUnavailable(error)) throw error;
        busy = error;
      }
      throw busy;
    } finally {
      leave?.();
    }
  }

  return async (messageId, handle) => {
    for (;;) {
      const error = await handle().then(() => undefined, asError);
      if (error === undefined) return;
      if (stop.aborted || !isUnavailable(error)) throw error;
      if (!isAway(error)) return whenNotBusy(messageId, handle, error);
      log.warn('the database is unavailable, the message waits', { messageId, err: error });
      await sleep(DATABASE_WAIT_MS, stop);
    }
  };
}

const asError = (thrown: unknown): Error =>
  Error.isError(thrown) ? thrown : new Error('a handler threw what is no error', { cause: thrown });
