import { setImmediate as nextTick } from 'node:timers/promises';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { batcher, batcherByKey } from './batcher.ts';

afterEach(() => {
  jest.useRealTimers();
});

/** A write controlled by the test: its items, and how each write ends. */
function heldWrite() {
  const batches: (readonly number[])[] = [];
  const ends: { succeed: () => void; fail: (error: Error) => void }[] = [];
  const write = (items: readonly number[]): Promise<string> => {
    batches.push(items);
    return new Promise((resolve, reject) => {
      ends.push({
        succeed: () => {
          resolve(`written: ${items.join()}`);
        },
        fail: reject,
      });
    });
  };
  const end = async (index: number, error?: Error): Promise<void> => {
    if (error === undefined) ends[index]?.succeed();
    else ends[index]?.fail(error);
    await nextTick();
  };
  return { batches, write, end };
}

describe('a batcher', () => {
  it('writes the items of one tick together, and answers each with what the write returned', async () => {
    const { batches, write, end } = heldWrite();
    const add = batcher(write, { max: 10, waitMs: 0 });
    const answers = Promise.all([add(1), add(2), add(3)]);
    expect(batches).toEqual([]);
    await nextTick();
    await end(0);
    expect(await answers).toEqual(['written: 1,2,3', 'written: 1,2,3', 'written: 1,2,3']);
    expect(batches).toEqual([[1, 2, 3]]);
  });

  it('gathers what arrives during a write for the next one, at most `max`, in order', async () => {
    const { batches, write, end } = heldWrite();
    const add = batcher(write, { max: 2, waitMs: 0 });
    const first = add(1);
    await nextTick();
    const rest = Promise.all([add(2), add(3), add(4)]);
    await nextTick();
    expect(batches).toEqual([[1]]);
    await end(0);
    await first;
    expect(batches).toEqual([[1], [2, 3]]);
    await end(1);
    await end(2);
    expect(await rest).toEqual(['written: 2,3', 'written: 2,3', 'written: 4']);
  });

  it('writes again after it ran dry', async () => {
    const add = batcher((items: readonly number[]) => Promise.resolve(items), { max: 10, waitMs: 0 });
    expect(await add(1)).toEqual([1]);
    await nextTick();
    expect(await add(2)).toEqual([2]);
  });

  it('an error reaches every item of its batch and none of the next', async () => {
    const { write, end } = heldWrite();
    const add = batcher(write, { max: 2, waitMs: 0 });
    const results = Promise.allSettled([add(1), add(2), add(3)]);
    await nextTick();
    const error = new Error('the write failed');
    await end(0, error);
    await end(1);
    expect(await results).toEqual([
      { status: 'rejected', reason: error },
      { status: 'rejected', reason: error },
      { status: 'fulfilled', value: 'written: 3' },
    ]);
  });

  it('runs as many writes in parallel as it may', async () => {
    const { batches, write, end } = heldWrite();
    const add = batcher(write, { max: 1, waitMs: 0, parallel: 2 });
    const all = Promise.all([add(1), add(2), add(3)]);
    await nextTick();
    expect(batches).toEqual([[1], [2]]);
    await end(1);
    expect(batches).toEqual([[1], [2], [3]]);
    await end(0);
    await end(2);
    await all;
  });

  it('waits `waitMs` for company when idle, and starts writes `everyMs` apart', async () => {
    jest.useFakeTimers();
    const startedAt = performance.now();
    const writes: [number, readonly number[]][] = [];
    const write = (items: readonly number[]) => {
      writes.push([performance.now() - startedAt, items]);
      return Promise.resolve();
    };
    const add = batcher(write, { max: 10, waitMs: 4, everyMs: 25 });
    for (let ms = 0; ms < 40; ms += 1) {
      void add(ms);
      await jest.advanceTimersByTimeAsync(1);
    }
    const upTo = (from: number, to: number) => Array.from({ length: to - from }, (_none, index) => from + index);
    expect(writes).toEqual([
      [4, upTo(0, 4)],
      [29, upTo(4, 14)],
    ]);
  });
});

it('a batcher by key writes each key by itself: none waits for another, or fails with it', async () => {
  const { batches, write, end } = heldWrite();
  const add = batcherByKey<number, string>(write, { max: 10, waitMs: 0 });
  const results = Promise.allSettled([add('a', 1), add('b', 2), add('a', 3)]);
  await nextTick();
  expect(batches).toEqual([[1, 3], [2]]);
  const error = new Error('the write failed');
  await end(0, error);
  await end(1);
  const failed = { status: 'rejected', reason: error };
  expect(await results).toEqual([failed, { status: 'fulfilled', value: 'written: 2' }, failed]);
  const [late, later] = [add('b', 4), add('b', 5)];
  await nextTick();
  await end(2);
  expect(await Promise.all([late, later])).toEqual(['written: 4,5', 'written: 4,5']);
});
