import { Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { ConfirmChannel } from 'amqplib';
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

  it('sends what is written in one tick at once', async () => {
    let channel: ConfirmChannel | undefined;
    const connection = await connectBroker({
      url: broker.url,
      name: 'tested',
      log: silent,
      setup: async (model) => {
        channel = await model.createConfirmChannel();
      },
    });
    await until(() => channel !== undefined);
    const writes = [jest.spyOn(Socket.prototype, '_write'), jest.spyOn(Socket.prototype, '_writev')];
    try {
      for (let i = 0; i < 100; i += 1) channel?.publish('', 'nobody', Buffer.from('{}'));
      await channel?.waitForConfirms();
      expect(writes.reduce((count, { mock }) => count + mock.calls.length, 0)).toBeLessThan(5);
    } finally {
      for (const write of writes) write.mockRestore();
    }
    await connection.close();
  });
});
