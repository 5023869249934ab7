import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { inTransaction } from '@pay/shared/postgres/transaction.ts';
import { withClient } from '../../../../tools/infrastructure/provision.ts';
import { givenPartner, startTestDatabase } from '../../test/gateway.ts';
import { KEPT_MAX, sweepRequests, UNVERIFIED_MAX } from './request-log.ts';

let test: Awaited<ReturnType<typeof startTestDatabase>>;
beforeAll(async () => {
  test = await startTestDatabase();
});
afterAll(() => test.drop());

it('keeps a day, and the newest ten thousand of each partner, whatever others send (N6)', async () => {
  const quiet = await givenPartner(test.database);
  const loud = await givenPartner(test.database);
  const insert = (partner: string, count: number, age: string, isVerified: boolean) =>
    withClient(test.ownerUrl, (client) =>
      client.query(
        `insert into gateway.request_log (partner_id, request_id, at, method, path, status, duration_ms, details, is_verified)
         select $1, gen_random_uuid(), clock_now() - $3::interval, 'GET', '/', 200, 1, '[]', $4 from generate_series(1, $2)`,
        [partner, count, age, isVerified],
      ),
    );
  await insert(quiet.partnerID, 3, '25 hours', true);
  await insert(quiet.partnerID, 7, '23 hours', true);
  await insert(loud.partnerID, KEPT_MAX + 7_000, '0', true);
  await insert(loud.partnerID, UNVERIFIED_MAX + 300, '0', false);
  while (await inTransaction(test.database.db, sweepRequests));
  const left = await withClient(test.ownerUrl, (client) =>
    client.query('select partner_id, is_verified, count(*)::int from gateway.request_log group by 1, 2 order by 3'),
  );
  expect(left.rows).toEqual([
    { partner_id: quiet.partnerID, is_verified: true, count: 7 },
    { partner_id: loud.partnerID, is_verified: false, count: UNVERIFIED_MAX },
    { partner_id: loud.partnerID, is_verified: true, count: KEPT_MAX },
  ]);
});
