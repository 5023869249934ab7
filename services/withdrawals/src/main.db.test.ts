import { factKeysOf } from '../../../tools/infrastructure/fact-keys.ts';
import { TEST_FACT_SECRET } from '../../../tools/testing/database.ts';
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { internalTokenSigner } from '@pay/shared/internal-auth/internal-token.ts';
import { testConsoleKey } from '../../../packages/shared/test/operators.ts';
import {
  createTestBroker,
  createTestDatabase,
  type TestBroker,
  type TestDatabase,
} from '../../../tools/testing/database.ts';
import {
  migrateService,
  requestAcrossStop,
  startService,
  type ServiceProcess,
} from '../../../tools/testing/process.ts';

describe('the process of withdrawals', () => {
  const tokenKey = randomBytes(32);
  let database: TestDatabase;
  let broker: TestBroker;
  let service: ServiceProcess;

  beforeAll(async () => {
    [database, broker] = await Promise.all([createTestDatabase('withdrawals'), createTestBroker('services')]);
    service = await startService('withdrawals', {
      ENVIRONMENT: 'TEST',
      DATABASE_URL: database.url,
      AMQP_URL: broker.urls.withdrawals,
      ...factKeysOf('withdrawals', TEST_FACT_SECRET),
      PAYMENTS_URL: 'http://127.0.0.1:1',
      INTERNAL_TOKEN_KEY: tokenKey.toString('base64'),
      OPERATOR_IDENTITY_PUBLIC_KEYS: testConsoleKey().publicKey,
    });
  });
  afterAll(async () => {
    await service.kill();
    await Promise.all([database.drop(), broker.drop()]);
  });

  it('migrates again, twice at once, and changes nothing', async () => {
    await expect(
      Promise.all([migrateService('withdrawals', database.ownerUrl), migrateService('withdrawals', database.ownerUrl)]),
    ).resolves.toHaveLength(2);
  });

  it('401 without an internal token, 200 with one', async () => {
    const token = internalTokenSigner('gateway', 'withdrawals', tokenKey)('partner-a');
    const address = `${service.urlOf('api')}/api/withdrawal-requests`;
    const without = await fetch(address);
    const withToken = await fetch(address, { headers: { 'X-Internal-Token': token } });
    expect([without.status, withToken.status]).toEqual([401, 200]);
  });

  it('ends after SIGTERM with the running request answered', async () => {
    expect(await requestAcrossStop(service)).toEqual({ statusLine: 'HTTP/1.1 401 Unauthorized', exitCode: 0 });
  });
});
