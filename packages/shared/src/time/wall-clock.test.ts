import { afterEach, expect, it, jest } from '@jest/globals';
import { stopwatch } from './wall-clock.ts';

afterEach(() => {
  jest.restoreAllMocks();
});

it('counts the pause of a virtual machine whose monotonic clock stood still', () => {
  const elapsedMs = stopwatch();
  const now = Date.now();
  jest.spyOn(Date, 'now').mockReturnValue(now + 60_000);
  expect(elapsedMs()).toBeGreaterThanOrEqual(60_000);
});

it('goes on while the wall clock is set back', () => {
  const elapsedMs = stopwatch();
  const now = performance.now();
  jest.spyOn(Date, 'now').mockReturnValue(0);
  jest.spyOn(performance, 'now').mockReturnValue(now + 5_000);
  expect(elapsedMs()).toBeGreaterThanOrEqual(4_900);
});
