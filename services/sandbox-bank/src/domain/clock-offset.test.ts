import { describe, expect, it } from '@jest/globals';
import { advancedOffset, CLOCK_OFFSET_MILLISECONDS_MAX } from './clock-offset.ts';

const DAY = 24 * 3_600_000;

describe('advancedOffset', () => {
  it.each([
    ['2026-11-21T12:00:00.000Z', 0, 'P1D', DAY],
    ['2026-11-21T12:00:00.000Z', 5, 'PT0.5S', 505],
    ['2026-11-21T12:00:00.000Z', 0, 'P1M', 30 * DAY],
    ['2027-01-31T00:00:00.000Z', 0, 'P1M', 28 * DAY],
    ['2028-01-31T00:00:00.000Z', 0, 'P1M', 29 * DAY],
    ['2028-02-29T00:00:00.000Z', 0, 'P1Y', 365 * DAY],
  ])('from %s at offset %d by %s', (now, offset, duration, expected) => {
    expect(advancedOffset(new Date(now), offset, duration)).toBe(expected);
  });

  it.each(['-P1D', 'PT0S', 'P0M', 'one month', '', '1', 'P', 'P101Y', 'P999999999Y'])('%s does not move it', (duration) => {
    expect(advancedOffset(new Date('2026-11-21T12:00:00.000Z'), 0, duration)).toBeUndefined();
  });

  it('goes no further than the limit, whatever the steps', () => {
    const now = new Date('2026-11-21T12:00:00.000Z');
    expect(advancedOffset(now, CLOCK_OFFSET_MILLISECONDS_MAX - 1, 'PT0.001S')).toBe(CLOCK_OFFSET_MILLISECONDS_MAX);
    expect(advancedOffset(now, CLOCK_OFFSET_MILLISECONDS_MAX, 'PT0.001S')).toBeUndefined();
  });
});
