import { networkOf } from '@pay/shared/net/client-address.ts';
import type { PartnerId } from '@pay/shared/identities/identities.ts';

/** How many senders are remembered. Beyond that, the least recently active one is forgotten. */
const SENDERS_MAX = 20_000;

/**
 * Who failed. A failure that names a registered key counts against that key, wherever it comes from. An address is
 * charged only if no registered key is named or the request cannot be read that far.
 */
export type Sender =
  | { readonly kind: 'unreadable' | 'unknown'; readonly address: string }
  | { readonly kind: 'key'; readonly partnerId: PartnerId; readonly fingerprint: string };

export type FailedAuthentications = {
  /** Counts one failure. Undefined while the sender is within the limit, else the number of seconds to wait. */
  failed(sender: Sender): number | undefined;
};

type Bucket = { tokens: number; refilledAt: number };

/**
 * Counts failed authentications per sender, in this process, because the limit protects its CPU. It is consulted only
 * after a signature was found invalid, so a valid request passes whatever others did from its address or in its name
 * (decisions/gateway-limits).
 * @param now a monotonic clock in milliseconds
 */
export function createFailedAuthentications(perMinute: number, now: () => number): FailedAuthentications {
  const refillPerMs = perMinute / 60_000;
  const buckets = new Map<string, Bucket>();

  function bucketOf(name: string): Bucket {
    const at = now();
    const bucket = buckets.get(name) ?? { tokens: perMinute, refilledAt: at };
    bucket.tokens = Math.min(perMinute, bucket.tokens + (at - bucket.refilledAt) * refillPerMs);
    bucket.refilledAt = at;
    // Removed and inserted again: the map's order is the order of last use.
    buckets.delete(name);
    buckets.set(name, bucket);
    const [oldest] = buckets.keys();
    if (buckets.size > SENDERS_MAX && oldest !== undefined) buckets.delete(oldest);
    return bucket;
  }

  return {
    failed(sender) {
      const bucket = bucketOf(nameOf(sender));
      if (bucket.tokens < 1) return Math.ceil((1 - bucket.tokens) / refillPerMs / 1_000);
      bucket.tokens -= 1;
      return undefined;
    },
  };
}

/** Names are unique: a fingerprint contains no space, and the kind comes first. */
function nameOf(sender: Sender): string {
  if (sender.kind === 'key') return `key ${sender.fingerprint} ${sender.partnerId}`;
  return `${sender.kind} ${networkOf(sender.address)}`;
}
