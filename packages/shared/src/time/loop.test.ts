import { describe, expect, it } from '@jest/globals';
import { createLog } from '../logging/logger.ts';
import { currentRequestId } from '../logging/request-context.ts';
import { loopRounds, loopRoundSeconds } from '../telemetry/metrics.ts';
import { startLoop } from './loop.ts';
import { createPause } from './pause.ts';

const log = createLog('test', 'silent');
const NEVER_MS = 2 ** 30;

describe('loop', () => {
  it('goes round again at once while a round left work behind', async () => {
    let left = 3;
    const idle = Promise.withResolvers<undefined>();
    const loop = startLoop(
      {
        name: 'work',
        intervalMs: NEVER_MS,
        round: () => {
          left -= 1;
          if (left === 0) idle.resolve(undefined);
          return Promise.resolve(left > 0 ? 'more' : 'done');
        },
      },
      log,
    );
    await idle.promise;
    await loop.stop();
    expect(left).toBe(0);
  });

  it('goes round when woken, also when that happens during a round', async () => {
    let rounds = 0;
    const first = Promise.withResolvers<undefined>();
    const second = Promise.withResolvers<undefined>();
    const loop = startLoop(
      {
        name: 'work',
        intervalMs: NEVER_MS,
        round: async () => {
          rounds += 1;
          if (rounds === 1) await first.promise;
          else second.resolve(undefined);
          return 'done';
        },
      },
      log,
    );
    loop.wake();
    first.resolve(undefined);
    await second.promise;
    await loop.stop();
    expect(rounds).toBe(2);
  });

  it('says how long the round under way has taken, so that one that hangs is seen, and 0 between rounds', async () => {
    const hanging = Promise.withResolvers<undefined>();
    const round = async () => {
      await hanging.promise;
      return 'done' as const;
    };
    const loop = startLoop({ name: 'hanging', intervalMs: NEVER_MS, round }, log);
    const seconds = async () => {
      const { values } = await loopRoundSeconds.get();
      return values.find(({ labels }) => labels.loop === 'hanging')?.value;
    };
    expect(await seconds()).toBeGreaterThan(0);
    hanging.resolve(undefined);
    await loop.stop();
    expect(await seconds()).toBe(0);
  });

  it.each([
    ['when its next work is due', NEVER_MS, 1],
    ['after its interval, if that ends before its next work is due', 1, NEVER_MS],
  ])('goes round %s', async (_when, intervalMs, nextMs) => {
    let rounds = 0;
    const third = Promise.withResolvers<undefined>();
    const loop = startLoop(
      {
        name: 'work',
        intervalMs,
        round: () => {
          rounds += 1;
          if (rounds === 3) third.resolve(undefined);
          return Promise.resolve({ nextMs });
        },
      },
      log,
    );
    await third.promise;
    await loop.stop();
    expect(rounds).toBeGreaterThanOrEqual(3);
  });

  it('goes round when the pause it was given is woken', async () => {
    let rounds = 0;
    const pause = createPause();
    const second = Promise.withResolvers<undefined>();
    const loop = startLoop(
      {
        name: 'work',
        intervalMs: NEVER_MS,
        pause,
        round: () => {
          rounds += 1;
          if (rounds === 2) second.resolve(undefined);
          return Promise.resolve('done');
        },
      },
      log,
    );
    pause.wake();
    await second.promise;
    await loop.stop();
    expect(rounds).toBe(2);
  });

  it('survives a round that fails, rejecting or throwing', async () => {
    let rounds = 0;
    const third = Promise.withResolvers<undefined>();
    const loop = startLoop(
      {
        name: 'work',
        intervalMs: 0,
        round: () => {
          rounds += 1;
          if (rounds === 1) throw new Error('thrown');
          if (rounds === 2) return Promise.reject(new Error('rejected'));
          third.resolve(undefined);
          return Promise.resolve('done');
        },
      },
      log,
    );
    await third.promise;
    await loop.stop();
    expect(rounds).toBeGreaterThanOrEqual(3);
  });

  it('waits at a stop for the running round, which hears of it, and starts no other', async () => {
    const heard = Promise.withResolvers<undefined>();
    let rounds = 0;
    let ended = false;
    const loop = startLoop(
      {
        name: 'work',
        intervalMs: 0,
        round: async (stopping) => {
          rounds += 1;
          stopping.addEventListener('abort', () => {
            heard.resolve(undefined);
          });
          await heard.promise;
          await new Promise(setImmediate);
          ended = true;
          return 'more';
        },
      },
      log,
    );
    await loop.stop();
    expect({ rounds, ended }).toEqual({ rounds: 1, ended: true });
  });

  it('gives every round a request id of its own', async () => {
    const ids = new Set<string | undefined>();
    const done = Promise.withResolvers<undefined>();
    const loop = startLoop(
      {
        name: 'work',
        intervalMs: NEVER_MS,
        round: () => {
          ids.add(currentRequestId());
          if (ids.size === 2) done.resolve(undefined);
          return Promise.resolve(ids.size < 2 ? 'more' : 'done');
        },
      },
      log,
    );
    await done.promise;
    await loop.stop();
    expect([...ids]).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/), expect.stringMatching(/^[0-9a-f-]{36}$/)]);
  });

  it('counts its rounds, those that failed apart', async () => {
    loopRounds.reset();
    const third = Promise.withResolvers<undefined>();
    let rounds = 0;
    const loop = startLoop(
      {
        name: 'counted',
        intervalMs: 0,
        round: () => {
          rounds += 1;
          if (rounds === 3) third.resolve(undefined);
          return rounds === 1 ? Promise.reject(new Error('no luck')) : Promise.resolve(rounds === 2 ? 'more' : 'done');
        },
      },
      log,
    );
    await third.promise;
    await loop.stop();
    const { values } = await loopRounds.get();
    const of = (result: string) => values.find(({ labels }) => labels.loop === 'counted' && labels.result === result);
    expect([of('failed')?.value, of('done')?.value]).toEqual([1, rounds - 1]);
  });
});
