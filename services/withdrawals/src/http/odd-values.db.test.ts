import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { OPERATIONS } from '@pay/contract/api/operations.ts';
import { OPERATOR_OPERATIONS } from '@pay/contract/operator/operations.ts';
import { DAYS_OUT_OF_RANGE, faultsOfOddReads } from '../../../../packages/contract/test/odd-values.ts';
import { startTestApp, type TestApp } from '../../test/app.ts';

let t: TestApp;
beforeAll(async () => {
  t = await startTestApp();
});
afterAll(() => t.close());

it('what PostgreSQL cannot keep is 400 with its name at every read of a partner (K1)', async () => {
  const own = OPERATIONS.filter(({ path }) => /^\/api\/(?:withdrawal|registers\/USDT)/.test(path));
  expect(await faultsOfOddReads(own, (target) => t.call('GET', target, { partner: 'partner' }))).toEqual([]);
});

it('and at every read of an operator (K1)', async () => {
  const ask = (target: string) => t.operate('olga', 'GET', target);
  expect(await faultsOfOddReads(OPERATOR_OPERATIONS.withdrawals, ask)).toEqual([]);
});

it.each(DAYS_OUT_OF_RANGE)('a day that is none has no register: %s (K1)', async (date) => {
  expect((await t.call('GET', `/api/registers/USDT/${date}`, { partner: 'partner' })).status).toBe(404);
});
