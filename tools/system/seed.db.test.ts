import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { ROOT } from '../infrastructure/folders.ts';
import { withClient, type ServiceName } from '../infrastructure/provision.ts';
import { createTestDatabase, EVERY_SCHEMA, type TestDatabase } from '../testing/database.ts';
import { COMPILE_CACHE } from '../testing/process.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase('withdrawals', EVERY_SCHEMA);
});
afterAll(() => database.drop());

const partner = (name: string) => ({
  partnerID: name,
  publicKey: 'ssh-ed25519 AAAA',
  storeID: `store-${name}`,
  paymentPoints: { card: `card-${name}`, qr: `qr-${name}` },
  beneficiaryRef: `beneficiary-${name}`,
});
const input = JSON.stringify({
  demo: { ...partner('demo'), usdtBalance: '10000.000000' },
  other: partner('other'),
  operators: [{ login: 'a@example.com', name: 'A', role: 'admin', password: 'long enough it is' }],
});

it.each<[ServiceName, string]>([
  ['gateway', 'partners'],
  ['payments', 'stores'],
  ['withdrawals', 'stores'],
  ['console', 'operators'],
])('the seed of %s refuses LIVE, and an environment that is not named (L2)', async (service, table) => {
  for (const environment of [{ ENVIRONMENT: 'LIVE' }, {}]) {
    const { status, stderr } = spawnSync(process.execPath, [join(ROOT, `services/${service}/src/seed.ts`)], {
      input,
      env: { ...COMPILE_CACHE, DATABASE_URL: database.urls[service], ...environment },
      encoding: 'utf8',
    });
    expect(status).toBe(1);
    expect(stderr).toContain('a seed runs with ENVIRONMENT=TEST only');
  }
  const { rowCount } = await withClient(database.urls[service], (client) => client.query(`select from ${table}`));
  expect(rowCount).toBe(0);
});
