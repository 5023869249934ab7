import { describe, expect, it } from '@jest/globals';
import { nextQrReadAt, nextReadAt, pauseMs, unhurried } from './read-back-schedule.ts';

const NOW = new Date('2026-11-21T12:00:00.000Z');
const after = (ms: number) => new Date(NOW.getTime() + ms);
const [SECOND, MINUTE, HOUR] = [1_000, 60_000, 3_600_000];
const pending = { status: 'PENDING', readCount: 0, expiresAt: after(5 * HOUR) } as const;

describe('the plan of read-back', () => {
  it('pauses 1, 2, 4, 8 s, every 8 s until about a minute is over, then 1 min, 5 min, 15 min, 1 h, then hourly', () => {
    const plan = Array.from({ length: 15 }, (_, readCount) => pauseMs(readCount) / SECOND);
    expect(plan).toEqual([1, 2, 4, 8, 8, 8, 8, 8, 8, 60, 300, 900, 3_600, 3_600, 3_600]);
    expect(pauseMs(500)).toBe(HOUR);
  });

  it('of what nobody has to hurry begins with 8 s, then 1 min', () => {
    const second = unhurried(0) + 1;
    expect([pauseMs(unhurried(0)), pauseMs(unhurried(second)), unhurried(12)]).toEqual([8 * SECOND, MINUTE, 12]);
  });

  it.each([
    ['the first read', pending, after(SECOND)],
    ['an open payment is looked at when its session ends', { ...pending, expiresAt: after(500) }, after(500)],
    ['an open payment past its end goes on by the plan', { ...pending, expiresAt: NOW }, after(SECOND)],
    ['an unknown outcome is read for ever', { ...pending, readCount: 9_000, expiresAt: after(-999 * HOUR) }, after(HOUR)],
    ['an expired one is read on', { ...pending, status: 'EXPIRED', expiresAt: after(-HOUR) }, after(SECOND)],
    ['… until 48 hours after its end', { ...pending, status: 'EXPIRED', readCount: 12, expiresAt: after(-47 * HOUR) }, after(HOUR)],
    ['… and not longer', { ...pending, status: 'EXPIRED', readCount: 12, expiresAt: after(-47 * HOUR - 1) }, null],
  ] as const)('%s', (_title, payment, expected) => {
    expect(nextReadAt(payment, NOW)).toEqual(expected);
  });
});

describe('the plan of a code that waits for its buyer', () => {
  it.each([
    ['at once', 0, 5 * SECOND],
    ['up to two minutes old', 2 * MINUTE - 1, 5 * SECOND],
    ['from two minutes on', 2 * MINUTE, 15 * SECOND],
    ['up to a quarter of an hour old', 15 * MINUTE - 1, 15 * SECOND],
    ['from then on', 15 * MINUTE, MINUTE],
  ])('%s', (_title, ageMs, pause) => {
    expect(nextQrReadAt({ createdAt: after(-ageMs), expiresAt: after(HOUR) }, NOW)).toEqual(after(pause));
  });

  it('when its session ends at the latest', () => {
    expect(nextQrReadAt({ createdAt: after(-HOUR), expiresAt: after(SECOND) }, NOW)).toEqual(after(SECOND));
  });
});
