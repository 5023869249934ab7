import { hash } from 'node:crypto';
import { Histogram } from 'prom-client';
import { ApiError } from '@pay/shared/errors/api-error.ts';
import type { Log } from '@pay/shared/logging/logger.ts';
import { registry } from '@pay/shared/telemetry/metrics.ts';
import type pg from 'pg';
import { claimNonces } from '../db/nonces.ts';

export type NonceStore = {
  /**
   * True for exactly one caller, on whatever replica, in at least fifteen minutes.
   * @throws ApiError 503 when the database does not say so: the request is refused then, never let through.
   */
  claim(partnerId: string, nonce: string): Promise<boolean>;
};

/** One statement; larger ones take no less time a row. */
const BATCH_MAX = 500;
/** Two statements at a time: one is being written to disk while the next is being filled. */
const RUNNING_MAX = 2;

type Waiter = {
  readonly digest: string;
  readonly settle: (fresh: boolean) => void;
  readonly fail: (error: unknown) => void;
};

const batchSize = new Histogram({
  name: 'nonce_batch_size',
  help: 'Nonces written by one statement.',
  buckets: [1, 2, 5, 10, 20, 50, 100, 200, 500],
  registers: [registry],
});

/**
 * Nonces of all replicas, in the database. Requests that arrive while statements are running share the next one, so the
 * number of statements stays at what the disk can do, whatever the number of requests.
 */
export function createNonceStore(pool: pg.Pool, log: Log): NonceStore {
  let waiting: Waiter[] = [];
  let running = 0;

  async function flush(batch: readonly Waiter[]): Promise<void> {
    batchSize.observe(batch.length);
    const first = new Map<string, Waiter>();
    for (const waiter of batch) if (!first.has(waiter.digest)) first.set(waiter.digest, waiter);
    try {
      const fresh = await claimNonces(pool, [...first.keys()]);
      for (const waiter of batch) waiter.settle(fresh.has(waiter.digest) && first.get(waiter.digest) === waiter);
    } catch (err) {
      log.error('nonces not stored, the requests are refused', { count: batch.length, err });
      for (const waiter of batch) waiter.fail(new ApiError('SERVICE_UNAVAILABLE'));
    }
  }

  function pump(): void {
    while (running < RUNNING_MAX && waiting.length > 0) {
      const batch = waiting.slice(0, BATCH_MAX);
      waiting = waiting.slice(BATCH_MAX);
      running += 1;
      void flush(batch).finally(() => {
        running -= 1;
        pump();
      });
    }
  }

  return {
    claim(partnerId, nonce) {
      // A partner id has no line feed, so no two pairs have the same text.
      const digest = hash('sha256', `${partnerId}\n${nonce}`, 'hex').slice(0, 32);
      return new Promise((resolve, reject) => {
        waiting.push({ digest, settle: resolve, fail: reject });
        // After this turn of the event loop: requests that arrived together go together.
        if (waiting.length === 1) setImmediate(pump);
      });
    },
  };
}
