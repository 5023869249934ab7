import { isIPv6 } from 'node:net';

/** Sources that are remembered; past it the one that was quiet longest is forgotten. */
const SOURCES_MAX = 20_000;

export type FailedAuthentications = {
  /** How long this source must wait; undefined when it may try. `partnerId` where partner and key are known. */
  retryAfterSeconds(address: string, partnerId: string | undefined): number | undefined;
  failed(address: string, partnerId: string | undefined): void;
  succeeded(address: string, partnerId: string): void;
};

type Bucket = { tokens: number; refilledAt: number };

/**
 * Counts failed authentications a source address, in this process. A partner that once succeeded from an address has a
 * count of its own there, so that a stranger behind the same address does not shut it out.
 * @param now a monotonic clock in milliseconds
 */
export function createFailedAuthentications(perMinute: number, now: () => number): FailedAuthentications {
  const refillPerMs = perMinute / 60_000;
  const buckets = new Map<string, Bucket>();

  function sourceOf(address: string, partnerId: string | undefined): string {
    const network = networkOf(address);
    const known = `${network} ${partnerId ?? ''}`;
    return partnerId !== undefined && buckets.has(known) ? known : network;
  }

  function refilled(source: string): Bucket | undefined {
    const bucket = buckets.get(source);
    if (bucket === undefined) return undefined;
    const at = now();
    bucket.tokens = Math.min(perMinute, bucket.tokens + (at - bucket.refilledAt) * refillPerMs);
    bucket.refilledAt = at;
    return bucket;
  }

  function remember(source: string, bucket: Bucket): void {
    // Taken out and put in again: the map's order is the order of last use.
    buckets.delete(source);
    buckets.set(source, bucket);
    if (buckets.size <= SOURCES_MAX) return;
    const [oldest] = buckets.keys();
    if (oldest !== undefined) buckets.delete(oldest);
  }

  const full = (): Bucket => ({ tokens: perMinute, refilledAt: now() });

  return {
    retryAfterSeconds(address, partnerId) {
      const bucket = refilled(sourceOf(address, partnerId));
      if (bucket === undefined || bucket.tokens >= 1) return undefined;
      return Math.ceil((1 - bucket.tokens) / refillPerMs / 1_000);
    },
    failed(address, partnerId) {
      const source = sourceOf(address, partnerId);
      const bucket = refilled(source) ?? full();
      bucket.tokens = Math.max(0, bucket.tokens - 1);
      remember(source, bucket);
    },
    succeeded(address, partnerId) {
      const source = `${networkOf(address)} ${partnerId}`;
      if (!buckets.has(source)) remember(source, full());
    },
  };
}

/** An IPv4 address, or the /64 of an IPv6 address: whoever has one address of it has all. */
export function networkOf(address: string): string {
  if (address.startsWith('::ffff:') && address.includes('.')) return address.slice('::ffff:'.length);
  if (!isIPv6(address)) return address;
  const [head = '', tail] = address.split('%')[0]?.split('::') ?? [];
  const first = head === '' ? [] : head.split(':');
  const last = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? [] : Array.from({ length: 8 - first.length - last.length }, () => '0');
  return `${[...first, ...zeros, ...last].slice(0, 4).join(':')}::/64`;
}
