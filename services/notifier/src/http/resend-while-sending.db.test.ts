import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { startTestApp, type TestApp } from '../../test/app.ts';
import { startReceiver, type Received, type Receiver } from '../../test/receiver.ts';
import { advanceOneReplay } from '../use-cases/replay-events.ts';

// Whoever asks for an event again while it is being sent: what has left may be what the receiver lost.
let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
  // Two replicas.
  app.startEngine();
  app.startEngine();
});
afterAll(async () => {
  await app.stop();
});
let partnerId: string;
beforeEach(() => {
  partnerId = randomUUID();
});
const receivers: Receiver[] = [];
afterEach(async () => {
  await Promise.all(receivers.splice(0).map((receiver) => receiver.close()));
});

/** A receiver that answers each call when `answer` of its number has ended, with the status that it resolves to. */
async function givenReceiver(answer: (call: number, received: Received) => Promise<number>): Promise<Receiver> {
  let calls = 0;
  const receiver = await startReceiver((received, res) => {
    calls += 1;
    void answer(calls, received).then((status) => res.writeHead(status).end());
  });
  receivers.push(receiver);
  await app.givenEndpoints(partnerId, receiver.url);
  await app.fetchSecret(partnerId);
  return receiver;
}
const idOf = ({ headers }: Received) => String(headers['x-service-event-id']);
const ended = (eventId: string, as: string, attempts: number) =>
  app.until(
    `select status = $2 and (select count(*) from attempts a where a.event_id = e.event_id) = $3::int as ok
      from events e where event_id = $1`,
    [eventId, as, attempts],
  );

const replay = async (eventId: string) => {
  expect((await app.call('POST', `/api/events/${eventId}/replay`, partnerId, randomUUID())).status).toBe(202);
};
const everything = () => ({ partnerId, from: '2020-01-01T00:00:00Z', to: '2100-01-01T00:00:00Z' });
const WAYS: readonly (readonly [string, (eventId: string) => Promise<void>])[] = [
  ['a replay by the partner', replay],
  [
    'a test callback',
    async () => {
      expect((await app.call('POST', '/api/integration/test-callback', partnerId)).status).toBe(202);
    },
  ],
  [
    'a resend by an operator',
    async (eventId) => {
      expect((await app.operate('POST', `/events/${eventId}/resend`)).status).toBe(202);
    },
  ],
  [
    'a replay of a range by an operator',
    async () => {
      expect(await app.operate('POST', '/replays', everything())).toMatchObject({ status: 202, body: { total: 1 } });
      while (await advanceOneReplay(app.deps));
    },
  ],
];

describe('while the receiver holds its answer', () => {
  it.each(WAYS)('%s is sent after it: the same bytes, once more (D1)', async (_name, ask) => {
    const receiver = await givenReceiver(async (call, received) => {
      if (call === 1) await ask(idOf(received));
      return 200;
    });
    const eventId = await app.givenEvent(partnerId);
    await receiver.arrived(2);
    await ended(eventId, 'DELIVERED', 2);
    const [first, second] = receiver.received;
    expect(second?.body.equals(first?.body ?? Buffer.alloc(0))).toBe(true);
    const attempts = await app.query('select number, resent_by is null as by_itself from attempts where event_id = $1 order by id', [
      eventId,
    ]);
    expect(attempts).toEqual([
      { number: 1, by_itself: true },
      { number: 1, by_itself: false },
    ]);
  });

  it('however often it is asked for meanwhile, it is sent once more (D1)', async () => {
    const receiver = await givenReceiver(async (call, received) => {
      if (call === 1) await Promise.all(Array.from({ length: 5 }, () => replay(idOf(received))));
      return 200;
    });
    const eventId = await app.givenEvent(partnerId);
    await receiver.arrived(2);
    await ended(eventId, 'DELIVERED', 2);
    // A third call would go out before that of a later event of the same payment.
    const [row] = await app.query<{ aggregate_id: string }>('select aggregate_id from events where event_id = $1', [eventId]);
    const next = await app.givenEvent(partnerId, { paymentId: row?.aggregate_id ?? '', version: 2 });
    await ended(next, 'DELIVERED', 1);
    expect(receiver.received.map(idOf)).toEqual([eventId, eventId, next]);
  });

  it('and again while that one is under way: once more after it (D1)', async () => {
    const receiver = await givenReceiver(async (call, received) => {
      if (call <= 2) await replay(idOf(received));
      return 200;
    });
    const eventId = await app.givenEvent(partnerId);
    await receiver.arrived(3);
    await ended(eventId, 'DELIVERED', 3);
    expect(receiver.received.map(idOf)).toEqual([eventId, eventId, eventId]);
  });

  it('an attempt that fails is repeated at once, not when the plan says (D1)', async () => {
    const receiver = await givenReceiver(async (call, received) => {
      if (call === 1) await replay(idOf(received));
      return call === 1 ? 503 : 200;
    });
    const eventId = await app.givenEvent(partnerId);
    await receiver.arrived(2);
    await ended(eventId, 'DELIVERED', 2);
    expect(await app.query('select number from attempts where event_id = $1 order by id', [eventId])).toEqual([
      { number: 1 },
      { number: 2 },
    ]);
  });

  it('an event that is refused meanwhile is sent again, and its later versions wait for it (D1)', async () => {
    const paymentId = randomUUID();
    let later = Promise.resolve('');
    const receiver = await givenReceiver(async (call, received) => {
      if (call !== 1) return 200;
      later = app.givenEvent(partnerId, { paymentId, version: 2 });
      await later;
      await replay(idOf(received));
      return 410;
    });
    const eventId = await app.givenEvent(partnerId, { paymentId });
    await receiver.arrived(3);
    expect(receiver.received.map(idOf)).toEqual([eventId, eventId, await later]);
  });

  it('another event of the same payment that is asked for goes out after the one under way (D1)', async () => {
    const paymentId = randomUUID();
    let first = '';
    const receiver = await givenReceiver(async (call) => {
      if (call === 2) await replay(first);
      return 200;
    });
    first = await app.givenEvent(partnerId, { paymentId });
    await ended(first, 'DELIVERED', 1);
    const second = await app.givenEvent(partnerId, { paymentId, version: 2 });
    await receiver.arrived(3);
    await ended(second, 'DELIVERED', 1);
    expect(receiver.received.map(idOf)).toEqual([first, second, first]);
  });
});

it('what was answered and is not recorded yet is sent again, too (D1)', async () => {
  const receiver = await givenReceiver(() => Promise.resolve(200));
  const eventId = await app.givenEvent(partnerId);
  await ended(eventId, 'DELIVERED', 1);
  // As it is between the answer and its recording: by a replica that is gone before it records.
  const lease = randomUUID();
  await app.query(
    `with e as (update events set status = 'WAITING', next_attempt_at = clock_now(), ended_at = null where event_id = $1 returning aggregate_id)
      update aggregates set lease_id = $2, leased_until = clock_timestamp() + interval '1 hour', due_at = clock_now() + interval '1 hour'
      where aggregate_id = (select aggregate_id from e)`,
    [eventId, lease],
  );
  await replay(eventId);
  // Its lease ends without a record.
  await app.query('update aggregates set leased_until = clock_timestamp(), due_at = clock_now() where lease_id = $1', [lease]);
  app.deps.delivery.wake();
  await receiver.arrived(2);
  await ended(eventId, 'DELIVERED', 2);
  expect(receiver.received).toHaveLength(2);
});
