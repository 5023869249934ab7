/** Sources and links that are remembered; past it the one that was quiet longest is forgotten. */
const REMEMBERED_MAX = 20_000;

/** What one source may do a minute; the first minute's worth may come at once. */
export type LimitsPerMinute = {
  /** Everything but the files of the pages. */
  readonly requests: number;
  /** Links that nobody has. */
  readonly unknownLinks: number;
  /** What makes us ask a bank. */
  readonly bankAsks: number;
  /** What browsers tell of their own accord (`csp-reports.ts`). */
  readonly reports: number;
};

/** A buyer's browser sends some dozens a payment; one address may be the router of a company or of a mobile network. */
export const LIMITS_PER_MINUTE: LimitsPerMinute = { requests: 1_200, unknownLinks: 60, bankAsks: 300, reports: 60 };

/**
 * What one process of the checkout takes from one source (an address, or the network of one). In memory: these limits
 * protect this process, its pool and a bank from a flood, and each replica has its own. Where cards are concerned the database
 * counts (`use-cases/admit-card.ts`). Each answers in how many seconds to come again; undefined: now.
 */
export type Limits = {
  request(source: string): number | undefined;
  bankAsk(source: string): number | undefined;
  report(source: string): number | undefined;
  /**
   * Before a link is looked up. A link that was good a moment ago passes whatever else comes from its address, so that who
   * guesses behind the same router does not throw out a buyer who is paying.
   */
  lookUp(source: string, link: string): number | undefined;
  /** The link was good: it does not count. */
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
    // Taken before the answer is known and given back after it: a hundred guesses at once are a hundred.
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

/** Puts a value in as the newest one; the map's order is the order of last use. */
function touch<T>(map: Map<string, T>, key: string, value: T): void {
  map.delete(key);
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > REMEMBERED_MAX && oldest !== undefined) map.delete(oldest);
}
