import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { LIMITS_MS } from '../../packages/shared/src/postgres/connect/pool.ts';
import { brokerUrls, provisionBroker } from '../../tools/infrastructure/broker.ts';
import type { Infrastructure } from '../../tools/infrastructure/infrastructure.ts';
import { provision, serviceUrls, SERVICES, withClient } from '../../tools/infrastructure/provision.ts';
import { onboardDemoPartner, writeDemoFile } from '../../tools/system/demo.ts';
import { addresses } from '../../tools/system/environment.ts';
import { newPassword, newState, writeState, type OwnProgram } from '../../tools/system/state.ts';
import { startSystem } from '../../tools/system/up.ts';
import { runningSystem } from '../../tools/testing/running-system.ts';
import { startBankDatabase } from '../faults/system.ts';
import { openWorld, type World } from '../world.ts';
import type { Credentials } from './certificates.ts';
import { adminUrlOf, BROKERS, brokerManagement, DATABASES, STORES, untilWhole } from './cluster.ts';
import { HOSTS } from './network.ts';
import type { Programs } from './programs.ts';
import { ADMINISTRATOR, placeConfiguration, startHaProxy, startHost, type Place } from './servers.ts';

/** Two of everything of ours. The bank is a third party, and the portal holds no state. */
const REPLICAS = {
  gateway: 2,
  payments: 2,
  checkout: 2,
  bindings: 2,
  withdrawals: 2,
  notifier: 2,
  console: 2,
} as const;
const FIRST_START_MS = 120_000;
const DATABASE = 'pay';

/** The whole system on servers that fail over. */
export type Drill = {
  readonly place: Place;
  readonly strangers: Credentials;
  readonly world: World;
  /** The administrator's URL of whoever is the primary, past the pooler. */
  readonly adminUrl: string;
  /** Queries the system's database as its administrator. */
  readonly query: <T extends object>(sql: string, values?: readonly unknown[]) => Promise<T[]>;
  /** Queries the bank's own database. */
  readonly queryBank: Drill['query'];
};

type Options = {
  /** For the system's state and every log. */
  readonly folder: string;
  /** For the servers' data: any account can reach it. */
  readonly data: string;
  readonly programs: Programs;
  readonly credentials: Credentials;
  /** Of an authority that nobody here trusts. */
  readonly strangers: Credentials;
  readonly log: (line: string) => void;
};

export async function startDrill({ folder, data, programs, credentials, strangers, log }: Options): Promise<Drill> {
  const state = newState();
  const passwordOf = (role: keyof typeof state.secrets.databasePasswords) => state.secrets.databasePasswords[role];
  const place: Place = {
    data,
    logs: join(folder, 'servers'),
    programs,
    credentials,
    secrets: {
      superuser: newPassword(),
      replication: newPassword(),
      rewind: newPassword(),
      broker: newPassword(),
      cookie: newPassword(),
    },
  };
  mkdirSync(place.logs, { recursive: true });
  const adminUrl = adminUrlOf(place);
  const planAt = (host: string) => ({
    adminUrl: Object.assign(new URL(adminUrl), { host }).href,
    database: DATABASE,
    rolePrefix: '',
    passwordOf,
  });
  const pooled = serviceUrls(planAt('pooler:6432'));
  placeConfiguration(
    place,
    Object.values(pooled).map((one) => new URL(one)),
  );
  await startServers(place, log);
  const direct = await provision(planAt('primary:5432'));
  await limitRoles(
    adminUrl,
    SERVICES.map((service) => new URL(direct[service]).username),
  );
  const bank = await startBankDatabase(join(folder, 'bank'), log);
  const env: Partial<Record<OwnProgram, Record<string, string>>> = Object.fromEntries(
    ([...SERVICES, 'checkout'] as const).map((program) => {
      const service = program === 'checkout' ? 'payments' : program;
      return [program, { DATABASE_URL: pooled[service], DATABASE_DIRECT_URL: direct[service] }];
    }),
  );
  // The bank is a third party with its own database. An empty variable counts as absent.
  if (bank !== undefined) env['sandbox-bank'] = { DATABASE_URL: bank.url, DATABASE_DIRECT_URL: '' };
  writeState(folder, state);
  const running = await startSystem({
    folder,
    log,
    env,
    replicas: REPLICAS,
    infrastructure: infrastructureOf(place, adminUrl),
  });
  await onboardDemoPartner(running, folder, addresses(running));
  writeDemoFile(running, folder);
  await untilWhole(place, FIRST_START_MS);
  const queryAt =
    (at: string): Drill['query'] =>
    (sql, values = []) =>
      withClient(at, async (client) => (await client.query<never>(sql, [...values])).rows);
  return {
    place,
    strangers,
    world: await openWorld(runningSystem(folder)),
    adminUrl: running.databaseAdminUrl,
    query: queryAt(running.databaseAdminUrl),
    queryBank: queryAt(bank?.url ?? running.databaseAdminUrl),
  };
}

/** Each group of servers finds each other; they do not wait for other groups, except Patroni for etcd. */
async function startServers(place: Place, log: (line: string) => void): Promise<void> {
  const begin = performance.now();
  for (const host of HOSTS) startHost(place, host);
  startHaProxy(place, 'here');
  await untilWhole(place, FIRST_START_MS);
  const all = `etcd ×${String(STORES.length)}, PostgreSQL ×${String(DATABASES.length)}, RabbitMQ ×${String(BROKERS.length)}, PgBouncer ×2`;
  log(`${all}: ready (${((performance.now() - begin) / 1_000).toFixed(1)} s)`);
}

/** A pooler takes no settings from programs: the limits are the roles' (decisions/pooler). */
async function limitRoles(adminUrl: string, roles: readonly string[]): Promise<void> {
  await withClient(adminUrl, async (client) => {
    for (const role of roles)
      for (const [limit, ms] of Object.entries(LIMITS_MS))
        await client.query(`alter role ${client.escapeIdentifier(role)} set ${limit} = '${String(ms)}ms'`);
  });
}

function infrastructureOf(place: Place, databaseUrl: string): Infrastructure {
  const theirs = () => Promise.reject(new Error('the drill stops and starts hosts'));
  const amqpUrl = `amqps://${ADMINISTRATOR}:${place.secrets.broker}@broker:5671`;
  return {
    rung: 2,
    databaseUrl,
    amqpUrl,
    managementUrl: undefined,
    found: true,
    provisionBroker: async (plan) => {
      await provisionBroker(brokerManagement(place, 'mq-1'), plan);
      return brokerUrls(amqpUrl, plan);
    },
    stop: theirs,
    restart: theirs,
    rabbitControl: theirs,
  };
}
