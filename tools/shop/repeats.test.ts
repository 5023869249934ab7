import { once } from 'node:events';
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { signTestCallback } from '../../packages/sdk/src/callbacks.ts';
import type { PartnerEvent } from '../../packages/sdk/src/events.ts';
import { generateKeys } from '../../packages/sdk/src/keys.ts';
import { openDatabase, type Database } from '../../examples/shop/src/database.ts';
import { ROOT } from '../infrastructure/folders.ts';
import { freePorts } from '../infrastructure/ports.ts';
import { startExample } from '../sdk/readme-example.ts';
import { SHOP_SOURCES } from './prepare.ts';

/**
 * A shop that starts again, with calls that have no answer, and a service that made what they ask for and has forgotten
 * their keys. The shop is a process of its own; the service is played.
 */
let folder: string;
let db: Database;
/** `METHOD path` → status and body of what the service answers; GET is asked with its query. */
const answers = new Map<string, readonly [status: number, body: object | string]>();
const asked: string[] = [];
const service = createServer((req, res) => {
  void numberIn(req).then((number) => {
    const call = [req.method, req.url, number].filter((part) => part !== undefined).join(' ');
    asked.push(call);
    const [status, body] = answers.get(call) ?? [503, { error: 'later', code: 'UNAVAILABLE' }];
    res.writeHead(status).end(typeof body === 'string' ? body : JSON.stringify(body));
  });
});

/** Our number of the object that a command asks for. */
async function numberIn(req: IncomingMessage): Promise<string | undefined> {
  let text = '';
  for await (const chunk of req.setEncoding('utf8')) text += String(chunk);
  return /"(?:merchantRefundId|merchantOrderId|orderID)":"([^"]+)"/.exec(text)?.[1];
}

async function prepare(): Promise<void> {
  folder = await mkdtemp(join(tmpdir(), 'example-shop-'));
  await cp(SHOP_SOURCES, folder, { recursive: true, filter: (path) => !path.includes('node_modules') });
  const { resolve } = createRequire(join(ROOT, 'packages/sdk/package.json'));
  const sdk = join(folder, 'node_modules/@pay/sdk');
  await mkdir(sdk, { recursive: true });
  await symlink(dirname(resolve('express/package.json')), join(folder, 'node_modules/express'), 'junction');
  const sources = pathToFileURL(join(ROOT, 'packages/sdk/src/main.ts')).href;
  await writeFile(join(sdk, 'package.json'), '{ "type": "module", "exports": "./main.js" }');
  await writeFile(join(sdk, 'main.js'), `export * from '${sources}';\n`);
  db = openDatabase(join(folder, 'shop.db'));
}

/** Starts the shop, sends it callbacks, and stops it: it finishes its first run before it ends. */
async function runOnce(
  events: readonly PartnerEvent[],
  visit: (url: string, shop: ReturnType<typeof startExample>) => Promise<void> = () => Promise.resolve(),
): Promise<void> {
  const { shop: port } = await freePorts(['shop']);
  const { privateKeyPem, publicKey } = generateKeys();
  await writeFile(join(folder, 'partner.pem'), privateKeyPem);
  await writeFile(join(folder, 'callback-secret.json'), JSON.stringify(KEY));
  const shop = startExample(process.execPath, ['src/main.ts'], folder, {
    API_URL: `http://127.0.0.1:${String((service.address() as AddressInfo).port)}`,
    PARTNER_ID: 'partner',
    PUBLIC_KEY: publicKey,
    PRIVATE_KEY_FILE: 'partner.pem',
    CARD_POINT_ID: 'card-point',
    QR_POINT_ID: 'qr-point',
    SHOP_URL: 'https://shop.example',
    HOST: '127.0.0.1',
    PORT: String(port),
    ADMIN_PASSWORD: 'a-password-of-the-test',
    CALLBACK_SECRET_FILE: 'callback-secret.json',
    DATABASE_FILE: 'shop.db',
  });
  await shop.printed(/the shop is open/);
  for (const event of events) {
    const { headers, body } = signTestCallback(event, [KEY], new Date());
    const { status } = await fetch(`http://127.0.0.1:${String(port)}/callbacks`, {
      method: 'POST',
      headers,
      body: new Uint8Array(body),
    });
    answered.push(status);
  }
  await visit(`http://127.0.0.1:${String(port)}`, shop);
  await shop.stop();
}

/** What every order of this test costs. */
const SOLD = { amount: '490.00', currency: 'RUB' };
const DECLINED = { status: 'REJECTED', failureCode: 'CARD_BLOCKED', retryAdvice: 'DO_NOT_RETRY' };
const KEY = { keyId: 'k1', secret: Buffer.alloc(32, 7).toString('base64') };
/** What the shop answered to each callback. */
const answered: number[] = [];

type Happened = {
  readonly eventId: string;
  readonly payment: string;
  readonly number: string;
  readonly version?: number;
};
const head = ({ eventId, version = 1 }: Happened) =>
  ({ schemaVersion: 1, eventId, aggregateVersion: version, createdAt: '2026-01-02T00:00:00.000Z' }) as const;
const data = ({ payment, number }: Happened) =>
  ({
    orderId: payment,
    paymentId: 't-1',
    merchantOrderId: number,
    amount: '490.00',
    currency: 'RUB',
    paymentMethod: 'CARD',
    bankOperationId: null,
    occurredAt: '2026-01-02T00:00:00.000Z',
  }) as const;
const paid = (happened: Happened): PartnerEvent => ({
  ...head(happened),
  type: 'payment.completed',
  data: { ...data(happened), status: 'COMPLETED' },
});

type Seed = { readonly id: string; readonly method?: string; readonly status?: string; readonly payment?: string };
const seedOrder = ({ id, method = 'card', status = 'NEW', payment }: Seed) =>
  db.transaction((tx) =>
    tx.run(
      `insert into orders (id, customer, title, kopecks, method, saves_card, binding_id, idempotency_key, status, payment_id, created_at)
       values (?, ?, 'Tea', 49000, ?, 0, ?, ?, ?, ?, '2026-01-01T00:00:00.000Z')`,
      ...[id, `buyer of ${id}`, method, method === 'renewal' ? `card of ${id}` : null, `key of ${id}`],
      ...[status, payment ?? null],
    ),
  );
const seedRefund = (id: string, orderId: string) =>
  db.transaction((tx) =>
    tx.run(
      `insert into refunds (id, order_id, kopecks, idempotency_key, status, created_at)
       values (?, ?, 10000, ?, 'NEW', '2026-01-01T00:00:00.000Z')`,
      ...[id, orderId, `key of ${id}`],
    ),
  );
const seedCard = (orderId: string) =>
  db.transaction((tx) =>
    tx.run(
      "insert into subscriptions (customer, binding_id, status, next_charge_at) values (?, ?, 'ACTIVE', '2999-01-01T00:00:00.000Z')",
      ...[`buyer of ${orderId}`, `card of ${orderId}`],
    ),
  );
const order = (id: string) => ({
  ...db.one<object>('select status, payment_id, failure from orders where id = ?', id),
});
const refund = (id: string) => ({
  ...db.one<object>('select status, refund_id, failure from refunds where id = ?', id),
});

beforeAll(async () => {
  await prepare();
  await once(service.listen(0, '127.0.0.1'), 'listening');
  const duplicate = { error: 'used', code: 'DUPLICATE_ORDER' };
  const refundOf = (refundId: string, merchantRefundId: string, rest: object) =>
    answers.set(`GET /api/refunds/${refundId}`, [200, { refundId, merchantRefundId, amount: '100.00', ...rest }]);

  await seedOrder({ id: 'sold', status: 'PAID', payment: 'sold-1' });
  for (const number of ['given-back', 'refused-by-bank', 'unreadable']) await seedRefund(number, 'sold');
  for (const number of ['given-back', 'refused-by-bank']) {
    answers.set(`POST /api/card/sold-1/refunds ${number}`, [409, { ...duplicate, refundId: `id-of-${number}` }]);
  }
  refundOf('id-of-given-back', 'given-back', { status: 'COMPLETED' });
  refundOf('id-of-refused-by-bank', 'refused-by-bank', { status: 'FAILED', failureCode: 'PROCESSING_ERROR' });
  answers.set('POST /api/card/sold-1/refunds unreadable', [404, '<html>no such site</html>']);

  for (const [number, rest] of [
    ['charged', { status: 'COMPLETED' }],
    ['declined', DECLINED],
    ['revoked', DECLINED],
  ] as const) {
    await seedOrder({ id: number, method: 'renewal' });
    await seedCard(number);
    answers.set(`POST /v1/recurring-payments ${number}`, [409, { ...duplicate, paymentId: `id-of-${number}` }]);
    answers.set(`GET /api/card/id-of-${number}`, [200, { id: `id-of-${number}`, orderID: number, ...SOLD, ...rest }]);
  }
  await db.transaction((tx) =>
    tx.run("update subscriptions set status = 'ENDED', note = 'binding.revoked' where binding_id = 'card of revoked'"),
  );
  await seedOrder({ id: 'too-early', method: 'renewal' });
  const nextChargeAt = '2998-01-01T00:00:00.000Z';
  answers.set('POST /v1/recurring-payments too-early', [409, { error: 'x', code: 'PERIOD_NOT_ELAPSED', nextChargeAt }]);

  await seedOrder({ id: 'other-body' });
  answers.set('POST /api/card other-body', [409, { error: 'x', code: 'IDEMPOTENCY_KEY_REUSED' }]);
  const found = { id: 'id-of-other-body', orderID: 'other-body', ...SOLD, status: 'COMPLETED' };
  answers.set('GET /api/card?orderID=other-body', [200, { items: [found] }]);

  await seedOrder({ id: 'qr', method: 'sbp', status: 'WAITING', payment: 'qr-1' });
  answers.set('GET /api/qr/qr-1', [200, { id: 'qr-1', ...SOLD, status: 'COMPLETED' }]);
  await seedOrder({ id: 'last-month', method: 'renewal', status: 'WAITING', payment: 'last-month-1' });
  answers.set('GET /api/card/last-month-1', [
    200,
    { id: 'last-month-1', orderID: 'last-month', ...SOLD, status: 'REJECTED', failureCode: 'LIMIT_EXCEEDED' },
  ]);
  await seedRefund('undecided', 'sold');
  await db.transaction((tx) => tx.run("update refunds set status = 'PENDING', refund_id = 'r-1' where id = 'undecided'"));
  refundOf('r-1', 'undecided', { status: 'COMPLETED' });
  await seedOrder({ id: 'in-backup', status: 'WAITING', payment: 'in-backup-1' });
  await db.transaction((tx) =>
    tx.run(
      `insert into callback_events (event_id, aggregate_id, aggregate_version, received_at) values ('e-known', 'payment:sold-1', 1, 'then')`,
    ),
  );
  const known = { eventId: 'e-known', payment: 'sold-1', number: 'sold' };
  const refunded = { eventId: 'e-refund', payment: 'sold-1', number: 'sold', version: 2 };
  await runOnce([
    paid(known),
    {
      ...head(refunded),
      type: 'refund.completed',
      data: {
        ...data(refunded),
        refundId: 'made-later',
        merchantRefundId: 'somebody-elses',
        refundedAmount: '490.00',
        status: 'COMPLETED',
      },
    },
    paid({ eventId: 'e-new', payment: 'in-backup-1', number: 'in-backup' }),
    paid({ eventId: 'e-lost', payment: 'lost-1', number: 'lost' }),
  ]);
});
afterAll(async () => {
  db.close();
  service.close();
  service.closeAllConnections();
  await rm(folder, { recursive: true });
});

it('a refund whose number is taken was made: the shop takes its id and state', () => {
  expect(refund('given-back')).toEqual({ status: 'COMPLETED', refund_id: 'id-of-given-back', failure: null });
  expect(refund('refused-by-bank')).toMatchObject({ status: 'FAILED', failure: 'PROCESSING_ERROR' });
});

it('a charge whose number is taken was made: its order stays, and has its outcome', () => {
  expect(order('charged')).toEqual({ status: 'PAID', payment_id: 'id-of-charged', failure: null });
  expect(order('declined')).toEqual({ status: 'FAILED', payment_id: 'id-of-declined', failure: 'CARD_BLOCKED' });
  const declined = 'select status from subscriptions where binding_id = ?';
  expect(db.one(declined, 'card of declined')).toMatchObject({ status: 'PAUSED' });
});

it('a decline that comes late does not bring back a subscription that has ended', () => {
  expect(order('revoked')).toMatchObject({ status: 'FAILED' });
  const ended = db.one<object>("select status, note from subscriptions where binding_id = 'card of revoked'");
  expect({ ...ended }).toEqual({ status: 'ENDED', note: 'binding.revoked' });
});

it('a charge that was refused never was', () => {
  expect(order('too-early')).toEqual({});
});

it('restored from an older backup, the shop takes what it is sent again: what it knows once, the rest now', () => {
  expect(answered).toEqual([200, 200, 200, 200]);
  const events = db.all<{ event_id: string; repeats: number; effect: string }>(
    'select event_id, repeats, effect from callback_events order by event_id',
  );
  expect(events.map((row) => [row.event_id, row.repeats, row.effect])).toEqual([
    ['e-known', 1, expect.anything()],
    ['e-lost', 0, 'not an order of this shop'],
    ['e-new', 0, 'order is PAID: ship it'],
    ['e-refund', 0, 'refund of 490.00 is COMPLETED'],
  ]);
  expect(order('in-backup')).toMatchObject({ status: 'PAID' });
  expect(refund('made-later')).toMatchObject({ status: 'COMPLETED', refund_id: 'made-later' });
});

it('a page of a proxy refuses nothing: the refund has no answer yet', () => {
  expect(asked).toContain('POST /api/card/sold-1/refunds unreadable');
  expect(refund('unreadable')).toEqual({ status: 'NEW', refund_id: null, failure: null });
});

it('a key that was used with another body has made a payment: the shop finds it by its number', () => {
  expect(order('other-body')).toEqual({ status: 'PAID', payment_id: 'id-of-other-body', failure: null });
});

it('what waits for a callback that does not come is read when the shop starts', () => {
  expect(order('qr')).toMatchObject({ status: 'PAID' });
  expect(order('last-month')).toMatchObject({ status: 'FAILED', failure: 'LIMIT_EXCEEDED' });
  expect(refund('undecided')).toMatchObject({ status: 'COMPLETED' });
});

it('money that does not fit the order ships nothing, and somebody is told: amount, currency, number, payment (N15)', async () => {
  const orders = ['too-little', 'too-much', 'dollars', 'another-payment'];
  for (const id of orders) await seedOrder({ id, status: 'WAITING', payment: `${id}-1` });
  await seedOrder({ id: 'asked-again', method: 'sbp', status: 'WAITING', payment: 'asked-again-1' });
  answers.set('GET /api/qr/asked-again-1', [200, { id: 'asked-again-1', ...SOLD, amount: '4.90', status: 'COMPLETED' }]);
  const event = (number: string, change: object, payment = `${number}-1`): PartnerEvent => {
    const happened = { eventId: `e-${number}`, payment, number };
    return { ...head(happened), type: 'payment.completed', data: { ...data(happened), status: 'COMPLETED', ...change } };
  };
  const events = [
    event('too-little', { amount: '4.90' }),
    event('too-much', { amount: '490.01' }),
    event('dollars', { currency: 'USD' }),
    event('another-payment', {}, 'another-payment-2'),
  ];
  await runOnce(events, async (_url, shop) => {
    await shop.printed(/STOP: order too-little: 4\.90 RUB was paid, 490\.00 RUB was asked/);
    await shop.printed(/STOP: order asked-again: 4\.90 RUB was paid/);
  });
  expect(answered.slice(-events.length)).toEqual([200, 200, 200, 200]);
  for (const id of [...orders, 'asked-again']) expect(order(id)).toMatchObject({ status: 'WAITING', payment_id: `${id}-1` });
  const told = db.all<{ effect: string }>("select effect from callback_events where effect like 'STOP:%'");
  expect(told).toHaveLength(orders.length);
});

it('a double click on Buy makes one order; the page that is loaded again makes another one (N15)', async () => {
  await runOnce([], async (url) => {
    const page = async (cookie: string) => {
      const answer = await fetch(url, { headers: { cookie } });
      const html = await answer.text();
      const hidden = (name: string) => new RegExp(`name="${name}"\\s+value="([^"]+)"`).exec(html)?.[1] ?? '';
      const form = { token: hidden('token'), product: hidden('product'), order: hidden('order') };
      return { cookie: answer.headers.get('set-cookie')?.split(';')[0] ?? cookie, form };
    };
    const buy = async (cookie: string, form: Record<string, string>) => {
      const body = new URLSearchParams({ ...form, method: 'card' });
      const answer = await fetch(`${url}/orders`, { method: 'POST', headers: { cookie }, body, redirect: 'manual' });
      return answer.headers.get('location');
    };
    const { cookie, form } = await page('');
    const [first, second] = await Promise.all([buy(cookie, form), buy(cookie, form)]);
    expect(first).toMatch(/^\/orders\//);
    expect([second, await buy(cookie, form)]).toEqual([first, first]);
    const again = await page(cookie);
    expect(await buy(cookie, again.form)).not.toBe(first);
    const bought = db.all("select id from orders where title <> 'Tea'");
    expect(bought).toHaveLength(2);
  });
});
