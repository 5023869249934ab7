/** What a call says about the replica that it was given to. */
export type Outcome =
  /** Any answer: it lives. */
  | 'answered'
  /** It took no connection. */
  | 'refused'
  /** It was late, or broke the call. */
  | 'failed'
  /** Nothing: the call was given up, or waited for somebody else. */
  | 'unknown';

/** What is known of a replica. Times are monotonic milliseconds. */
export type Health = {
  /** Failures in a row. */
  readonly failures: number;
  /** Since it is passed over: until when, for how long this time, and whether a call is finding out. */
  readonly out?: { readonly until: number; readonly pauseMs: number; readonly isProbed: boolean };
};

export const HEALTHY: Health = { failures: 0 };

const FAILURES_IN_A_ROW = 3;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 10_000;
/** A call that is asked of one replica only, and finds it frozen, fails: it probes only where no other came by to do it. */
const UNHEDGED_PROBE_LATER_MS = 10_000;

type Call = {
  readonly now: number;
  /** It was sent to see whether the replica is back. */
  readonly isProbe: boolean;
  /** No other replica is in service. */
  readonly isLast: boolean;
};

/** The health of a replica after a call. The last replica in service stays in service, whatever it does (ADR 0111). */
export function afterCall(health: Health, outcome: Outcome, { now, isProbe, isLast }: Call): Health {
  if (outcome === 'answered') return HEALTHY;
  const { out } = health;
  if (out !== undefined) {
    // What was on its way when the replica was passed over tells nothing new.
    if (!isProbe) return health;
    const pauseMs = outcome === 'unknown' ? out.pauseMs : Math.min(out.pauseMs * 2, LONGEST_PAUSE_MS);
    return { ...health, out: { until: now + pauseMs, pauseMs, isProbed: false } };
  }
  if (outcome === 'unknown') return health;
  const failures = outcome === 'refused' ? FAILURES_IN_A_ROW : Math.min(health.failures + 1, FAILURES_IN_A_ROW);
  if (failures < FAILURES_IN_A_ROW || isLast) return { failures };
  return { failures, out: { until: now + FIRST_PAUSE_MS, pauseMs: FIRST_PAUSE_MS, isProbed: false } };
}

/** Whether a call may now find out if a replica that is passed over is back: one at a time. */
export function mayProbe({ out }: Health, now: number, isHedged: boolean): boolean {
  if (out === undefined || out.isProbed) return false;
  return now >= out.until + (isHedged ? 0 : UNHEDGED_PROBE_LATER_MS);
}

/** The health of a replica that a call has just been sent to as a probe. */
export function whileProbed(health: Health): Health {
  return health.out === undefined ? health : { ...health, out: { ...health.out, isProbed: true } };
}
