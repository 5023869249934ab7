import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Client } from '../packages/sdk/src/client.ts';
import { ApiError } from '../packages/sdk/src/errors.ts';
import { createLog } from '../packages/shared/src/logging/logger.ts';
import { trustedProxies } from '../packages/shared/src/net/client-address.ts';
import { createPortalApp } from '../services/console/src/portal/app.ts';
import { isOpenToPortal } from '../services/gateway/src/http/portal/routes.ts';
import { ROUTES } from '../services/gateway/src/http/routes.ts';
import { clientOf } from '../tools/system/partner.ts';
import { signInToPortal, type PageHeaders } from './portal-session.ts';
import { CARDS, openWorld, until, type World } from './world.ts';

/**
 * spec/scenarios#a37: another partner's object is answered as if it did not exist, on every route with an id, by the
 * real services behind the real gateway; to signed requests and to the portal's pages.
 */
let world: World;
let stranger: Client;
let pages: { readonly own: PageHeaders; readonly stranger: PageHeaders };
/** Objects of the demo partner, by the route parameter that names them. */
const own = new Map<string, string>();
/** What names them in a query, by the parameter. */
const queried = new Map<string, string>();

beforeAll(async () => {
  world = await openWorld();
  const state = world.system.state();
  const { baseUrl, portalUrl } = world.system.addresses;
  stranger = clientOf(baseUrl, state.other);
  pages = { own: await signInToPortal(portalUrl, state.partner), stranger: await signInToPortal(portalUrl, state.other) };
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
const withId = ROUTES.filter(([, pattern]) => pattern.includes('{') && !BY_DAY.test(pattern)).map(([method, pattern]): [string, string] => [
  method,
  pattern,
]);
/** The route of the object itself: `/api/card/{id}/refunds` is about the payment of `/api/card/{id}`. */
const objectOf = (pattern: string) => pattern.slice(0, pattern.indexOf('}') + 1);

type Sent = { readonly method: 'GET' | 'POST'; readonly target: string; readonly body?: unknown };
/** A response without the parts that differ in every response. */
type Answered = { readonly status: number; readonly body: Record<string, unknown> };

async function answerTo(client: Client, { method, target, body }: Sent): Promise<Answered> {
  try {
    const { status, json } = await client.request({ method, target, body });
    return { status, body: json as Record<string, unknown> };
  } catch (thrown) {
    if (!(thrown instanceof ApiError)) throw thrown;
    return { status: thrown.status, body: withoutRequestId(thrown.body) };
  }
}

function withoutRequestId(body: unknown): Record<string, unknown> {
  const { requestId: _requestId, ...said } = body as Record<string, unknown>;
  return said;
}

/** What the portal answers to a page. */
async function answerToPage(headers: PageHeaders, { method, target, body }: Sent): Promise<Answered> {
  const response = await fetch(`${world.system.addresses.portalUrl}/api${target}`, {
    method,
    headers: { ...headers, 'idempotency-key': randomUUID() },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.startsWith('application/json') === true;
  return { status: response.status, body: isJson ? withoutRequestId(JSON.parse(text)) : { text } };
}

type Asker = (sent: Sent) => Promise<Answered>;
/** How partners ask, and which of the routes are open to that. */
type Way = {
  readonly name: string;
  readonly isOpen: (method: string, pattern: string) => boolean;
  readonly own: Asker;
  readonly stranger: Asker;
};

const WAYS: readonly Way[] = [
  {
    name: 'signed',
    isOpen: () => true,
    own: (sent) => answerTo(world.client, sent),
    stranger: (sent) => answerTo(stranger, sent),
  },
  {
    name: 'from a page of the portal',
    isOpen: isOpenToPortal,
    own: (sent) => answerToPage(pages.own, { ...sent, target: `/partner${sent.target}` }),
    stranger: (sent) => answerToPage(pages.stranger, { ...sent, target: `/partner${sent.target}` }),
  },
];

function askAbout(ask: Asker, method: string, pattern: string, id: string): Promise<Answered> {
  const target = pattern.replace(/\{\w+\}/, id);
  return ask(method === 'POST' ? { method, target, body: {} } : { method: 'GET', target });
}

/** The parameters that name no object; a token of a page or stream names its own partner. */
const NAME_NOTHING: ReadonlySet<string> = new Set([
  'after',
  'format',
  'from',
  'limit',
  'pageToken',
  'part',
  'status',
  'to',
  'type',
  'verified',
]);
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
const withBody = Object.entries(BODIES).flatMap(([call, names]) => {
  const [method = '', pattern = ''] = call.split(' ');
  return names.map((name): [string, string, string] => [method, pattern, name]);
});

/** What the stranger sends, with nothing of the demo partner. */
function bodyOf(target: string): Record<string, unknown> {
  const { paymentPoints, storeID, beneficiaryRef } = world.system.state().other;
  const payment = { amount: 10, currency: 'RUB', description: 'Tea' };
  switch (target) {
    case '/api/card':
      return { ...payment, orderID: randomUUID(), customerID: 'c1', paymentPointID: paymentPoints.card };
    case '/api/qr':
      return { amount: 10, paymentPointID: paymentPoints.qr };
    case '/v1/recurring-payments':
      return { ...payment, amount: '10.00', merchantOrderId: randomUUID(), bindingId: randomUUID() };
    default:
      return { storeId: storeID, amountUsdt: '1', beneficiaryRef };
  }
}

/** Streams begin with what happens later. */
const lists = ROUTES.filter(([method, pattern, , lane]) => method === 'GET' && !pattern.includes('{') && lane !== 'stream').map(
  ([method, pattern, , , names]): [string, string, string] => [
    method,
    pattern,
    names.some((name) => name === 'limit') ? `${pattern}?limit=100` : pattern,
  ],
);

describe.each(WAYS)('another partner’s object, $name (A37)', ({ isOpen, own: owner, stranger: other }) => {
  const open = <Row extends readonly [string, string, ...unknown[]]>(rows: readonly Row[]) =>
    rows.filter(([method, pattern]) => isOpen(method, pattern));

  it('is there for its own partner', async () => {
    for (const [pattern, id] of own) {
      if (!isOpen('GET', pattern)) continue;
      const { status } = await askAbout(owner, 'GET', pattern, id);
      expect([pattern, status]).toEqual([pattern, 200]);
    }
  });

  it.each(open(withId))('%s %s: 404, in the same words as an id that names nothing', async (method, pattern) => {
    const id = own.get(objectOf(pattern));
    if (id === undefined) throw new Error(`no object of the demo partner for ${pattern}`);
    const nothing = await askAbout(other, method, pattern, randomUUID());
    expect(nothing.status).toBe(404);
    expect(await askAbout(other, method, pattern, id)).toEqual(nothing);
  });

  it.each(open(withQuery))('%s %s?%s: answered as one that names nothing', async (_method, pattern, name) => {
    const id = queried.get(name);
    if (id === undefined) throw new Error(`no object of the demo partner for ${name}`);
    const ask = (asker: Asker, value: string) => asker({ method: 'GET', target: `${pattern}?${name}=${encodeURIComponent(value)}` });
    expect(await ask(other, id)).toEqual(await ask(other, randomUUID()));
    const { body } = await ask(owner, id);
    expect(body['items']).toEqual(expect.arrayContaining([expect.anything()]));
  });

  it.each(open(withBody))('%s %s, %s: refused as one that names nothing', async (_method, target, name) => {
    const { paymentPoints, storeID, beneficiaryRef } = world.partner;
    const ids: Readonly<Record<string, string | undefined>> = {
      paymentPointID: target === '/api/qr' ? paymentPoints.qr : paymentPoints.card,
      bindingId: own.get('/v1/bindings/{bindingId}'),
      storeId: storeID,
      beneficiaryRef,
    };
    const send = (id: string | undefined) => other({ method: 'POST', target, body: { ...bodyOf(target), [name]: id } });
    const nothing = await send(randomUUID());
    expect(nothing.status).toBeGreaterThanOrEqual(400);
    expect(await send(ids[name])).toEqual(nothing);
  });

  it.each(open(lists))('%s %s: is not in the list', async (_method, pattern, target) => {
    const { status, body } = await other({ method: 'GET', target });
    // A list that must name a buyer is in the rows above.
    expect([200, 400]).toContain(status);
    for (const id of await notIn(pattern)) expect(JSON.stringify(body)).not.toContain(id);
  });

  /** What would give the demo partner away. Its ids are in the log of the stranger's requests, who has just asked for them. */
  async function notIn(pattern: string): Promise<readonly string[]> {
    if (pattern !== '/api/requests') return [...own.values()];
    const { body } = await owner({ method: 'GET', target: pattern });
    return (body['items'] as { readonly requestId: string }[]).map(({ requestId }) => requestId);
  }
});

it('is asked for by each call that has an id in its body (A37)', () => {
  const calls = ROUTES.filter(([method, pattern]) => method !== 'GET' && !pattern.includes('{'));
  expect(calls.map(([method, pattern]) => `${method} ${pattern}`).sort()).toEqual(Object.keys(BODIES).sort());
});

/** What a stranger's page sends to a route of the portal itself, with an object of the demo partner or with one that is not there. */
type OwnRoute = { readonly sent: (id: string) => Sent; readonly id: () => Promise<string> | string };
const csv = (target: (id: string) => string, id: () => string): OwnRoute => ({
  sent: (value) => ({ method: 'GET', target: target(encodeURIComponent(value)) }),
  id,
});

/** The portal's own routes, each with how it can be asked for another partner's object. None: it takes nothing that names one. */
const PORTAL_ROUTES: Readonly<Record<string, readonly OwnRoute[]>> = {
  // What it says is no secret, and signed by the partner's key only: services/gateway/src/http/portal/portal.db.test.ts.
  'POST /api/challenges': [],
  'POST /api/sessions': [
    {
      sent: (challengeId) => ({
        method: 'POST',
        target: '/sessions',
        body: { challengeId, signature: 'A'.repeat(86) },
      }),
      id: () => challengeOfDemoPartner(),
    },
  ],
  'POST /api/sign-out': [],
  'GET /api/session': [],
  'GET /api/test-clock': [],
  'GET /api/test-cards': [],
  'GET /api/keys': [],
  // A public key is registered once, and is no secret.
  'POST /api/keys': [],
  'POST /api/keys/:keyId/revoke': [
    { sent: (keyId) => ({ method: 'POST', target: `/keys/${keyId}/revoke`, body: {} }), id: () => keyOfDemoPartner() },
  ],
  'ALL /api/partner/{*path}': [], // The rows above.
  'GET /api/card.csv': ['orderID', 'customerID', 'paymentPointID'].map((name) =>
    csv(
      (value) => `/card.csv?${name}=${value}`,
      () => queried.get(name) ?? '',
    ),
  ),
  'GET /api/qr.csv': [
    csv(
      (value) => `/qr.csv?point=${value}`,
      () => world.partner.paymentPoints.qr,
    ),
  ],
  // The pages of the rows above, in another format, which has the time of its making.
  'GET /api/card.xlsx': [],
  'GET /api/qr.xlsx': [],
  // A day names nobody.
  'GET /api/registers/:currency/:file': [],
};

async function challengeOfDemoPartner(): Promise<string> {
  const body = { partnerID: world.partner.partnerID };
  return String((await answerToPage(pages.own, { method: 'POST', target: '/challenges', body })).body['challengeId']);
}

async function keyOfDemoPartner(): Promise<string> {
  const { body } = await answerToPage(pages.own, { method: 'GET', target: '/keys' });
  const [key] = body['items'] as { readonly keyId: string }[];
  return key?.keyId ?? '';
}

describe('another partner’s object, on the portal’s own routes (A37)', () => {
  it.each(Object.entries(PORTAL_ROUTES).flatMap(([route, asked]) => asked.map((one) => ({ route, ...one }))))(
    '$route: answered as one that names nothing',
    async ({ sent, id }) => {
      const foreign = await id();
      expect(foreign).not.toBe('');
      expect(await answerToPage(pages.stranger, sent(foreign))).toEqual(await answerToPage(pages.stranger, sent(randomUUID())));
    },
  );

  it('GET /api/keys: its keys are not in the list', async () => {
    const { body } = await answerToPage(pages.stranger, { method: 'GET', target: '/keys' });
    expect(JSON.stringify(body)).not.toContain(await keyOfDemoPartner());
  });

  it('is asked for by each of them', () => {
    const gateway = () => Promise.reject(new Error('nobody is asked'));
    const proxies = trustedProxies.parse('none');
    const deps = { log: createLog('portal', 'silent'), gateway, publicUrl: 'https://portal.test', proxies, environment: 'TEST' as const };
    const bundle = { assets: new Map(), script: '', style: '', pages: {}, russian: [] };
    const routes = createPortalApp(deps, bundle).router.stack.flatMap(({ route }) => {
      if (route?.path.startsWith('/api/') !== true) return [];
      const methods = [...new Set(route.stack.map(({ method }) => method.toUpperCase()))];
      return `${methods.length === 1 ? methods.join() : 'ALL'} ${route.path}`;
    });
    expect(routes.sort()).toEqual(Object.keys(PORTAL_ROUTES).sort());
  });
});
