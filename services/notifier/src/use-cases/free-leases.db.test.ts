import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, jest } from '@jest/globals';
import { sql } from 'drizzle-orm';
import pg from 'pg';
import { createLog } from '@pay/shared/logging/logger.ts';
import { inTransaction } from '@pay/shared/postgres/transaction.ts';
import { startTestApp, type TestApp } from '../../test/app.ts';
import { startReceiver, withStatus, type Receiver } from '../../test/receiver.ts';
import { claimDeliveries, releaseLeases } from '../db/claims.ts';
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

/** A replica that looks, at any second of its own clock. */
function looker(own = newHolder()): (second: number) => Promise<void> {
  const loop = freeLeasesLoop({ ...app.deps, own });
  const began = Math.ceil(performance.now());
  return async (second) => {
    const now = jest.spyOn(performance, 'now').mockReturnValue(began + second * 1_000);
    try {
      await loop.round(new AbortController().signal);
    } finally {
      now.mockRestore();
    }
  };
}

/** Looks of another replica, at these seconds of its own clock. */
async function look(...seconds: number[]): Promise<void> {
  const lookAt = looker();
  for (const second of seconds) await lookAt(second);
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
  await look(0, 1, 2, 3);
  expect(await leases()).toEqual([{ lease_id: leaseId, is_due: false }]);
});

it('nothing is freed of a replica that had no session when it claimed', async () => {
  const { leaseId } = await givenLease(null);
  await look(0, 1, 2, 3);
  expect(await leases()).toEqual([{ lease_id: leaseId, is_due: false }]);
});

it('nothing is freed if the session comes back meanwhile', async () => {
  const holder = newHolder();
  const { leaseId } = await givenLease(holder);
  const lookAt = looker();
  await lookAt(0);
  await lookAt(1);
  const session = await sessionOf(holder);
  await lookAt(2);
  expect(await leases()).toEqual([{ lease_id: leaseId, is_due: false }]);
  // Gone again: the two seconds begin anew.
  await over(session);
  await lookAt(3);
  await lookAt(4);
  await lookAt(4.9);
  expect(await leases()).toEqual([{ lease_id: leaseId, is_due: false }]);
});

it('a look that fails begins the two seconds anew', async () => {
  const holder = newHolder();
  const { leaseId } = await givenLease(holder);
  const lookAt = looker();
  await lookAt(0);
  await lookAt(1);
  await app.deps.db.transaction(async (tx) => {
    // A look reads it, and waits for it for two seconds at most.
    await tx.execute(sql`lock table aggregates in access exclusive mode`);
    await expect(lookAt(1.9)).rejects.toThrow();
  });
  await lookAt(2);
  expect(await leases()).toEqual([{ lease_id: leaseId, is_due: false }]);
});

it('looks that are too far apart begin the two seconds anew: a session may have come and gone between them', async () => {
  const { leaseId } = await givenLease(newHolder());
  await look(0, 1, 2.6, 4.2);
  expect(await leases()).toEqual([{ lease_id: leaseId, is_due: false }]);
});

it('what a replica claims after its absence was seen is not freed: it runs, and does not know that its session is gone', async () => {
  const holder = newHolder();
  await givenLease(holder);
  const lookAt = looker();
  await lookAt(0);
  const { leaseId } = await givenLease(holder);
  await lookAt(1);
  await lookAt(2);
  await lookAt(3);
  expect((await leases()).toSorted((one, other) => Number(one.is_due) - Number(other.is_due))).toEqual([
    { lease_id: leaseId, is_due: false },
    { lease_id: null, is_due: true },
  ]);
});

it('a replica frees nothing of its own', async () => {
  const holder = newHolder();
  const { leaseId } = await givenLease(holder);
  const lookAt = looker(holder);
  for (const second of [0, 1, 2, 3]) await lookAt(second);
  expect(await leases()).toEqual([{ lease_id: leaseId, is_due: false }]);
});

it.each(['recorded', 'given back'])('the number goes with a lease that is %s: the release before claims without one', async (how) => {
  if (how === 'recorded') {
    app.startEngine({}, () => undefined, 42);
    await app.givenEvent(partnerId);
    await app.until(`select count(*) = 1 as ok from events where partner_id = $1 and status = 'DELIVERED'`, [partnerId]);
    await app.stopEngines();
  } else {
    const { leaseId } = await givenLease(42);
    const aggregateIds = (
      await app.query<{ id: string }>('select aggregate_id as id from aggregates where partner_id = $1', [partnerId])
    ).map(({ id }) => id);
    await inTransaction(app.deps.db, (tx) => releaseLeases(tx, leaseId, aggregateIds));
  }
  const leaseId = randomUUID();
  await app.query(
    `update aggregates set lease_id = $1, due_at = clock_now() + interval '30 s',
        leased_until = clock_timestamp() + interval '30 s' where partner_id = $2`,
    [leaseId, partnerId],
  );
  await look(0, 1, 2, 3);
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
  await look(0, 1, 2);
  await app.until(`select status = 'DELIVERED' as ok from events where event_id = $1`, [second]);
  release();
  await app.until('select count(*) = 2 as ok from attempts where event_id = $1', [first]);
  expect(slow.received.map(({ headers }) => headers['x-service-event-id'])).toEqual([first, first, second]);
  expect(await app.query('select status from events where event_id = $1', [first])).toEqual([{ status: 'DELIVERED' }]);
  await slow.close();
});

it('the session of a replica keeps what it claims, and its end is the end of a process', async () => {
  const wakes = startWakes({
    databaseUrl: app.databaseUrl,
    log: createLog('notifier', 'error'),
    onAnnounced: () => undefined,
    onStored: () => undefined,
  });
  expect(wakes.holder()).toBeNull();
  while (wakes.holder() === null) await wait(5);
  const { leaseId } = await givenLease(wakes.holder());
  await look(0, 1, 2);
  expect(await leases()).toEqual([{ lease_id: leaseId, is_due: false }]);
  await wakes.stop();
  expect(wakes.holder()).toBeNull();
  await app.until(`select not exists (select from pg_stat_activity where datname = current_database()
    and application_name = 'notifier-wakes') as ok`);
  await look(0, 1, 2);
  expect(await leases()).toEqual([{ lease_id: null, is_due: true }]);
});
