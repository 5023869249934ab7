// npm start [-- --detach] [-- --replicas payments=2,gateway=2]
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { LOCAL } from '../infrastructure/folders.ts';
import { isInfrastructureRunning, stopInfrastructure } from '../infrastructure/infrastructure.ts';
import { tail } from '../infrastructure/processes.ts';
import { isRunning, withLock } from '../lock.mjs';
import { prepareShop } from '../shop/prepare.ts';
import { onboardDemoPartner, openPayment, payOnce, writeDemoFile } from './demo.ts';
import { addresses, shopAdminUrl } from './environment.ts';
import { logFileOf } from './programs.ts';
import { readReplicas } from './replicas.ts';
import { readState, type SystemState } from './state.ts';
import { isSystemRunning, serversFolder, startSystemAndServers, stopSystem } from './up.ts';

const say = (line: string) => {
  process.stdout.write(`${line}\n`);
};
// The reader of our output may go away (a pipe into head); the system starts anyway.
process.stdout.on('error', () => undefined);
const { detach, replicas: wanted } = readOptions();
const INFRASTRUCTURE = serversFolder(LOCAL);
const DEMO_FILE = join(LOCAL, 'demo.json');

/** An object, because it changes while others wait. */
const shutdown = { begun: false };

async function stopEverything(): Promise<void> {
  rmSync(DEMO_FILE, { force: true });
  await stopSystem(LOCAL);
  await stopInfrastructure(INFRASTRUCTURE);
}

/** What was asked for on the command line; a wrong word ends the process with one sentence. */
function readOptions() {
  try {
    const { values } = parseArgs({ options: { detach: { type: 'boolean' }, replicas: { type: 'string' } } });
    return { detach: values.detach ?? false, replicas: readReplicas(values.replicas ?? '') };
  } catch (error) {
    process.stderr.write(`npm start: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(2);
  }
}

function onSignal(): void {
  if (shutdown.begun) return; // Once is enough: stopping takes a few seconds.
  shutdown.begun = true;
  say('\nStopping …');
  stopEverything().then(
    () => {
      say('Stopped. The data is kept: npm start continues with it, npm run reset removes it.');
      process.exit(0);
    },
    (error: unknown) => {
      fail(error);
    },
  );
}

function fail(error: unknown): never {
  for (let cause = error; cause instanceof Error; cause = cause.cause) process.stderr.write(`${cause.message}\n`);
  process.stderr.write(`npm start failed: read the lines above and ${join(LOCAL, 'logs')}, then try again\n`);
  process.exit(1);
}

async function bringUp(): Promise<SystemState> {
  rmSync(DEMO_FILE, { force: true });
  const shop = join(LOCAL, 'shop');
  // Beside the servers' start: packing the SDK takes seconds, the first time and after a change.
  const prepared = prepareShop(shop);
  prepared.catch(() => undefined); // It is awaited later, and reported there.
  const state = await startSystemAndServers({
    shop: { folder: shop, prepared },
    folder: LOCAL,
    purpose: 'start',
    replicas: wanted,
    log: (line) => {
      say(`  ${line}`);
    },
  });
  await onboardDemoPartner(state, LOCAL, addresses(state));
  say('One payment through the public API:');
  await payOnce(state, addresses(state), say);
  writeDemoFile(state, LOCAL);
  return state;
}

async function printAddresses(state: SystemState): Promise<void> {
  const { baseUrl, consoleUrl, portalUrl, bankControlUrl, receiverUrl } = addresses(state);
  const rows = [
    ['Pay here', await openPayment(state, addresses(state))],
    ['API', baseUrl],
    ['Console', consoleUrl],
    ['Partner portal', portalUrl],
    ['Sandbox bank', `${bankControlUrl}/?key=${encodeURIComponent(state.secrets.bankControlKey)}`],
    ['Documentation', `${consoleUrl}/docs/`],
    ['Shop, its orders', receiverUrl],
    ['Shop, its staff', shopAdminUrl(state) ?? ''],
    ['Keys and all addresses', DEMO_FILE],
    ['Logs', join(LOCAL, 'logs')],
  ];
  say('');
  for (const [name = '', value = ''] of rows) say(`  ${name.padEnd(24)}${value}`);
  say('');
  say('Try next:');
  say('  open the link under "Pay here", card 4111 1111 1111 1111 (4000 0038 0000 0446 asks for 3-D Secure)');
  say('  npm run pay -- --help      the command line: create payments, look at them, listen to callbacks');
  say('  npm stop                   stops everything; npm run reset also removes the data');
}

/** The console makes the documentation for whoever asks first: that is not to be the reader. Nobody waits for the answer. */
function askForDocumentation(state: SystemState): void {
  fetch(`${addresses(state).consoleUrl}/docs/`).catch(() => undefined);
}

/** Waits until something ends: a process by itself (an error), or all of them by `npm stop` (intended). */
async function watch(): Promise<void> {
  for (;;) {
    await sleep(1_000);
    if (shutdown.begun) continue;
    const { processes } = readState(LOCAL) ?? { processes: [] };
    if (processes.length === 0) {
      say('Stopped by npm stop.');
      process.exit(0);
    }
    const dead = processes.find(({ record }) => !isRunning(record));
    if (dead === undefined && isInfrastructureRunning(INFRASTRUCTURE)) continue;
    shutdown.begun = true;
    const name = dead === undefined ? 'PostgreSQL or RabbitMQ' : `${dead.program}-${String(dead.replica)}`;
    const log = dead === undefined ? INFRASTRUCTURE : logFileOf(LOCAL, dead.program, dead.replica);
    process.stderr.write(`\n${name} ended unexpectedly; its last lines (${log}):\n${dead === undefined ? '' : tail(log)}\n`);
    await stopEverything();
    process.stderr.write('Everything else was stopped; the data is kept. npm start starts it again\n');
    process.exit(1);
  }
}

async function main(): Promise<void> {
  mkdirSync(LOCAL, { recursive: true });
  const begin = performance.now();
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
  process.on('SIGHUP', onSignal);
  const isFirst = await withLock(join(LOCAL, 'start.lock'), async () => {
    const before = readState(LOCAL);
    if (isSystemRunning(before)) {
      say('Already running.');
      await printAddresses(before);
      return false;
    }
    say('Starting …');
    const state = await bringUp();
    say(`Ready in ${((performance.now() - begin) / 1000).toFixed(1)} s.`);
    askForDocumentation(state);
    await printAddresses(state);
    return true;
  });
  if (!isFirst || detach) process.exit(0);
  say('\nCtrl-C stops everything.');
  await watch();
}

try {
  await main();
} catch (error) {
  if (!shutdown.begun) {
    shutdown.begun = true;
    await stopEverything().catch(() => undefined);
    fail(error);
  }
}
