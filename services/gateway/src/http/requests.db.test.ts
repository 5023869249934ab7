import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import pg from 'pg';
import { RequestLogList } from '@pay/contract/api/request-log.ts';
import { createLog } from '@pay/shared/logging/logger.ts';
import { createPause } from '@pay/shared/time/pause.ts';
import type { ServiceProcess } from '../../../../tools/testing/process.ts';
import {
  authorize,
  givenPartner,
  startGateway,
  startTestDatabase,
  startTestService,
  type Draft,
  type TestPartner,
  type TestService,
} from '../../test/gateway.ts';
import { UNVERIFIED_MAX } from '../db/request-log.ts';
import { createRequestLog } from '../request-log/record.ts';
import { settledRequests, streamRequests } from '../request-log/read.ts';

let database: Awaited<ReturnType<typeof startTestDatabase>>;
let service: TestService;
let gateways: readonly ServiceProcess[];
let partner: TestPartner;
beforeAll(async () => {
  database = await startTestDatabase();
  service = await startTestService();
  gateways = await Promise.all([startGateway(database.url, service.url), startGateway(database.url, service.url)]);
});
afterAll(async () => {
  await Promise.all(gateways.map((gateway) => gateway.stop()));
  await service.stop();
  await database.drop();
});
beforeEach(async () => {
  service.answer = { status: 200 };
  partner = await known();
});

const base = (replica: number) => gateways[replica]?.urlOf('api') ?? '';
const headersOf = (draft: Draft, from = partner) => ({ Authorization: JSON.stringify(authorize(from, draft)) });

async function call(target: string, { replica = 0, from = partner, sign = target } = {}) {
  const response = await fetch(`${base(replica)}${target}`, { headers: headersOf({ target: sign }, from) });
  const body = (await response.json()) as Record<string, unknown>;
  return { status: response.status, requestId: response.headers.get('x-request-id'), body };
}

/** A new partner, once every gateway knows it. Requests of the log itself are not in it. */
async function known(): Promise<TestPartner> {
  const from = await givenPartner(database.database);
  for (const replica of gateways.keys()) while ((await call('/api/requests', { replica, from })).status !== 200);
  return from;
}
const list = async (query = '', from = partner) => RequestLogList.parse((await call(`/api/requests${query}`, { from })).body);
/** The list once it has as many. */
async function listed(count: number) {
  for (;;) {
    const { items } = await list();
    if (items.length === count) return items;
  }
}

it('200: own requests alone, of every replica, newest first, page by page; without query and without those of the list', async () => {
  const first = await call('/v1/bindings?customerId=somebody');
  await call('/v1/bindings', { from: await known() });
  const second = await call('/api/events', { replica: 1 });
  const items = await listed(2);
  expect(items.map(({ requestId }) => requestId)).toEqual([second.requestId, first.requestId]);
  expect(items[1]).toMatchObject({
    method: 'GET',
    path: '/v1/bindings',
    status: 200,
    code: null,
    error: null,
    details: [],
  });
  const page = await list('?limit=1');
  const next = await list(`?limit=1&pageToken=${String(page.nextPageToken)}`);
  expect([...page.items, ...next.items]).toEqual(items);
  expect(next.nextPageToken).toBeNull();
});

it('200: why a request was refused by the service; apart from it, why for its signature', async () => {
  const details = [{ field: 'limit', message: 'must be a whole number from 1 to 100' }];
  const error = {
    error: 'the request is not valid',
    code: 'VALIDATION_FAILED',
    requestId: '00000000-0000-4000-8000-000000000000',
    details,
  };
  service.answer = { status: 400, body: JSON.stringify(error) };
  await call('/api/events', { sign: '/api/Events' });
  await call('/v1/bindings');
  const [refused] = await listed(1);
  expect(refused).toMatchObject({ status: 400, code: 'VALIDATION_FAILED', details });
  const { items } = await list('?verified=false');
  expect(items).toMatchObject([{ path: '/api/events', status: 401, code: 'UNAUTHORIZED', error: 'unauthorized' }]);
  expect(items[0]?.details).toContainEqual({ field: 'cause', message: 'signature_mismatch' });
});

it('200: whoever knows a public key writes nothing into the partner’s log, and no text of his own beside it (N6)', async () => {
  const stranger = { ...authorize(partner, { target: '/' }), sign: `${'A'.repeat(86)}==` };
  const targets = ['/api/STRANGER-call-8-800-555-35-35', '/api/card/STRANGER?STRANGER=1', '/v1/bindings?customerId=STRANGER'];
  for (const target of targets) {
    const headers = { Authorization: JSON.stringify({ ...stranger, nonce: randomUUID() }), 'Idempotency-Key': 'STRANGER-STRANGER' };
    expect((await fetch(`${base(0)}${target}`, { headers })).status).toBe(401);
  }
  const own = await call('/v1/bindings');
  expect((await listed(1)).map(({ requestId }) => requestId)).toEqual([own.requestId]);
  const apart = await list('?verified=false');
  expect(apart.items.map(({ path }) => path)).toEqual(['/v1/bindings', '/api/card/{id}', '(no operation)']);
  expect(JSON.stringify(apart)).not.toContain('STRANGER');
});

it('200: of requests that the partner did not sign so many are kept as a developer looks at (N6)', async () => {
  const request = {
    partnerId: partner.partnerID,
    method: 'GET',
    path: '/api/card',
    status: 401,
    durationMs: 1,
    code: null,
    error: null,
    details: [],
  };
  const log = createRequestLog(database.database.db, createLog('test', 'silent'));
  for (let count = 0; count < UNVERIFIED_MAX + 50; count += 1) log.record({ ...request, requestId: randomUUID(), isVerified: false });
  log.record({ ...request, requestId: randomUUID(), isVerified: true });
  await listed(1);
  const kept = await database.database.pool.query('select count(*)::int as count from request_log where partner_id = $1', [
    partner.partnerID,
  ]);
  expect(kept.rows).toEqual([{ count: UNVERIFIED_MAX + 1 }]);
});

it('nothing of a path that has a card number', async () => {
  await call('/api/card/4111111111111111');
  const last = await call('/api/events');
  expect((await listed(1)).map(({ requestId }) => requestId)).toEqual([last.requestId]);
});

it.each(['limit=0', 'pageToken=x', 'status=400', 'verified=maybe'])('400 VALIDATION_FAILED: %s', async (query) => {
  expect(await call(`/api/requests?${query}`)).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED' } });
});

/** A stream of this replica: its text so far. */
async function open(query: string, replica: number) {
  const target = `/api/request-stream${query}`;
  const sent = get(`${base(replica)}${target}`, { headers: headersOf({ target }), agent: false });
  sent.on('error', () => undefined);
  const [res] = (await once(sent, 'response')) as [IncomingMessage];
  let text = '';
  res.on('data', (chunk: Buffer) => (text += chunk.toString())).on('error', () => undefined);
  while (!/^id: /m.test(text)) await wait(5);
  return { sent, text: () => text };
}

it('200: streams requests as they are answered, those of other replicas too, and continues after one', async () => {
  const stream = await open('', 0);
  const one = await call('/api/events');
  const two = await call('/v1/bindings', { replica: 1 });
  while (!stream.text().includes(String(two.requestId))) await wait(5);
  stream.sent.destroy();
  expect(stream.text()).toContain(String(one.requestId));
  const id = /^id: (.+)\nevent: request\n/m.exec(stream.text())?.[1] ?? '';
  const rest = await open(`?after=${id}`, 1);
  while (!rest.text().includes(String(two.requestId))) await wait(5);
  rest.sent.destroy();
  expect(rest.text()).not.toContain(String(one.requestId));
});

it('429 RATE_LIMITED: a fifth stream of a partner; one that ended makes room (D5)', async () => {
  const streams: Awaited<ReturnType<typeof open>>[] = [];
  while (streams.length < 4) streams.push(await open('', 0));
  const fifth = await call('/api/request-stream');
  expect([fifth.status, fifth.body['code']]).toEqual([429, 'RATE_LIMITED']);
  streams.pop()?.sent.destroy();
  let status = 429;
  while (status === 429) {
    const target = '/api/request-stream';
    const sent = get(`${base(0)}${target}`, { headers: headersOf({ target }), agent: false });
    sent.on('error', () => undefined);
    const [res] = (await once(sent, 'response')) as [IncomingMessage];
    status = res.statusCode ?? 0;
    sent.destroy();
  }
  expect(status).toBe(200);
  for (const { sent } of streams) sent.destroy();
});

it('a stream that ends before its beginning is known says no id', async () => {
  await call('/api/events');
  await listed(1);
  const slow = new pg.Client({ connectionString: database.url });
  await slow.connect();
  await slow.query('begin');
  // What a transaction holds that has written.
  await slow.query('lock table request_log in row exclusive mode');
  const ended = new AbortController();
  const { partnerID: partnerId } = partner;
  const { db } = database.database;
  const settled = settledRequests(db);
  const stream = streamRequests(db, { partnerId, after: undefined, news: createPause(), settled }, ended.signal);
  const first = stream.next();
  ended.abort();
  const begun = await first;
  await slow.end();
  expect(begun).toEqual({ done: true, value: undefined });
});
