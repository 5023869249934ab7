import { randomBytes } from 'node:crypto';
import { cpSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { writePrivateJson } from '../../tools/infrastructure/files.ts';
import { LOCAL } from '../../tools/infrastructure/folders.ts';
import { removeInfrastructure, startInfrastructure, type Infrastructure } from '../../tools/infrastructure/infrastructure.ts';
import { migrateService } from '../../tools/infrastructure/migrate.ts';
import { findPostgres, startPostgres, stopPostgres } from '../../tools/infrastructure/postgres.ts';
import { ownerUrl, provision, withClient } from '../../tools/infrastructure/provision.ts';
import { onboardDemoPartner, writeDemoFile } from '../../tools/system/demo.ts';
import { addresses } from '../../tools/system/environment.ts';
import type { OwnProgram } from '../../tools/system/state.ts';
import { openSystem, removeSystem, serversFolder, startSystem } from '../../tools/system/up.ts';
import { runningSystem } from '../../tools/testing/running-system.ts';
import { ARTIFACTS } from '../../tools/testing/test-folders.ts';
import { startToxicProxy, type ToxicProxy } from '../../tools/testing/toxic-proxy.ts';
import { openWorld, type World } from '../world.ts';

/**
 * Everything behind the gateway has two replicas, except the console and the bank. One checkout: load balancing in
 * front of it is not ours.
 */
const REPLICAS = { payments: 2, bindings: 2, withdrawals: 2, notifier: 2 } as const;
type Replicated = keyof typeof REPLICAS;

/** Logs of the services, for finding the cause. */
const FAULT_LOGS = join(ARTIFACTS, 'faults-logs');

/** The connections that can be disturbed: to each server, to each replica, to the bank and back, to the partner. */
export type LinkName = 'database' | 'broker' | 'bank' | 'bank-back' | 'partner' | `${Replicated}-${1 | 2}`;
export type Links = Readonly<Record<LinkName, ToxicProxy>>;

/** A whole system with its own servers, in which every connection between its parts can be disturbed. */
export type FaultSystem = {
  readonly links: Links;
  readonly world: World;
  readonly infrastructure: Infrastructure;
  /** Points the connection to the database at this port from now on. */
  readonly moveDatabase: (port: number) => void;
  /** What a row may leave behind (mounts, servers, folders): undone in reverse order when the system is removed. */
  readonly leftovers: (() => Promise<unknown>)[];
  /** Queries the system's database as its administrator, bypassing the disturbed connection. */
  readonly query: <T extends object>(sql: string, values?: readonly unknown[]) => Promise<T[]>;
  /** Queries the bank's database. */
  readonly queryBank: FaultSystem['query'];
  /** Gives the bank a database of its own. From then on its control API moves its own clock only. */
  separateBank(): Promise<void>;
  remove(): Promise<void>;
};

/**
 * The bank is a third party: what happens to our database must not affect its books. Undefined if PostgreSQL is not a
 * program of this machine; then the bank shares ours.
 */
export async function startBankDatabase(folder: string, log: (line: string) => void) {
  const programs = findPostgres();
  if (programs === undefined) return undefined;
  mkdirSync(folder, { recursive: true });
  const newPassword = () => randomBytes(16).toString('hex');
  const server = await startPostgres({
    folder,
    programs,
    password: newPassword(),
    port: undefined,
    durable: false,
    log,
    onStarted: (record) => {
      writePrivateJson(join(folder, 'postgres.json'), record);
    },
  });
  const password = newPassword();
  const plan = { adminUrl: server.url, database: 'pay', rolePrefix: '', passwordOf: () => password };
  const urls = await provision(plan);
  await migrateService('sandbox-bank', { ownerUrl: ownerUrl(plan), rolePrefix: '' });
  return {
    url: urls['sandbox-bank'],
    stop: async () => {
      for (const record of server.processes) await stopPostgres(record);
      await removeInfrastructure(folder);
    },
  };
}
type BankDatabase = NonNullable<Awaited<ReturnType<typeof startBankDatabase>>>;

export async function startFaultSystem(log: (line: string) => void): Promise<FaultSystem> {
  const folder = join(LOCAL, `e2e-${String(process.pid)}-faults`);
  const infrastructure = await startInfrastructure({ folder: serversFolder(folder), log, purpose: 'test', env: {} });
  const portOf = (listener: string) => ({ host: '127.0.0.1', port: openSystem(folder).state().ports[listener] ?? 0 });
  const server = (url: string) => ({ host: new URL(url).hostname, port: Number(new URL(url).port) });
  const moved = { database: server(infrastructure.databaseUrl), partner: { host: '127.0.0.1', port: 0 } };
  const to = (listener: string) => startToxicProxy(() => portOf(listener));
  const links: Links = {
    database: await startToxicProxy(() => moved.database),
    broker: await startToxicProxy(() => server(infrastructure.amqpUrl)),
    bank: await to('sandbox-bank-1'),
    'bank-back': await to('payments-1-notifications'),
    partner: await startToxicProxy(() => moved.partner),
    'payments-1': await to('payments-1'),
    'payments-2': await to('payments-2'),
    'bindings-1': await to('bindings-1'),
    'bindings-2': await to('bindings-2'),
    'withdrawals-1': await to('withdrawals-1'),
    'withdrawals-2': await to('withdrawals-2'),
    'notifier-1': await to('notifier-1'),
    'notifier-2': await to('notifier-2'),
  };
  const via = (url: string, link: LinkName) => Object.assign(new URL(url), { host: `127.0.0.1:${String(links[link].port)}` }).href;
  const state = await startSystem({
    folder,
    log,
    replicas: REPLICAS,
    env: environment(links),
    infrastructure: {
      ...infrastructure,
      databaseUrl: via(infrastructure.databaseUrl, 'database'),
      provisionBroker: async (plan) => {
        const { bindings, notifier, payments, withdrawals } = await infrastructure.provisionBroker(plan);
        return {
          bindings: via(bindings, 'broker'),
          notifier: via(notifier, 'broker'),
          payments: via(payments, 'broker'),
          withdrawals: via(withdrawals, 'broker'),
        };
      },
    },
  });
  await onboardDemoPartner(state, folder, addresses(state));
  writeDemoFile(state, folder);
  const world = await openWorld(runningSystem(folder), (receiver) => {
    moved.partner = server(receiver);
    return via(receiver, 'partner');
  });
  let bank: BankDatabase | undefined;
  const adminUrl = () =>
    Object.assign(new URL(state.databaseAdminUrl), {
      host: `${moved.database.host}:${String(moved.database.port)}`,
    }).href;
  const queryAt =
    (url: () => string) =>
    <T extends object>(sql: string, values: readonly unknown[] = []): Promise<T[]> =>
      withClient(url(), async (client) => (await client.query<T & Record<string, unknown>>(sql, [...values])).rows);
  const leftovers: FaultSystem['leftovers'] = [];
  return {
    links,
    world,
    infrastructure,
    leftovers,
    moveDatabase: (port) => {
      moved.database = { ...moved.database, port };
    },
    query: queryAt(adminUrl),
    queryBank: queryAt(() => bank?.url ?? adminUrl()),
    async separateBank() {
      bank = await startBankDatabase(join(folder, 'bank'), log);
      if (bank !== undefined) await world.system.restart('sandbox-bank', 1, { DATABASE_URL: bank.url });
    },
    async remove() {
      // Nothing is restored at the partner: the system is being removed and may no longer answer.
      world.client.close();
      await world.receiver.close();
      rmSync(FAULT_LOGS, { recursive: true, force: true });
      cpSync(world.system.logs, FAULT_LOGS, { recursive: true });
      await removeSystem(folder);
      await bank?.stop();
      for (const undo of leftovers.toReversed()) await undo().catch(() => undefined);
      for (const link of Object.values(links)) await link.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Where each program finds the others: at the ends of the proxies. */
function environment(links: Links): Partial<Record<OwnProgram, Record<string, string>>> {
  const at = (link: LinkName) => `http://127.0.0.1:${String(links[link].port)}`;
  const both = (service: Replicated) => `${at(`${service}-1`)},${at(`${service}-2`)}`;
  const bank = { SANDBOX_BANK_URL: at('bank') };
  return {
    gateway: {
      PAYMENTS_URL: both('payments'),
      BINDINGS_URL: both('bindings'),
      WITHDRAWALS_URL: both('withdrawals'),
      NOTIFIER_URL: both('notifier'),
    },
    payments: { ...bank, BINDINGS_URL: both('bindings'), NOTIFIER_URL: both('notifier') },
    checkout: { ...bank, BINDINGS_URL: both('bindings') },
    bindings: { PAYMENTS_URL: both('payments') },
    'sandbox-bank': { NOTIFICATION_URL: `${at('bank-back')}/notifications/sandbox-bank` },
  };
}
