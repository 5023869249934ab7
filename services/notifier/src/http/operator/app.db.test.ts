import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { partitionsLoop } from '@pay/shared/postgres/partitions.ts';
import { startTestApp, type TestApp } from '../../../test/app.ts';
import { startReceiver, withStatus, type Receiver } from '../../../test/receiver.ts';
import { sweepAggregates, sweepEvents } from '../../db/retention.ts';
import { advanceOneReplay } from '../../use-cases/replay-events.ts';

let app: TestApp;
let receiver: Receiver;
let status: number;
beforeAll(async () => {
  app = await startTestApp();
  receiver = await startReceiver((received, res) => {
    withStatus(status)(received, res);
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

const ended = (eventId: string, as: string) => app.until('select status = $2 as ok from events where event_id = $1', [eventId, as]);
const callsOf = (eventId: string) => receiver.received.filter(({ headers }) => headers['x-service-event-id'] === eventId);

describe('the event log', () => {
  it('lists a partner’s events, newest first, page by page', async () => {
    const ids: string[] = [];
    for (let i = 0; i < 5; i += 1) ids.unshift(await app.givenEvent(partnerId));
    const first = await app.operate('GET', `/events?partnerId=${partnerId}&limit=3`);
    const items = first.body['items'] as { eventId: string }[];
    const second = await app.operate('GET', `/events?partnerId=${partnerId}&limit=3&pageToken=${String(first.body['nextPageToken'])}`);
    const rest = second.body['items'] as { eventId: string }[];
    expect([...items, ...rest].map(({ eventId }) => eventId)).toEqual(ids);
    expect(second.body['nextPageToken']).toBeNull();
  });

  it('finds an event by six digits that its id begins with; 400 for fewer', async () => {
    const eventId = await app.givenEvent(partnerId);
    const other = await app.givenEvent(partnerId);
    const find = async (id: string) => (await app.operate('GET', `/events?partnerId=${partnerId}&id=${id}`)).body;
    const found = ((await find(eventId.slice(0, 10)))['items'] as { eventId: string }[]).map((one) => one.eventId);
    expect(found).toEqual([eventId]);
    expect(found).not.toContain(other);
    expect((await app.operate('GET', `/events?id=${eventId.slice(0, 5)}`)).status).toBe(400);
  });

  it('shows one event with its exact bytes and every attempt', async () => {
    const eventId = await app.givenEvent(partnerId);
    await ended(eventId, 'DELIVERED');
    const { body } = await app.operate('GET', `/events/${eventId}`);
    expect(Buffer.from(String(body['bodyBase64']), 'base64').equals(callsOf(eventId)[0]?.body ?? Buffer.alloc(0))).toBe(true);
    expect(body).toMatchObject({
      eventId,
      partnerId,
      status: 'DELIVERED',
      attempts: [{ number: 1, httpStatus: 200, outcome: 'DELIVERED' }],
    });
  });

  it.each([
    [`?pageToken=1_${'-'.repeat(36)}`],
    [`?pageToken=1_${'0'.repeat(36)}`],
    ['?pageToken=999999999999999_00000000-0000-4000-8000-000000000000'],
  ])('400 BAD_REQUEST: %s looks like a page token and is none (L10)', async (query) => {
    expect((await app.operate('GET', `/events${query}`)).status).toBe(400);
  });

  it.each([['?limit=0'], ['?limit=101'], ['?limit=1e1'], ['?pageToken=x'], ['?status=LOST'], ['?colour=red']])(
    '400 for %s',
    async (query) => {
      expect((await app.operate('GET', `/events${query}`)).status).toBe(400);
    },
  );

  it('401 without a token', async () => {
    expect((await fetch(`${app.operatorUrl}/events`)).status).toBe(401);
  });
});

describe('resend', () => {
  it('a delivered event is sent again: same eventId and bytes, a new attempt, audited (I24)', async () => {
    const eventId = await app.givenEvent(partnerId);
    await ended(eventId, 'DELIVERED');
    expect((await app.operate('POST', `/events/${eventId}/resend`)).status).toBe(202);
    await app.until(`select count(*) = 2 as ok from attempts where event_id = $1`, [eventId]);
    const [first, second] = callsOf(eventId);
    expect(second?.body.equals(first?.body ?? Buffer.alloc(0))).toBe(true);
    expect(await app.query('select resent_by from attempts where event_id = $1 order by id', [eventId])).toEqual([
      { resent_by: null },
      { resent_by: 'olga' },
    ]);
    const actions = await app.operate('GET', `/actions?partnerId=${partnerId}`);
    expect(actions.body['items']).toMatchObject([{ operator: 'olga', action: 'RESEND_EVENT', details: { eventId } }]);
  });

  it('a refused event is delivered after the partner repaired its receiver, and its later versions go on', async () => {
    status = 404;
    const paymentId = randomUUID();
    const first = await app.givenEvent(partnerId, { paymentId, version: 1 });
    await ended(first, 'REFUSED');
    status = 200;
    await app.operate('POST', `/events/${first}/resend`);
    await ended(first, 'DELIVERED');
    const second = await app.givenEvent(partnerId, { paymentId, version: 2 });
    await ended(second, 'DELIVERED');
    expect(callsOf(first)).toHaveLength(2);
    expect(callsOf(second)).toHaveLength(1);
  });

  it('never runs beside an automatic attempt of the same payment', async () => {
    const paymentId = randomUUID();
    const first = await app.givenEvent(partnerId, { paymentId, version: 1 });
    await ended(first, 'DELIVERED');
    let running = 0;
    let most = 0;
    const slow = await startReceiver((_received, res) => {
      running += 1;
      most = Math.max(most, running);
      setTimeout(() => {
        running -= 1;
        res.end();
      }, 50);
    });
    await app.givenEndpoints(partnerId, slow.url, 2);
    const second = await app.givenEvent(partnerId, { paymentId, version: 2 });
    await slow.arrived(1);
    await app.operate('POST', `/events/${first}/resend`);
    await app.operate('POST', `/events/${second}/resend`);
    await ended(second, 'DELIVERED');
    await ended(first, 'DELIVERED');
    expect(most).toBe(1);
    await slow.close();
  });

  it.each([randomUUID(), 'x'])('404 for %s, which names no event', async (id) => {
    expect((await app.operate('POST', `/events/${id}/resend`)).status).toBe(404);
  });

  it('a test callback sends the newest payment.completed again', async () => {
    expect((await app.operate('POST', `/partners/${partnerId}/test-callback`)).status).toBe(404);
    const eventId = await app.givenEvent(partnerId);
    await ended(eventId, 'DELIVERED');
    expect(await app.operate('POST', `/partners/${partnerId}/test-callback`)).toMatchObject({
      status: 202,
      body: { eventId },
    });
    await app.until(`select count(*) = 2 as ok from attempts where event_id = $1`, [eventId]);
  });
});

it('a partner sends itself a test callback: its own newest payment.completed, under its name in the event log', async () => {
  expect((await app.call('POST', '/api/integration/test-callback', partnerId)).status).toBe(404);
  const eventId = await app.givenEvent(partnerId);
  await ended(eventId, 'DELIVERED');
  const answer = await app.call('POST', '/api/integration/test-callback', partnerId);
  expect(answer).toMatchObject({ status: 202, body: { eventId, type: 'payment.completed' } });
  await app.until(`select count(*) = 2 as ok from attempts where event_id = $1`, [eventId]);
  const [first, second] = callsOf(eventId);
  expect(second?.body.equals(first?.body ?? Buffer.alloc(0))).toBe(true);
  const [, again] = await app.query('select resent_by from attempts where event_id = $1 order by number', [eventId]);
  expect(again).toMatchObject({ resent_by: 'partner' });
  expect((await app.operate('GET', `/actions?partnerId=${partnerId}`)).body['items']).toEqual([]);
});

it('one test callback a minute: 429 with Retry-After, nothing sent and nothing recorded; then another one (M9)', async () => {
  const eventId = await app.givenEvent(partnerId);
  await ended(eventId, 'DELIVERED');
  const test = () => app.call('POST', '/api/integration/test-callback', partnerId);
  const answers = await Promise.all(Array.from({ length: 10 }, test));
  expect(answers.map(({ status: code }) => code).sort()).toEqual([202, ...Array.from({ length: 9 }, () => 429)]);
  const refused = answers.find(({ status: code }) => code === 429);
  expect(refused?.body).toMatchObject({ code: 'RATE_LIMITED' });
  await app.until(`select count(*) = 2 as ok from attempts where event_id = $1`, [eventId]);
  await ended(eventId, 'DELIVERED');
  expect(await app.query('select from operator_actions where partner_id = $1', [partnerId])).toEqual([]);
  await app.query(`update receivers set tested_at = tested_at - interval '60 seconds' where partner_id = $1`, [partnerId]);
  expect((await test()).status).toBe(202);
  await app.until(`select count(*) = 3 as ok from attempts where event_id = $1`, [eventId]);
  // What a receiver says beside 200 is not kept.
  expect(await app.query('select distinct excerpt from attempts where event_id = $1', [eventId])).toEqual([{ excerpt: null }]);
});

describe('before the first secret nothing that is asked for could be sent', () => {
  const everything = { from: '2020-01-01T00:00:00Z', to: '2100-01-01T00:00:00Z' };
  it.each<[string, (partner: string, eventId: string) => Promise<{ status: number; body: object }>]>([
    ['a test callback', (partner) => app.call('POST', '/api/integration/test-callback', partner)],
    ['a test callback by an operator', (partner) => app.operate('POST', `/partners/${partner}/test-callback`)],
    ['a resend', (_partner, eventId) => app.operate('POST', `/events/${eventId}/resend`)],
    ['a replay', (partnerOf) => app.operate('POST', '/replays', { partnerId: partnerOf, ...everything })],
  ])('409 ENDPOINTS_NOT_CONFIGURED: %s; the event stays as it was (D5)', async (_name, ask) => {
    for (const hasAddress of [false, true]) {
      const late = randomUUID();
      if (hasAddress) await app.givenEndpoints(late, receiver.url);
      const eventId = await app.givenEvent(late);
      const { status: code, body } = await ask(late, eventId);
      expect({ code, body }).toMatchObject({ code: 409, body: { code: 'ENDPOINTS_NOT_CONFIGURED' } });
      expect(await app.query('select status from events where event_id = $1', [eventId])).toEqual([{ status: 'NOT_CONFIGURED' }]);
      expect(await app.query('select from operator_actions where partner_id = $1', [late])).toEqual([]);
    }
  });
});

describe('partners', () => {
  it('shows how each receiver behaves, and its alerts', async () => {
    expect((await app.operate('GET', `/partners/${partnerId}`)).body).toMatchObject({
      state: 'HEALTHY',
      waiting: 0,
      keys: [{ expiresAt: null }],
    });
    status = 410;
    const eventId = await app.givenEvent(partnerId);
    await ended(eventId, 'REFUSED');
    expect((await app.operate('GET', `/partners/${partnerId}`)).body).toMatchObject({ state: 'REFUSING' });
    expect((await app.operate('GET', `/alerts?partnerId=${partnerId}`)).body['items']).toMatchObject([{ kind: 'FIRST_REFUSAL', eventId }]);
    status = 500;
    const failing = await app.givenEvent(partnerId);
    await app.until('select count(*) = 1 as ok from attempts where event_id = $1', [failing]);
    const { body } = await app.operate('GET', `/partners?limit=100`);
    expect(body['items']).toContainEqual(expect.objectContaining({ partnerId, failuresInARow: 1, waiting: 1 }));
    expect((await app.operate('GET', `/partners/${randomUUID()}`)).status).toBe(404);
  });

  it.each([[{ overlapHours: -1 }], [{ overlapHours: 169 }], [{ overlapHours: '24' }], [{ overlapHours: 1.5 }], [{ hours: 1 }]])(
    '400 for the rotation %j',
    async (body) => {
      expect((await app.operate('POST', `/partners/${partnerId}/secret-rotation`, body)).status).toBe(400);
    },
  );

  it('a rotation takes its overlap in hours', async () => {
    expect(await app.operate('POST', `/partners/${partnerId}/secret-rotation`, { overlapHours: 0 })).toMatchObject({
      status: 200,
      body: { overlapHours: 0 },
    });
    expect((await app.operate('GET', `/partners/${partnerId}`)).body).toMatchObject({ state: 'NO_SECRET' });
  });
});

describe('replay', () => {
  it('counts first, then sends the refused events of a range again, a batch at a time (I26, I32)', async () => {
    status = 404;
    const refused: string[] = [];
    for (let i = 0; i < 120; i += 1) refused.push(await app.givenEvent(partnerId));
    await app.until(`select count(*) = 120 as ok from events where partner_id = $1 and status = 'REFUSED'`, [partnerId]);
    status = 200;
    await ended(await app.givenEvent(partnerId), 'DELIVERED');
    const range = { partnerId, from: '2020-01-01T00:00:00Z', to: '2100-01-01T00:00:00Z', statuses: ['REFUSED'] };
    expect(await app.operate('POST', '/replays', { ...range, dryRun: true })).toMatchObject({
      status: 200,
      body: { total: 120 },
    });
    const started = await app.operate('POST', '/replays', range);
    expect(started).toMatchObject({ status: 202, body: { state: 'RUNNING', total: 120, requestedBy: 'olga' } });
    expect((await app.operate('POST', '/replays', range)).status).toBe(409);

    await advanceOneReplay(app.deps);
    expect((await app.operate('GET', `/replays/${String(started.body['replayId'])}`)).body).toMatchObject({
      resent: 50,
    });
    while (await advanceOneReplay(app.deps));
    app.deps.delivery.wake();
    await app.until(`select count(*) = 121 as ok from events where partner_id = $1 and status = 'DELIVERED'`, [partnerId]);
    expect((await app.operate('GET', `/replays/${String(started.body['replayId'])}`)).body).toMatchObject({
      state: 'DONE',
      resent: 120,
    });
    for (const eventId of refused) expect(callsOf(eventId)).toHaveLength(2);
  });

  it('sends those of one instant in the order of their versions, over the border of a batch too (D4)', async () => {
    const paymentId = randomUUID();
    const ids: string[] = [];
    await app.whileClockStands(async () => {
      for (let version = 1; version <= 60; version += 1) ids.push(await app.givenEvent(partnerId, { paymentId, version }));
    });
    await ended(ids.at(-1) ?? '', 'DELIVERED');
    const before = receiver.received.length;
    await app.operate('POST', '/replays', { partnerId, from: '2020-01-01T00:00:00Z', to: '2100-01-01T00:00:00Z' });
    while (await advanceOneReplay(app.deps)) {
      app.deps.delivery.wake();
      await app.until(`select count(*) = 0 as ok from events where partner_id = $1 and status = 'WAITING'`, [partnerId]);
    }
    const again = receiver.received.slice(before).map(({ headers }) => headers['x-service-event-id']);
    expect(again).toEqual(ids);
  });

  it('stops where it is when it is cancelled', async () => {
    for (let i = 0; i < 60; i += 1) await app.givenEvent(partnerId);
    await app.until(`select count(*) = 60 as ok from events where partner_id = $1 and status = 'DELIVERED'`, [partnerId]);
    const range = { partnerId, from: '2020-01-01T00:00:00Z', to: '2100-01-01T00:00:00Z' };
    const { body } = await app.operate('POST', '/replays', range);
    await advanceOneReplay(app.deps);
    const path = `/replays/${String(body['replayId'])}/cancel`;
    expect((await app.operate('POST', path)).body).toMatchObject({ state: 'CANCELLED', resent: 50 });
    expect(await advanceOneReplay(app.deps)).toBe(false);
    expect((await app.operate('POST', path)).status).toBe(404);
  });

  it.each([[{}], [{ partnerId: 'a', from: '2100-01-01T00:00:00Z', to: '2020-01-01T00:00:00Z' }], [{ partnerId: 'a', from: 'x', to: 'y' }]])(
    '400 for %j',
    async (body) => {
      expect((await app.operate('POST', '/replays', body)).status).toBe(400);
    },
  );
});

it('retention: what ended 30 days ago goes, what waits stays however old it is', async () => {
  const old = await app.givenEvent(partnerId);
  await ended(old, 'DELIVERED');
  status = 503;
  const waiting = await app.givenEvent(partnerId);
  await app.until('select count(*) = 1 as ok from attempts where event_id = $1', [waiting]);
  status = 200;
  const young = await app.givenEvent(partnerId);
  await ended(young, 'DELIVERED');
  await app.query(
    `update events set recorded_at = recorded_at - interval '31 days', ended_at = ended_at - interval '31 days'
    where event_id = any($1)`,
    [[old, waiting]],
  );
  await app.query(`update attempts set started_at = started_at - interval '31 days' where event_id = $1`, [old]);
  await partitionsLoop(app.deps.db, 'attempts').round(new AbortController().signal);
  for (const sweep of [sweepEvents, sweepAggregates]) await app.deps.db.transaction(sweep);
  const left = await app.query<{ id: string }>('select event_id as id from events where event_id = any($1)', [[old, waiting, young]]);
  expect(left.map(({ id }) => id).sort()).toEqual([waiting, young].sort());
  expect(await app.query('select from attempts where event_id = $1', [old])).toEqual([]);
});
