import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { FactKey } from '@pay/shared/broker/fact-signature.ts';
import { createHandOver, type Committed, type HandOver } from '@pay/shared/facts/hand-over.ts';
import { createLog } from '@pay/shared/logging/logger.ts';
import { onEndpointsUpdated } from '../consumers/on-endpoints-updated.ts';
import { startTestApp, type TestApp } from '../../test/app.ts';

let app: TestApp;
const clients: HandOver[] = [];
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(async () => {
  for (const client of clients) await client.close();
  await app.stop();
});

/** Hands a fact over as payments does. */
const handOver = (fact: Committed, key: FactKey = app.factKey): Promise<void> => {
  const log = createLog('payments', 'silent');
  const client = createHandOver({ producer: 'payments', consumer: 'notifier', urls: [app.url], key, log });
  clients.push(client);
  return client.handOver(fact);
};
const endpoints = (partnerId: string, revision: number, change: object = {}): Committed => ({
  messageId: randomUUID(),
  partnerId,
  type: 'integration.endpoints_updated',
  aggregateId: partnerId,
  occurredAt: new Date(),
  payload: {
    partnerId,
    callbackUrl: 'https://new.example/',
    returnUrl: 'https://shop.example/',
    extraEvents: ['binding.expired'],
    revision,
    updatedAt: new Date().toISOString(),
    ...change,
  },
});
/** The broker's copy arrives, at whichever replica, as late as it may. */
const brokerBrings = ({ messageId, type, aggregateId, occurredAt, payload: body }: Committed) =>
  onEndpointsUpdated(app.deps, { messageId, type, aggregateId, occurredAt: occurredAt.toISOString(), body });
const configured = async () => {
  const partnerId = randomUUID();
  await app.givenEndpoints(partnerId, 'https://old.example/');
  await app.fetchSecret(partnerId);
  return partnerId;
};
const statusOf = async (eventId: string) =>
  (await app.query<{ status: string }>('select status from events where event_id = $1', [eventId]))[0]?.status;
const addressOf = async (partnerId: string) =>
  (await app.query('select callback_url as url, extra_events as extra from receivers where partner_id = $1', [partnerId]))[0];

it('what is handed over is in force, while the copy of the broker is held by a replica that hangs (V5)', async () => {
  const partnerId = await configured();
  const fact = endpoints(partnerId, 2);
  const before = await app.givenEvent(partnerId, { type: 'binding.expired' });
  await handOver(fact);
  const after = await app.givenEvent(partnerId, { type: 'binding.expired' });
  expect([await statusOf(before), await statusOf(after)]).toEqual(['NOT_CONFIGURED', 'WAITING']);
  expect(await addressOf(partnerId)).toEqual({ url: 'https://new.example/', extra: ['binding.expired'] });
  await brokerBrings(fact);
  expect(await addressOf(partnerId)).toEqual({ url: 'https://new.example/', extra: ['binding.expired'] });
});

it('what comes late and is older changes nothing, whichever way it comes (V5)', async () => {
  const partnerId = await configured();
  const [older, newer] = [endpoints(partnerId, 2, { callbackUrl: 'https://older.example/', extraEvents: [] }), endpoints(partnerId, 3)];
  await handOver(newer);
  await brokerBrings(older);
  await handOver(endpoints(partnerId, 2, { callbackUrl: 'https://older.example/' }));
  expect(await addressOf(partnerId)).toEqual({ url: 'https://new.example/', extra: ['binding.expired'] });
  expect(await statusOf(await app.givenEvent(partnerId, { type: 'binding.expired' }))).toBe('WAITING');
});

it('what payments did not sign for the notifier is refused', async () => {
  const partnerId = await configured();
  const forged = handOver(endpoints(partnerId, 2), { id: 'k1', key: randomBytes(32) });
  await expect(forged).rejects.toThrow('notifier answered 403');
  const foreign = { ...endpoints(partnerId, 2), type: 'binding.created' };
  await expect(handOver(foreign)).rejects.toThrow('notifier answered 403');
  expect(await addressOf(partnerId)).toMatchObject({ url: 'https://old.example/' });
});
