import type { World } from '../world.ts';
import type { Order } from './traffic.ts';

/** Where all sides can be asked. */
export type Sides = {
  readonly world: Pick<World, 'receiver'>;
  /** Queries the system's database. */
  readonly query: <T extends object>(sql: string, values?: readonly unknown[]) => Promise<T[]>;
  /** Queries the bank's. */
  readonly queryBank: Sides['query'];
};

/** A comparison of what partner, rows, bank, ledger and callbacks say about the same orders. */
export type Comparison = {
  /** Orders answered with 201. */
  readonly accepted: number;
  /**
   * A sentence for each of them without its effect: no row, not paid though nobody declined, not booked, no callback.
   */
  readonly lost: readonly string[];
  /** A sentence for each effect that exists more than once. */
  readonly twice: readonly string[];
  /** What waits for a person: exceptions, dead letters, a refusal that no repeat resolves, an unbalanced ledger. */
  readonly person: readonly string[];
};

type Row = {
  readonly orderId: string;
  readonly paymentId: string;
  readonly status: string;
  readonly failure: string | null;
  readonly booked: number;
};

const ROWS = `select p.merchant_order_id as "orderId", p.payment_id as "paymentId", p.status, p.failure_code as failure,
    (select count(*)::int from payments.ledger_transactions l where l.kind = 'PAYMENT' and l.reference_id = p.payment_id) as booked
  from payments.payments p where p.merchant_order_id = any($1)`;

const MOVED = `select operation_id as id, count(*)::int as moved from sandbox_bank.history
  where operation_id = any($1) and event = 'MONEY_MOVED' group by operation_id`;

const WAITING = `select
    (select coalesce(sum(amount_kopecks), 0)::text from payments.ledger_entries) as ledger,
    (select count(*)::int from payments.exceptions where status = 'OPEN') as exceptions,
    (select count(*)::int from bindings.dead_letters where status = 'WAITING')
      + (select count(*)::int from notifier.dead_letters where status = 'WAITING') as "deadLetters"`;

/** What waits for a person, from any cause. */
export type Waiting = { readonly ledger: string; readonly exceptions: number; readonly deadLetters: number };

export async function waitingForPeople({ query }: { readonly query: (sql: string) => Promise<Waiting[]> }): Promise<Waiting> {
  const [waiting] = await query(WAITING);
  if (waiting === undefined) throw new Error('a select without a table has one row');
  return waiting;
}

/** `before`: what waited for people before these orders. `mayFail`: FAILED is acceptable if the bank took no money. */
type Rules = { readonly before: Waiting; readonly mayFail: boolean };

/** Compares the current state of all sides. */
export async function compare(system: Sides, orders: readonly Order[], { before, mayFail }: Rules): Promise<Comparison> {
  const { world, query, queryBank } = system;
  const rows = await query<Row>(ROWS, [orders.map(({ orderID }) => orderID)]);
  const ofOrder = Map.groupBy(rows, ({ orderId }) => orderId);
  const moved = new Map(
    (await queryBank<{ id: string; moved: number }>(MOVED, [rows.map(({ paymentId }) => paymentId)])).map((one) => [one.id, one.moved]),
  );
  const arrivals = Map.groupBy(world.receiver.arrivals, ({ orderId }) => orderId);
  const waiting = await waitingForPeople(system);
  const [lost, twice, person]: [string[], string[], string[]] = [[], [], []];
  for (const { orderID, paymentId, problem, buyerPays } of orders) {
    if (problem !== undefined) person.push(`${orderID}: the partner was told ${problem}`);
    const own = ofOrder.get(orderID) ?? [];
    if (paymentId !== undefined && own.every((row) => row.paymentId !== paymentId)) lost.push(`${orderID}: no row`);
    if (own.length > 1) twice.push(`${orderID}: ${String(own.length)} rows`);
    for (const row of own) {
      const atBank = moved.get(row.paymentId) ?? 0;
      const told = (arrivals.get(row.paymentId) ?? []).filter(({ signed }) => signed);
      const hasFailed = mayFail && row.status === 'FAILED' && atBank + row.booked === 0;
      if (!buyerPays) {
        if (row.status !== 'SUBMITTED' || row.booked + atBank > 0) lost.push(`${row.paymentId}: unpaid, ${row.status}`);
      } else if (row.status !== 'COMPLETED' && !hasFailed) lost.push(`${row.paymentId}: ${row.status} ${row.failure ?? ''}`);
      else if (!hasFailed && (row.booked === 0 || atBank === 0)) lost.push(`${row.paymentId}: COMPLETED without money`);
      else if (told.length === 0) lost.push(`${row.paymentId}: not told`);
      if (row.booked > 1 || atBank > 1) twice.push(`${row.paymentId}: booked ${String(row.booked)}, moved ${String(atBank)}`);
      // The same event may arrive again with the same bytes; a different one may not.
      if (new Set(told.map(({ bytes }) => bytes)).size > 1) twice.push(`${row.paymentId}: several events`);
    }
  }
  const [exceptions, deadLetters] = [waiting.exceptions - before.exceptions, waiting.deadLetters - before.deadLetters];
  if (waiting.ledger !== '0') person.push(`the ledger sums to ${waiting.ledger}`);
  if (exceptions > 0) person.push(`${String(exceptions)} exceptions are open`);
  if (deadLetters > 0) person.push(`${String(deadLetters)} dead letters`);
  return { accepted: orders.filter(({ paymentId }) => paymentId !== undefined).length, lost, twice, person };
}
