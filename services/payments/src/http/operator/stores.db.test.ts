import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { listen, type Listener } from '@pay/shared/http/server.ts';
import { testConsoleKey } from '../../../../../packages/shared/test/operators.ts';
import { startTestApp, type TestApp } from '../../../test/app.ts';
import { createOperatorApp, OPERATOR_AUDIENCE } from './app.ts';

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

const put = (path: string, body: unknown, audience: string = OPERATOR_AUDIENCE) =>
  people.fetchAs(audience, 'olga', `http://127.0.0.1:${String(listener.port)}/stores/${path}`, { method: 'PUT', body });
const set = (storeId: string, body: unknown, audience?: string) => put(`${storeId}/merchant-consent`, body, audience);

it('an operator enables merchant capture for a shop, and disables it again: for new payments', async () => {
  const { partner, point, store } = await t.givenPartner();
  const evidence = {
    reference: 'r-1',
    version: 'v1',
    acceptedAt: '2026-01-01T00:00:00Z',
    evidenceHash: 'a'.repeat(64),
  };
  const recurringConsent = { period: 'P1M', capture: 'MERCHANT', ...evidence };
  const create = () => t.create({ paymentPointID: point, savePaymentMethod: true, recurringConsent }, { partner }).then((a) => a.status);
  expect(await create()).toBe(400);
  const answer = await set(store, { enabled: true });
  expect([answer.status, await answer.json()]).toEqual([200, { storeId: store, partnerId: partner, name: 'Shop', merchantConsent: true }]);
  expect(await create()).toBe(201);
  expect((await set(store, { enabled: false })).status).toBe(200);
  expect(await create()).toBe(400);
});

it.each([
  [404, 'no-such-store', { enabled: true }, undefined],
  [400, 'store-1', { enabled: 'yes' }, undefined],
  [400, 'store-1', {}, undefined],
  [401, 'store-1', { enabled: true }, 'withdrawals-operator'],
] as const)('%d for %s with %j', async (status, storeId, body, audience) => {
  expect((await set(storeId, body, audience)).status).toBe(status);
  expect(await t.rows(`select 1 from stores where store_id = 'store-1' and merchant_consent`)).toEqual([]);
});
