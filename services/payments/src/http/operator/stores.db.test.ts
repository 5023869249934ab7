import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { listen, type Listener } from '@pay/shared/http/server.ts';
import { testConsoleKey } from '../../../../../packages/shared/test/operators.ts';
import { png } from '../../../test/png.ts';
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
const setLogo = (storeId: string, picture: unknown) => put(`${storeId}/logo`, { png: picture });
const inBase64 = (picture: Buffer) => picture.toString('base64');

it('an operator enables merchant capture for a shop, and disables it again: for new payments', async () => {
  const { partner, point, store } = await t.givenPartner();
  const evidence = {
    reference: 'r-1',
    version: 'v1',
    acceptedAt: '2026-01-01T00:00:00Z',
    evidenceHash: 'a'.repeat(64),
  };
  const recurringConsent = { period: 'P1M', capture: 'MERCHANT', ...evidence };
  const create = () =>
    t.create({ paymentPointID: point, savePaymentMethod: true, recurringConsent }, { partner }).then((a) => a.status);
  expect(await create()).toBe(400);
  const answer = await set(store, { enabled: true });
  expect([answer.status, await answer.json()]).toEqual([
    200,
    { storeId: store, partnerId: partner, name: 'Shop', merchantConsent: true },
  ]);
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

it('an operator sets, replaces and removes the logo of a shop, and the audit log has its hash', async () => {
  const { partner, store } = await t.givenPartner();
  const [first, second] = [png(120, 40), png(64, 64)];
  const logo = {
    sha256: createHash('sha256').update(first).digest('hex'),
    width: 120,
    height: 40,
    bytes: first.length,
  };
  expect(await (await setLogo(store, inBase64(first))).json()).toEqual({ storeId: store, logo });
  expect(await (await setLogo(store, inBase64(second))).json()).toMatchObject({ logo: { width: 64, height: 64 } });
  expect(await t.rows(`select png = $2 as same from store_logos where store_id = $1`, [store, second])).toEqual([{ same: true }]); // prettier-ignore
  const list = await people.fetchAs(OPERATOR_AUDIENCE, 'olga', `http://127.0.0.1:${String(listener.port)}/stores?partnerID=${partner}`); // prettier-ignore
  expect(await list.json()).toMatchObject({ items: [{ storeId: store, logo: { width: 64, height: 64 } }] });
  expect(await (await setLogo(store, null)).json()).toEqual({ storeId: store, logo: null });
  expect(await (await setLogo(store, null)).json()).toEqual({ storeId: store, logo: null });
  const actions = await t.rows(`select before, after from operator_actions where subject_id = $1 order by position limit 1`, [store]); // prettier-ignore
  expect(actions).toEqual([{ before: { logo: null }, after: { logo } }]);
});

it.each([
  ['an SVG', inBase64(Buffer.from('<svg/>'))],
  ['too wide', inBase64(png(513, 8))],
  ['not base64', 'logo.png'],
  ['empty', ''],
  ['absent', undefined],
])('400 for a logo that is %s, and the one before stays', async (_name, picture) => {
  const { store } = await t.givenPartner();
  await setLogo(store, inBase64(png(12, 8)));
  const answer = await setLogo(store, picture);
  expect([answer.status, await answer.json()]).toEqual([400, expect.objectContaining({ details: [expect.objectContaining({ field: 'png' })] })]); // prettier-ignore
  expect(await t.rows('select width from store_logos where store_id = $1', [store])).toEqual([{ width: 12 }]);
});

it('404 for the logo of a shop that does not exist', async () => {
  expect((await setLogo('no-such-store', inBase64(png(12, 8)))).status).toBe(404);
});
