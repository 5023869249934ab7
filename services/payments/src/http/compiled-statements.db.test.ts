import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { PgDialect } from 'drizzle-orm/pg-core';
import { startTestApp, type TestApp } from '../../test/app.ts';
import { openCheckout } from '../use-cases/checkout/open-checkout.ts';

let t: TestApp;
beforeAll(async () => {
  t = await startTestApp();
});
afterAll(() => t.close());

/** How often drizzle built a text meanwhile. */
async function textsBuilt(act: () => Promise<unknown>): Promise<number> {
  const built = jest.spyOn(PgDialect.prototype, 'sqlToQuery');
  try {
    await act();
    return built.mock.calls.length;
  } finally {
    built.mockRestore();
  }
}

// A bound is what the path needs today: lower it with the path, and never raise it without saying why (ADR 0175).
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
])('%s builds the texts of at most %i statements', async (_path, most, arrange) => {
  // The first time builds them.
  await (
    await arrange()
  )();
  const act = await arrange();
  expect(await textsBuilt(act)).toBeLessThanOrEqual(most);
});
