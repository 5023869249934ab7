import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { OPERATIONS } from '@pay/contract/api/operations.ts';
import { OPERATOR_OPERATIONS } from '@pay/contract/operator/operations.ts';
import { pageTokens } from '@pay/shared/http/page-token.ts';
import { listen, type Listener } from '@pay/shared/http/server.ts';
import { faultsOfOddReads } from '../../../../packages/contract/test/odd-values.ts';
import { noOwners } from '../../../../packages/shared/test/no-owners.ts';
import { testConsoleKey } from '../../../../packages/shared/test/operators.ts';
import { startTestApp, type TestApp } from '../../test/app.ts';
import { createOperatorApp, OPERATOR_AUDIENCE } from './operator/app.ts';

let t: TestApp;
let listener: Listener;
const people = testConsoleKey();

beforeAll(async () => {
  t = await startTestApp();
  const deps = {
    ...t.deps,
    handlers: {},
    owners: noOwners('bindings'),
    verify: () => undefined,
    pageTokens: pageTokens(randomBytes(32), 'bindings'),
  };
  listener = await listen(createOperatorApp(deps, people.verifierOf(OPERATOR_AUDIENCE)), '127.0.0.1', 0);
});
afterAll(async () => {
  await listener.drain(0);
  await t.close();
});

it('what PostgreSQL cannot keep is 400 with its name at every read of a partner (K1)', async () => {
  const own = OPERATIONS.filter(({ path }) => path.startsWith('/v1/bindings'));
  expect(await faultsOfOddReads(own, (target) => t.call('GET', target))).toEqual([]);
});

it('and at every read of an operator (K1)', async () => {
  const ask = async (target: string) => {
    const url = `http://127.0.0.1:${String(listener.port)}${target}`;
    const response = await people.fetchAs(OPERATOR_AUDIENCE, 'olga', url);
    return { status: response.status, body: (await response.json()) as unknown };
  };
  expect(await faultsOfOddReads(OPERATOR_OPERATIONS.bindings, ask)).toEqual([]);
});
