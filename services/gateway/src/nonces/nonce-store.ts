import { hash } from 'node:crypto';
import { Histogram } from 'prom-client';
import { batcher } from '@pay/shared/batcher/batcher.ts';
import { ApiError } from '@pay/shared/errors/api-error.ts';
import type { Log } from '@pay/shared/logging/logger.ts';
import { registry } from '@pay/shared/telemetry/metrics.ts';
import type { Db } from '@pay/shared/postgres/db.ts';
import type { PartnerId } from '@pay/shared/identities/identities.ts';
import { claimNonces } from '../db/nonces.ts';

export type NonceStore = {
  /**
   * True for exactly one caller, on any replica, for at least fifteen minutes.
   * @throws ApiError 503 if the database does not confirm it: the request is then refused, never let through.
   */
  claim(partnerId: PartnerId, nonce: string): Promise<boolean>;
};

/** Nonces per statement. Larger batches take no less time per row. */
const BATCH_MAX = 500;
/** Two statements at a time: one is written to disk while the next one fills. */
const PARALLEL_MAX = 2;

const batchSize = new Histogram({
  name: 'nonce_batch_size',
  help: 'Nonces written by one statement.',
  buckets: [1, 2, 5, 10, 20, 50, 100, 200, 500],
  registers: [registry],
});

/**
 * The nonces of all replicas, in the database. Requests that arrive while statements are running share the next one, so
 * the number of statements depends on the disk and not on the number of requests.
 */
export function createNonceStore(db: Db, log: Log): NonceStore {
  async function write(digests: readonly string[]): Promise<Set<string>> {
    batchSize.observe(digests.length);
    try {
      return await claimNonces(db, [...new Set(digests)]);
    } catch (err) {
      log.error('nonces not stored, requests are refused', { count: digests.length, err });
      throw new ApiError('SERVICE_UNAVAILABLE');
    }
  }
  const freshOfBatch = batcher(write, { max: BATCH_MAX, waitMs: 0, parallel: PARALLEL_MAX });

  return {
    async claim(partnerId, nonce) {
      // A partner id contains no line feed, so no two pairs have the same text.
      const digest = hash('sha256', `${partnerId}\n${nonce}`, 'hex').slice(0, 32);
      const fresh = await freshOfBatch(digest);
      // If a batch contains a nonce twice, the first request gets it.
      return fresh.delete(digest);
    },
  };
}
