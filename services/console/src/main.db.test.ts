import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '../../../tools/testing/database.ts';
import {
  migrateService,
  requestAcrossStop,
  startService,
  type ServiceProcess,
} from '../../../tools/testing/process.ts';

describe('the process of the console', () => {
  let database: TestDatabase;
  let service: ServiceProcess;

  beforeAll(async () => {
    database = await createTestDatabase('console');
    service = await startService('console', {
      ENVIRONMENT: 'TEST',
      DATABASE_URL: database.url,
      OPERATOR_TOKEN_KEY: randomBytes(32).toString('base64'),
      GATEWAY_OPERATOR_URL: 'http://127.0.0.1:1',
      PAYMENTS_OPERATOR_URL: 'http://127.0.0.1:1',
      BINDINGS_OPERATOR_URL: 'http://127.0.0.1:1',
      WITHDRAWALS_OPERATOR_URL: 'http://127.0.0.1:1',
      NOTIFIER_OPERATOR_URL: 'http://127.0.0.1:1',
    });
  });
  afterAll(async () => {
    await service.kill();
    await database.drop();
  });

  it('migrates again, twice at once, and changes nothing', async () => {
    await expect(
      Promise.all([migrateService('console', database.url), migrateService('console', database.url)]),
    ).resolves.toHaveLength(2);
  });

  it('404 for every path: there is no route yet', async () => {
    const response = await fetch(`${service.urlOf('api')}/`);
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ code: 'NOT_FOUND', error: 'not found' });
  });

  it('ends after SIGTERM with the running request answered', async () => {
    expect(await requestAcrossStop(service)).toEqual({ statusLine: 'HTTP/1.1 404 Not Found', exitCode: 0 });
  });
});
