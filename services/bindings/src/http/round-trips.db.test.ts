import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { countRoundTrips, type RoundTrips } from '../../../../tools/testing/round-trips.ts';
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
async function arrange(): Promise<() => Promise<void>> {
  const bindingId = await t.givenBinding();
  return async () => {
    const { status, text } = await t.charge(bindingId);
    if (status !== 201) throw new Error(`${String(status)}: ${text}`);
  };
}

// A bound is what the path needs today: lower it with the path, and never raise it without saying why (ADR 0170).
it.each([['charging a binding', 3]])('%s takes at most %i round trips to the database', async (_path, most) => {
  // The first time opens connections and prepares statements.
  await (
    await arrange()
  )();
  const act = await arrange();
  trips.take();
  await act();
  expect(trips.take()).toBeLessThanOrEqual(most);
});
