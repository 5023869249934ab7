import { randomBytes, randomUUID, randomUUIDv7 } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { recordStatement } from '../../packages/shared/src/idempotency/idempotency.ts';
import type { TimeRange } from '../../packages/shared/src/http/time-range.ts';
import { movePublishedWhileHeld, TAKE_LEASE } from '../../packages/shared/src/outbox/lease.ts';
import { publishedParts } from '../../packages/shared/src/outbox/published.ts';
import type { Db } from '../../packages/shared/src/postgres/db.ts';
import { inOneRoundTrip } from '../../packages/shared/src/postgres/fast/one-round-trip.ts';
import { inOneStatement } from '../../packages/shared/src/postgres/fast/one-statement.ts';
import { inPipeline } from '../../packages/shared/src/postgres/fast/pipeline.ts';
import { sweepLoop } from '../../packages/shared/src/service/sweep.ts';
import { insertRegister } from '../../services/payments/src/db/ledger/registers.ts';
import { listPointsWithRoutes } from '../../services/payments/src/db/merchant/point-acquiring-routes.ts';
import { countLateReads } from '../../services/payments/src/db/operator/measures.ts';
import { countFailures, readAccountShares, readPaymentBuckets } from '../../services/payments/src/db/operator/overview.ts';
import { readPaymentRecords, searchPayments, type PaymentFilter } from '../../services/payments/src/db/operator/payment-search.ts';
import { listCardPayments, listQrPayments, type CardListFilter } from '../../services/payments/src/db/payment/payment-lists.ts';
import {
  claimDuePayments,
  findPartnerPaymentAt,
  listRoutesWithDuePayments,
  paymentStatement,
  registrationStatement,
  type Payment,
} from '../../services/payments/src/db/payment/payments.ts';
import { listUncomparedPayments, listUncomparedRefunds } from '../../services/payments/src/db/reconciliation/our-operations.ts';
import { listReportLines } from '../../services/payments/src/db/reconciliation/partner-day.ts';
import { partnerOf, ROUTE } from './rows.ts';

/** Something that services do again and again, on the database of one side. */
export type Work = { readonly name: string; readonly once: (db: Db) => Promise<unknown> };

const DAY_MS = 86_400_000;
const LIMIT = 21;
const CARDS: CardListFilter = {
  partnerId: partnerOf(3),
  merchantOrderId: undefined,
  customerId: undefined,
  paymentPointId: undefined,
  from: undefined,
  to: undefined,
  status: undefined,
};
const ANY: PaymentFilter = {
  id: undefined,
  partnerId: undefined,
  paymentPointId: undefined,
  status: undefined,
  method: undefined,
  cardLastFour: undefined,
  amountKopecks: undefined,
  from: undefined,
  to: undefined,
};

/** The newest payment by card, which every list begins with. */
export async function newestPayment(db: Db): Promise<Payment> {
  const [newest] = await searchPayments(db, { ...ANY, method: 'CARD' }, undefined, 1);
  if (newest === undefined) throw new Error('no payment was made');
  return newest;
}

/** What payments does, with `newest` as an example of what it is asked for. */
export function workOfPayments(newest: Payment, now: Date): readonly Work[] {
  const partnerId = CARDS.partnerId;
  const ago = (days: number) => new Date(now.getTime() - days * DAY_MS);
  const day: TimeRange = { from: ago(1), to: now, bucketSeconds: 3_600 };
  const cards = (name: string, filter: Partial<CardListFilter>): Work => ({
    name: `a partner lists its card payments${name}`,
    once: (db) => listCardPayments(db, { ...CARDS, ...filter }, undefined, LIMIT),
  });
  const search = (name: string, filter: Partial<PaymentFilter>): Work => ({
    name: `an operator lists payments${name}`,
    once: (db) => searchPayments(db, { ...ANY, ...filter }, undefined, LIMIT),
  });
  const uncompared = {
    run: { routeId: ROUTE, day: ago(1).toISOString().slice(0, 10), runId: randomUUID() },
    from: ago(1),
    to: now,
    after: undefined,
  };
  return [
    { name: 'create', once: create },
    { name: 'status read', once: (db) => findPartnerPaymentAt(db, newest.partnerId, newest.paymentId) },
    cards('', {}),
    cards(' of a buyer', { customerId: newest.customerId }),
    cards(' of an order', { merchantOrderId: newest.merchantOrderId }),
    cards(' of a point', { paymentPointId: 'cards-3' }),
    cards(' of a day', { from: ago(2), to: ago(1) }),
    cards(' that are cancelled', { status: 'CANCELLED' }),
    cards(' that are pending', { status: 'PENDING' }),
    {
      name: "a point's QR history",
      once: (db) =>
        listQrPayments(db, { partnerId, paymentPointId: 'qr-3', from: undefined, to: undefined, status: undefined }, undefined, LIMIT),
    },
    search('', {}),
    search(' by the id of an order', { id: newest.merchantOrderId }),
    search(' by the beginning of an id', { id: newest.paymentId.slice(0, 18) }),
    search(' of a partner', { partnerId }),
    search(' of a partner by SBP', { partnerId, method: 'SBP_DYNAMIC_QR' }),
    search(' that are pending', { status: 'PENDING' }),
    search(" by a card's last four", { cardLastFour: newest.cardMask?.slice(-4) }),
    search(' by an amount nobody paid', { amountKopecks: 7n }),
    { name: 'all records of a payment', once: (db) => readPaymentRecords(db, newest.paymentId) },
    { name: "the overview's buckets of a day", once: (db) => readPaymentBuckets(db, day) },
    { name: "the overview's failures of a day", once: (db) => countFailures(db, day) },
    { name: "the overview's balances", once: readAccountShares },
    { name: "a partner's report of a day", once: (db) => listReportLines(db, { partnerId, from: ago(1), to: now }, undefined, 500) },
    { name: "reconciliation: a day's payments", once: (db) => listUncomparedPayments(db, uncompared, 500) },
    { name: "reconciliation: a day's refunds", once: (db) => listUncomparedRefunds(db, uncompared, 500) },
    { name: 'who has payments due', once: listRoutesWithDuePayments },
    { name: 'claim of due payments', once: (db) => undone(db, (tx) => claimDuePayments(tx, ROUTE, 20)) },
    { name: 'measure: late reads', once: countLateReads },
    {
      name: "close a partner's day",
      once: (db) => undone(db, (tx) => insertRegister(tx, randomUUIDv7(), { partnerId, day: now.toISOString().slice(0, 10) })),
    },
    { name: 'commit five facts, and move them to those that were published', once: relay },
    { name: 'sweep of inbox and keys', once: (db) => sweepLoop(db, false).round(new AbortController().signal) },
    {
      name: 'facts of an hour, for a consumer that compares',
      once: (db) => publishedParts(db, ['payment.completed'], { fromMs: now.getTime() - 3_600_000, toMs: now.getTime() }, 60_000),
    },
  ];
}

/** The statements of a create, in the order in which they are sent. */
async function create(db: Db): Promise<void> {
  const partnerId = CARDS.partnerId;
  const [paymentId, key] = [randomUUIDv7(), randomUUID()];
  const points = await listPointsWithRoutes(db, partnerId, 'CARD');
  const [point] = points;
  if (point === undefined) throw new Error('the partner has no point');
  const request = { partnerId, key, operation: 'POST /api/card', bodySha256: randomBytes(32).toString('hex') };
  await inPipeline(db, (tx) => [
    recordStatement(tx, request, { objectId: paymentId, status: 201 }),
    paymentStatement(tx, {
      paymentId,
      partnerId,
      paymentPointId: point.paymentPointId,
      routeId: ROUTE,
      method: 'CARD',
      merchantOrderId: `order-${key}`,
      amountKopecks: 10_000n,
      description: 'Coffee',
      customerId: `buyer-${key}`,
      feeBasisPoints: 250,
      status: 'CREATED',
      checkoutToken: randomBytes(32).toString('base64url'),
      expiresAt: new Date(point.now.getTime() + 3_600_000),
      leaseNumber: 1,
    }),
  ]);
  await inOneStatement(db, (writer) => registrationStatement(writer, { paymentId, leaseNumber: 1, bankOperationId: `bank-${key}` }));
}

const RELAY = randomUUID();

/** Five facts that are committed and, as if the broker had confirmed them, moved. */
async function relay(db: Db): Promise<void> {
  const [held, written] = await inOneRoundTrip<{ fence?: string; position?: string }>(db, [
    { text: TAKE_LEASE, values: [RELAY] },
    sql`insert into outbox (message_id, type, aggregate_id, payload, occurred_at)
      select gen_random_uuid(), 'payment.completed', n::text, '{}', clock_now() from generate_series(1, 5) as n returning position`,
  ]);
  const positions = written?.map(({ position }) => position ?? '') ?? [];
  const [moved] = await inOneRoundTrip(db, [movePublishedWhileHeld(positions, held?.[0]?.fence ?? '')]);
  if (moved?.length !== 1) throw new Error('the lease of the relay is lost');
}

class Undone extends Error {}

/** Does `work` in a transaction that is rolled back: the next time it finds the same. */
async function undone(db: Db, work: (tx: Parameters<Parameters<Db['transaction']>[0]>[0]) => Promise<unknown>): Promise<void> {
  try {
    await db.transaction(async (tx) => {
      await work(tx);
      throw new Undone();
    });
  } catch (error) {
    if (!(error instanceof Undone)) throw error;
  }
}
