// `npm run test:cells`: two HAProxies with `deploy/cells` in front of two whole systems. A partner is moved from one to the other while it
// and another one call; the move is killed at each of its steps and run again, and one proxy is lost before the switch. Ends with status 1
// if anything is not as promised.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { isRefusal } from '../../tools/system/partner.ts';
import { endIfMissing, obtainProgram } from '../../tools/infrastructure/obtain-program.ts';
import { LOCAL, ROOT } from '../../tools/infrastructure/folders.ts';
import { undoAll, type Undo } from '../restore/system.ts';
import { CARDS, until } from '../world.ts';
import { ApiError } from '../../packages/sdk/src/errors.ts';
import { clientAt, differences, keepCalling, listen, makeHistory, readAll, repeatAll, revokeAt } from './partner.ts';
import { checkProxy, startProxy } from './proxy.ts';
import { startFirstCell, startSecondCell, writeSettings, type CellSystem } from './systems.ts';

export type Check = (what: string, isTrue: boolean, more?: string) => void;

const say = (line: string) => {
  process.stdout.write(`${line}\n`);
};
const check: Check = (what, isTrue, more = '') => {
  say(`${isTrue ? 'ok' : 'FAILED'}  ${what}${isTrue || more === '' ? '' : `: ${more}`}`);
  if (!isTrue) process.exitCode = 1;
};

/** The lines at which the move is killed, in order, before and after it has drained the old cell; each time it is run again. */
const KILLED_BEFORE = ['checked', 'held'];
const KILLED_BEFORE_SWITCH = ['compared: .* payments', 'compared: .* gateway', 'copied: '];

const LEDGERS = `select (select coalesce(sum(amount_kopecks), 0) from payments.ledger_entries)::text as rub,
  (select coalesce(sum(amount_micro_usdt), 0) from withdrawals.ledger_entries)::text as usdt,
  (select count(*)::int from payments.ledger_balances b join (select account, owner, sum(amount_kopecks) as kopecks
     from payments.ledger_entries group by 1, 2) e using (account, owner)
   group by account, owner, e.kopecks having sum(b.balance_kopecks) <> e.kopecks limit 1) as wrong`;
const OWED = `select coalesce(sum(balance_kopecks), 0)::text as kopecks from payments.ledger_balances where account = 'PARTNER_PAYABLE' and owner = $1`;

/** Runs the move; kills it at a line. Returns what it printed, and whether it ended by itself with success. */
async function move(settings: string, partner: string, killedAt?: string, ...more: readonly string[]) {
  const child = spawn(process.execPath, [join(ROOT, 'tools/cells/move/main.ts'), '--settings', settings, '--partner', partner, ...more], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const lines: string[] = [];
  const ended = once(child, 'exit');
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on('line', (line) => {
      lines.push(line);
      say(`    ${line}`);
      if (killedAt !== undefined && new RegExp(`^${killedAt}`).test(line)) child.kill('SIGKILL');
    });
  }
  const [status, signal] = (await ended) as [number | null, string | null];
  return { lines, isDone: status === 0, isKilled: signal === 'SIGKILL' };
}

async function drill(folder: string, undo: Undo[]): Promise<void> {
  await checkProxy(join(folder, 'echo'), check, undo);
  const log = (line: string) => {
    say(`  ${line}`);
  };
  const from = await startFirstCell({ folder: join(folder, 'one'), log, undo });
  const to = await startSecondCell({ folder: join(folder, 'two'), log, undo }, from.world.system.state());
  const urlOf = ({ world }: CellSystem) => world.system.addresses.baseUrl;
  const { baseUrl, proxy } = await startProxy(join(folder, 'proxy'), [urlOf(from), urlOf(to)], undo);
  const startSecondProxy = () => startProxy(join(folder, 'proxy-2'), [urlOf(from), urlOf(to)], undo);
  const second = await startSecondProxy();
  const settings = join(folder, 'move.json');
  writeSettings(settings, { from, to }, [proxy, second.proxy]);

  const { partner, receiver } = from.world;
  const { other, callbackSecret } = from.world.system.state();
  const keys = callbackSecret === undefined ? [] : [callbackSecret];
  const client = clientAt(baseUrl, partner);
  undo.push(async () => {
    client.close();
    await Promise.resolve();
  });
  const listening = listen(baseUrl, partner, keys);
  await until('the stream', () => listening.place());
  const history = await makeHistory(from, client);
  // Both cells have the same time.
  await to.world.bank.advanceClock('PT61M');
  check('no other event than the callbacks was streamed', new Set(listening.events).size === listening.events.length);

  const early = await move(settings, partner.partnerID, undefined, '--check');
  check('it can be moved', early.isDone);
  const callOfOther = keepCalling(baseUrl, urlOf(from), other);
  const callOfPartner = keepCalling(second.baseUrl, urlOf(from), partner);
  const arrivedBefore = receiver.arrivals.length;
  const [placeBefore, streamedBefore] = [listening.place(), listening.events.length];
  for (const killedAt of KILLED_BEFORE) {
    const run = await move(settings, partner.partnerID, killedAt);
    check(`killed after "${killedAt}"`, run.isKilled);
  }
  const released = await move(settings, partner.partnerID, undefined, '--release');
  check('and given up: it goes on where it was', released.isDone && (await client.readCardPayment(history.paid)).id === history.paid);
  const heldAgain = await move(settings, partner.partnerID, 'held');
  check('and held again', heldAgain.isKilled);
  const heldBefore = callOfPartner.held();
  await until('its own calls to be held', () => (callOfPartner.held() > heldBefore ? true : undefined));
  const underWay = [
    `select from notifier.events where partner_id = $1 and status = 'WAITING' and aggregate_id <> $2`,
    `select from payments.payments where partner_id = $1 and payment_id <> $2 and next_read_at is not null`,
  ];
  for (const sql of underWay.toReversed())
    await until(
      'what goes on by itself',
      async () => (await from.query(sql, [partner.partnerID, history.waiting])).length === 0 || undefined,
    );
  const before = await readAll(from.world.client, partner, history);
  const held = await move(settings, partner.partnerID, 'drained');
  check('killed after "drained"', held.isKilled);
  const ownCalls = await callOfPartner.stop();
  for (const killedAt of KILLED_BEFORE_SWITCH) {
    const run = await move(settings, partner.partnerID, killedAt);
    check(`killed after "${killedAt}", or it was over by then`, run.isKilled || run.isDone);
  }
  await second.stop();
  const stuck = await move(settings, partner.partnerID);
  check(
    'a proxy that does not answer stops the switch',
    !stuck.isDone && stuck.lines.some((line) => line.includes('cannot be told anything')),
    stuck.lines.join('; '),
  );
  const restarted = await startSecondProxy();
  const atRestarted = clientAt(restarted.baseUrl, partner, 1);
  const paymentsHere = () => from.query('select from payments.payments where partner_id = $1', [partner.partnerID]);
  const countBefore = (await paymentsHere()).length;
  const late = await atRestarted.createCardPayment(from.world.order('8.00')).then(
    () => 'done',
    (error: unknown) => (error instanceof ApiError ? error.status : String(error)),
  );
  check(
    'one that comes back with the map of before sends calls to the old cell, which refuses them',
    late === 401 && (await paymentsHere()).length === countBefore,
    String(late),
  );
  const switched = await move(settings, partner.partnerID, 'switched');
  check('killed after "switched", or it was over by then', switched.isKilled || switched.isDone);
  const last = await move(settings, partner.partnerID);
  check('and run to its end', last.isDone, last.lines.join('; '));
  const again = await move(settings, partner.partnerID);
  check('a move that is over can be run again', again.isDone);

  const after = await readAll(client, partner, history);
  const differs = differences(before, after);
  check('every read answers as before', differs.length === 0, differs.join(', '));
  const [owedThere] = await to.query<{ kopecks: string }>(OWED, [partner.partnerID]);
  const [owedHere] = await from.query<{ kopecks: string }>(OWED, [partner.partnerID]);
  check(
    'its balance is the same',
    owedThere?.kopecks === owedHere?.kopecks && owedHere?.kopecks !== '0',
    JSON.stringify([owedHere, owedThere]),
  );
  const wrong = await repeatAll(client, history);
  check('commands of before, repeated with their keys, are answered as before', wrong.length === 0, wrong.join('; '));

  const refund = await client.refundCardPayment(history.refundable, { amount: '9.00' });
  await until('the refund', async () => (await client.readRefund(refund.refundId)).status === 'COMPLETED' || undefined);
  check('an old payment is refunded in the new cell', true);
  const charge = {
    merchantOrderId: `cells-${String(Date.now())}`,
    amount: '990.00',
    currency: 'RUB',
    bindingId: history.bindingId,
    description: 'Tea',
  } as const;
  const tooEarly = await client.createRecurringPayment(charge).then(
    () => false,
    (error: unknown) => isRefusal(error, 'PERIOD_NOT_ELAPSED'),
  );
  check('a charge before the period has elapsed is refused', tooEarly);
  await to.world.bank.advanceClock('PT61M');
  const { paymentId } = await client.createRecurringPayment(charge);
  await until('the charge', async () => (await client.readCardPayment(paymentId)).status === 'COMPLETED' || undefined);
  check('the saved card is charged in the new cell', true);
  const opened = await fetch(history.savedCardUrl);
  const thereUrl = opened.url.split('?')[0] ?? '';
  check(
    'the link to the saved card leads to the new cell',
    opened.ok && thereUrl.startsWith(`${to.world.system.addresses.checkoutUrl}/saved-card/`) && (await opened.text()).includes('1111'),
    `${String(opened.status)} ${opened.url}`,
  );
  const onOldPage = await revokeAt(history.savedCardUrl);
  check(
    'a page of before that was still open leads there too, and stops nothing',
    onOldPage.url.startsWith(thereUrl) && (await client.readBinding(history.bindingId)).status === 'ACTIVE',
    onOldPage.url,
  );
  const onNewPage = await revokeAt(thereUrl);
  check(
    'the buyer stops charges there',
    onNewPage.ok && (await client.readBinding(history.bindingId)).status === 'REVOKED',
    String(onNewPage.status),
  );
  const afterRevoked = await client.createRecurringPayment({ ...charge, merchantOrderId: `${charge.merchantOrderId}-2` }).then(
    () => false,
    (error: unknown) => isRefusal(error, 'BINDING_REVOKED'),
  );
  check('and the card is not charged any more', afterRevoked);
  const throughSecond = await atRestarted.createCardPayment(from.world.order('8.00')).catch(() => undefined);
  check(
    'the proxy that came back sends calls to the new cell',
    (throughSecond?.paymentUrl ?? '').startsWith(to.world.system.addresses.checkoutUrl),
  );
  if (throughSecond !== undefined) await atRestarted.cancelCardPayment(throughSecond.id);
  atRestarted.close();
  const fresh = await client.createCardPayment({ ...from.world.order('7.00') });
  await from.world.pay(fresh, CARDS.approved);
  await until('the payment', async () => (await client.readCardPayment(fresh.id)).status === 'COMPLETED' || undefined);
  check('a new payment is made in the new cell', (fresh.paymentUrl ?? '').startsWith(to.world.system.addresses.checkoutUrl));

  receiver.onArrival = () => 200;
  await to.world.bank.advanceClock('PT30M');
  const versionsOf = (id: string) => receiver.arrivals.filter(({ orderId }) => orderId === id).map(({ version }) => version);
  await until('what had waited', () => (Math.max(...versionsOf(history.waiting)) >= 2 ? true : undefined));
  check('callbacks that had waited arrive, in order', isRising(versionsOf(history.waiting)), versionsOf(history.waiting).join(', '));
  await until(
    'the callback of the refund',
    () => versionsOf(history.refundable).includes(2) || versionsOf(history.refundable).includes(3) || undefined,
  );
  check('versions continue', isRising(versionsOf(history.refundable)), versionsOf(history.refundable).join(', '));
  check(
    'every callback is signed with the secret of before',
    receiver.arrivals.every(({ signed }) => signed),
  );
  const arrived = receiver.arrivals.slice(arrivedBefore).map(({ eventId }) => eventId);
  await until('the stream to have them', () => (arrived.every((id) => listening.events.includes(id)) ? true : undefined)).catch(
    () => undefined,
  );
  check(
    'the listener went on without a gap',
    arrived.every((id) => listening.events.includes(id)),
    `${String(arrived.length)} arrived, ${String(listening.events.length)} streamed`,
  );
  await listening.end().catch((error: unknown) => {
    check('the stream was not refused', false, String(error));
  });
  const since = listening.events.slice(streamedBefore);
  const resumed = listen(baseUrl, partner, keys, placeBefore);
  await until('the resumed stream', () => (since.every((id) => resumed.events.includes(id)) ? true : undefined)).catch(() => undefined);
  check(
    'a Last-Event-ID of before goes on there, with every event since',
    since.length > 0 && since.every((id) => resumed.events.includes(id)),
    `${String(resumed.events.length)} of ${String(since.length)}`,
  );
  await resumed.end().catch((error: unknown) => {
    check('a cursor of before is taken by the new cell', false, String(error));
  });

  const [seen] = await from.query<{ version: number }>('select aggregate_version as version from payments.payments where payment_id = $1', [
    history.paid,
  ]);
  const refusedHere = await from
    .operator('olga', 'payments', 'refund', history.paid, '--amount', '1.00', '--reason', 'x', '--seen-version', String(seen?.version))
    .then(() => 'done', String);
  check('the old cell refuses to act for it, and says where it lives', refusedHere.includes('cell-2'), refusedHere);
  const resumedHere = await from.operator('anna', 'partners', 'resume', partner.partnerID).then(() => 'done', String);
  check('and does not let it in again', resumedHere.includes('cell-2'), resumedHere);
  const calls = await callOfOther.stop();
  check('the other partner noticed nothing', calls.failed.length === 0 && calls.held === 0, calls.failed.join('; '));
  check(
    'its own calls were answered or held',
    ownCalls.failed.length === 0 && ownCalls.ok > 0 && ownCalls.held > 0,
    ownCalls.failed.join('; '),
  );
  say(
    `    other partner: ${String(calls.ok)} payments; busy ${String(calls.busy)}; its own: ${String(ownCalls.ok)}, held ${String(ownCalls.held)}, busy ${String(ownCalls.busy)}`,
  );
  const twice = await from.query(
    `select operation_id from sandbox_bank.history where event = 'MONEY_MOVED' group by 1 having count(*) > 1`,
  );
  check('the bank moved nothing twice', twice.length === 0);
  for (const [name, cell] of Object.entries({ 'cell-1': from, 'cell-2': to })) {
    const [ledger] = await cell.query<{ rub: string; usdt: string; wrong: number | null }>(LEDGERS);
    check(
      `the ledgers of ${name} sum to zero`,
      ledger?.rub === '0' && ledger.usdt === '0' && ledger.wrong === null,
      JSON.stringify(ledger),
    );
    const audited = await cell.operator('anna', 'audit', 'verify');
    check(`the seals of ${name} hold`, audited['ok'] === true);
  }
}

const isRising = (versions: readonly number[]): boolean =>
  versions.every((version, index) => index === 0 || version >= (versions[index - 1] ?? 0)) && versions.length > 0;

await obtainProgram('haproxy', say).catch(endIfMissing);
const folder = join(LOCAL, `cells-${String(process.pid)}`);
mkdirSync(folder, { recursive: true });
// Last: it holds the keys of both cells.
const undo: Undo[] = [() => rm(folder, { recursive: true, force: true })];
const load = () =>
  loadavg()
    .map((one) => one.toFixed(1))
    .join(' ');
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(name, () => void undoAll(undo).then(() => process.exit(130)));
say(`${new Date().toISOString()}: load average ${load()}`);
try {
  await drill(folder, undo);
} catch (error) {
  process.stderr.write(`${Error.isError(error) ? (error.stack ?? error.message) : String(error)}\n`);
  process.exitCode = 1;
} finally {
  await undoAll(undo);
  say(`load average ${load()}`);
}
process.exit();
