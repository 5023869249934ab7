import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { textsBuilt } from '../../../../tools/testing/texts-built.ts';
import { CARD, startTestApp, type TestApp } from '../../test/app.ts';
import { sendCard } from '../use-cases/checkout/admit-card.ts';
import { openCheckout } from '../use-cases/checkout/open-checkout.ts';

let t: TestApp;
beforeAll(async () => {
  t = await startTestApp();
});
afterAll(() => t.close());

// A bound is what the path needs today: lower it with the path, and never raise it without saying why
// (decisions/sql-statements).
it.each<[string, number, () => Promise<() => Promise<unknown>>]>([
  ['creating a card payment', 0, () => Promise.resolve(() => t.create())],
  [
    'reading a payment',
    0,
    async () => {
      const { id } = await t.givenPayment();
      return () => t.read(id);
    },
  ],
  [
    'showing the checkout',
    0,
    async () => {
      const { checkoutToken } = await t.givenPayment();
      return () => openCheckout(t.deps, checkoutToken);
    },
  ],
  [
    'paying by card',
    0,
    async () => {
      const { checkoutToken } = await t.givenPayment();
      return async () => {
        expect(await sendCard(t.deps, { declinedCount: 0, checkoutToken, card: CARD, source: '192.0.2.1' })).toBe('accepted');
      };
    },
  ],
  [
    'refunding a part of a payment',
    0,
    async () => {
      const { id, checkoutToken } = await t.givenPayment();
      await t.pay(checkoutToken);
      return async () => {
        const { status } = await t.call('POST', `/api/card/${id}/refunds`, { body: { amount: '5.00' } });
        expect(status).toBe(201);
      };
    },
  ],
  [
    'refunding a whole payment',
    0,
    async () => {
      const { id, checkoutToken } = await t.givenPayment();
      await t.pay(checkoutToken);
      return async () => {
        const { status } = await t.call('POST', `/api/card/${id}/refunds`, { body: {} });
        expect(status).toBe(201);
      };
    },
  ],
  [
    'charging a saved card',
    0,
    async () => {
      const { bindingId } = await t.givenSavedCard();
      return async () => {
        expect((await t.charge(bindingId)).status).toBe(200);
      };
    },
  ],
])('%s builds the texts of at most %i statements', async (_path, most, arrange) => {
  // The first time builds them.
  await (
    await arrange()
  )();
  let least = Infinity;
  // On a busy machine an answer may take so long that the fence asks once more (decisions/leases-and-fences): then the
  // path is counted again.
  for (let run = 0; run < 5 && least > most; run += 1) {
    const act = await arrange();
    least = Math.min(least, await textsBuilt(act));
  }
  expect(least).toBeLessThanOrEqual(most);
});
