import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { request, type ClientRequest, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { callbackIsSigned, callbackKey } from '@pay/signing/callback-signature.ts';
import { createPause } from '@pay/shared/time/pause.ts';
import { startTestApp, type TestApp } from '../../../test/app.ts';
import { settledEvents, streamEvents } from '../../use-cases/stream-events.ts';
import { countRoundTrips, type RoundTrips } from '../../../../../tools/testing/round-trips.ts';
import { startToxicProxy, type ToxicProxy } from '../../../../../tools/testing/toxic-proxy.ts';

let app: TestApp;
let way: ToxicProxy;
let trips: RoundTrips;
beforeAll(async () => {
  app = await startTestApp(async (url) => {
    trips = await countRoundTrips(url);
    return trips.url;
  });
  way = await startToxicProxy(() => ({ host: '127.0.0.1', port: Number(new URL(app.url).port) }));
});
afterAll(async () => {
  for (const open of opened.splice(0)) open.destroy();
  await way.close();
  await app.stop();
  await trips.close();
});

let partnerId: string;
let secret: { keyId: string; secret: string };
beforeEach(async () => {
  partnerId = randomUUID();
  await app.givenEndpoints(partnerId, 'http://127.0.0.1:9/');
  const { body } = await app.fetchSecret(partnerId);
  secret = { keyId: String(body['keyId']), secret: String(body['secret']) };
});

type Message = { readonly id: string; readonly type?: string; readonly data?: Data };
type Data = { eventId: string; type: string; headers: Record<string, string>; body: string };
const opened: ClientRequest[] = [];

/** The response to a stream's request, through the proxy that can break it. */
async function open(after?: string, partner = partnerId): Promise<IncomingMessage> {
  const path = `/api/event-stream${after === undefined ? '' : `?after=${after}`}`;
  const sent = request({ host: '127.0.0.1', port: way.port, path, headers: app.headersOf(partner), agent: false });
  opened.push(sent);
  sent.on('error', () => undefined).end();
  const [res] = (await once(sent, 'response')) as [IncomingMessage];
  return res;
}

/** The messages of a stream until it ends or breaks. */
async function* messagesOf(res: IncomingMessage): AsyncGenerator<Message> {
  let text = '';
  try {
    for await (const chunk of res) {
      text += String(chunk);
      const parts = text.split('\n\n');
      text = parts.pop() ?? '';
      for (const part of parts) {
        const fields = new Map(part.split('\n').map((line) => [line.split(': ')[0], line.slice(line.indexOf(': ') + 2)]));
        const [id, type, data] = [fields.get('id'), fields.get('event'), fields.get('data')];
        if (id === undefined) continue;
        yield data === undefined ? { id } : { id, type: String(type), data: JSON.parse(data) as Data };
      }
    }
  } catch {
    // It was cut.
  }
}

/** The ids of the first `count` events of a stream that begins now, and its events. */
async function listen(after?: string) {
  const messages = messagesOf(await open(after));
  const first = await messages.next();
  const start = first.done === true ? '' : first.value.id;
  return {
    start,
    async take(count: number): Promise<Message[]> {
      const taken: Message[] = [];
      while (taken.length < count) {
        const next = await messages.next();
        if (next.done === true) break;
        taken.push(next.value);
      }
      return taken;
    },
  };
}

/** A transaction that has stored an event and is open. */
async function storing(eventId: string): Promise<pg.Client> {
  const slow = new pg.Client({ connectionString: app.databaseUrl });
  await slow.connect();
  await slow.query('begin');
  await slow.query(
    `insert into events (event_id, partner_id, type, aggregate_id, aggregate_version, body, status)
     values ($1, $2, 'payment.failed', $3, 1, '{}', 'NOT_CONFIGURED')`,
    [eventId, partnerId, randomUUID()],
  );
  return slow;
}

describe('GET /api/event-stream', () => {
  it('200: what is stored from now on, of this partner alone, signed like its callback and with the same bytes', async () => {
    await app.givenEvent(partnerId);
    const stream = await listen();
    await app.givenEvent(randomUUID());
    const eventId = await app.givenEvent(partnerId, { type: 'payment.failed' });
    const [message] = await stream.take(1);
    expect(message).toMatchObject({ type: 'payment.failed', data: { eventId, type: 'payment.failed' } });
    const [row] = await app.query<{ body: Buffer }>('select body from events where event_id = $1', [eventId]);
    const { headers = {}, body = '' } = message?.data ?? {};
    expect(Buffer.from(body)).toEqual(row?.body);
    const key = callbackKey(secret.keyId, Buffer.from(secret.secret, 'base64'));
    const [signature = '', timestamp = ''] = [headers['X-Service-Signature'], headers['X-Service-Timestamp']];
    expect(callbackIsSigned([key], signature, timestamp, Buffer.from(body))).toBe(true);
    expect(headers).toMatchObject({ 'X-Service-Event-ID': eventId, 'X-Service-Event-Type': 'payment.failed' });
  });

  it('200: without a signature before the first secret (D5)', async () => {
    partnerId = randomUUID();
    const stream = await listen();
    const eventId = await app.givenEvent(partnerId);
    const [message] = await stream.take(1);
    expect(message?.data).toMatchObject({ eventId, headers: { 'X-Service-Event-ID': eventId } });
    expect(message?.data?.headers).not.toHaveProperty('X-Service-Signature');
  });

  it('200: continues after an id, on any connection, and several at once get everything', async () => {
    const [first, second] = [await listen(), await listen()];
    const ids: string[] = [];
    for (let count = 0; count < 3; count += 1) ids.push(await app.givenEvent(partnerId));
    const [seen, alsoSeen] = [await first.take(3), await second.take(3)];
    const eventIds = (messages: readonly Message[]) => messages.map(({ data }) => data?.eventId);
    expect([eventIds(seen), eventIds(alsoSeen)]).toEqual([ids, ids]);
    const third = await listen(seen[0]?.id);
    expect(eventIds(await third.take(2))).toEqual(ids.slice(1));
  });

  it('200: continues after an id from before a restore, once the numbers are moved as the runbook does it', async () => {
    const stream = await listen();
    await app.givenEvent(partnerId);
    const [seen] = await stream.take(1);
    const script = readFileSync(new URL('../../../../../deploy/backup/after-restore.sql', import.meta.url), 'utf8');
    const [move] = /^select setval.*event_positions.*$/m.exec(script) ?? [];
    if (move === undefined) throw new Error('the script does not move the numbers');
    await app.query(`select setval('event_positions', 1, false)`);
    await app.query(move);
    const eventId = await app.givenEvent(partnerId);
    const continued = await listen(seen?.id);
    expect((await continued.take(1))[0]?.data?.eventId).toBe(eventId);
  });

  it('an event that commits after one with a higher number is not passed over', async () => {
    const stream = await listen();
    const late = randomUUID();
    const slow = await storing(late);
    const early = await app.givenEvent(partnerId);
    // The stream has seen the higher number, and waits for the transaction that holds the lower one.
    await app.until(
      `select count(*) > 0 as ok from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and query like '%pg_locks%'`,
    );
    await slow.query('commit');
    await slow.end();
    expect((await stream.take(2)).map(({ data }) => data?.eventId)).toEqual([late, early]);
  });

  it('says no id if it ends before its beginning is known: the client begins anew, and not with the first event', async () => {
    await app.givenEvent(partnerId);
    const slow = await storing(randomUUID());
    const ended = new AbortController();
    const settled = settledEvents(app.deps.db);
    const stream = streamEvents(app.deps, { partnerId, after: undefined, news: createPause(), settled }, ended.signal);
    const first = stream.next();
    ended.abort();
    const begun = await first;
    await slow.end();
    expect(begun).toEqual({ done: true, value: undefined });
  });

  it('loses nothing and repeats nothing when it is cut 20 times in 200 events', async () => {
    const first = await listen();
    let after = first.start;
    const given: string[] = [];
    const received: string[] = [];
    for (let cut = 0; cut < 20; cut += 1) {
      const stream = await listen(after);
      const giving = Promise.all(Array.from({ length: 10 }, () => app.givenEvent(partnerId)));
      // Some are read, some are on their way or not stored yet.
      for (const { id, data } of await stream.take(1 + (cut % 7))) {
        after = id;
        received.push(String(data?.eventId));
      }
      way.reset();
      given.push(...(await giving));
    }
    const rest = await listen(after);
    for (const { data } of await rest.take(200 - received.length)) received.push(String(data?.eventId));
    expect(received.toSorted()).toEqual(given.toSorted());
    expect(new Set(received).size).toBe(200);
  });

  it('events of another partner cost the same statements however many streams are open', async () => {
    const partners = Array.from({ length: 10 }, () => randomUUID());
    for (const one of partners) for (let count = 0; count < 8; count += 1) await messagesOf(await open(undefined, one)).next();
    const startedMs = performance.now();
    trips.take();
    for (let count = 0; count < 20; count += 1) await app.givenEvent(partnerId);
    const seconds = (performance.now() - startedMs) / 1_000;
    // Storing, and what all streams ask together: a few statements, at most 20 times a second.
    expect(trips.take()).toBeLessThan(20 * 3 + (1 + seconds) * 20 * 4);
  });

  it.each([['x'], [''], ['v1.test.AAAA.AAAA.AAAA']])('400 VALIDATION_FAILED: after=%s', async (after) => {
    expect(await app.call('GET', `/api/event-stream?after=${after}`, partnerId)).toMatchObject({
      status: 400,
      body: { code: 'VALIDATION_FAILED' },
    });
  });

  it('400: the id of another partner', async () => {
    const { start } = await listen();
    expect((await app.call('GET', `/api/event-stream?after=${start}`, randomUUID())).status).toBe(400);
  });

  it('429 RATE_LIMITED: a ninth stream of a partner; the place of one that ended is free', async () => {
    const streams: IncomingMessage[] = [];
    for (let count = 0; count < 8; count += 1) streams.push(await open());
    const ninth = await app.call('GET', '/api/event-stream', partnerId);
    expect([ninth.status, ninth.body['code'], ninth.headers.get('retry-after')]).toEqual([429, 'RATE_LIMITED', '2']);
    streams[0]?.destroy();
    let status = 429;
    while (status === 429) {
      const res = await open();
      status = res.statusCode ?? 0;
      if (status === 429) res.resume();
    }
    expect(status).toBe(200);
  });
});
