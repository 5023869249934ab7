import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { countRoundTrips, fewestRoundTrips, type RoundTrips } from '../../../../tools/testing/round-trips.ts';
import { startTestApp, type TestApp } from '../../test/app.ts';

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

/** A binding that is due; what charges it. */
async function arrangeCharge() {
  const bindingId = await t.givenBinding();
  return async () => {
    const { status, text, body } = await t.charge(bindingId);
    if (status !== 201) throw new Error(`${String(status)}: ${text}`);
    return body['paymentId'];
  };
}

/** A charge that payments has; what ends it. */
async function arrangeEnd() {
  const paymentId = await (await arrangeCharge())();
  return () => t.completed(paymentId, new Date().toISOString());
}

// A bound is what the path needs today: lower it with the path, and never raise it without saying why
// (decisions/round-trips).
it.each<[string, number, () => Promise<() => Promise<unknown>>]>([
  ['charging a binding', 3, arrangeCharge],
  ['the end of a charge', 2, arrangeEnd],
])('%s takes at most %i round trips to the database', async (_path, most, arrange) => {
  expect(await fewestRoundTrips(trips, most, arrange)).toBeLessThanOrEqual(most);
});
