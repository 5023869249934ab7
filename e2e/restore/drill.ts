import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { ApiError } from '../../packages/sdk/src/errors.ts';
import { ROOT } from '../../tools/infrastructure/folders.ts';
import { untilPromoted } from './backup.ts';
import { findWrongs } from './compare.ts';
import { givenBindings, startLoad, type Load } from './load.ts';
import { beginPayouts, enterTransfers, isReferenceTaken, transferAll, type Transfer } from './payouts.ts';
import { recover, type Recovery } from './recover.ts';
import type { Measured, Row } from './report.ts';
import { BEHIND, OPEN_TO_PARTNERS, type DrillSystem } from './system.ts';

type Say = (line: string) => void;

/** Load before the moment that is restored to. */
const BEFORE_MS = 15_000;
/** From the fault until somebody notices it and stops everything. */
const UNNOTICED_MS = 30_000;
/** Longest wait for every callback. */
const TOLD_WITHIN_MS = 60_000;

/** An administrator deletes half of the ledger by hand, past its triggers. Payments go on, so nobody notices at once. */
const FAULT = `set session_replication_role = replica; delete from payments.ledger_entries where position % 2 = 0`;

/**
 * The drill: load, a fault by hand, a restore to the second before it, and what the runbook says until bank and books
 * agree and partners are let in again. Whatever is not as it must be is in `wrongs`.
 */
export async function runDrill(system: DrillSystem, say: Say): Promise<Measured> {
  const { query, backup } = system;
  const bindings = await givenBindings(system);
  const payouts = await beginPayouts(system);
  const load = startLoad(system, bindings);
  const begin = performance.now();
  const bytes = await backup.full();
  const backupSeconds = (performance.now() - begin) / 1_000;
  say(`full backup under load: ${backupSeconds.toFixed(1)} s`);
  await wait(BEFORE_MS);
  const [moment] = await query<{ text: string; ms: number }>(`select now()::text as text, extract(epoch from now())::float8 * 1000 as ms`);
  if (moment === undefined) throw new Error('a select without a table has one row');
  await wait(1_000);
  await query(FAULT);
  const faultAt = Date.now();
  say(`half of the ledger deleted; restored later to ${moment.text}`);
  const transfers = await transferAll(system, payouts);
  await wait(Math.max(0, faultAt + UNNOTICED_MS - Date.now()));
  const [archived] = await query<{ age: number }>(
    `select extract(epoch from now() - last_archived_time)::float8 as age from pg_stat_archiver`,
  );
  await system.stop([...OPEN_TO_PARTNERS, ...BEHIND]);
  const stoppedAt = Date.now();
  await load.end();
  await restore(system, moment.text);
  const restoredAt = Date.now();
  say(`restored in ${String((restoredAt - stoppedAt) / 1_000)} s`);
  const rows = await countLost(system, load, moment.ms);
  await system.start(BEHIND);
  const readyAt = Date.now();
  const days = [...new Set([moment.ms, readyAt].map((ms) => new Date(ms).toISOString().slice(0, 10)))];
  const recovery = await recover(system, load, days);
  const recoveredAt = Date.now();
  say(`bank and books differed by ${recovery.differenceBefore}, and now by ${recovery.differenceAfter}`);
  await system.start(OPEN_TO_PARTNERS);
  await system.world.create();
  const firstAt = Date.now();
  say(`first 201 ${String((firstAt - stoppedAt) / 1_000)} s after the stop`);
  const times = { faultAt, stoppedAt, restoredAt, readyAt, recoveredAt, firstAt };
  const payoutRow = await comparePayouts(system, transfers);
  const wrongs = [...payoutRow.wrongs, ...(await repeatLost(system, load, recovery))];
  await untilTold(system);
  wrongs.push(...(await findWrongs(system, load, recovery)));
  const all = [...outcomesOf(rows, recovery, load), payoutRow.row];
  for (const { what, missing } of all) if (missing > 0) wrongs.push(`${String(missing)} ${what} from before the moment are missing`);
  const made = { seconds: backupSeconds, bytes };
  return { backup: made, ...times, unarchivedSeconds: archived?.age ?? 0, rows: all, wrongs };
}

/** The database as it was, and a broker that knows nothing: what it holds is of the time that is no more. */
async function restore({ backup, infrastructure, query }: DrillSystem, moment: string): Promise<void> {
  const database = async () => {
    await backup.stopServer();
    await backup.restoreTo(moment);
    await infrastructure.restart('database');
    await untilPromoted(infrastructure.databaseUrl);
    await query(readFileSync(join(ROOT, 'deploy/backup/after-restore.sql'), 'utf8'));
  };
  const broker = async () => {
    for (const step of ['stop_app', 'reset', 'start_app']) await infrastructure.rabbitControl(step);
  };
  await Promise.all([database(), broker()]);
}

type Counted = Omit<Row, 'after'>;

/** Compares what was answered with the restored database, before anything runs on it. */
async function countLost({ query }: DrillSystem, load: Load, momentMs: number): Promise<Counted[]> {
  const known = new Set(
    (await query<{ id: string }>('select payment_id as id from payments.payments union all select refund_id from payments.refunds')).map(
      ({ id }) => id,
    ),
  );
  const created = new Map(load.orders.map(({ paymentId, createdAt }) => [paymentId, createdAt]));
  const count = (what: string, ids: readonly string[]): Counted => {
    const gone = ids.filter((id) => !known.has(id));
    const isBefore = (id: string) => performance.timeOrigin + (created.get(id) ?? Infinity) < momentMs;
    const missing = gone.filter(isBefore).length;
    return { what, done: ids.length, missing, lost: gone.length - missing };
  };
  const payments = load.orders.flatMap(({ paymentId, createdAt }) =>
    paymentId === undefined || createdAt === undefined ? [] : [paymentId],
  );
  return [
    count('payments', payments),
    count('refunds', [...load.refunds.keys()]),
    count('charges of saved cards', [...load.charges.keys()]),
  ];
}

function outcomesOf(rows: readonly Counted[], { bookedPayments, bookedRefunds, returned }: Recovery, load: Load): Row[] {
  const charges = returned.filter((id) => load.charges.has(id)).length;
  const after = [
    `${String(bookedPayments.length)} booked, ${String(returned.length - charges)} returned, the others were never paid`,
    `${String(bookedRefunds.length)} booked, the others returned with their payments`,
    `${String(charges)} returned`,
  ];
  return rows.map((row, index) => ({ ...row, after: after[index] ?? '' }));
}

/** The treasury's transfers are entered, none is made twice, and no reference serves twice. */
async function comparePayouts(system: DrillSystem, transfers: readonly Transfer[]) {
  const payable = await enterTransfers(system, transfers);
  const wrongs: string[] = [];
  const { items } = await system.operator('ivan', 'withdrawals', 'list', '--status', 'COMPLETED', '--limit', '100');
  const entered = (items as { transferReference?: string }[]).map(({ transferReference }) => transferReference);
  for (const { reference } of transfers)
    if (entered.filter((one) => one === reference).length !== 1) wrongs.push(`the transfer ${reference} is not entered once`);
  const [first] = transfers;
  if (first === undefined || !(await isReferenceTaken(system, first))) wrongs.push('a transfer paid for two requests');
  const shown = payable.filter((id) => transfers.some(({ requestId }) => requestId === id)).length;
  const after = `${String(shown)} showed as payable again, 1 as requested, 1 was gone; all entered with the transfers that they had`;
  return { wrongs, row: { what: 'payouts transferred', done: transfers.length, missing: 0, lost: transfers.length, after } };
}

/** A partner repeats lost orders with their keys: a booked one is a duplicate, a returned one is a new payment. */
async function repeatLost({ world }: DrillSystem, load: Load, recovery: Recovery): Promise<string[]> {
  const repeat = (id: string | undefined) => {
    const order = load.orders.find(({ paymentId }) => paymentId === id);
    if (order === undefined) return Promise.resolve('not tried');
    const wish = { ...world.order(), orderID: order.orderID };
    return world.client.createCardPayment(wish, { idempotencyKey: `key-of-${order.orderID}` }).then(
      (created) => (created.id === id ? 'the old payment' : 'a new payment'),
      (error: unknown) => (error instanceof ApiError ? error.code : String(error)),
    );
  };
  const returned = recovery.returned.find((id) => !load.charges.has(id));
  const said = [await repeat(recovery.bookedPayments[0]), await repeat(returned)];
  return said.join() === 'DUPLICATE_ORDER,a new payment' ? [] : [`repeated orders: ${said.join(', ')}`];
}

/** Waits until every callback was accepted; what was not in time is found afterwards. */
async function untilTold({ query }: DrillSystem): Promise<void> {
  const open = `select from notifier.events where status = 'WAITING' union all select from payments.outbox
    union all select from withdrawals.outbox union all select from bindings.outbox`;
  const end = performance.now() + TOLD_WITHIN_MS;
  while (performance.now() < end && (await query(open)).length > 0) await wait(200);
}
