import { setTimeout as wait } from 'node:timers/promises';
import { ApiError } from '@pay/shared/errors/api-error.ts';
import { NameNotResolvedError, type ResolvePublic } from '@pay/shared/net/safe-connect.ts';
import type { PartnerId } from '@pay/shared/identities/identities.ts';

/** All of a resolution, whatever number of name servers there is: a call waits for it. */
const RESOLVE_MS = 4_000;
/** Calls that wait for a name at once: of one partner, and in this process. */
const PARTNER_CALLS_MAX = 16;
const CALLS_MAX = 64;

/**
 * A resolver for names that partners choose: their name servers may take their time on purpose, and each call that waits for one
 * holds a place between the gateway and this service.
 * @throws ApiError SERVICE_UNAVAILABLE at once when there is no place; NameNotResolvedError when it takes too long
 */
export function boundedResolver(resolve: ResolvePublic): (partnerId: PartnerId, hostname: string) => Promise<void> {
  const calls = new Map<string, number>();
  let all = 0;

  function count(partnerId: PartnerId, change: 1 | -1): void {
    all += change;
    const own = (calls.get(partnerId) ?? 0) + change;
    if (own === 0) calls.delete(partnerId);
    else calls.set(partnerId, own);
  }

  return async (partnerId, hostname) => {
    if (all >= CALLS_MAX || (calls.get(partnerId) ?? 0) >= PARTNER_CALLS_MAX) {
      throw new ApiError('SERVICE_UNAVAILABLE', { retryAfterSeconds: 1 });
    }
    count(partnerId, 1);
    const ended = new AbortController();
    try {
      await Promise.race([resolve(hostname), tooLate(ended.signal)]);
    } finally {
      ended.abort();
      count(partnerId, -1);
    }
  };
}

async function tooLate(signal: AbortSignal): Promise<never> {
  await wait(RESOLVE_MS, undefined, { signal, ref: false });
  throw new NameNotResolvedError('the name servers took too long');
}
