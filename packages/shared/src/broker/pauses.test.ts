import { setImmediate as nextTick } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { createPauses, PAUSES_MAX } from './pauses.ts';

/** A connection that counts its further subscriptions. */
function subscriber() {
  const open = new Set<string>();
  let made = 0;
  return {
    open,
    take: (places: number) => {
      made += 1;
      const tag = `${String(made)} of ${String(places)}`;
      open.add(tag);
      return Promise.resolve(tag);
    },
    cancel: (tag: string) => {
      open.delete(tag);
      return Promise.resolve();
    },
  };
}
const settled = async () => {
  for (let count = 0; count < 50; count += 1) await nextTick();
};

it('gives others a place for each message that pauses, and takes it back when nothing pauses (point 6)', async () => {
  const pauses = createPauses();
  const connection = subscriber();
  const stop = pauses.serve(connection);
  const leaves = Array.from({ length: 60 }, () => pauses.enter());
  await settled();
  expect([...connection.open]).toEqual(['1 of 25', '2 of 25']);
  for (const leave of leaves) leave?.();
  await settled();
  expect(connection.open.size).toBe(0);
  await stop();
});

it('lets no more pause than a bound, and serves the next connection by itself (point 6)', async () => {
  const pauses = createPauses();
  const [first, second] = [subscriber(), subscriber()];
  await pauses.serve(first)();
  const leaves = Array.from({ length: PAUSES_MAX }, () => pauses.enter());
  expect(leaves.every((leave) => leave !== undefined)).toBe(true);
  expect(pauses.enter()).toBeUndefined();
  const stop = pauses.serve(second);
  await settled();
  expect([first.open.size, second.open.size]).toEqual([0, PAUSES_MAX / 25]);
  await stop();
  expect(second.open.size).toBe(0);
});
