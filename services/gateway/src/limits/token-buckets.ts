import type pg from 'pg';
import { ApiError } from '@pay/shared/errors/api-error.ts';
import type { Log } from '@pay/shared/logging/logger.ts';
import { leaseTokens } from '../db/rate-buckets.ts';
import type { Partner } from '../partners/partner-directory.ts';

export type TokenBuckets = {
  /**
   * Takes one token. Returns the seconds to wait if there is none.
   * @throws ApiError 503 when the shared bucket can't be reached.
   */
  take(partner: Partner): Promise<number | undefined>;
  /**
   * Returns the token of a request that turned out not to be the partner's: a replayed request must not use up its
   * rate.
   */
  giveBack(partner: Partner): void;
};

/**
 * A lease covers about a tenth of a second of the partner's rate: ten statements per second instead of one per request.
 */
const LEASES_PER_SECOND = 10;
/**
 * An empty bucket is not queried again for this long: a flood above the limit must not become a flood of statements.
 */
const EMPTY_MS = 50;

type Local = { tokens: number; leasing: Promise<void> | undefined; emptyUntil: number };

/**
 * One token bucket per partner, shared by all replicas: the bucket is a row, and a replica leases a few of its tokens
 * at a time. The sum over all replicas stays within burst + rate x time. decisions/gateway-limits explains why it is
 * not one statement per request.
 */
export function createTokenBuckets(pool: pg.Pool, log: Log): TokenBuckets {
  const locals = new Map<string, Local>();

  function localOf(partner: Partner): Local {
    const known = locals.get(partner.partnerId);
    if (known !== undefined) return known;
    const local: Local = { tokens: 0, leasing: undefined, emptyUntil: 0 };
    locals.set(partner.partnerId, local);
    return local;
  }

  function lease(partner: Partner, local: Local): Promise<void> {
    local.leasing ??= leaseTokens(pool, partner, Math.max(1, Math.ceil(partner.ratePerSecond / LEASES_PER_SECOND)))
      .then((granted) => {
        local.tokens += granted;
        if (granted === 0) local.emptyUntil = performance.now() + EMPTY_MS;
      })
      .catch((err: unknown) => {
        log.error('token bucket unavailable, requests are refused', { partner: partner.partnerId, err });
        throw new ApiError('SERVICE_UNAVAILABLE');
      })
      .finally(() => {
        local.leasing = undefined;
      });
    return local.leasing;
  }

  return {
    async take(partner) {
      const local = localOf(partner);
      while (local.tokens < 1) {
        if (performance.now() < local.emptyUntil) return Math.max(1, Math.ceil(1 / partner.ratePerSecond));
        await lease(partner, local);
      }
      local.tokens -= 1;
      return undefined;
    },
    giveBack(partner) {
      localOf(partner).tokens += 1;
    },
  };
}
