/** What a call shows about the replica that it was sent to. */
export type Outcome =
  /** Any response: the replica is alive. */
  | 'answered'
  /** It accepted no connection. */
  | 'refused'
  /** It was late, or broke the connection. */
  | 'failed'
  /** Nothing: the call was aborted, or waited for somebody else. */
  | 'unknown';

/** What is known about a replica. Times are monotonic milliseconds. */
export type Health = {
  /** Consecutive failures. */
  readonly failures: number;
  /** Set while the replica is skipped: until when, for how long this time, and whether a call is probing it. */
  readonly out?: { readonly until: number; readonly pauseMs: number; readonly isProbed: boolean };
};

export const HEALTHY: Health = { failures: 0 };

const FAILURES_IN_A_ROW = 3;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 10_000;
/** A call that is sent to one replica only fails if that one is frozen: it probes only if no other call has done so. */
const UNHEDGED_PROBE_LATER_MS = 10_000;

type Call = {
  readonly now: number;
  /** The call was sent to find out whether the replica has recovered. */
  readonly isProbe: boolean;
  /** No other replica is in service. */
  readonly isLast: boolean;
};

/**
 * The health of a replica after a call. The last replica in service stays in service, whatever happens
 * (decisions/replicas).
 */
export function afterCall(health: Health, outcome: Outcome, { now, isProbe, isLast }: Call): Health {
  if (outcome === 'answered') return HEALTHY;
  const { out } = health;
  if (out !== undefined) {
    // A call that was in flight when the replica was taken out says nothing new.
    if (!isProbe) return health;
    const pauseMs = outcome === 'unknown' ? out.pauseMs : Math.min(out.pauseMs * 2, LONGEST_PAUSE_MS);
    return { ...health, out: { until: now + pauseMs, pauseMs, isProbed: false } };
  }
  if (outcome === 'unknown') return health;
  const failures = outcome === 'refused' ? FAILURES_IN_A_ROW : Math.min(health.failures + 1, FAILURES_IN_A_ROW);
  if (failures < FAILURES_IN_A_ROW || isLast) return { failures };
  return { failures, out: { until: now + FIRST_PAUSE_MS, pauseMs: FIRST_PAUSE_MS, isProbed: false } };
}

/** Whether a call may now probe a skipped replica: one at a time. */
export function mayProbe({ out }: Health, now: number, isHedged: boolean): boolean {
  if (out === undefined || out.isProbed) return false;
  return now >= out.until + (isHedged ? 0 : UNHEDGED_PROBE_LATER_MS);
}

/** The health of a replica to which a probe has just been sent. */
export function whileProbed(health: Health): Health {
  return health.out === undefined ? health : { ...health, out: { ...health.out, isProbed: true } };
}
