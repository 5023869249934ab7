import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { openDatabase, type Database } from '@pay/shared/postgres/connect/pool.ts';
import { createTestDatabase, type TestDatabase } from '../../../../tools/testing/database.ts';
import { textsBuilt } from '../../../../tools/testing/texts-built.ts';
import { claimDeliveries, storeAndClaim } from './claims.ts';
import { recordAttempts } from './record-attempts.ts';

let testDatabase: TestDatabase;
let database: Database;
beforeAll(async () => {
  testDatabase = await createTestDatabase('notifier');
  database = openDatabase({ url: testDatabase.url, applicationName: 'claims-test', onIdleError: () => undefined });
});
afterAll(async () => {
  await database.close();
  await testDatabase.drop();
});

const request = () => ({ leaseId: randomUUID(), holder: null, room: 8, among: ['partner-1'] });

// See decisions/sql-statements.
it.each<[string, () => Promise<unknown>]>([
  ['claiming', () => claimDeliveries(database.db, randomUUID(), 8)],
  [
    'storing and claiming',
    async () => {
      const { stored, claim } = await storeAndClaim(database.db, [], request());
      await Promise.all([stored, claim]);
    },
  ],
  ['recording attempts', () => recordAttempts(database.db, [])],
])('%s builds the text of no statement', async (_what, act) => {
  // The first time builds them.
  await act();
  expect(await textsBuilt(act)).toBe(0);
});
