import { describe, expect, it } from '@jest/globals';
import { afterCall, HEALTHY, mayProbe, whileProbed, type Health, type Outcome } from './health.ts';

const CALL = { now: 0, isProbe: false, isLast: false };
const OUT: Health = { failures: 3, out: { until: 1_000, pauseMs: 1_000, isProbed: false } };

const after = (outcomes: readonly Outcome[], call = CALL) =>
  outcomes.reduce((health, outcome) => afterCall(health, outcome, call), HEALTHY);

describe('a replica (F7)', () => {
  it.each<[string, readonly Outcome[], boolean]>([
    ['two failures', ['failed', 'failed'], false],
    ['three failures in a row', ['failed', 'failed', 'failed'], true],
    ['three failures, an answer between them', ['failed', 'failed', 'answered', 'failed'], false],
    ['one refused connection', ['refused'], true],
    ['calls that say nothing', ['unknown', 'unknown', 'unknown', 'unknown'], false],
    ['calls that say nothing between failures', ['failed', 'unknown', 'failed', 'unknown', 'failed'], true],
  ])('is passed over, or not, after %s', (_name, outcomes, isOut) => {
    expect(after(outcomes).out !== undefined).toBe(isOut);
    expect(after(outcomes, { ...CALL, isLast: true }).out).toBeUndefined();
  });

  it('is passed over for 1 s, doubled to 10 s by each probe that fails, and is back with any answer', () => {
    let health = after(['refused']);
    const pauses = [health.out?.pauseMs];
    for (let probe = 0; probe < 5; probe += 1) {
      health = afterCall(whileProbed(health), 'failed', { ...CALL, isProbe: true });
      pauses.push(health.out?.pauseMs);
    }
    expect(pauses).toEqual([1_000, 2_000, 4_000, 8_000, 10_000, 10_000]);
    expect(afterCall(health, 'answered', CALL)).toEqual(HEALTHY);
  });

  it('is not judged again by calls that were on their way when it was passed over', () => {
    const probed = whileProbed(OUT);
    expect(afterCall(probed, 'failed', { ...CALL, now: 500 })).toEqual(probed);
  });

  it('is probed by one call at a time, by a command only where no read did it; a probe that says nothing is repeated', () => {
    expect(mayProbe(HEALTHY, 999, true)).toBe(false);
    expect(mayProbe(OUT, 999, true)).toBe(false);
    expect(mayProbe(OUT, 1_000, true)).toBe(true);
    expect(mayProbe(OUT, 10_999, false)).toBe(false);
    expect(mayProbe(OUT, 11_000, false)).toBe(true);
    const probed = whileProbed(OUT);
    expect(mayProbe(probed, 20_000, true)).toBe(false);
    const unclear = afterCall(probed, 'unknown', { now: 5_000, isProbe: true, isLast: false });
    expect(unclear.out).toEqual({ until: 6_000, pauseMs: 1_000, isProbed: false });
  });
});
