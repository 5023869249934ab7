import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createTestBroker, type TestBroker } from '../../../../tools/testing/database.ts';
import { silent, until } from '../../test/mechanisms.ts';
import { connectBroker } from './connection.ts';

let broker: TestBroker;
beforeEach(async () => {
  broker = await createTestBroker();
});
afterEach(() => broker.drop());

describe('connectBroker', () => {
  it.each([
    ['does not end', () => new Promise<never>(() => undefined)],
    ['fails', () => Promise.reject(new Error('the queue is not up yet'))],
  ])('connects again when a setup %s', async (_what, first) => {
    const setups: (() => Promise<void>)[] = [first, () => Promise.resolve()];
    const connection = await connectBroker({
      url: broker.url,
      name: 'tested',
      log: silent,
      setup: () => setups.shift()?.() ?? Promise.reject(new Error('set up once too often')),
    });
    expect(connection.isConnected).toBe(false);
    await until(() => connection.isConnected);
    expect(setups).toEqual([]);
    await connection.close();
  });
});
