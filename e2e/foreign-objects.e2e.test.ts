import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Client } from '../packages/sdk/src/client.ts';
import { ApiError } from '../packages/sdk/src/errors.ts';
import { ROUTES } from '../services/gateway/src/http/routes.ts';
import { clientOf } from '../tools/system/partner.ts';
import { CARDS, openWorld, until, type World } from './world.ts';

/**
 * spec/scenarios#a37: another partner's object is answered as if it did not exist, on every route with an id, by the
 * real services behind the real gateway.
 */
let world: World;
let stranger: Client;
/** Objects of the demo partner, by the route parameter that names them. */
const own = new Map<string, string>();

beforeAll(async () => {
  world = await openWorld();
  const state = world.system.state();
  stranger = clientOf(world.system.addresses.baseUrl, state.other);
  const payment = await world.create();
  await world.pay(payment, CARDS.approved);
  await world.ended(payment.id);
  const { eventId } = await world.told(payment.id);
  const post = async (target: string, body: unknown): Promise<Record<string, unknown>> =>
    (await world.client.request({ method: 'POST', target, body })).json as Record<string, unknown>;
  const qr = await post('/api/qr', { amount: 10, paymentPointID: world.partner.paymentPoints.qr });
  const refund = await world.client.refundCardPayment(payment.id, { amount: '1.00' });
  const { storeID, beneficiaryRef } = world.partner;
  const withdrawal = await post('/api/withdrawal-requests', { storeId: storeID, amountUsdt: '1', beneficiaryRef });
  own.set('/api/card/{id}', payment.id);
  own.set('/api/events/{eventId}', eventId);
  own.set('/api/qr/{id}', String(qr['id']));
  own.set('/api/refunds/{refundId}', refund.refundId);
  own.set('/api/payments/{paymentPointID}', world.partner.paymentPoints.qr);
  own.set('/api/withdrawal-balances/{storeID}', storeID);
  own.set('/api/withdrawal-requests/{requestID}', String(withdrawal['withdrawalRequestId']));
  own.set('/v1/bindings/{bindingId}', await givenBinding());
});
afterAll(async () => {
  stranger.close();
  await world.close();
});

/** A binding of the demo partner, from a first payment whose buyer agreed. */
async function givenBinding(): Promise<string> {
  const recurringConsent = { period: 'P1M' } as const;
  const payment = await world.client.createCardPayment({ ...world.order(), savePaymentMethod: true, recurringConsent });
  await world.pay(payment, CARDS.approved, { agree: true });
  await world.ended(payment.id);
  const bindingId = await until('the binding', async () => (await world.client.readCardPayment(payment.id)).bindingId);
  const target = `/v1/bindings/${bindingId}`;
  await until('bindings to know it', () => world.client.request({ method: 'GET', target }).catch(() => undefined));
  return bindingId;
}

/** A day belongs to nobody: each partner reads its own balance for it. */
const BY_DAY = /^\/api\/registers\/[A-Z]+\/\{date\}$/;
const withId = ROUTES.filter(([, pattern]) => pattern.includes('{') && !BY_DAY.test(pattern)).map(
  ([method, pattern]): [string, string] => [method, pattern],
);
/** The route of the object itself: `/api/card/{id}/refunds` is about the payment of `/api/card/{id}`. */
const objectOf = (pattern: string) => pattern.slice(0, pattern.indexOf('}') + 1);

/** A response without the parts that differ in every response. */
async function refusal(method: string, pattern: string, id: string) {
  const target = pattern.replace(/\{\w+\}/, id);
  const error: unknown = await stranger
    .request({ method: method === 'POST' ? 'POST' : 'GET', target, ...(method === 'POST' ? { body: {} } : {}) })
    .catch((thrown: unknown) => thrown);
  if (!(error instanceof ApiError)) throw new Error(`${method} ${pattern} was not refused`);
  const { requestId: _requestId, ...body } = error.body as Record<string, unknown>;
  return { status: error.status, body };
}

describe('A37: another partner’s object', () => {
  it('is there for its own partner', async () => {
    for (const [pattern, id] of own) {
      const { status } = await world.client.request({ method: 'GET', target: pattern.replace(/\{\w+\}/, id) });
      expect([pattern, status]).toEqual([pattern, 200]);
    }
  });

  it.each(withId)('%s %s: 404, in the same words as an id that names nothing', async (method, pattern) => {
    const id = own.get(objectOf(pattern));
    if (id === undefined) throw new Error(`no object of the demo partner for ${pattern}`);
    const nothing = await refusal(method, pattern, randomUUID());
    expect(nothing.status).toBe(404);
    expect(await refusal(method, pattern, id)).toEqual(nothing);
  });
});
