import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openDatabase, type Database } from '@pay/shared/postgres/connect/pool.ts';
import { createTestDatabase, type TestDatabase } from '../../../../tools/testing/database.ts';
import { stores } from '../db/schema.ts';
import { onStoreCreated } from './on-store-created.ts';

describe('store.created', () => {
  let testDatabase: TestDatabase;
  let database: Database;
  beforeAll(async () => {
    testDatabase = await createTestDatabase('withdrawals');
    database = openDatabase({ url: testDatabase.url, applicationName: 'test', onIdleError: () => undefined });
  });
  afterAll(async () => {
    await database.close();
    await testDatabase.drop();
  });

  const receive = (messageId: string, body: unknown) =>
    onStoreCreated({ db: database.db })({
      messageId,
      type: 'store.created',
      aggregateId: 'store-1',
      occurredAt: '2026-11-20T10:00:00.000Z',
      body,
    });
  const store = { storeId: 'store-1', partnerId: 'partner-a', name: 'Tea' };

  it('is kept once, however often the message comes, and no later message gives it to another partner', async () => {
    const messageId = randomUUID();
    await receive(messageId, store);
    await receive(messageId, store);
    await receive(randomUUID(), { ...store, partnerId: 'partner-b' });
    expect(await database.db.select().from(stores)).toEqual([store]);
  });

  it('is refused when it is not what the contract says, and can be received again', async () => {
    const messageId = randomUUID();
    await expect(receive(messageId, { storeId: 'store-2' })).rejects.toThrow('partnerId');
    await receive(messageId, { ...store, storeId: 'store-2' });
    expect(await database.db.select().from(stores)).toHaveLength(2);
  });
});
