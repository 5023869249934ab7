import { randomUUID, randomUUIDv7 } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { partsOf } from '../../packages/shared/src/outbox/parts.ts';
import type { Db } from '../../packages/shared/src/postgres/db.ts';
import { claimDeliveries, storeAndClaim } from '../../services/notifier/src/db/claims.ts';
import { listEvents, type EventFilter } from '../../services/notifier/src/db/event-log.ts';
import { listPositions, newestPositions } from '../../services/notifier/src/db/event-stream.ts';
import { GAPS_MAX, listGaps } from '../../services/notifier/src/db/gaps.ts';
import { listAbsentHolders } from '../../services/notifier/src/db/holders.ts';
import { countDue, readDeliveryBuckets, readWaiting } from '../../services/notifier/src/db/overview.ts';
import { recordAttempts } from '../../services/notifier/src/db/record-attempts.ts';
import { eventLogSweepLoop } from '../../services/notifier/src/use-cases/sweep-event-log.ts';
import { PARTNERS, partnerOf } from './rows.ts';
import type { Work } from './payments.ts';

const DAY_MS = 86_400_000;
const LIMIT = 21;
/** As many as arrive together at a moderate rate. */
const EVENTS = 5;

/** What the notifier does. */
export function workOfNotifier(now: Date): readonly Work[] {
  const partnerId = partnerId3;
  const ago = (days: number) => new Date(now.getTime() - days * DAY_MS);
  const list = (name: string, filter: EventFilter): Work => ({
    name: `events are listed${name}`,
    once: (db) => listEvents(db, filter, undefined, LIMIT),
  });
  return [
    { name: 'store, claim and record', once: storeClaimAndRecord },
    { name: 'claim of nothing', once: (db) => claimDeliveries(db, randomUUID(), 256) },
    { name: 'look for gaps', once: (db) => listGaps(db, GAPS_MAX) },
    { name: 'look for leases of the dead', once: listAbsentHolders },
    { name: 'measure: due', once: countDue },
    { name: 'measure: waiting', once: readWaiting },
    list(' of a partner', { partnerId }),
    list(' of a partner and type', { partnerId, types: ['refund.failed'] }),
    list(' of a partner that wait', { partnerId, statuses: ['WAITING'] }),
    list(' of everybody that were refused', { statuses: ['REFUSED'] }),
    list(' of everybody', {}),
    {
      name: "the stream's newest positions",
      once: (db) =>
        newestPositions(
          db,
          Array.from({ length: PARTNERS }, (_none, place) => partnerOf(place)),
        ),
    },
    { name: 'a page of the stream', once: pageOfStream },
    { name: "the overview's buckets of a day", once: (db) => readDeliveryBuckets(db, { from: ago(1), to: now, bucketSeconds: 3_600 }) },
    { name: 'sweep of events', once: (db) => eventLogSweepLoop(db).round(new AbortController().signal) },
    {
      name: 'inbox of an hour, to compare',
      once: (db) => partsOf(db, { table: sql`inbox` }, { fromMs: now.getTime() - 3_600_000, toMs: now.getTime() }, 60_000),
    },
  ];
}

const partnerId3 = partnerOf(3);

/** Five events that arrive together, as far as nobody is called: stored, claimed, and recorded as delivered. */
async function storeClaimAndRecord(db: Db): Promise<void> {
  const leaseId = randomUUID();
  const events = Array.from({ length: EVENTS }, (_none, place) => ({
    eventId: randomUUIDv7(),
    type: 'payment.completed',
    partnerId: partnerOf(place),
    aggregateId: randomUUIDv7(),
    aggregateVersion: 1,
    body: Buffer.alloc(400, ' '),
    requestId: null,
    traceparent: null,
  }));
  const among = events.map(({ partnerId }) => partnerId);
  const { stored, claim } = await storeAndClaim(db, events, { leaseId, holder: null, room: 256, among });
  await stored;
  const { claimed, now: startedAt } = await claim;
  if (claimed.length !== EVENTS) throw new Error(`${String(claimed.length)} of ${String(EVENTS)} events were claimed`);
  await recordAttempts(
    db,
    claimed.map((event) => ({
      leaseId,
      event,
      keyIds: 'k1',
      startedAt,
      durationMs: 40,
      answer: { kind: 'answered', status: 200, retryAfterSeconds: null },
      excerpt: Buffer.alloc(0),
      decision: { outcome: 'DELIVERED', status: 'DELIVERED' },
    })),
  );
}

async function pageOfStream(db: Db): Promise<void> {
  const upTo = (await newestPositions(db, [partnerId3])).get(partnerId3) ?? 0n;
  await listPositions(db, partnerId3, { after: upTo - 500n, upTo }, 100);
}
