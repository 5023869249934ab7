import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { OPERATIONS } from '@pay/contract/api/operations.ts';
import { OPERATOR_OPERATIONS } from '@pay/contract/operator/operations.ts';
import { listen, type Listener } from '@pay/shared/http/server.ts';
import { DAYS_OUT_OF_RANGE, faultsOfOddReads } from '../../../../packages/contract/test/odd-values.ts';
import { testConsoleKey } from '../../../../packages/shared/test/operators.ts';
import { startTestApp, type TestApp } from '../../test/app.ts';
import { createOperatorApp, OPERATOR_AUDIENCE } from './operator/app.ts';

let t: TestApp;
let listener: Listener;
const people = testConsoleKey();

beforeAll(async () => {
  t = await startTestApp();
  listener = await listen(createOperatorApp(t.deps, people.verifierOf(OPERATOR_AUDIENCE)), '127.0.0.1', 0);
});
afterAll(async () => {
  await listener.drain(0);
  await t.close();
});

async function operate(method: string, target: string, body?: unknown) {
  const url = `http://127.0.0.1:${String(listener.port)}${target}`;
  const answer = await people.fetchAs(OPERATOR_AUDIENCE, 'olga', url, { method, body });
  const text = await answer.text();
  return { status: answer.status, body: text.startsWith('{') ? (JSON.parse(text) as unknown) : text };
}

it('what PostgreSQL cannot keep is 400 with its name at every read of a partner (K1)', async () => {
  const own = OPERATIONS.filter(({ path }) => /^\/api\/(?:card|qr|refunds|payments|integration|registers\/RUB)/.test(path));
  expect(await faultsOfOddReads(own, (target) => t.call('GET', target))).toEqual([]);
});

it('and at every read of an operator (K1)', async () => {
  expect(await faultsOfOddReads(OPERATOR_OPERATIONS.payments, (target) => operate('GET', target))).toEqual([]);
});

it.each(DAYS_OUT_OF_RANGE)('a day that is none has no register, and no reconciliation: %s (K1)', async (date) => {
  expect((await t.call('GET', `/api/registers/RUB/${date}`)).status).toBe(404);
  const { status, body } = await operate('GET', `/reconciliations/sandbox-bank/${date}`);
  expect([status, body]).toMatchObject([400, { details: [{ field: 'date' }] }]);
});

it.each(DAYS_OUT_OF_RANGE)('no day is reconciled that is none: %s (K1)', async (date) => {
  const { status, body } = await operate('POST', '/reconciliations', { routeId: 'sandbox-bank', date });
  expect([status, body]).toMatchObject([400, { details: [{ field: 'date', message: 'must be in the years 0001 to 9999' }] }]);
});
