import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { inTransaction } from '@pay/shared/postgres/transaction.ts';
import { withClient } from '../../../../tools/infrastructure/provision.ts';
import { startTestDatabase } from '../../test/gateway.ts';
import { sweepRequests } from './request-log.ts';

let test: Awaited<ReturnType<typeof startTestDatabase>>;
beforeAll(async () => {
  test = await startTestDatabase();
});
afterAll(() => test.drop());

it('keeps a day, and the newest hundred thousand', async () => {
  const columns = 'position, partner_id, request_id, at, method, path, status, duration_ms, details';
  const row = (position: number, age: string) =>
    `(${String(position)}, 'p', gen_random_uuid(), clock_now() - interval '${age}', 'GET', '/', 200, 1, '[]')`;
  const rows = [
    row(1, '1 minute'),
    row(2, '1 minute'),
    row(50_000, '25 hours'),
    row(60_000, '23 hours'),
    row(100_002, '0'),
  ];
  await withClient(test.ownerUrl, (client) =>
    client.query(`insert into gateway.request_log (${columns}) values ${rows.join(', ')}`),
  );
  expect(await inTransaction(test.database.db, sweepRequests)).toBe(false);
  const left = await withClient(test.ownerUrl, (client) =>
    client.query<{ position: string }>('select position from gateway.request_log order by position'),
  );
  expect(left.rows.map(({ position }) => Number(position))).toEqual([60_000, 100_002]);
});
