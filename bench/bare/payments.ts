// What a signed call costs without any of our rules, second half: zod, one transaction of three inserts, each
// statement awaited as anybody would write it, a call to the bank, one update; and a read, one prepared select. See docs/benchmarks.md.
import { hash, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import pg from 'pg';
import { Pool } from 'undici';
import { z } from 'zod';
import { listening } from '../processes/listening.ts';
import { reportToParent } from '../processes/report.ts';

const Config = z.object({ DATABASE_URL: z.string(), BANK_URL: z.string() });
const Order = z.strictObject({
  paymentPointID: z.string().max(64),
  orderID: z.string().max(64),
  amount: z.number().positive(),
  currency: z.literal('RUB'),
  description: z.string().max(255),
  customerID: z.string().max(64),
  savePaymentMethod: z.boolean(),
});

const config = Config.parse(process.env);
// As many connections as a service's pool has, and as long.
const database = new pg.Pool({ connectionString: config.DATABASE_URL, max: 10, idleTimeoutMillis: 60_000 });
const bank = new Pool(config.BANK_URL, { connections: 64, pipelining: 1 });

const RECORD = `insert into bare.idempotency_records (partner_id, key, body_sha256, payment_id) values ($1, $2, $3, $4)`;
const PAYMENT = `insert into bare.payments
    (payment_id, partner_id, payment_point_id, order_id, amount_kopecks, description, customer_id, status)
  values ($1, $2, $3, $4, $5, $6, $7, 'CREATED')`;
const EVENT = `insert into bare.events (event_id, payment_id, body) values ($1, $2, $3)`;
const SUBMIT = `update bare.payments set status = 'SUBMITTED', updated_at = now() where payment_id = $1 and status = 'CREATED'`;
const READ = `select payment_id as id, order_id as "orderID", amount_kopecks as "amountKopecks", status, created_at as "createdAt"
  from bare.payments where payment_id = $1 and partner_id = $2`;

async function create(req: IncomingMessage, partnerId: string): Promise<object> {
  const body = await text(req);
  const order = Order.parse(JSON.parse(body));
  const [id, amountKopecks] = [randomUUID(), Math.round(order.amount * 100)];
  const key = String(req.headers['idempotency-key'] ?? '');
  const client = await database.connect();
  try {
    await client.query('begin');
    await client.query({ name: 'record', text: RECORD, values: [partnerId, key, hash('sha256', body), id] });
    await client.query({
      name: 'payment',
      text: PAYMENT,
      values: [id, partnerId, order.paymentPointID, order.orderID, amountKopecks, order.description, order.customerID],
    });
    await client.query({ name: 'event', text: EVENT, values: [randomUUID(), id, { type: 'created', id }] });
    await client.query('commit');
  } finally {
    client.release();
  }
  const registered = await bank.request({
    method: 'POST',
    path: '/v1/orders',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ operationId: id, amountKopecks: String(amountKopecks) }),
  });
  await registered.body.json();
  await database.query({ name: 'submit', text: SUBMIT, values: [id] });
  return { id, orderID: order.orderID, status: 'SUBMITTED', paymentUrl: `http://127.0.0.1/pay/${id}` };
}

async function read(id: string, partnerId: string): Promise<object | undefined> {
  const { rows } = await database.query<Record<string, unknown>>({ name: 'read', text: READ, values: [id, partnerId] });
  return rows[0];
}

async function serve(req: IncomingMessage, res: ServerResponse): Promise<void> {
  const partnerId = String(req.headers['x-partner'] ?? '');
  const isCreate = req.method === 'POST';
  const answer = isCreate ? await create(req, partnerId) : await read(req.url?.split('/').at(-1) ?? '', partnerId);
  const bytes = Buffer.from(JSON.stringify(answer ?? {}));
  res.writeHead(answer === undefined ? 404 : isCreate ? 201 : 200, { 'content-length': bytes.length }).end(bytes);
}

const server = createServer((req, res) => {
  serve(req, res).catch((error: unknown) => {
    process.stderr.write(`bare payments: ${String(error)}\n`);
    res.destroy();
  });
});
reportToParent();
listening(server);
