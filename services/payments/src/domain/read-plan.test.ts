import { describe, expect, it } from '@jest/globals';
import { nextQrReadAt, nextReadAt, pauseMs } from './read-plan.ts';

const NOW = new Date('2026-11-21T12:00:00.000Z');
const after = (ms: number) => new Date(NOW.getTime() + ms);
const [SECOND, MINUTE, HOUR] = [1_000, 60_000, 3_600_000];
const pending = { status: 'PENDING', readCount: 0, expiresAt: after(5 * HOUR) } as const;

describe('the plan of read-back', () => {
  it('pauses 10 s, 1 min, 5 min, 15 min, 1 h, then hourly', () => {
    expect([0, 1, 2, 3, 4, 5, 500].map(pauseMs)).toEqual([
      10 * SECOND, MINUTE, 5 * MINUTE, 15 * MINUTE, HOUR, HOUR, HOUR,
    ]); // prettier-ignore
  });

  it.each([
    ['the first read', pending, after(10 * SECOND)],
    ['an open payment is looked at when its session ends', { ...pending, expiresAt: after(SECOND) }, after(SECOND)],
    ['an open payment past its end goes on by the plan', { ...pending, expiresAt: NOW }, after(10 * SECOND)],
    [
      'an unknown outcome is read for ever',
      { ...pending, readCount: 9_000, expiresAt: after(-999 * HOUR) },
      after(HOUR),
    ],
    ['an expired one is read on', { ...pending, status: 'EXPIRED', expiresAt: after(-HOUR) }, after(10 * SECOND)],
    [
      '… until 48 hours after its end',
      { ...pending, status: 'EXPIRED', readCount: 9, expiresAt: after(-47 * HOUR) },
      after(HOUR),
    ],
    ['… and not longer', { ...pending, status: 'EXPIRED', readCount: 9, expiresAt: after(-47 * HOUR - 1) }, null],
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
