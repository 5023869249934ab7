import type { Load } from './load.ts';
import type { Recovery } from './recover.ts';
import type { DrillSystem } from './system.ts';

/** What the bank and our books say about one order's money, in kopecks: taken less given back. */
type Money = { readonly id: string; readonly kept: string };

const AT_BANK = `select coalesce(original_operation_id, operation_id) as id,
    sum(case when kind = 'REFUND' then -amount_kopecks else amount_kopecks end)::text as kept
  from sandbox_bank.operations where status = 'APPROVED' group by 1`;

/** Payments that are booked, less their refunds; money of unknown orders that is still here. */
const IN_BOOKS = `select p.payment_id as id, (p.amount_kopecks - p.refunded_kopecks)::text as kept
    from payments.payments p where p.status in ('COMPLETED', 'REFUNDED')
  union all
  select r.payment_id, sum(case when r.status = 'COMPLETED' then 0 else r.amount_kopecks end)::text
    from payments.money_returns r where r.why = 'UNKNOWN_ORDER' group by 1`;

const BOOKED_TWICE = `select reference_id as id from payments.ledger_transactions group by kind, reference_id having count(*) > 1`;

const WAITING = `select
    (select coalesce(sum(amount_kopecks), 0)::text from payments.ledger_entries) as ledger,
    (select coalesce(sum(amount_kopecks), 0)::text from payments.ledger_entries where account = 'SUSPENSE') as suspense,
    (select count(*)::int from payments.exceptions where status = 'OPEN') as exceptions,
    (select count(*)::int from bindings.dead_letters where status = 'WAITING')
      + (select count(*)::int from notifier.dead_letters where status = 'WAITING')
      + (select count(*)::int from withdrawals.dead_letters where status = 'WAITING') as "deadLetters"`;

/** A sentence for everything that is not as it must be; none if the drill held. */
export async function findWrongs(system: DrillSystem, load: Load, recovery: Recovery): Promise<string[]> {
  const { query, queryBank, world } = system;
  const [bank, books] = [await queryBank<Money>(AT_BANK), await query<Money>(IN_BOOKS)];
  const ours = new Map(books.map(({ id, kept }) => [id, kept]));
  const wrongs: string[] = [];
  for (const { id, kept } of bank)
    if (ours.get(id) !== kept) wrongs.push(`${id}: the bank kept ${kept} kopecks, our books ${ours.get(id) ?? 'none'}`);
  const theirs = new Set(bank.map(({ id }) => id));
  for (const { id, kept } of books) if (!theirs.has(id)) wrongs.push(`${id}: our books have ${kept} kopecks, the bank nothing`);
  for (const { id } of await query<{ id: string }>(BOOKED_TWICE)) wrongs.push(`${id}: booked twice`);
  for (const { paymentId, paidAt } of load.orders)
    if (paymentId !== undefined && paidAt !== undefined && !ours.has(paymentId)) wrongs.push(`${paymentId}: paid and gone`);
  if (!/^0\.00(?:, 0\.00)*$/.test(recovery.differenceAfter))
    wrongs.push(`the register and our books still differ by ${recovery.differenceAfter}`);
  const [waiting] = await query<{ ledger: string; suspense: string; exceptions: number; deadLetters: number }>(WAITING);
  const { ledger, suspense, exceptions, deadLetters } = waiting ?? {
    ledger: '?',
    suspense: '?',
    exceptions: -1,
    deadLetters: -1,
  };
  if (ledger !== '0') wrongs.push(`the ledger sums to ${ledger}`);
  if (suspense !== '0') wrongs.push(`${suspense} kopecks are in suspense`);
  if (exceptions !== 0) wrongs.push(`${String(exceptions)} exceptions are open`);
  if (deadLetters !== 0) wrongs.push(`${String(deadLetters)} dead letters`);
  return [...wrongs, ...(await findUntold(world, query))];
}

/** Events without their callback, and events that arrived with different bytes. What a partner did not enable is not sent. */
async function findUntold(world: DrillSystem['world'], query: DrillSystem['query']): Promise<string[]> {
  const sql = `select event_id as id, status from notifier.events where status <> 'NOT_CONFIGURED'`;
  const events = await query<{ id: string; status: string }>(sql);
  const arrived = Map.groupBy(world.receiver.arrivals, ({ eventId }) => eventId);
  return events.flatMap(({ id, status }) => {
    const bytes = new Set((arrived.get(id) ?? []).map((arrival) => arrival.bytes));
    if (status !== 'DELIVERED') return [`event ${id} is ${status}`];
    return bytes.size > 1 ? [`event ${id} arrived in ${String(bytes.size)} versions`] : [];
  });
}
