import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, jest } from '@jest/globals';
import { sql } from 'drizzle-orm';
import pg from 'pg';
import { createLog } from '@pay/shared/logging/logger.ts';
import { startTestApp, type TestApp } from '../../test/app.ts';
import { startReceiver, withStatus, type Receiver } from '../../test/receiver.ts';
import { claimDeliveries } from '../db/claims.ts';
import { holdLeases, newHolder } from '../db/holders.ts';
import { startWakes } from '../delivery/wakes.ts';
import { freeLeasesLoop } from './free-leases.ts';

let app: TestApp;
let receiver: Receiver;
let partnerId: string;
const sessions: pg.Client[] = [];
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(async () => {
  await app.stop();
});
beforeEach(async () => {
  partnerId = randomUUID();
  receiver = await startReceiver(withStatus(200));
  await app.givenEndpoints(partnerId, receiver.url);
  await app.fetchSecret(partnerId);
});
afterEach(async () => {
  await Promise.all(sessions.splice(0).map((session) => session.end()));
  await app.stopEngines();
  await app.query('update aggregates set due_at = null, leased_until = null, lease_id = null');
  await receiver.close();
});

/** A session that keeps the leases of this number, as that of a running replica does. */
async function sessionOf(holder: number): Promise<pg.Client> {
  const session = new pg.Client({ connectionString: app.databaseUrl });
  await session.connect();
  await holdLeases(session, holder);
  sessions.push(session);
  return session;
}

const over = async (session: pg.Client) => {
  sessions.splice(sessions.indexOf(session), 1);
  await session.end();
  await app.until(`select not exists (select from pg_locks where locktype = 'advisory' and objsubid = 2
    and database = (select oid from pg_database where datname = current_database())) as ok`);
};

/** One event, leased by a replica with this number. */
async function givenLease(holder: number | null): Promise<{ readonly eventId: string; readonly leaseId: string }> {
  const eventId = await app.givenEvent(partnerId);
  const leaseId = randomUUID();
  expect((await claimDeliveries(app.deps.db, leaseId, 1, holder)).claimed).toMatchObject([{ eventId }]);
  return { eventId, leaseId };
}

/** Looks of another replica's loop, at these seconds of its own clock. */
async function look(...seconds: number[]): Promise<void> {
  const loop = freeLeasesLoop(app.deps);
  const began = Math.ceil(performance.now());
  const now = jest.spyOn(performance, 'now');
  try {
    for (const second of seconds) {
      now.mockReturnValue(began + second * 1_000);
      await loop.round(new AbortController().signal);
    }
  } finally {
    now.mockRestore();
  }
}

const leases = () =>
  app.query<{ lease_id: string | null; is_due: boolean }>(
    `select lease_id, due_at <= clock_now() as is_due from aggregates where partner_id = $1`,
    [partnerId],
  );

it('what a replica had claimed is due at once when its session has been gone for two seconds', async () => {
  const holder = newHolder();
  const session = await sessionOf(holder);
  const { leaseId } = await givenLease(holder);
  await over(session);
  await look(0, 1, 1.9);
  expect(await leases()).toEqual([{ lease_id: leaseId, is_due: false }]);
  await look(0, 1, 2);
  expect(await leases()).toEqual([{ lease_id: null, is_due: true }]);
});

it('nothing is freed while the session lasts: of a frozen process only time ends the leases', async () => {
  const holder = newHolder();
  await sessionOf(holder);
  const { leaseId } = await givenLease(holder);
  await look(0, 20, 40);
  expect(await leases()).toEqual([{ lease_id: leaseId, is_due: false }]);
});

it('nothing is freed of a replica that had no session when it claimed', async () => {
  const { leaseId } = await givenLease(null);
  await look(0, 20, 40);
  expect(await leases()).toEqual([{ lease_id: leaseId, is_due: false }]);
});

it('nothing is freed if the session comes back meanwhile', async () => {
  const holder = newHolder();
  const { leaseId } = await givenLease(holder);
  const loop = freeLeasesLoop(app.deps);
  const began = Math.ceil(performance.now());
  const now = jest.spyOn(performance, 'now');
  const lookAt = async (second: number) => {
    now.mockReturnValue(began + second * 1_000);
    await loop.round(new AbortController().signal);
  };
  await lookAt(0);
  await lookAt(1.9);
  const session = await sessionOf(holder);
  await lookAt(2.1);
  expect(await leases()).toEqual([{ lease_id: leaseId, is_due: false }]);
  // Gone again: the two seconds begin anew.
  await over(session);
  await lookAt(3);
  await lookAt(4.9);
  now.mockRestore();
  expect(await leases()).toEqual([{ lease_id: leaseId, is_due: false }]);
});

it('a look that fails begins the two seconds anew', async () => {
  const holder = newHolder();
  const { leaseId } = await givenLease(holder);
  const loop = freeLeasesLoop(app.deps);
  const signal = new AbortController().signal;
  await loop.round(signal);
  const began = Math.ceil(performance.now());
  await app.deps.db.transaction(async (tx) => {
    // A look reads it, and waits for it for two seconds at most.
    await tx.execute(sql`lock table aggregates in access exclusive mode`);
    await expect(loop.round(signal)).rejects.toThrow();
  });
  const now = jest.spyOn(performance, 'now').mockReturnValue(began + 10_000);
  await loop.round(signal);
  now.mockRestore();
  expect(await leases()).toEqual([{ lease_id: leaseId, is_due: false }]);
});

it('a replica that runs on without its session records late, and decides nothing', async () => {
  let release: () => void = () => undefined;
  const slow = await startReceiver((_received, res) => {
    if (slow.received.length === 1) release = () => res.writeHead(400).end();
    else res.writeHead(200).end();
  });
  await app.givenEndpoints(partnerId, slow.url, 2);
  const holder = newHolder();
  app.startEngine({}, () => undefined, holder);
  const paymentId = randomUUID();
  const first = await app.givenEvent(partnerId, { paymentId, version: 1 });
  await slow.arrived(1);
  const second = await app.givenEvent(partnerId, { paymentId, version: 2, type: 'payment.failed' });
  app.startEngine();
  await look(0, 2);
  await app.until(`select status = 'DELIVERED' as ok from events where event_id = $1`, [second]);
  release();
  await app.until('select count(*) = 2 as ok from attempts where event_id = $1', [first]);
  expect(slow.received.map(({ headers }) => headers['x-service-event-id'])).toEqual([first, first, second]);
  expect(await app.query('select status from events where event_id = $1', [first])).toEqual([{ status: 'DELIVERED' }]);
  await slow.close();
});

it('the session of a replica keeps what it claims, and its end is the end of a process', async () => {
  const wakes = startWakes({ databaseUrl: app.databaseUrl, log: createLog('notifier', 'error'), onAnnounced: () => undefined }); // prettier-ignore
  expect(wakes.holder()).toBeNull();
  while (wakes.holder() === null) await setImmediate();
  const { leaseId } = await givenLease(wakes.holder());
  await look(0, 20);
  expect(await leases()).toEqual([{ lease_id: leaseId, is_due: false }]);
  await wakes.stop();
  expect(wakes.holder()).toBeNull();
  await app.until(`select not exists (select from pg_stat_activity where datname = current_database()
    and application_name = 'notifier-wakes') as ok`);
  await look(0, 20);
  expect(await leases()).toEqual([{ lease_id: null, is_due: true }]);
});
