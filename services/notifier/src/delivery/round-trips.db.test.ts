import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { countRoundTrips, type RoundTrips } from '../../../../tools/testing/round-trips.ts';
import { startTestApp, type TestApp } from '../../test/app.ts';
import { startReceiver, withStatus, type Receiver } from '../../test/receiver.ts';
import type { DeliveryLoop } from './loop.ts';

const PARTNER = 'partner-a';
let app: TestApp;
let trips: RoundTrips;
let receiver: Receiver;
let engine: DeliveryLoop;
beforeAll(async () => {
  app = await startTestApp(async (url) => {
    trips = await countRoundTrips(url);
    return trips.url;
  });
  receiver = await startReceiver(withStatus(200));
  await app.givenEndpoints(PARTNER, receiver.url);
  await app.fetchSecret(PARTNER);
  engine = app.startEngine();
  // The first time opens connections and prepares statements.
  await delivered(1);
});
afterAll(async () => {
  await app.stop();
  await receiver.close();
  await trips.close();
});

const BODY = Buffer.from('{}');
const stored = async (count: number) => {
  const events = Array.from({ length: count }, () => ({
    eventId: randomUUID(),
    type: 'payment.completed',
    partnerId: PARTNER,
    aggregateId: randomUUID(),
    aggregateVersion: 1,
    body: BODY,
    requestId: null,
    traceparent: null,
  }));
  const before = receiver.received.length;
  await engine.store(events);
  await receiver.arrived(before + count);
};
const recorded = () => app.until(`select count(*) filter (where status = 'WAITING') = 0 as ok from events`);
async function delivered(count: number): Promise<void> {
  await stored(count);
  await recorded();
}

/** The fewest of ten times, or `bound`: the engine also looks once a second, and a busy machine may pause between two events. */
async function fewest(bound: number, work: () => Promise<void>): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let time = 0; time < 10 && least > bound; time += 1) {
    trips.take();
    await work();
    least = Math.min(least, trips.take());
  }
  return least;
}

// A bound is what the path needs today: lower it with the path, and never raise it without saying why
// (decisions/round-trips).
it('storing and claiming new events takes one round trip to the database, and recording their attempts another', async () => {
  const whole = await fewest(2, () => delivered(10));
  expect(whole).toBe(2);
});

it('the attempts of events that came one after another share a round trip', async () => {
  const apart = await fewest(5 + 1, async () => {
    for (let event = 0; event < 5; event += 1) await stored(1);
    await recorded();
  });
  expect(apart).toBe(5 + 1);
});
