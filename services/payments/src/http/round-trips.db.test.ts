import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { countRoundTrips, fewestRoundTrips, type RoundTrips } from '../../../../tools/testing/round-trips.ts';
import { CARD, startTestApp, type Answer, type TestApp } from '../../test/app.ts';
import { sendCard } from '../use-cases/checkout/admit-card.ts';
import { openCheckout } from '../use-cases/checkout/open-checkout.ts';

let t: TestApp;
let trips: RoundTrips;
beforeAll(async () => {
  t = await startTestApp({
    wayTo: async (databaseUrl) => {
      // A wake that was put off is sent by itself, and nobody waits for it.
      trips = await countRoundTrips(databaseUrl, 'select pg_notify(');
      return trips.url;
    },
  });
});
afterAll(async () => {
  await t.close();
  await trips.close();
});

const answered = async (status: number, answer: Promise<Answer>): Promise<void> => {
  const { status: given, text } = await answer;
  if (given !== status) throw new Error(`${String(given)}: ${text}`);
};

async function paidPayment(): Promise<string> {
  const { id, checkoutToken } = await t.givenPayment();
  await t.pay(checkoutToken);
  return id;
}

// A bound is what the path needs today: lower it with the path, and never raise it without saying why
// (decisions/round-trips).
it.each<[string, number, () => Promise<() => Promise<unknown>>]>([
  ['creating a card payment', 3, () => Promise.resolve(() => answered(201, t.create()))],
  [
    'reading a payment',
    1,
    async () => {
      const { id } = await t.givenPayment();
      return () => answered(200, t.read(id));
    },
  ],
  [
    'opening the form',
    1,
    async () => {
      const { checkoutToken } = await t.givenPayment();
      return () => openCheckout(t.deps, checkoutToken);
    },
  ],
  [
    'paying by card',
    3,
    async () => {
      const { checkoutToken } = await t.givenPayment();
      return async () => {
        expect(await sendCard(t.deps, { declinedCount: 0, checkoutToken, card: CARD, source: '192.0.2.1' })).toBe('accepted');
      };
    },
  ],
  [
    'refunding a payment',
    3,
    async () => {
      const id = await paidPayment();
      return () => answered(201, t.call('POST', `/api/card/${id}/refunds`, { body: { amount: '10.00' } }));
    },
  ],
  [
    'charging a saved card',
    3,
    async () => {
      const { bindingId } = await t.givenSavedCard();
      return () => answered(200, t.charge(bindingId));
    },
  ],
])('%s takes at most %i round trips to the database', async (_path, most, arrange) => {
  expect(await fewestRoundTrips(trips, most, arrange)).toBeLessThanOrEqual(most);
});
