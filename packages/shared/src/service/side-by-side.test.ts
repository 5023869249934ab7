import { expect, it } from '@jest/globals';
import { createLog } from '../logging/logger.ts';
import { workOff } from '../../test/work-off.ts';
import { startLoop } from '../time/loop.ts';
import { sideBySideLoop } from './side-by-side.ts';

const log = createLog('test', 'silent');
const stopping = new AbortController().signal;

/** Items waiting, by party; an item named `slow` is done once it is released. */
function given(waiting: Record<string, string[]>) {
  const done: string[] = [];
  const slow = Promise.withResolvers<undefined>();
  const loop = sideBySideLoop({
    name: 'test',
    intervalMs: 2 ** 30,
    log,
    partiesMax: 2,
    batch: 2,
    parties: () => Promise.resolve(Object.keys(waiting).filter((party) => waiting[party]?.length !== 0)),
    claim: (party, limit) => Promise.resolve(waiting[party]?.splice(0, limit) ?? []),
    one: async (item) => {
      if (item === 'slow') await slow.promise;
      done.push(item);
    },
  });
  return {
    loop,
    done,
    waiting,
    finish: () => {
      slow.resolve(undefined);
    },
  };
}

const settle = async () => {
  for (let count = 0; count < 50; count += 1) await Promise.resolve();
};

it('nobody waits for the slow one: his own next batch does, and the others are worked off (S2)', async () => {
  const { loop, done, waiting, finish } = given({ a: ['slow', 'a1', 'a2'], b: ['b1', 'b2', 'b3'], c: ['c1'] });
  void loop.round(stopping);
  await settle();
  expect(done.toSorted()).toEqual(['a1', 'b1', 'b2', 'b3']);
  void loop.round(stopping);
  await settle();
  expect([done.at(-1), waiting['a']]).toEqual(['c1', ['a2']]);
  finish();
  await loop.settled?.();
  expect(done.slice(-2)).toEqual(['slow', 'a2']);
});

it('no more parties at once than may be (S2)', async () => {
  const { loop, done, waiting, finish } = given({ a: ['slow'], b: ['slow'], c: ['c1'] });
  void loop.round(stopping);
  void loop.round(stopping);
  await settle();
  expect([done, waiting['c']]).toEqual([[], ['c1']]);
  finish();
  await loop.settled?.();
  await workOff(loop);
  expect(done).toEqual(['slow', 'slow', 'c1']);
});

it('a stop waits for what was begun, and begins no next batch', async () => {
  const { loop, done, waiting, finish } = given({ a: ['slow', 'a1', 'a2'] });
  const running = startLoop(loop, log);
  await settle();
  const stopped = running.stop().then(() => done.push('stopped'));
  await settle();
  expect(done).toEqual(['a1']);
  finish();
  await stopped;
  expect([done, waiting['a']]).toEqual([['a1', 'slow', 'stopped'], ['a2']]);
});

it('a claim that fails is logged, and the party is worked for again', async () => {
  const done: string[] = [];
  let claims = 0;
  const loop = sideBySideLoop({
    name: 'test',
    intervalMs: 1,
    log,
    partiesMax: 1,
    batch: 1,
    parties: () => Promise.resolve(['a']),
    claim: () => {
      claims += 1;
      return claims === 1 ? Promise.reject(new Error('no database')) : Promise.resolve(claims === 2 ? ['a1'] : []);
    },
    one: (item) => Promise.resolve(void done.push(item)),
  });
  await workOff(loop);
  await workOff(loop);
  expect(done).toEqual(['a1']);
});
