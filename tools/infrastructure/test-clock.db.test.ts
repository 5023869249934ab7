import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { migrateDatabase } from '../../packages/shared/src/postgres/migrate.ts';
import { GRANTS } from '../../services/bindings/src/db/grants.ts';
import { createTestDatabase, EVERY_SCHEMA, type TestDatabase } from '../testing/database.ts';
import { ROOT } from './folders.ts';
import { SERVICES, withClient, type ServiceName } from './provision.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase('withdrawals', EVERY_SCHEMA);
});
afterAll(() => database.drop());

/** How far a service's clock is ahead of real time. */
async function aheadSeconds(service: ServiceName): Promise<number> {
  const text = 'select round(extract(epoch from clock_now() - clock_timestamp()))::int as seconds';
  const { rows } = await withClient(database.urls[service], (client) => client.query<{ seconds: number }>(text));
  return rows[0]?.seconds ?? Number.NaN;
}

const move = (service: ServiceName, seconds: number) =>
  withClient(database.urls[service], (client) => client.query('update test_clock.moved set milliseconds = $1', [seconds * 1_000]));

describe('the clock of TEST', () => {
  it('moves for all services at once', async () => {
    expect(await Promise.all(SERVICES.map(aheadSeconds))).toEqual(SERVICES.map(() => 0));
    await move('sandbox-bank', 86_400);
    expect(await Promise.all(SERVICES.map(aheadSeconds))).toEqual(SERVICES.map(() => 86_400));
    await move('sandbox-bank', 0);
    expect(await Promise.all(SERVICES.map(aheadSeconds))).toEqual(SERVICES.map(() => 0));
  });

  it.each(SERVICES.filter((service) => service !== 'sandbox-bank'))('%s cannot move it', async (service) => {
    await expect(move(service, 60)).rejects.toThrow('permission denied');
  });

  it('LIVE has none: after its migration nothing moves a schema', async () => {
    const bindings = {
      url: database.ownerUrl,
      schema: 'bindings',
      role: 'bindings',
      grants: GRANTS,
      folder: join(ROOT, 'services/bindings/migrations'),
    };
    await move('sandbox-bank', 86_400);
    await migrateDatabase({ ...bindings, environment: 'LIVE' });
    expect([await aheadSeconds('bindings'), await aheadSeconds('payments')]).toEqual([0, 86_400]);
    await move('sandbox-bank', 0);
    await migrateDatabase({ ...bindings, environment: 'TEST' });
  });
});
