import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { atMostEvery } from './at-most-every.ts';

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

describe('at most every', () => {
  it('calls at once, and gathers what comes too soon into one call', () => {
    const calls: number[] = [];
    const startedAt = performance.now();
    const call = atMostEvery(10, () => calls.push(performance.now() - startedAt));
    for (let time = 0; time < 25; time += 1) {
      call();
      jest.advanceTimersByTime(1);
    }
    expect(calls).toEqual([0, 10, 20]);
    jest.advanceTimersByTime(100);
    expect(calls).toEqual([0, 10, 20, 30]);
  });

  it('passes something on to a call that is made at once, and nothing to a combined one', () => {
    const calls: (string | undefined)[] = [];
    const call = atMostEvery<string>(10, (now) => calls.push(now));
    call('first');
    call('second');
    jest.advanceTimersByTime(10);
    expect(calls).toEqual(['first', undefined]);
  });

  it('calls at once again after a quiet time', () => {
    let calls = 0;
    const call = atMostEvery(10, () => (calls += 1));
    call();
    jest.advanceTimersByTime(10);
    call();
    expect(calls).toBe(2);
  });
});
