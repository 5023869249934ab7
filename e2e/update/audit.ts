import { z } from 'zod';
import { waitingForPeople, type Waiting } from '../faults/compare.ts';
import { until, type World } from '../world.ts';
import type { Load, Promised } from './load.ts';

/** What a run found about all that was promised. */
export type Audit = {
  /** Each with a sentence: not there, not paid, not booked, not moved at the bank, without its event, without its refund. */
  readonly lost: readonly Finding[];
  /** Each with a sentence: booked or moved twice, several events, an event that arrived twice. */
  readonly duplicated: readonly Finding[];
  /** A sentence for what concerns no single payment: the ledger, exceptions, dead letters, the stream. */
  readonly odd: readonly string[];
};
type Finding = { readonly startedAt: number; readonly sentence: string };

type Row = {
  readonly id: string;
  readonly status: string;
  readonly booked: number;
  readonly moved: number;
};

/** The same for payments and refunds: what happened to them here, in the ledger and at the bank. */
const rowsOf = (table: 'payments' | 'refunds', id: string, kind: string) => `
  select p.${id} as id, p.status,
    (select count(*)::int from payments.ledger_transactions l where l.kind = '${kind}' and l.reference_id = p.${id}) as booked,
    (select count(*)::int from sandbox_bank.history h where h.operation_id = p.${id} and h.event = 'MONEY_MOVED') as moved
  from payments.${table} p where p.${id} = any($1)`;

const UNBALANCED = `select count(*)::int as count from (
  select from payments.ledger_entries group by ledger_transaction_id having sum(amount_kopecks) <> 0) as one`;

const Refunded = z.object({ data: z.object({ refundId: z.string() }) });

/** What was before the load, to be compared afterwards: what waits for people, and how many callbacks had arrived. */
export type Before = Waiting & { readonly arrived: number };

export const auditBefore = async (world: World): Promise<Before> => ({
  ...(await waitingFor(world)),
  arrived: world.receiver.arrivals.length,
});

const waitingFor = (world: World) => waitingForPeople({ query: (sql) => world.query<Waiting>(sql) });

/** Waits until every event has arrived that was promised, then compares all sides. */
export async function audit(world: World, { promised, streamed }: Load, before: Before): Promise<Audit> {
  const paid = promised.filter(({ isPaid }) => isPaid === true);
  const unanswered = promised.filter(({ isUnanswered }) => isUnanswered === true);
  const refunds = promised.filter(({ refundId }) => refundId !== undefined);
  await until('every event', () => {
    const told = eventsBy(world, 'payment.completed');
    const refunded = eventsBy(world, 'refund.completed');
    const isTold = paid.every(({ paymentId = '' }) => told.has(paymentId));
    return isTold && refunds.every(({ refundId = '' }) => refunded.has(refundId)) ? true : undefined;
  }).catch(() => undefined);
  const idsOf = (of: (promise: Promised) => string | undefined) => promised.flatMap((one) => of(one) ?? []);
  const payments = await world.query<Row>(rowsOf('payments', 'payment_id', 'PAYMENT'), [idsOf((one) => one.paymentId)]);
  const backs = await world.query<Row>(rowsOf('refunds', 'refund_id', 'REFUND'), [idsOf((one) => one.refundId)]);
  const told = eventsBy(world, 'payment.completed');
  const refunded = eventsBy(world, 'refund.completed');

  const [lost, duplicated]: [Finding[], Finding[]] = [[], []];
  const look = ({ startedAt, isUnanswered }: Promised, id: string, rows: readonly Row[], events: readonly string[] = []) => {
    const lose = (sentence: string) => lost.push({ startedAt, sentence: `${id}: ${sentence}` });
    const repeat = (sentence: string) => duplicated.push({ startedAt, sentence: `${id}: ${sentence}` });
    const row = rows.find((one) => one.id === id);
    if (row === undefined) return void lose('no row');
    if (isUnanswered === true && row.status === 'FAILED' && row.booked === 0 && row.moved === 0) return;
    if (row.status !== 'COMPLETED') lose(row.status);
    else if (row.booked === 0 || row.moved === 0) lose(`booked ${String(row.booked)}, moved ${String(row.moved)}`);
    else if (events.length === 0) lose('no event');
    if (row.booked > 1 || row.moved > 1) repeat(`booked ${String(row.booked)}, moved ${String(row.moved)}`);
    if (new Set(events).size > 1) repeat('several events');
    else if (events.length > 1) repeat(`its event arrived ${String(events.length)} times`);
  };
  for (const promise of [...paid, ...unanswered]) look(promise, promise.paymentId ?? '', payments, told.get(promise.paymentId ?? ''));
  for (const promise of refunds) look(promise, promise.refundId ?? '', backs, refunded.get(promise.refundId ?? ''));

  return { lost, duplicated, odd: await oddities(world, streamed, before) };
}

/** The ids of the verified events of a type as they arrived, by payment or by refund. */
function eventsBy({ receiver }: World, type: string): Map<string, string[]> {
  const events = new Map<string, string[]>();
  for (const { eventId, orderId, bytes, signed, ...arrival } of receiver.arrivals) {
    if (!signed || arrival.type !== type) continue;
    const id = type.startsWith('refund.') ? Refunded.parse(JSON.parse(bytes)).data.refundId : orderId;
    events.set(id, [...(events.get(id) ?? []), eventId]);
  }
  return events;
}

async function oddities(world: World, streamed: Load['streamed'], before: Before): Promise<string[]> {
  const now = await waitingFor(world);
  const [unbalanced] = await world.query<{ count: number }>(UNBALANCED);
  const unsigned = world.receiver.arrivals.filter(({ signed }) => !signed).length;
  const arrived = new Set(world.receiver.arrivals.slice(before.arrived).map(({ eventId }) => eventId));
  const unstreamed = streamed === undefined ? 0 : [...arrived].filter((eventId) => !streamed.includes(eventId)).length;
  const streamedAgain = streamed === undefined ? 0 : streamed.length - new Set(streamed).size;
  const counted: readonly (readonly [number, string])[] = [
    [unbalanced?.count ?? 0, 'ledger transactions are not balanced'],
    [now.exceptions - before.exceptions, 'exceptions are open'],
    [now.deadLetters - before.deadLetters, 'dead letters wait'],
    [unsigned, 'callbacks were not signed by our secret'],
    [unstreamed, 'events are missing in the stream'],
    [streamedAgain, 'events came twice in the stream'],
  ];
  return [
    ...(now.ledger === '0' ? [] : [`the ledger sums to ${now.ledger}`]),
    ...counted.flatMap(([count, what]) => (count > 0 ? [`${String(count)} ${what}`] : [])),
  ];
}
