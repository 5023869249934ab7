import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { createTestDatabase } from '../testing/database.ts';
import { GO_SDK, runGo } from './go.ts';
import { GO } from './languages.ts';

const found = GO.find();
const describeHere = found === undefined ? describe.skip : describe;

describeHere.each([found ?? 'none'])('the SDK for %s', (go) => {
  it('stores callbacks in PostgreSQL', async () => {
    const database = await createTestDatabase('console');
    const folder = join(GO_SDK, 'testdb');
    const env = { DATABASE_URL: `${database.adminUrl}?sslmode=disable` };
    try {
      expect(await runGo(go, ['test', '-count=1', '.'], folder, env)).toMatch(/^ok {2}\tpay\.example\/testdb\t[\d.]+s\n$/);
    } finally {
      await database.drop();
    }
  });
});
