/** How many sources and links are remembered; beyond that, the least recently used is forgotten. */
const REMEMBERED_MAX = 20_000;

/** What one source may do per minute; the first minute's worth may come at once. */
export type LimitsPerMinute = {
  /** All requests except for the files of the pages. */
  readonly requests: number;
  /** Requests for links that do not exist. */
  readonly unknownLinks: number;
  /** Requests that make us ask a bank. */
  readonly bankAsks: number;
  /** Reports that browsers send by themselves (`csp-reports.ts`). */
  readonly reports: number;
};

/** A buyer's browser sends a few dozen requests per payment; one address may be the router of a company or a mobile network. */
export const LIMITS_PER_MINUTE: LimitsPerMinute = { requests: 1_200, unknownLinks: 60, bankAsks: 300, reports: 60 };

/**
 * What one checkout process accepts from one source (an address or its network). In memory: these limits
 * protect this process, its pool and a bank from floods, and each replica has its own. Cards are counted in the database
 * (`use-cases/admit-card.ts`). Each method returns after how many seconds to try again; undefined: allowed now.
 */
export type Limits = {
  request(source: string): number | undefined;
  bankAsk(source: string): number | undefined;
  report(source: string): number | undefined;
  /**
   * Call before a link is looked up. A link that was valid a moment ago always passes, so that somebody who guesses links behind
   * the same router does not lock out a buyer who is paying.
   */
  lookUp(source: string, link: string): number | undefined;
  /** The link exists: the look-up does not count. */
  found(source: string, link: string): void;
};

/** @param now a monotonic clock in milliseconds */
export function createLimits(perMinute: LimitsPerMinute, now: () => number = () => performance.now()): Limits {
  const requests = createBuckets(perMinute.requests, now);
  const bankAsks = createBuckets(perMinute.bankAsks, now);
  const reports = createBuckets(perMinute.reports, now);
  const guesses = createBuckets(perMinute.unknownLinks, now);
  const good = new Map<string, true>();
  return {
    request: (source) => requests.take(source),
    bankAsk: (source) => bankAsks.take(source),
    report: (source) => reports.take(source),
    // Counted before the result is known and refunded after it, so that a hundred simultaneous guesses count as a hundred.
    lookUp: (source, link) => (good.has(link) ? undefined : guesses.take(source)),
    found(source, link) {
      if (!good.has(link)) guesses.giveBack(source);
      touch(good, link, true);
    },
  };
}

type Bucket = { readonly tokens: number; readonly filledAt: number };

function createBuckets(perMinute: number, now: () => number) {
  const perMs = perMinute / 60_000;
  const buckets = new Map<string, Bucket>();
  const tokensOf = (source: string, at: number): number => {
    const { tokens, filledAt } = buckets.get(source) ?? { tokens: perMinute, filledAt: at };
    return Math.min(perMinute, tokens + (at - filledAt) * perMs);
  };
  return {
    take(source: string): number | undefined {
      const at = now();
      const tokens = tokensOf(source, at);
      const isTaken = tokens >= 1;
      touch(buckets, source, { tokens: isTaken ? tokens - 1 : tokens, filledAt: at });
      return isTaken ? undefined : Math.max(1, Math.ceil((1 - tokens) / perMs / 1_000));
    },
    giveBack(source: string): void {
      const at = now();
      touch(buckets, source, { tokens: Math.min(perMinute, tokensOf(source, at) + 1), filledAt: at });
    },
  };
}

/** Inserts a value as the newest one; the map is ordered by last use. */
function touch<T>(map: Map<string, T>, key: string, value: T): void {
  map.delete(key);
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > REMEMBERED_MAX && oldest !== undefined) map.delete(oldest);
}
