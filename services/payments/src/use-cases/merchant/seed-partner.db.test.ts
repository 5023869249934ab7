import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { StoreCreated } from '@pay/contract/messages.ts';
import { startTestApp, type TestApp } from '../../../test/app.ts';
import { seedPartner } from './seed-partner.ts';

let t: TestApp;
beforeAll(async () => {
  t = await startTestApp();
});
afterAll(() => t.close());

it('a seeded partner has a store and two points and is told of once, however often the seed runs', async () => {
  const seeded = {
    partnerID: 'demo',
    storeID: 'demo-store',
    storeName: 'Demo',
    merchantConsent: true,
    paymentPoints: { card: 'demo-card', qr: 'demo-qr' },
  };
  await seedPartner(t.deps.db, seeded);
  await t.rows(`update payment_points set status = 'SUSPENDED' where payment_point_id = 'demo-qr'`);
  await seedPartner(t.deps.db, seeded);
  expect(await t.rows(`select payment_point_id, status from payment_points where partner_id = 'demo' order by 1`)).toEqual([
    { payment_point_id: 'demo-card', status: 'ACTIVE' },
    { payment_point_id: 'demo-qr', status: 'SUSPENDED' },
  ]);
  expect(await t.rows(`select merchant_consent from stores where store_id = 'demo-store'`)).toEqual([{ merchant_consent: true }]);
  const told = await t.messages('demo-store');
  expect(told).toHaveLength(1);
  expect(StoreCreated.parse(told[0]?.payload)).toEqual({ storeId: 'demo-store', partnerId: 'demo', name: 'Demo' });
});
