import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { listen } from '@pay/shared/http/server.ts';
import { trustedProxies } from '@pay/shared/net/client-address.ts';
import { randomUUID } from 'node:crypto';
import { countRoundTrips, type RoundTrips } from '../../../../tools/testing/round-trips.ts';
import { CARD, startTestApp, type Answer, type TestApp } from '../../test/app.ts';
import { createCheckoutApp } from '../checkout/app.ts';
import { createLimits, LIMITS_PER_MINUTE } from '../checkout/limits.ts';

let t: TestApp;
let trips: RoundTrips;
beforeAll(async () => {
  t = await startTestApp({
    wayTo: async (databaseUrl) => {
      trips = await countRoundTrips(databaseUrl);
      return trips.url;
    },
  });
});
afterAll(async () => {
  await t.close();
  trips.close();
});

/** The second time: connections are open, statements prepared. */
async function tripsOf(work: () => Promise<unknown>): Promise<number> {
  await work();
  trips.take();
  await work();
  return trips.take();
}

const answered = async (status: number, answer: Promise<Answer>): Promise<void> => {
  const { status: given, text } = await answer;
  if (given !== status) throw new Error(`${String(given)}: ${text}`);
};

it.each([
  ['a card payment is created', 3, () => answered(201, t.create())],
  ['one with a returnUrl', 3, () => answered(201, t.create({ returnUrl: 'https://shop.example/back' }))],
])('%s in %i round trips', async (_title, most, work) => {
  expect(await tripsOf(work)).toBeLessThanOrEqual(most);
});

it('others', async () => {
  const { id } = await t.givenPayment();
  console.log('status', await tripsOf(() => answered(200, t.read(id))));
  const paid: { id: string }[] = [];
  for (let i = 0; i < 2; i += 1) {
    const one = await t.givenPayment();
    await t.pay(one.formToken);
    paid.push(one);
  }
  console.log('refund', await tripsOf(() => answered(201, t.call('POST', `/api/card/${paid.pop()!.id}/refunds`, { body: { amount: 10 } }))));
  const card = await t.givenSavedCard();
  console.log('charge', await tripsOf(() => answered(200, t.charge(card.bindingId))));
  const forms: string[] = [];
  for (let i = 0; i < 2; i += 1) forms.push((await t.givenPayment()).formToken);
  console.log('pay use case', await tripsOf(() => t.pay(forms.pop()!)));
});
