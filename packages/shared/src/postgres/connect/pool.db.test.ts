import { afterAll, afterEach, beforeAll, expect, it, jest } from '@jest/globals';
import { openMechanisms, type Mechanisms } from '../../../test/mechanisms.ts';
import { openDatabase } from './pool.ts';

let t: Mechanisms;
beforeAll(async () => {
  t = await openMechanisms();
});
afterEach(() => {
  jest.useRealTimers();
});
afterAll(() => t.close());

it('keeps the connections of a burst for a minute, and then gives them back', async () => {
  const database = openDatabase({ url: t.url, applicationName: 'burst', onIdleError: () => undefined });
  const { pool } = database;
  const burst = async () => {
    const clients = await Promise.all(Array.from({ length: 3 }, () => pool.connect()));
    for (const client of clients) client.release();
  };
  await burst();
  jest.useFakeTimers({ now: Date.now(), doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate', 'performance'] });
  await burst();
  jest.advanceTimersByTime(59_000);
  expect(pool.totalCount).toBe(3);
  jest.advanceTimersByTime(1_000);
  expect(pool.totalCount).toBe(0);
  jest.useRealTimers();
  await database.close();
});
