import { setTimeout as wait } from 'node:timers/promises';
import { ApiError } from '@pay/shared/errors/api-error.ts';
import { NameNotResolvedError, type ResolvePublic } from '@pay/shared/net/safe-connect.ts';
import type { PartnerId } from '@pay/shared/identities/identities.ts';

/** For a whole resolution, however many name servers there are: a call waits for it. */
const RESOLVE_MS = 4_000;
/** Calls that may wait for a name at the same time: of one partner, and in this process. */
const PARTNER_CALLS_MAX = 16;
const CALLS_MAX = 64;

/**
 * A resolver for names that partners choose. Their name servers may be slow on purpose, and each call that waits occupies a
 * connection between the gateway and this service.
 * @throws ApiError SERVICE_UNAVAILABLE at once if too many calls are waiting; NameNotResolvedError after the time limit
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
