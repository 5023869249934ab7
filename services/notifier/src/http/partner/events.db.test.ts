import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { CallbackEvent, CallbackEventList, CallbackEventStory } from '@pay/contract/api/event-log.ts';
import { startTestApp, type TestApp } from '../../../test/app.ts';
import { startReceiver, type Receiver } from '../../../test/receiver.ts';
import { LOOKED_AT_MAX } from '@pay/shared/postgres/look-through.ts';
import { rowsLookedAt } from '../../../../../tools/testing/rows-looked-at.ts';
import { ATTEMPTS_MAX, listEvents } from '../../db/event-log.ts';
import { ANSWER_BYTES_A_DAY } from '../../db/record-statements.ts';
import { REPLAYS_A_MINUTE } from '../../db/resends.ts';

let app: TestApp;
let receiver: Receiver;
let status: number;
beforeAll(async () => {
  app = await startTestApp();
  receiver = await startReceiver((_received, res) => {
    res.writeHead(status).end(`answered ${String(status)}`);
  });
  app.startEngine();
});
afterAll(async () => {
  await app.stop();
  await receiver.close();
});
let partnerId: string;
beforeEach(async () => {
  status = 200;
  partnerId = randomUUID();
  await app.givenEndpoints(partnerId, receiver.url);
  await app.fetchSecret(partnerId);
});

const get = (path: string, partner = partnerId) => app.call('GET', path, partner);
const replay = (eventId: string, { key = randomUUID(), partner = partnerId }: { readonly key?: string; readonly partner?: string } = {}) =>
  app.call('POST', `/api/events/${eventId}/replay`, partner, key);
const ended = (eventId: string, as: string) => app.until('select status = $2 as ok from events where event_id = $1', [eventId, as]);
const attempted = (eventId: string, count: number) =>
  app.until('select count(*) = $2::int as ok from attempts where event_id = $1', [eventId, count]);
const callsOf = (eventId: string) => receiver.received.filter(({ headers }) => headers['x-service-event-id'] === eventId);

describe('19: GET /api/events', () => {
  const idsOf = (body: unknown) => CallbackEventList.parse(body).items.map(({ eventId }) => eventId);

  it('200: own events alone, the newest first, page by page; every page as the document has it', async () => {
    const ids: string[] = [];
    for (let i = 0; i < 5; i += 1) ids.unshift(await app.givenEvent(partnerId));
    await app.givenEvent(randomUUID());
    const first = await get('/api/events?limit=3');
    const second = await get(`/api/events?limit=3&pageToken=${String(first.body['nextPageToken'])}`);
    expect([...idsOf(first.body), ...idsOf(second.body)]).toEqual(ids);
    expect(CallbackEventList.parse(first.body)).toEqual(first.body);
    expect(second.body['nextPageToken']).toBeNull();
  });

  it('200: of one instant the highest version is the newest, on every page and also for old page tokens (D4)', async () => {
    const paymentId = randomUUID();
    const ids: string[] = [];
    await app.whileClockStands(async () => {
      for (let version = 1; version <= 7; version += 1) {
        ids.unshift(await app.givenEvent(partnerId, { paymentId, version, type: version === 1 ? 'payment.completed' : 'payment.failed' }));
      }
    });
    await ended(ids[0] ?? '', 'DELIVERED');
    const pages: string[] = [];
    for (let token = ''; token !== 'null';) {
      const { body } = await get(`/api/events?limit=2${token === '' ? '' : `&pageToken=${token}`}`);
      pages.push(...idsOf(body));
      token = String(body['nextPageToken']);
    }
    expect(pages).toEqual(ids);
  });

  it('200: one call looks at a few thousand events, and an empty page goes on until what is far down is found (N3)', async () => {
    const deep = await app.givenEvent(partnerId, { type: 'payment.failed' });
    await ended(deep, 'DELIVERED');
    await app.query(
      `insert into events (event_id, partner_id, type, aggregate_id, aggregate_version, body, status, ended_at)
       select gen_random_uuid(), $1, 'payment.completed', gen_random_uuid(), 1, '', 'DELIVERED', clock_now() from generate_series(1, 5000)`,
      [partnerId],
    );
    await app.query('analyze events');
    for (const filter of [{ types: ['payment.failed'] }, { statuses: ['REFUSED'] }] as const) {
      const looked = await rowsLookedAt(app.databaseUrl, (reader) => listEvents(reader, { partnerId, ...filter }, undefined, 100));
      expect(Math.max(...looked)).toBeLessThan(2 * LOOKED_AT_MAX);
    }
    const pages: string[][] = [];
    for (let token = ''; token !== 'null';) {
      const { body } = await get(`/api/events?type=payment.failed${token === '' ? '' : `&pageToken=${token}`}`);
      pages.push(idsOf(body));
      token = String(body['nextPageToken']);
    }
    expect(pages).toEqual([[], [], [deep]]);
  });

  it('200: by object, type, state and time', async () => {
    const paymentId = randomUUID();
    const completed = await app.givenEvent(partnerId, { paymentId });
    await ended(completed, 'DELIVERED');
    status = 404;
    const failed = await app.givenEvent(partnerId, { type: 'payment.failed' });
    await ended(failed, 'REFUSED');
    const noted = async (eventId: string) => String((await get(`/api/events/${eventId}`)).body['recordedAt']);
    expect(idsOf((await get(`/api/events?objectId=${paymentId}`)).body)).toEqual([completed]);
    expect(idsOf((await get('/api/events?type=payment.failed')).body)).toEqual([failed]);
    expect(idsOf((await get('/api/events?status=REFUSED')).body)).toEqual([failed]);
    expect(idsOf((await get(`/api/events?from=${await noted(failed)}`)).body)).toEqual([failed]);
    expect(idsOf((await get(`/api/events?to=${await noted(failed)}`)).body)).toEqual([completed]);
  });

  it.each([
    ['limit=0'],
    ['limit=101'],
    ['status=LOST'],
    ['type=payment.lost'],
    ['objectId=x'],
    ['from=yesterday'],
    ['pageToken=x'],
    ['partnerId=x'],
  ])('400 VALIDATION_FAILED: %s', async (query) => {
    expect(await get(`/api/events?${query}`)).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED' } });
  });

  it('400: a page token of another partner, or of other filters', async () => {
    await app.givenEvent(partnerId);
    await app.givenEvent(partnerId);
    const token = String((await get('/api/events?limit=1')).body['nextPageToken']);
    expect((await get(`/api/events?limit=1&pageToken=${token}`)).status).toBe(200);
    expect((await get(`/api/events?limit=1&pageToken=${token}`, randomUUID())).status).toBe(400);
    expect((await get(`/api/events?limit=1&status=DELIVERED&pageToken=${token}`)).status).toBe(400);
  });
});

describe('19: GET /api/events/{eventId}', () => {
  it('200: the exact bytes and every attempt; what was answered, but not with a 200; no login, no secret', async () => {
    status = 404;
    const eventId = await app.givenEvent(partnerId);
    await ended(eventId, 'REFUSED');
    status = 200;
    await app.operate('POST', `/events/${eventId}/resend`);
    await ended(eventId, 'DELIVERED');
    const { status: answered, body } = await get(`/api/events/${eventId}`);
    expect(answered).toBe(200);
    expect(CallbackEventStory.parse(body)).toEqual(body);
    expect(body).toMatchObject({
      eventId,
      status: 'DELIVERED',
      body: callsOf(eventId)[0]?.body.toString(),
      attempts: [
        { httpStatus: 404, outcome: 'REFUSED', isReplay: false, answerBase64: Buffer.from('answered 404').toString('base64') },
        { httpStatus: 200, outcome: 'DELIVERED', isReplay: true, answerBase64: null },
      ],
    });
    expect(JSON.stringify(body)).not.toContain('olga');
  });

  const storedOf = (eventId: string) =>
    app.query('select length(excerpt) as bytes from attempts where event_id = $1 order by id', [eventId]);

  it('an answer that repeats the one before is stored once, and shown with each attempt (N4)', async () => {
    status = 404;
    const eventId = await app.givenEvent(partnerId);
    await attempted(eventId, 1);
    for (const [index, next] of [404, 410, 410, 404].entries()) {
      await ended(eventId, 'REFUSED');
      status = next;
      await replay(eventId);
      await attempted(eventId, index + 2);
    }
    await ended(eventId, 'REFUSED');
    expect(await storedOf(eventId)).toEqual([{ bytes: 12 }, { bytes: 0 }, { bytes: 12 }, { bytes: 0 }, { bytes: 12 }]);
    const { attempts } = CallbackEventStory.parse((await get(`/api/events/${eventId}`)).body);
    const said = attempts.map(({ answerBase64 }) => Buffer.from(answerBase64 ?? '', 'base64').toString());
    expect(said).toEqual(['answered 404', 'answered 404', 'answered 410', 'answered 410', 'answered 404']);
  });

  it('of a day’s answers 10 MiB are stored for a partner, then their status alone; the next day again (N4)', async () => {
    const attempt = async () => {
      status = 404;
      const eventId = await app.givenEvent(partnerId);
      await ended(eventId, 'REFUSED');
      expect((await get(`/api/events/${eventId}`)).body).toMatchObject({ attempts: [{ httpStatus: 404 }] });
      return storedOf(eventId);
    };
    await app.whileClockStands(async () => {
      expect(await attempt()).toEqual([{ bytes: 12 }]);
      const used = 'select answer_bytes from receivers where partner_id = $1';
      expect(await app.query(used, [partnerId])).toEqual([{ answer_bytes: 12 }]);
      await app.query('update receivers set answer_bytes = $2 - 1 where partner_id = $1', [partnerId, ANSWER_BYTES_A_DAY]);
      expect(await attempt()).toEqual([{ bytes: 12 }]);
      expect(await attempt()).toEqual([{ bytes: null }]);
      expect(await app.query(used, [partnerId])).toEqual([{ answer_bytes: ANSWER_BYTES_A_DAY }]);
      await app.query(`update receivers set answers_day = answers_day - interval '1 day' where partner_id = $1`, [partnerId]);
      expect(await attempt()).toEqual([{ bytes: 12 }]);
      expect(await app.query(used, [partnerId])).toEqual([{ answer_bytes: 12 }]);
    });
  });

  it('the newest hundred attempts, the oldest of them first', async () => {
    const eventId = await app.givenEvent(partnerId);
    await ended(eventId, 'DELIVERED');
    await app.query(
      `insert into attempts (event_id, partner_id, number, url, key_ids, started_at, duration_ms, outcome)
        select $1, $2, n, 'http://shop.example/', 'k', clock_now(), n, 'RETRY' from generate_series(1, ${String(ATTEMPTS_MAX)}) n`,
      [eventId, partnerId],
    );
    const { attempts } = CallbackEventStory.parse((await get(`/api/events/${eventId}`)).body);
    expect(attempts.map(({ durationMs }) => durationMs)).toEqual(Array.from({ length: ATTEMPTS_MAX }, (_, i) => i + 1));
  });

  it("404 NOT_FOUND alike: another partner's event, one that never was, and no id at all", async () => {
    const foreign = await app.givenEvent(randomUUID());
    const answers = await Promise.all([foreign, randomUUID(), 'none'].map((id) => get(`/api/events/${id}`)));
    for (const { status: answered, body } of answers) {
      expect([answered, { ...body, requestId: '' }]).toEqual([404, { error: 'not found', code: 'NOT_FOUND', requestId: '' }]);
    }
  });
});

describe('19: POST /api/events/{eventId}/replay', () => {
  it('202: the same eventId and bytes, once more; a repeat with the key sends nothing and says how it stands', async () => {
    const eventId = await app.givenEvent(partnerId);
    await ended(eventId, 'DELIVERED');
    const key = randomUUID();
    const first = await replay(eventId, { key });
    expect([first.status, first.headers.get('idempotency-replayed')]).toEqual([202, null]);
    expect(CallbackEvent.parse(first.body)).toEqual(first.body);
    await attempted(eventId, 2);
    await ended(eventId, 'DELIVERED');
    const second = await replay(eventId, { key });
    expect([second.status, second.headers.get('idempotency-replayed')]).toEqual([202, 'true']);
    expect(second.body).toMatchObject({ eventId, status: 'DELIVERED' });
    // Further calls on the same object would follow another attempt.
    const [one, two, ...more] = callsOf(eventId);
    expect([two?.body.equals(one?.body ?? Buffer.alloc(0)), more]).toEqual([true, []]);
  });

  it('202: one that was kept as NOT_CONFIGURED, from before there was an address', async () => {
    const late = randomUUID();
    const eventId = await app.givenEvent(late);
    expect((await get(`/api/events/${eventId}`, late)).body).toMatchObject({ status: 'NOT_CONFIGURED', attempts: [] });
    await app.givenEndpoints(late, receiver.url);
    await app.fetchSecret(late);
    expect((await replay(eventId, { partner: late })).status).toBe(202);
    await ended(eventId, 'DELIVERED');
    expect(callsOf(eventId)).toHaveLength(1);
  });

  it('202: an extra event that is off goes when it is asked for', async () => {
    const eventId = await app.givenEvent(partnerId, { type: 'binding.expired' });
    expect((await get('/api/events?status=NOT_CONFIGURED')).body).toMatchObject({ items: [{ eventId, type: 'binding.expired' }] });
    expect((await replay(eventId)).status).toBe(202);
    await ended(eventId, 'DELIVERED');
  });

  it("404 NOT_FOUND: another partner's event is neither found nor sent", async () => {
    const owner = randomUUID();
    await app.givenEndpoints(owner, receiver.url);
    await app.fetchSecret(owner);
    const eventId = await app.givenEvent(owner);
    await ended(eventId, 'DELIVERED');
    const answers = await Promise.all([eventId, randomUUID(), 'none'].map((id) => replay(id)));
    expect(answers.map(({ status: answered, body }) => [answered, body['code']])).toEqual(
      Array.from({ length: 3 }, () => [404, 'NOT_FOUND']),
    );
    expect(await app.query('select status, resent_by from events where event_id = $1', [eventId])).toEqual([
      { status: 'DELIVERED', resent_by: null },
    ]);
  });

  it('429 RATE_LIMITED: sixty a minute, however many ask at once; a repeat of an accepted one is answered', async () => {
    const ids = await Promise.all(Array.from({ length: REPLAYS_A_MINUTE + 5 }, () => app.givenEvent(partnerId)));
    const calls = ids.map((eventId) => ({ eventId, key: randomUUID() }));
    await app.whileClockStands(async () => {
      const answers = await Promise.all(calls.map(({ eventId, key }) => replay(eventId, { key })));
      const accepted = calls.filter((_one, index) => answers[index]?.status === 202);
      const refused = answers.filter((one) => one.status === 429);
      expect([accepted.length, refused.length]).toEqual([REPLAYS_A_MINUTE, 5]);
      expect(refused[0]?.body).toMatchObject({ code: 'RATE_LIMITED' });
      expect(Number(refused[0]?.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
      const [again] = accepted;
      expect((await replay(again?.eventId ?? '', { key: again?.key ?? '' })).status).toBe(202);
    });
    // Moves to another minute of the database's clock.
    await app.query(`update receivers set replay_minute = replay_minute - interval '1 minute' where partner_id = $1`, [partnerId]);
    expect((await replay(ids[0] ?? '')).status).toBe(202);
  });

  it('400: without a key, and with a body that says something', async () => {
    const eventId = await app.givenEvent(partnerId);
    expect((await app.call('POST', `/api/events/${eventId}/replay`, partnerId)).status).toBe(400);
    expect((await replay(eventId, { key: 'short' })).status).toBe(400);
  });

  it('401 without an internal token', async () => {
    for (const [method, path] of [
      ['GET', ''],
      ['GET', `/${randomUUID()}`],
      ['POST', `/${randomUUID()}/replay`],
    ] as const)
      expect((await fetch(`${app.url}/api/events${path}`, { method })).status).toBe(401);
  });
});
