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
/** What names them in a query, by the parameter. */
const queried = new Map<string, string>();

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
  const { orderID, customerID } = await world.client.readCardPayment(payment.id);
  for (const [name, value] of Object.entries({
    orderID,
    customerID,
    customerId: customerID,
    paymentPointID: world.partner.paymentPoints.card,
    objectId: payment.id,
    storeId: storeID,
  }))
    queried.set(name, value);
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

type Sent = { readonly method: 'GET' | 'POST'; readonly target: string; readonly body?: unknown };

/** A response without the parts that differ in every response. */
async function answerTo(client: Client, { method, target, body }: Sent) {
  try {
    const { status, json } = await client.request({ method, target, body });
    return { status, body: json as Record<string, unknown> };
  } catch (thrown) {
    if (!(thrown instanceof ApiError)) throw thrown;
    const { requestId: _requestId, ...said } = thrown.body as Record<string, unknown>;
    return { status: thrown.status, body: said };
  }
}

async function refusal(method: string, pattern: string, id: string) {
  const target = pattern.replace(/\{\w+\}/, id);
  return await answerTo(stranger, method === 'POST' ? { method, target, body: {} } : { method: 'GET', target });
}

/** The parameters that name no object; a token of a page or stream names its own partner. */
const NAME_NOTHING: ReadonlySet<string> = new Set(['after', 'format', 'from', 'limit', 'pageToken', 'part', 'status', 'to', 'type']); // prettier-ignore
const withQuery = ROUTES.flatMap(([method, pattern, , , names]) =>
  [...names].filter((name) => !NAME_NOTHING.has(name)).map((name): [string, string, string] => [method, pattern, name]),
);

/** The calls that change something and have no id in the path, and the ids in their bodies; none has no object but the caller's own. */
const BODIES: Readonly<Record<string, readonly string[]>> = {
  'POST /api/card': ['paymentPointID'],
  'POST /api/qr': ['paymentPointID'],
  'POST /v1/recurring-payments': ['bindingId'],
  'POST /api/withdrawal-requests': ['storeId', 'beneficiaryRef'],
  'PUT /api/integration/endpoints': [],
  'POST /api/integration/callback-secret': [],
  'POST /api/integration/test-callback': [],
};
const withBody = Object.entries(BODIES).flatMap(([call, names]) => names.map((name): [string, string] => [call, name]));

/** What the stranger sends, with nothing of the demo partner. */
function bodyOf(call: string): Record<string, unknown> {
  const { paymentPoints, storeID, beneficiaryRef } = world.system.state().other;
  const payment = { amount: 10, currency: 'RUB', description: 'Tea' };
  switch (call) {
    case 'POST /api/card':
      return { ...payment, orderID: randomUUID(), customerID: 'c1', paymentPointID: paymentPoints.card };
    case 'POST /api/qr':
      return { amount: 10, paymentPointID: paymentPoints.qr };
    case 'POST /v1/recurring-payments':
      return { ...payment, amount: '10.00', merchantOrderId: randomUUID(), bindingId: randomUUID() };
    default:
      return { storeId: storeID, amountUsdt: '1', beneficiaryRef };
  }
}

/** Streams begin with what happens later. */
const lists = ROUTES.filter(
  ([method, pattern, , lane]) => method === 'GET' && !pattern.includes('{') && lane !== 'stream',
).map(([, pattern, , , names]): [string, string] => [
  pattern,
  names.some((name) => name === 'limit') ? `${pattern}?limit=100` : pattern,
]);

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

  it.each(withQuery)('%s %s?%s: answered as one that names nothing', async (_method, pattern, name) => {
    const id = queried.get(name);
    if (id === undefined) throw new Error(`no object of the demo partner for ${name}`);
    const ask = (client: Client, value: string) => answerTo(client, { method: 'GET', target: `${pattern}?${name}=${encodeURIComponent(value)}` }); // prettier-ignore
    expect(await ask(stranger, id)).toEqual(await ask(stranger, randomUUID()));
    const { body } = await ask(world.client, id);
    expect(body['items']).not.toEqual([]);
  });

  it.each(withBody)('%s, %s: refused as one that names nothing', async (call, name) => {
    const { paymentPoints, storeID, beneficiaryRef } = world.partner;
    const ids: Readonly<Record<string, string | undefined>> = {
      paymentPointID: call === 'POST /api/qr' ? paymentPoints.qr : paymentPoints.card,
      bindingId: own.get('/v1/bindings/{bindingId}'),
      storeId: storeID,
      beneficiaryRef,
    };
    const target = call.replace('POST ', '');
    const send = (id: string | undefined) => answerTo(stranger, { method: 'POST', target, body: { ...bodyOf(call), [name]: id } }); // prettier-ignore
    const nothing = await send(randomUUID());
    expect(nothing.status).toBeGreaterThanOrEqual(400);
    expect(await send(ids[name])).toEqual(nothing);
  });

  it('is asked for by each call that has an id in its body', () => {
    const calls = ROUTES.filter(([method, pattern]) => method !== 'GET' && !pattern.includes('{'));
    expect(calls.map(([method, pattern]) => `${method} ${pattern}`).sort()).toEqual(Object.keys(BODIES).sort());
  });

  it.each(lists)('%s: is not in the list', async (pattern, target) => {
    const { status, body } = await answerTo(stranger, { method: 'GET', target });
    // A list that must name a buyer is in the rows above.
    expect([200, 400]).toContain(status);
    for (const id of await notIn(pattern)) expect(JSON.stringify(body)).not.toContain(id);
  });

  /** What would give the demo partner away. Its ids are in the log of the stranger's requests, who has just asked for them. */
  async function notIn(pattern: string): Promise<readonly string[]> {
    if (pattern !== '/api/requests') return [...own.values()];
    const { body } = await answerTo(world.client, { method: 'GET', target: pattern });
    return (body['items'] as { readonly requestId: string }[]).map(({ requestId }) => requestId);
  }
});
