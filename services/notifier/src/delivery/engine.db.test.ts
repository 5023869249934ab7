import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { sql } from 'drizzle-orm';
import fc from 'fast-check';
import { callbackIsSigned, callbackKey } from '@pay/signing/callback-signature.ts';
import { startTestApp, type TestApp } from '../../test/app.ts';
import { startReceiver, withStatus, type Received, type Receiver } from '../../test/receiver.ts';
import { PARTNER_CONCURRENCY_MAX } from '../db/claim-statement.ts';
import { claimDeliveries } from '../db/claims.ts';
import { insertEvents } from '../db/events.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
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
  // An engine waits for its attempts, and one at a receiver that hangs ends when that is gone.
  await Promise.all(receivers.splice(0).map((receiver) => receiver.close()));
  await app.stopEngines();
  // What one test leaves waiting comes due in a later one, and its port may belong to another receiver by then.
  await app.query('update aggregates set due_at = null');
});

/** A partner with an address and a secret. */
async function givenPartner(answer: Parameters<typeof startReceiver>[0], id = partnerId) {
  const receiver = await startReceiver(answer);
  receivers.push(receiver);
  await app.givenEndpoints(id, receiver.url);
  const { body } = await app.fetchSecret(id);
  const key = callbackKey(body['keyId'] ?? '', Buffer.from(body['secret'] ?? '', 'base64'));
  return { receiver, key };
}

/** A first event as its message produces it, for `insertEvents`: nobody is woken. */
const anEventOf = (partner: string) => ({
  eventId: randomUUID(),
  type: 'payment.completed',
  partnerId: partner,
  aggregateId: randomUUID(),
  aggregateVersion: 1,
  body: Buffer.from('{}'),
  requestId: null,
  traceparent: null,
});
const statusIs = (eventId: string, status: string) =>
  app.until('select status = $2 as ok from events where event_id = $1', [eventId, status]);
const attemptsAre = (eventId: string, count: number) =>
  app.until('select count(*) = $2 as ok from attempts where event_id = $1', [eventId, count]);
/**
 * Makes everything that waits due now instead of when the schedule says. Rows that the engine holds are skipped: waiting
 * for them in a different order could deadlock.
 */
const timePasses = async () => {
  await app.query(
    `update aggregates set due_at = clock_now() where aggregate_id in (select aggregate_id from aggregates
      where partner_id = $1 and due_at is not null and lease_id is null for update skip locked)`,
    [partnerId],
  );
  app.deps.delivery.wake();
};
const eventIdOf = (received: Received | undefined) => received?.headers['x-service-event-id'];

describe('one event', () => {
  it('200 ends it; the callback is signed and complete, and the attempt is recorded (I01)', async () => {
    app.startEngine();
    const { receiver, key } = await givenPartner((_received, res) => res.end('thank you'));
    const eventId = await app.givenEvent(partnerId);
    await statusIs(eventId, 'DELIVERED');

    const [callback] = receiver.received;
    if (callback === undefined) throw new Error('nothing arrived');
    const header = (name: string) => String(callback.headers[name]);
    expect(callbackIsSigned([key], header('x-service-signature'), header('x-service-timestamp'), callback.body)).toBe(true);
    expect([callback.method, callback.url]).toEqual(['POST', new URL(receiver.url).pathname]);
    expect(JSON.parse(callback.body.toString())).toMatchObject({
      schemaVersion: 1,
      eventId: header('x-service-event-id'),
      type: header('x-service-event-type'),
    });
    expect([header('x-service-event-id'), header('x-service-event-type')]).toEqual([eventId, 'payment.completed']);
    // In seconds: in milliseconds it has 13 digits.
    expect(header('x-service-timestamp')).toMatch(/^\d{10}$/);
    const attempts = await app.query('select number, url, key_ids, status, failure, outcome, excerpt from attempts where event_id = $1', [
      eventId,
    ]);
    expect(attempts).toEqual([
      { number: 1, url: receiver.url, key_ids: key.keyId, status: 200, failure: null, outcome: 'DELIVERED', excerpt: null },
    ]);
  });

  it.each([[201], [204], [302]])('%i is not confirmed: flagged, and tried again on schedule (I02)', async (status) => {
    app.startEngine();
    await givenPartner(withStatus(status));
    const eventId = await app.givenEvent(partnerId);
    await attemptsAre(eventId, 1);
    const [row] = await app.query(
      `select a.outcome, e.status, extract(epoch from e.next_attempt_at - clock_now())::float > 5 as later
       from attempts a join events e using (event_id) where event_id = $1`,
      [eventId],
    );
    expect(row).toEqual({ outcome: 'FLAGGED', status: 'WAITING', later: true });
  });

  it.each([[400], [401], [403], [404], [409], [410], [422]])('%i ends it (I03)', async (status) => {
    app.startEngine();
    await givenPartner(withStatus(status));
    const eventId = await app.givenEvent(partnerId);
    await statusIs(eventId, 'REFUSED');
    const row = await app.query('select outcome, next_attempt_at from attempts where event_id = $1', [eventId]);
    expect(row).toEqual([{ outcome: 'REFUSED', next_attempt_at: null }]);
  });

  it('the first permanent refusal of a partner is an alert, the next ones are not; a success rearms it (I32)', async () => {
    app.startEngine();
    let status = 404;
    await givenPartner((received, res) => {
      withStatus(status)(received, res);
    });
    const alerts = () => app.query('select kind, event_id from alerts where partner_id = $1 order by id', [partnerId]);
    const first = await app.givenEvent(partnerId);
    await statusIs(first, 'REFUSED');
    await statusIs(await app.givenEvent(partnerId), 'REFUSED');
    expect(await alerts()).toEqual([{ kind: 'FIRST_REFUSAL', event_id: first }]);
    status = 200;
    await statusIs(await app.givenEvent(partnerId), 'DELIVERED');
    status = 404;
    await statusIs(await app.givenEvent(partnerId), 'REFUSED');
    expect(await alerts()).toHaveLength(2);
  });

  it('a retry carries the same eventId and bytes, with a new timestamp and signature (I14)', async () => {
    app.startEngine();
    const { receiver, key } = await givenPartner(withStatus(500));
    const eventId = await app.givenEvent(partnerId);
    await attemptsAre(eventId, 1);
    const [first] = receiver.received;
    if (first === undefined) throw new Error('nothing arrived');
    const { headers: firstHeaders, body: firstBody } = first;
    // The next attempt's timestamp is in another second.
    await app.until('select floor(extract(epoch from clock_now())) > $1 as ok', [Number(firstHeaders['x-service-timestamp'])]);
    await timePasses();
    await attemptsAre(eventId, 2);
    const second = receiver.received[1];
    expect(eventIdOf(second)).toBe(eventId);
    expect(second?.body.equals(firstBody)).toBe(true);
    expect(second?.headers['x-service-timestamp']).not.toBe(firstHeaders['x-service-timestamp']);
    expect(second?.headers['x-service-signature']).not.toBe(firstHeaders['x-service-signature']);
    expect(
      callbackIsSigned([key], String(second?.headers['x-service-signature']), String(second?.headers['x-service-timestamp']), firstBody),
    ).toBe(true);
  });

  it('twelve failures exhaust it, with an alert; nothing is deleted (I27)', async () => {
    app.startEngine();
    await givenPartner(withStatus(503));
    const eventId = await app.givenEvent(partnerId);
    for (let attempt = 1; attempt < 12; attempt += 1) {
      await attemptsAre(eventId, attempt);
      await timePasses();
    }
    await statusIs(eventId, 'EXHAUSTED');
    expect(await app.query('select count(*)::int from attempts where event_id = $1', [eventId])).toEqual([{ count: 12 }]);
    expect(await app.query('select kind from alerts where partner_id = $1', [partnerId])).toContainEqual({
      kind: 'EXHAUSTED',
    });
  });

  it('19.10, I23: of a payment that ended before address and secret were there it is kept, and sent on request only', async () => {
    app.startEngine();
    const paymentId = randomUUID();
    const before = await app.givenEvent(partnerId, { paymentId });
    const receiver = await startReceiver(withStatus(200));
    receivers.push(receiver);
    await app.givenEndpoints(partnerId, receiver.url);
    const between = await app.givenEvent(partnerId, { paymentId, version: 2 });
    await app.fetchSecret(partnerId);
    const after = await app.givenEvent(partnerId, { paymentId, version: 3 });
    await statusIs(after, 'DELIVERED');
    expect(receiver.received.map(eventIdOf)).toEqual([after]);
    for (const eventId of [before, between]) await statusIs(eventId, 'NOT_CONFIGURED');

    await app.operate('POST', `/events/${before}/resend`);
    await statusIs(before, 'DELIVERED');
    await statusIs(between, 'NOT_CONFIGURED');
    expect(receiver.received.map(eventIdOf)).toEqual([after, before]);
  });

  it('19.4: an extra event goes to who switched it on; for others it is kept, and what follows it goes on', async () => {
    app.startEngine();
    const { receiver } = await givenPartner(withStatus(200));
    const binding = { paymentId: randomUUID() };
    const life = async (): Promise<string[]> => [
      await app.givenEvent(partnerId, { ...binding, version: 1, type: 'binding.created' }),
      await app.givenEvent(partnerId, { ...binding, version: 2, type: 'binding.expired' }),
      await app.givenEvent(partnerId, { ...binding, version: 3, type: 'binding.revoked' }),
    ];
    const [created = '', expired = '', revoked = ''] = await life();
    await statusIs(revoked, 'DELIVERED');
    await statusIs(expired, 'NOT_CONFIGURED');
    expect(receiver.received.map(eventIdOf)).toEqual([created, revoked]);

    await app.givenEndpoints(partnerId, receiver.url, 2, ['binding.expired']);
    binding.paymentId = randomUUID();
    const all = await life();
    await statusIs(all[2] ?? '', 'DELIVERED');
    // What ended before is not sent by itself.
    const [before] = await app.query('select status from events where event_id = $1', [expired]);
    expect(before).toEqual({ status: 'NOT_CONFIGURED' });
    expect(receiver.received.map(eventIdOf)).toEqual([created, revoked, ...all]);
  });

  it('19.10: a partner whose secret was ended by a rotation is one that had it: its events wait for the new one', async () => {
    app.startEngine();
    const { receiver } = await givenPartner(withStatus(200));
    await app.operate('POST', `/partners/${partnerId}/secret-rotation`, { overlapHours: 0 });
    await app.query(`update callback_keys set expires_at = clock_now() where partner_id = $1`, [partnerId]);
    const eventId = await app.givenEvent(partnerId);
    await statusIs(eventId, 'WAITING');
    await app.fetchSecret(partnerId);
    await statusIs(eventId, 'DELIVERED');
    expect(receiver.received.map(eventIdOf)).toEqual([eventId]);
  });

  it('19.10: whichever order versions arrive in, those that are kept are passed over and no other', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.shuffledSubarray([1, 2, 3, 4, 5, 6], { minLength: 6 }),
        fc.nat(6),
        fc.boolean(),
        async (order, configuredAfter, together) => {
          partnerId = randomUUID();
          const paymentId = randomUUID();
          const events = order.map((aggregateVersion) => ({ ...anEventOf(partnerId), aggregateId: paymentId, aggregateVersion }));
          const store = async (some: typeof events) => {
            if (together) await insertEvents(app.deps.db, some);
            else for (const one of some) await insertEvents(app.deps.db, [one]);
          };
          if (configuredAfter > 0) await store(events.slice(0, configuredAfter));
          const { receiver } = await givenPartner(withStatus(200));
          app.startEngine();
          if (configuredAfter < 6) await store(events.slice(configuredAfter));
          app.deps.delivery.wake();
          const later = events.slice(configuredAfter).map(({ eventId }) => eventId);
          for (const eventId of later) await statusIs(eventId, 'DELIVERED');
          await app.stopEngines();
          expect(receiver.received.map(eventIdOf).sort()).toEqual([...later].sort());
          expect(await app.query('select due_at from aggregates where aggregate_id = $1', [paymentId])).toEqual([{ due_at: null }]);
        },
      ),
      { numRuns: 40 },
    );
  });

  it('a retry goes to the address of its moment (I22)', async () => {
    app.startEngine();
    await givenPartner(withStatus(500));
    const eventId = await app.givenEvent(partnerId);
    await attemptsAre(eventId, 1);
    const next = await startReceiver(withStatus(200));
    receivers.push(next);
    await app.givenEndpoints(partnerId, next.url, 2);
    await app.givenEndpoints(partnerId, 'http://127.0.0.1:9/stale', 1);
    await timePasses();
    await statusIs(eventId, 'DELIVERED');
    expect(next.received).toHaveLength(1);
  });
});

describe('many replicas', () => {
  it('two replicas claim one event: one has it, for longer than an attempt can take (I20)', async () => {
    await givenPartner(withStatus(200));
    const eventId = await app.givenEvent(partnerId);
    const claims = await Promise.all([1, 2, 3, 4].map(() => claimDeliveries(app.deps.db, randomUUID(), 10)));
    expect(claims.flatMap(({ claimed }) => claimed.map((event) => event.eventId))).toEqual([eventId]);
    const [row] = await app.query<{ seconds: number }>(
      `select extract(epoch from due_at - clock_now())::float as seconds from aggregates where partner_id = $1`,
      [partnerId],
    );
    expect(row?.seconds).toBeGreaterThan(15);
    expect(row?.seconds).toBeLessThanOrEqual(30);
  });

  it('a lease that ended is taken over; the late answer of its old holder decides nothing (I21)', async () => {
    let release: () => void = () => undefined;
    const { receiver } = await givenPartner((_received, res) => {
      if (receiver.received.length === 1) release = () => res.writeHead(400).end();
      else res.writeHead(200).end();
    });
    app.startEngine();
    const eventId = await app.givenEvent(partnerId);
    await receiver.arrived(1);
    await app.query('update aggregates set due_at = clock_now(), leased_until = clock_timestamp() where partner_id = $1', [partnerId]);
    app.startEngine();
    await statusIs(eventId, 'DELIVERED');
    release();
    await attemptsAre(eventId, 2);
    expect(await app.query('select status from events where event_id = $1', [eventId])).toEqual([{ status: 'DELIVERED' }]);
  });

  it('is not repeated because the clock of TEST was moved while it was on its way', async () => {
    let release: () => void = () => undefined;
    const { receiver } = await givenPartner((_received, res) => {
      if (receiver.received.length === 1) release = () => res.writeHead(200).end();
      else res.writeHead(200).end();
    });
    app.startEngine();
    const eventId = await app.givenEvent(partnerId);
    await receiver.arrived(1);
    // What moving the clock by a month does to everything that is planned.
    await app.query(`update aggregates set due_at = due_at - interval '1 month' where partner_id = $1`, [partnerId]);
    app.startEngine();
    const other = randomUUID();
    await givenPartner(withStatus(200), other);
    // Both engines have claimed since then.
    await statusIs(await app.givenEvent(other), 'DELIVERED');
    expect((await claimDeliveries(app.deps.db, randomUUID(), 100)).claimed).toEqual([]);
    release();
    await statusIs(eventId, 'DELIVERED');
    expect(receiver.received).toHaveLength(1);
  });

  it('a partner has at most its number of attempts at once, over all replicas, and others are served beside it', async () => {
    const hanging = await givenPartner(() => undefined);
    const other = randomUUID();
    const healthy = await givenPartner(withStatus(200), other);
    for (let i = 0; i < PARTNER_CONCURRENCY_MAX + 10; i += 1) await app.givenEvent(partnerId);
    app.startEngine();
    app.startEngine();
    await hanging.receiver.arrived(PARTNER_CONCURRENCY_MAX);
    await statusIs(await app.givenEvent(other), 'DELIVERED');
    expect(hanging.receiver.received).toHaveLength(PARTNER_CONCURRENCY_MAX);
    expect(healthy.receiver.received).toHaveLength(1);
  });
});

describe('what is left', () => {
  const claim = async (room: number) => {
    const { claimed, left } = await claimDeliveries(app.deps.db, randomUUID(), room);
    return { claimed: claimed.length, ...left };
  };
  const given = (count: number) => Promise.all(Array.from({ length: count }, () => app.givenEvent(partnerId)));

  it('a claim says whether something due was left, for want of room or because its partner is at its cap', async () => {
    const nothing = { forWantOfRoom: false, partnersAtTheirCap: [] };
    expect(await claim(10)).toEqual({ claimed: 0, ...nothing });
    await givenPartner(withStatus(200));
    await given(PARTNER_CONCURRENCY_MAX + 1);
    expect(await claim(3)).toEqual({ claimed: 3, ...nothing, forWantOfRoom: true });
    const atTheirCap = { forWantOfRoom: false, partnersAtTheirCap: [partnerId] };
    expect(await claim(PARTNER_CONCURRENCY_MAX)).toEqual({ claimed: PARTNER_CONCURRENCY_MAX - 3, ...atTheirCap });
    expect(await claim(10)).toEqual({ claimed: 0, ...atTheirCap });
    await app.query('delete from aggregates where partner_id = $1 and lease_id is null', [partnerId]);
    expect(await claim(10)).toEqual({ claimed: 0, ...nothing });
  });

  it('is told to the other replicas, but not back to one that told it', async () => {
    const other = randomUUID();
    const toldBefore: number[] = [];
    const healthy = await givenPartner((_received, res) => {
      toldBefore.push(told);
      res.end();
    }, other);
    const hanging = await givenPartner(() => undefined);
    let told = 0;
    const engine = app.startEngine({}, () => (told += 1));
    await given(PARTNER_CONCURRENCY_MAX);
    await hanging.receiver.arrived(PARTNER_CONCURRENCY_MAX);
    expect(told).toBe(0);
    await given(1);
    while (told === 0) await wait(5);
    const before = told;
    await insertEvents(app.deps.db, [anEventOf(other)]);
    engine.wakeForOther();
    await healthy.receiver.arrived(1);
    expect(toldBefore).toEqual([before]);
  });

  it('is told once, also when a replica first saw it in a look of its own', async () => {
    const other = randomUUID();
    const healthy = await givenPartner(withStatus(200), other);
    await givenPartner(withStatus(200));
    await given(PARTNER_CONCURRENCY_MAX + 1);
    // Another replica is running as many attempts as the partner may have.
    await claim(PARTNER_CONCURRENCY_MAX);
    await insertEvents(app.deps.db, [anEventOf(other)]);
    let told = 0;
    const engine = app.startEngine({}, () => (told += 1));
    const ofEachClaim: number[] = [];
    for (const arrived of [1, 2, 3]) {
      await healthy.receiver.arrived(arrived);
      ofEachClaim.push(told);
      await insertEvents(app.deps.db, [anEventOf(other)]);
      engine.wake();
    }
    expect(ofEachClaim).toEqual([0, 1, 1]);
  });

  it('is remembered when events of somebody else are stored', async () => {
    const other = randomUUID();
    const healthy = await givenPartner(withStatus(200), other);
    const hanging = await givenPartner(() => undefined);
    await given(PARTNER_CONCURRENCY_MAX + 1);
    let told = 0;
    const engine = app.startEngine({}, () => (told += 1));
    await hanging.receiver.arrived(PARTNER_CONCURRENCY_MAX);
    engine.wake();
    while (told === 0) await wait(5);
    await engine.store([anEventOf(other)]);
    await healthy.receiver.arrived(1);
    await insertEvents(app.deps.db, [anEventOf(other)]);
    engine.wake();
    await healthy.receiver.arrived(2);
    // What is already known is not announced again.
    expect(told).toBe(1);
  });

  const expectDelivered = async (count: number) => {
    await app.until('select count(*) = $2 as ok from events where partner_id = $1 and status = $3', [partnerId, count, 'DELIVERED']);
  };

  // If it were found by polling once a second only, either of these would take longer.
  const mostMs = 60_000;

  it(
    'goes as soon as an attempt of its partner ends',
    async () => {
      await givenPartner(withStatus(200));
      await given(PARTNER_CONCURRENCY_MAX * 70);
      app.startEngine();
      await expectDelivered(PARTNER_CONCURRENCY_MAX * 70);
    },
    mostMs,
  );

  it(
    'goes as soon as the event before it of the same payment has ended',
    async () => {
      await givenPartner(withStatus(200));
      const paymentId = randomUUID();
      for (let version = 1; version <= 70; version += 1) await app.givenEvent(partnerId, { paymentId, version });
      app.startEngine();
      await expectDelivered(70);
    },
    mostMs,
  );
});

describe('what comes while a replica delivers', () => {
  const fateOf = (partner: string) =>
    app.query(`select e.status, a.lease_id from events e join aggregates a using (aggregate_id) where e.partner_id = $1`, [partner]);

  it('is stored although the claim behind it fails, and goes with the next look', async () => {
    await givenPartner(withStatus(200));
    app.startEngine();
    const eventId = await app.deps.db.transaction(async (tx) => {
      // A claim reads it, and waits for it for two seconds at most.
      await tx.execute(sql`lock table callback_keys in access exclusive mode`);
      const stored = await app.givenEvent(partnerId);
      expect(await fateOf(partnerId)).toEqual([{ status: 'WAITING', lease_id: null }]);
      return stored;
    });
    await statusIs(eventId, 'DELIVERED');
  });

  it('is only stored at a stop', async () => {
    await givenPartner(withStatus(200));
    const engine = app.startEngine();
    await app.stopEngines();
    await engine.store([anEventOf(partnerId)]);
    expect(await fateOf(partnerId)).toEqual([{ status: 'WAITING', lease_id: null }]);
  });

  it('is only stored where there is no room, and another replica is told', async () => {
    const inFlightMax = 256;
    const partners = Array.from({ length: inFlightMax / PARTNER_CONCURRENCY_MAX }, () => randomUUID());
    for (const partner of partners) await givenPartner(() => undefined, partner);
    const each = Array.from({ length: PARTNER_CONCURRENCY_MAX }, () => partners.map(anEventOf));
    await insertEvents(app.deps.db, each.flat());
    let told = 0;
    app.startEngine({}, () => (told += 1));
    await app.until('select count(*) = $2 as ok from aggregates where partner_id = any($1) and lease_id is not null', [
      partners,
      inFlightMax,
    ]);
    await givenPartner(withStatus(200));
    const eventId = await app.givenEvent(partnerId);
    while (told === 0) await wait(5);
    expect(await fateOf(partnerId)).toEqual([{ status: 'WAITING', lease_id: null }]);
    app.startEngine();
    await statusIs(eventId, 'DELIVERED');
  });

  it('takes along what waits already, also when it can not be stored itself', async () => {
    const { receiver } = await givenPartner(withStatus(200));
    const engine = app.startEngine();
    const event = anEventOf(partnerId);
    await engine.store([event]);
    await receiver.arrived(1);
    await insertEvents(app.deps.db, [anEventOf(partnerId)]);
    // Another event with the same version of the same payment.
    await expect(engine.store([{ ...event, eventId: randomUUID() }])).rejects.toThrow();
    await app.stopEngines();
    const delivered = { status: 'DELIVERED', lease_id: null };
    expect(await fateOf(partnerId)).toEqual([delivered, delivered]);
  });
});

it('a receiver that is back gets its backlog a few at a time, and others do not wait for it (I12)', async () => {
  const held: (() => void)[] = [];
  let isBack = false;
  let running = 0;
  let most = 0;
  await givenPartner((_received, res) => {
    running += 1;
    most = Math.max(most, running);
    const answer = () => {
      running -= 1;
      res.end();
    };
    if (isBack) answer();
    else held.push(answer);
  });
  const other = randomUUID();
  await givenPartner(withStatus(200), other);
  for (let i = 0; i < 100; i += 1) await app.givenEvent(partnerId);
  app.startEngine();
  app.startEngine();
  await statusIs(await app.givenEvent(other), 'DELIVERED');
  isBack = true;
  for (const answer of held) answer();
  await app.until(`select count(*) = 100 as ok from events where partner_id = $1 and status = 'DELIVERED'`, [partnerId]);
  expect(most).toBeLessThanOrEqual(PARTNER_CONCURRENCY_MAX);
});

it('a process whose clock is wrong by ten minutes signs with the database’s time (I31)', async () => {
  const real = Date.now.bind(Date);
  const wrong = jest.spyOn(Date, 'now').mockImplementation(() => real() + 600_000);
  try {
    app.startEngine();
    const { receiver } = await givenPartner(withStatus(200));
    await statusIs(await app.givenEvent(partnerId), 'DELIVERED');
    const sentAt = Number(receiver.received[0]?.headers['x-service-timestamp']);
    expect(Math.abs(sentAt - real() / 1_000)).toBeLessThan(60);
  } finally {
    wrong.mockRestore();
  }
});

describe('a dead address', () => {
  const pauseIsOver = () => app.query('update receivers set paused_until = clock_now() where partner_id = $1', [partnerId]);

  it('gets two attempts at a time from 20 failures in a row on, and none for a moment after each failure', async () => {
    await givenPartner(withStatus(500));
    for (let i = 0; i < 25; i += 1) await app.givenEvent(partnerId);
    app.startEngine();
    await app.until('select failures_in_a_row = 25 as ok from receivers where partner_id = $1', [partnerId]);
    await app.stopEngines();
    await timePasses();
    await app.query(`update receivers set paused_until = paused_until + interval '1 hour' where partner_id = $1`, [partnerId]);
    expect((await claimDeliveries(app.deps.db, randomUUID(), 100)).claimed).toHaveLength(0);
    await pauseIsOver();
    expect((await claimDeliveries(app.deps.db, randomUUID(), 100)).claimed).toHaveLength(2);
    expect((await claimDeliveries(app.deps.db, randomUUID(), 100)).claimed).toHaveLength(0);
  });

  it('gets one probe at a time after 20 failures in a row over ten minutes, until one is answered', async () => {
    let status = 500;
    const { receiver } = await givenPartner((received, res) => {
      withStatus(status)(received, res);
    });
    for (let i = 0; i < 30; i += 1) await app.givenEvent(partnerId);
    const engine = app.startEngine();
    await app.until('select failures_in_a_row = 30 as ok from receivers where partner_id = $1', [partnerId]);
    expect(await app.query('select dead_since from receivers where partner_id = $1', [partnerId])).toEqual([{ dead_since: null }]);
    await app.query(`update receivers set failing_since = failing_since - interval '10 minutes' where partner_id = $1`, [partnerId]);
    await app.query(
      `update aggregates set due_at = clock_now() where aggregate_id in
         (select aggregate_id from aggregates where partner_id = $1 limit 1)`,
      [partnerId],
    );
    engine.wake();
    await app.until('select dead_since is not null as ok from receivers where partner_id = $1', [partnerId]);
    expect(await app.query('select kind from alerts where partner_id = $1', [partnerId])).toEqual([{ kind: 'DEAD_ADDRESS' }]);
    await app.stopEngines();
    await timePasses();
    await pauseIsOver();
    expect((await claimDeliveries(app.deps.db, randomUUID(), 100)).claimed).toHaveLength(1);
    expect((await claimDeliveries(app.deps.db, randomUUID(), 100)).claimed).toHaveLength(0);

    status = 200;
    await app.query('update aggregates set lease_id = null, leased_until = null, due_at = clock_now() where partner_id = $1', [partnerId]);
    app.startEngine();
    await app.until(`select count(*) = 30 as ok from events where partner_id = $1 and status = 'DELIVERED'`, [partnerId]);
    expect(new Set(receiver.received.map(eventIdOf)).size).toBe(30);
  });
});

describe('order', () => {
  it('a version waits for the one before, also when that has not arrived yet', async () => {
    app.startEngine();
    const { receiver } = await givenPartner(withStatus(200));
    const paymentId = randomUUID();
    const second = await app.givenEvent(partnerId, { paymentId, version: 2, type: 'payment.failed' });
    const unrelated = await app.givenEvent(partnerId);
    await statusIs(unrelated, 'DELIVERED');
    expect(receiver.received.map(eventIdOf)).toEqual([unrelated]);
    const first = await app.givenEvent(partnerId, { paymentId, version: 1 });
    await statusIs(second, 'DELIVERED');
    expect(receiver.received.map(eventIdOf)).toEqual([unrelated, first, second]);
  });

  it('each payment’s events arrive in version order and none is lost, whatever the receiver answers', async () => {
    await fc.assert(
      fc.asyncProperty(
        // For each payment: the order in which its four events become known, and the responses before each 200.
        fc.array(
          fc.record({
            order: fc.shuffledSubarray([1, 2, 3, 4], { minLength: 4 }),
            failures: fc.array(fc.constantFrom(500, 429, 302, 404, 0), { maxLength: 8 }),
          }),
          { minLength: 1, maxLength: 4 },
        ),
        async (payments) => {
          partnerId = randomUUID();
          const failuresOf = new Map<string, number[]>();
          const { receiver } = await givenPartner((received, res) => {
            const { data } = JSON.parse(received.body.toString()) as { data: { orderId: string } };
            const status = failuresOf.get(data.orderId)?.shift() ?? 200;
            if (status === 0) res.destroy();
            else res.writeHead(status).end();
          });
          app.startEngine();
          app.startEngine();
          const known: { paymentId: string; version: number }[] = [];
          await Promise.all(
            payments.map(async ({ order, failures }) => {
              const paymentId = randomUUID();
              failuresOf.set(paymentId, [...failures]);
              for (const version of order) {
                known.push({ paymentId, version });
                await app.givenEvent(partnerId, { paymentId, version });
              }
            }),
          );
          const ended = `select count(*) = ${String(known.length)} as ok from events where partner_id = $1 and status <> 'WAITING'`;
          while ((await app.query<{ ok: boolean }>(ended, [partnerId]))[0]?.ok !== true) await timePasses();
          await app.stopEngines();

          const versionsSeen = new Map<string, number[]>();
          for (const { body } of receiver.received) {
            const { aggregateVersion, data } = JSON.parse(body.toString()) as {
              aggregateVersion: number;
              data: { orderId: string };
            };
            versionsSeen.set(data.orderId, [...(versionsSeen.get(data.orderId) ?? []), aggregateVersion]);
          }
          expect(versionsSeen.size).toBe(payments.length);
          for (const versions of versionsSeen.values()) {
            expect(versions).toEqual([...versions].sort((a, b) => a - b));
            expect(new Set(versions)).toEqual(new Set([1, 2, 3, 4]));
          }
        },
      ),
      { numRuns: 15 },
    );
  });
});
