import { networkOf } from '@pay/shared/net/client-address.ts';
import type { PartnerId } from '@pay/shared/identities/identities.ts';

/** Senders that are remembered; past it the one that was quiet longest is forgotten. */
const SENDERS_MAX = 20_000;

/**
 * Who failed. A key that is registered answers for what is sent in its name, wherever it comes from: an address is counted
 * only for what names no such key, and for what cannot even be read apart from that.
 */
export type Sender =
  | { readonly kind: 'unreadable' | 'unknown'; readonly address: string }
  | { readonly kind: 'key'; readonly partnerId: PartnerId; readonly fingerprint: string };

export type FailedAuthentications = {
  /** Counts one failure. Undefined while the sender may fail on; else in how many seconds it may again. */
  failed(sender: Sender): number | undefined;
};

type Bucket = { tokens: number; refilledAt: number };

/**
 * Counts failed authentications a sender, in this process: the limit protects its processor. Nobody asks it before a signature
 * is verified, so a valid request passes whatever others did from its address or in its name (ADR 0076).
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
    // Taken out and put in again: the map's order is the order of last use.
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

/** No two senders have one name: a fingerprint has no space, and a kind is written first. */
function nameOf(sender: Sender): string {
  if (sender.kind === 'key') return `key ${sender.fingerprint} ${sender.partnerId}`;
  return `${sender.kind} ${networkOf(sender.address)}`;
}
