import { describe, expect, it } from '@jest/globals';
import { inSteps, paced, saturate, type Clock } from './load.ts';

/** A clock that stands still until somebody waits on it; waiting for the earliest moment moves it there. */
function playedClock() {
  let now = 0;
  let waiting: { at: number; resolve: () => void }[] = [];
  const wake = () => {
    const next = waiting.toSorted((a, b) => a.at - b.at)[0];
    if (next === undefined) return;
    waiting = waiting.filter((one) => one !== next);
    now = Math.max(now, next.at);
    next.resolve();
  };
  const clock: Clock = {
    now: () => now,
    until: (at) =>
      new Promise<void>((resolve) => {
        waiting.push({ at, resolve });
        // After everything that is ready has run.
        setImmediate(wake);
      }),
  };
  return { clock, takes: (ms: number) => clock.until(now + ms) };
}

describe('an open loop', () => {
  it('measures each request from when it was due, and not from when there was time for it', async () => {
    const { clock, takes } = playedClock();
    const dueAts: number[] = [];
    const result = await paced(
      {
        perSecond: 10,
        seconds: 0.3,
        warmUpSeconds: 0,
        one: async (dueAt) => {
          dueAts.push(dueAt);
          await takes(250);
        },
      },
      clock,
    );
    expect(dueAts).toEqual([0, 100, 200]);
    expect(result).toEqual({ perSecond: 10, done: 3, failed: 0, p50Ms: 250, p99Ms: 250 });
  });

  it('counts a failed request with the time that it took, and not in the rate', async () => {
    const { clock, takes } = playedClock();
    let round = 0;
    const one = async () => {
      round += 1;
      const isBad = round === 2;
      await takes(isBad ? 5_000 : 1);
      if (isBad) throw new Error('refused');
    };
    const result = await paced({ perSecond: 2, seconds: 1, warmUpSeconds: 0, one }, clock);
    expect(result).toMatchObject({ perSecond: 1, done: 1, failed: 1, p99Ms: 5_000 });
  });

  it('leaves the warm-up out, its failures too', async () => {
    const { clock, takes } = playedClock();
    const one = async (dueAt: number, isCounted: boolean) => {
      await takes(1);
      if (!isCounted) throw new Error('refused');
      expect(dueAt).toBeGreaterThanOrEqual(1_000);
    };
    const result = await paced({ perSecond: 5, seconds: 1, warmUpSeconds: 1, one }, clock);
    expect(result).toMatchObject({ done: 5, failed: 0 });
  });
});

describe('a life in steps', () => {
  const life = { dueAt: 0, apartMs: 1_000 };

  it('starts each step when it is due', async () => {
    const { clock, takes } = playedClock();
    const quick = () => takes(10);
    const taken = await inSteps(
      life,
      [
        ['create', quick],
        ['open', quick],
        ['pay', quick],
      ],
      clock,
    );
    expect(taken.map(({ ms }) => ms)).toEqual([10, 10, 10]);
  });

  it('counts as late what was not ready when it was due', async () => {
    const { clock, takes } = playedClock();
    const taken = await inSteps(
      life,
      [
        ['create', () => takes(3_000)],
        ['open', () => takes(10)],
        ['pay', () => takes(10)],
      ],
      clock,
    );
    // Opened 2 s after it was due, paid 1.01 s after it was.
    expect(taken).toEqual([
      { name: 'create', ms: 3_000, failed: false },
      { name: 'open', ms: 2_010, failed: false },
      { name: 'pay', ms: 1_020, failed: false },
    ]);
  });

  it('gives a failed step the time that it took, and fails the steps that needed it', async () => {
    const { clock, takes } = playedClock();
    const taken = await inSteps(
      life,
      [
        ['create', () => takes(1_500).then(() => Promise.reject(new Error('refused')))],
        ['open', () => takes(10)],
        ['pay', () => takes(10)],
      ],
      clock,
    );
    expect(taken).toEqual([
      { name: 'create', ms: 1_500, failed: true },
      { name: 'open', ms: 500, failed: true },
      { name: 'pay', ms: 0, failed: true },
    ]);
  });
});

it('a closed loop keeps its concurrency, and does not count what was sent before the warm-up ended', async () => {
  const { clock, takes } = playedClock();
  let [running, most, sent] = [0, 0, 0];
  const one = async () => {
    sent += 1;
    running += 1;
    most = Math.max(most, running);
    await takes(100);
    running -= 1;
  };
  const result = await saturate({ concurrency: 3, seconds: 1, warmUpSeconds: 1, one }, clock);
  expect([most, sent]).toEqual([3, 60]);
  expect(result).toEqual({ perSecond: 30, done: 30, failed: 0, p50Ms: 100, p99Ms: 100 });
});
