import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { OPERATIONS } from '@pay/contract/api/operations.ts';
import { OPERATOR_OPERATIONS } from '@pay/contract/operator/operations.ts';
import { faultsOfOddReads, MOMENTS_OUT_OF_RANGE } from '../../../../packages/contract/test/odd-values.ts';
import { startTestApp, type TestApp } from '../../test/app.ts';

let t: TestApp;
beforeAll(async () => {
  t = await startTestApp();
});
afterAll(() => t.stop());

it('what PostgreSQL cannot keep is 400 with its name at every read of a partner (K1)', async () => {
  // A stream that begins does not end.
  const own = OPERATIONS.filter(({ path, response }) => path.startsWith('/api/events') && response !== undefined);
  expect(await faultsOfOddReads(own, (target) => t.call('GET', target, 'partner'))).toEqual([]);
});

it('and at every read of an operator (K1)', async () => {
  expect(await faultsOfOddReads(OPERATOR_OPERATIONS.notifier, (target) => t.operate('GET', target))).toEqual([]);
});

it.each(MOMENTS_OUT_OF_RANGE)('nothing is replayed from %s on (K1)', async (from) => {
  const range = { partnerId: 'demo-partner', from, to: '2026-11-28T00:00:00Z' };
  const { status, body } = await t.operate('POST', '/replays', range);
  expect([status, body]).toMatchObject([400, { details: [{ field: 'from', message: 'must be in the years 0001 to 9999 of UTC' }] }]);
});

it.each(MOMENTS_OUT_OF_RANGE)('no dead letter up to %s is handled again, and the refusal names upTo (K1, K6)', async (upTo) => {
  const { status, body } = await t.operate('POST', '/dead-letters/redrive', { upTo });
  expect([status, body]).toMatchObject([400, { details: [{ field: 'upTo' }] }]);
});
