import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { registry } from '@pay/shared/telemetry/metrics.ts';
import { startTestApp, type TestApp } from '../../test/app.ts';
import { watchWithdrawals } from './watch-withdrawals.ts';

let t: TestApp;
beforeAll(async () => {
  t = await startTestApp();
});
afterAll(() => t.close());

it('counts the payout requests that wait for a person, by status, and the age of the oldest', async () => {
  const measured = async () => {
    await watchWithdrawals(t.deps.db).round(new AbortController().signal);
    return [
      await registry.getSingleMetricAsString('withdrawals_open'),
      await registry.getSingleMetricAsString('withdrawals_oldest_seconds'),
    ].join('\n');
  };
  expect(await measured()).toMatch(/\{status="REQUESTED"\} 0\n[^]*\nwithdrawals_oldest_seconds 0$/);
  const own = await t.givenPartner();
  const taken = await t.givenRequest(own, '10');
  await t.givenRequest(own, '10');
  await t.act('olga', taken, 'take');
  await t.rows(`update withdrawals set created_at = created_at - interval '2 hours' where withdrawal_request_id = $1`, [taken]);
  expect(await measured()).toMatch(
    /\{status="REQUESTED"\} 1\n[^]*\{status="IN_REVIEW"\} 1\n[^]*\{status="APPROVED"\} 0\n[^]*\nwithdrawals_oldest_seconds 720\d/,
  );
});
