import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { startCutter } from '../../../../packages/shared/test/cutter.ts';
import { until } from '../../../../packages/shared/test/mechanisms.ts';
import { startTestApp, type TestApp } from '../../test/app.ts';

let t: TestApp;
let cut: Awaited<ReturnType<typeof startCutter>>;
beforeAll(async () => {
  t = await startTestApp({
    wayTo: async (url) => {
      cut = await startCutter(url);
      return cut.url;
    },
  });
});
afterAll(async () => {
  await t.close();
  cut.close();
});

it('a charge that a lost COMMIT stored is handed over by the repeat, whose lease has not ended (V7)', async () => {
  const bindingId = await t.givenBinding();
  const [call, change] = [{ key: randomUUID() }, { merchantOrderId: `order-${randomUUID()}` }];
  Object.assign(cut.cutter, { cutNext: 'after', staysAway: true });
  const lost = await t.charge(bindingId, call, change);
  expect([lost.status, lost.body['code']]).toEqual([503, 'OUTCOME_UNKNOWN']);
  Object.assign(cut.cutter, { staysAway: false, isAway: false });
  const charge = async () =>
    (
      await t.rows(`select status, leased_until - created_at < interval '19 seconds' as given_up from charges where binding_id = $1`, [
        bindingId,
      ])
    )[0];
  expect(await charge()).toMatchObject({ status: 'CREATED' });
  await until(async () => (await charge())?.['given_up'] === true);
  expect((await t.charge(bindingId, call, change)).status).toBe(201);
  expect(await charge()).toMatchObject({ status: 'SUBMITTED' });
});
