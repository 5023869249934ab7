import { join } from 'node:path';
import type { BrokerPlan } from '../infrastructure/broker.ts';
import { openInfrastructure, removeInfrastructure, startInfrastructure, type Infrastructure } from '../infrastructure/infrastructure.ts';
import { folderId, writePrivate } from '../infrastructure/files.ts';
import { freePorts } from '../infrastructure/ports.ts';
import { endProcess, signal, waitUntilGone } from '../infrastructure/processes.ts';
import { inDatabase, type DatabaseRole, ownerUrl, provision, SERVICES, unprovision } from '../infrastructure/provision.ts';
import { isRunning } from '../lock.mjs';
import { migrateAll } from '../infrastructure/migrate.ts';
import { isReceiver, portNames, replicasOf } from './environment.ts';
import { loopbackLayout } from './layout.ts';
import { startProgram } from './programs.ts';
import { seedAll } from './seed.ts';
import {
  newPassword,
  newState,
  readState,
  writeState,
  type OwnProgram,
  type ProgramName,
  type RunningProcess,
  type SystemState,
} from './state.ts';

type Options = {
  /** Keys, state and logs; `.local` for npm start. */
  readonly folder: string;
  readonly replicas?: Partial<Record<OwnProgram, number>>;
  /** Variables that override the system's own, by service. */
  readonly env?: Partial<Record<OwnProgram, Record<string, string>>>;
  /** The example shop plays the demo partner: its folder, and when it is prepared. */
  readonly shop?: { readonly folder: string; readonly prepared: Promise<void> };
  readonly log: (line: string) => void;
};

/** No program waits for another, so they start in parallel, replicas too. */
const PROGRAMS: readonly ProgramName[] = [...SERVICES, 'checkout', 'portal', 'shop', 'demo-receiver', 'edge'];

/** Where the servers of a folder's system store their data. */
export const serversFolder = (folder: string) => join(folder, 'infrastructure');

/**
 * Starts the whole system with servers of its own: what needs only PostgreSQL is done while RabbitMQ starts. Anything
 * left running in the folder by an earlier start is stopped first.
 */
export async function startSystemAndServers(options: Options & { readonly purpose: 'start' | 'test' }): Promise<SystemState> {
  const { folder, log, purpose } = options;
  await stopSystem(folder);
  const infrastructure = await startInfrastructure({
    folder: serversFolder(folder),
    log,
    purpose,
    onDatabase: (database) => prepareSystem(options, database),
  });
  return await runSystem(options, infrastructure);
}

/**
 * Starts the whole system on free ports: databases and roles, migrations, seed data, then every process. Returns when
 * all are ready. Keys and ports of the folder's last start are kept. Every process has its own session and is recorded:
 * `stopSystem` ends them, whoever started them.
 */
export async function startSystem(options: Options & { readonly infrastructure: Infrastructure }): Promise<SystemState> {
  await prepareSystem(options, options.infrastructure);
  return await runSystem(options, options.infrastructure);
}

/** Everything that needs only the database. */
async function prepareSystem(options: Options, { rung, databaseUrl }: Pick<Infrastructure, 'rung' | 'databaseUrl'>): Promise<void> {
  const { folder, log } = options;
  const state = readState(folder) ?? newState();
  state.infrastructure = { rung, databaseUrl, amqpUrl: '' };
  state.replicas = options.replicas ?? {};
  state.env = options.env ?? {};
  const adminPassword = state.shop?.adminPassword ?? newPassword();
  state.shop = options.shop === undefined ? undefined : { folder: options.shop.folder, adminPassword };
  const names = processesOf(state).flatMap(({ program, replica }) => portNames(program, replica));
  state.ports = await freePorts(names, state.ports);
  const plan = provisioning(folder, state);
  state.databaseUrls = await provision(plan);
  state.databaseAdminUrl = inDatabase(plan.adminUrl, plan.database);
  state.callbackSecretFile = join(folder, 'callback-secret.json');
  writePrivate(join(folder, 'demo-partner.pem'), state.partner.privateKeyPem);
  writePrivate(join(folder, 'other-partner.pem'), state.other.privateKeyPem);
  writeState(folder, state);
  await timed(log, 'migrated and seeded', async () => {
    await migrateAll({ ownerUrl: ownerUrl(plan), rolePrefix: plan.rolePrefix });
    await seedAll(state, loopbackLayout(state));
  });
}

/** Gives a folder's running system, of the version before, ports for what this checkout's version listens on besides. */
export async function chooseNewPorts(folder: string): Promise<void> {
  const state = stateOf(folder);
  const names = processesOf(state).flatMap(({ program, replica }) => portNames(program, replica));
  const { ports } = state;
  state.ports = { ...ports, ...(await freePorts(names.filter((name) => ports[name] === undefined))) };
  writeState(folder, state);
}

function stateOf(folder: string): SystemState {
  const state = readState(folder);
  if (state === undefined) throw new Error(`there is no system in ${folder}`);
  return state;
}

/**
 * What precedes a rollout of this checkout's version: migrates the databases of a folder's running system as their owner,
 * and gives the broker the users, rights and queues of this version. Its programs, of the version before, keep running.
 */
export async function prepareUpdate(folder: string): Promise<void> {
  const state = stateOf(folder);
  const plan = provisioning(folder, state);
  state.databaseUrls = await provision(plan);
  state.brokerUrls = await openInfrastructure(serversFolder(folder)).provisionBroker(brokerPlan(folder, state));
  writeState(folder, state);
  await migrateAll({ ownerUrl: ownerUrl(plan), rolePrefix: plan.rolePrefix });
}

/** Starts every process of a prepared system. */
async function runSystem({ folder, log, shop }: Options, infrastructure: Infrastructure): Promise<SystemState> {
  const state = readState(folder);
  if (state === undefined) throw new Error(`the system in ${folder} has not been prepared`);
  state.infrastructure.amqpUrl = infrastructure.amqpUrl;
  state.brokerUrls = await infrastructure.provisionBroker(brokerPlan(folder, state));
  writeState(folder, state);
  await shop?.prepared;
  const everyProcess = processesOf(state);
  await timed(log, `${String(everyProcess.length)} processes are ready`, () => startAll(state, folder, everyProcess));
  return state;
}

function processesOf(state: SystemState): { program: ProgramName; replica: number }[] {
  return PROGRAMS.flatMap((program) => Array.from({ length: replicasOf(state, program) }, (_, index) => ({ program, replica: index + 1 })));
}

async function startAll(
  state: SystemState,
  folder: string,
  everyProcess: readonly { program: ProgramName; replica: number }[],
): Promise<void> {
  const started = await Promise.allSettled(
    everyProcess.map(({ program, replica }) =>
      startProgram(state, folder, program, replica, (running) => {
        state.processes.push(running);
        writeState(folder, state);
      }),
    ),
  );
  const failed = started.find((result) => result.status === 'rejected');
  if (failed === undefined) return;
  await stopSystem(folder);
  throw failed.reason;
}

async function timed(log: (line: string) => void, what: string, work: () => Promise<void>): Promise<void> {
  const begin = performance.now();
  await work();
  log(`${what} (${((performance.now() - begin) / 1000).toFixed(1)} s)`);
}

/** On a given server (rung 1) every name contains the folder's id: other checkouts may use the same server. */
function provisioning(folder: string, state: SystemState) {
  const own = state.infrastructure.rung === 1 ? `pay_${folderId(folder)}` : 'pay';
  return {
    adminUrl: state.infrastructure.databaseUrl,
    database: own,
    rolePrefix: state.infrastructure.rung === 1 ? `${own}_` : '',
    passwordOf: (role: DatabaseRole) => state.secrets.databasePasswords[role],
  };
}

/** User names contain the folder's id for the same reason; the virtual host of a given server is its owner's choice. */
function brokerPlan(folder: string, state: SystemState): BrokerPlan {
  const { pathname } = new URL(state.infrastructure.amqpUrl);
  return {
    vhost: pathname.length > 1 ? decodeURIComponent(pathname.slice(1)) : '/',
    userPrefix: state.infrastructure.rung === 1 ? `pay_${folderId(folder)}_` : '',
    passwordOf: (service) => state.secrets.brokerPasswords[service],
  };
}

/** Whether all processes of the folder's system are still running. */
export function isSystemRunning(state: SystemState | undefined): state is SystemState {
  return state !== undefined && state.processes.length > 0 && state.processes.every(({ record }) => isRunning(record));
}

/** In this order, so that whoever is called last is still running for the earlier ones. */
const STOP_ORDER: readonly ProgramName[][] = [
  ['edge', 'portal', 'gateway', 'checkout', 'console'],
  ['bindings', 'withdrawals', 'payments', 'notifier'],
  ['sandbox-bank', 'shop', 'demo-receiver'],
];

/** Longer than a service takes to drain. */
const STOP_MS = 20_000;

/** Stops the processes of the folder's system, each with time to finish its requests. The databases keep running. */
export async function stopSystem(folder: string): Promise<void> {
  const state = readState(folder);
  if (state === undefined) return;
  const { processes } = state;
  writeState(folder, { ...state, processes: [] }); // First, so that whoever watches the processes knows that this is intended.
  for (const programs of STOP_ORDER) {
    const these = processes.filter(({ program }) => programs.includes(program));
    await Promise.all(these.map(({ record }) => endProcess(record, 'SIGTERM', STOP_MS)));
  }
}

/** Removes the system's data from its databases. They have to be running only on rung 1. */
export async function removeSystem(folder: string): Promise<void> {
  await stopSystem(folder);
  const state = readState(folder);
  if (state?.infrastructure.rung === 1) await unprovision(provisioning(folder, state));
  await removeInfrastructure(serversFolder(folder));
}

/** The system of a folder, for the fault tests. */
export function openSystem(folder: string) {
  const current = () => stateOf(folder);
  const find = (program: ProgramName, replica: number) => {
    const running = current().processes.find((one) => one.program === program && one.replica === replica);
    if (running === undefined) throw new Error(`${program}-${String(replica)} was not started`);
    return running;
  };
  return {
    state: current,
    /** Sends the signal; with SIGKILL it also waits until the process is gone. */
    async kill(program: ProgramName, name: NodeJS.Signals, replica = 1): Promise<void> {
      const { record } = find(program, replica);
      signal(record, name);
      if (name === 'SIGKILL') await waitUntilGone(record, 10_000);
    },
    /** Waits until the process ends by itself. */
    async waitUntilEnded(program: ProgramName, milliseconds: number, replica = 1): Promise<boolean> {
      return await waitUntilGone(find(program, replica).record, milliseconds);
    },
    /**
     * Kills the process if it is still running, restarts it on its ports and waits until it is ready. `root`: a
     * checkout with another version of the code.
     */
    async restart(program: ProgramName, replica = 1, env: Record<string, string> = {}, root?: string): Promise<void> {
      const old = find(program, replica);
      await endProcess(old.record, 'SIGKILL', 0);
      const state = current();
      if (!isReceiver(program) && program !== 'edge') state.env[program] = { ...state.env[program], ...env };
      state.processes = state.processes.filter(({ record }) => record.pid !== old.record.pid);
      const onStarted = (running: RunningProcess) => {
        state.processes.push(running);
        writeState(folder, state);
      };
      await startProgram(state, folder, program, replica, onStarted, root);
    },
    /** Starts several programs again, the first replica of each, at once, and waits until all are ready. */
    async restartTogether(programs: readonly ProgramName[]): Promise<void> {
      for (const program of programs) await endProcess(find(program, 1).record, 'SIGKILL', 0);
      const state = current();
      state.processes = state.processes.filter(({ program }) => !programs.includes(program));
      await startAll(
        state,
        folder,
        programs.map((program) => ({ program, replica: 1 })),
      );
    },
  };
}
