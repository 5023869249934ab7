import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { isRunning, withLock, type ProcessRecord } from '../lock.mjs';
import { canInstallPackages, installPackages } from './apt.ts';
import { containersProblem, rabbitControlIn, removeContainers, removeVolumes, restartContainer, startContainers } from './containers.ts';
import { firstRung, type MissingProgram } from './ladder.ts';
import { readJson, writePrivateJson } from './files.ts';
import { answers, findPostgres, startPostgres, stopPostgres } from './postgres.ts';
import { endProcess, farFolder, memoryFolder } from './processes.ts';
import { untilFree } from './ports.ts';
import { brokerDefinitions, brokerUrls, brokerUrlsOfOneUser, provisionBroker, type BrokerPlan, type BrokerUrls } from './broker.ts';
import { brokerAnswers, findRabbit, rabbitControl, keepDefinitions, startRabbit, stopRabbit, withAdministrator } from './rabbitmq.ts';

/**
 * Where PostgreSQL and RabbitMQ come from. 1: URLs in the environment; 2: programs on the machine, as private
 * instances; 3: containers; 4: packages installed for the purpose, then as 2.
 */
export type Rung = 1 | 2 | 3 | 4;

/** PostgreSQL and RabbitMQ, ready for use. The URLs contain an administrator's passwords. */
export type Infrastructure = {
  readonly rung: Rung;
  readonly databaseUrl: string;
  readonly amqpUrl: string;
  /** RabbitMQ's management API with user and password. Undefined on rung 1, unless it is configured. */
  readonly managementUrl: string | undefined;
  /** It was already running. */
  readonly found: boolean;
  /**
   * Gives each service its user and rights at the broker, and creates the topology. A node that was started here
   * recreates them after a reset. Returns the services' URLs. On rung 1 without a management URL they all use the given
   * user.
   */
  provisionBroker(plan: BrokerPlan): Promise<BrokerUrls>;
  /** Stops what was started; the data stays. Does nothing on rung 1. */
  stop(): Promise<void>;
  /** Kills one server, as a crash would, and restarts it on the same port with its data. */
  restart(server: 'database' | 'broker'): Promise<void>;
  /**
   * Runs `rabbitmqctl` on a node that was started here, as a program or in a container. @throws Error if it was not, or
   * if the command fails
   */
  rabbitControl(...args: readonly string[]): Promise<string>;
};

type Options = {
  /** For data, logs and records; `.local/…`. Two calls with the same folder get the same servers. */
  readonly folder: string;
  readonly log: (line: string) => void;
  /** `test`: disposable data, written without fsync, in memory where there is enough. */
  readonly purpose: 'start' | 'test';
  /** Called as soon as PostgreSQL is ready; RabbitMQ, which takes longer, may still be starting. */
  readonly onDatabase?: (database: Pick<Infrastructure, 'rung' | 'databaseUrl'>) => Promise<void>;
  readonly env?: NodeJS.ProcessEnv;
};

/** Stored on disk between two starts: the processes, their ports, and the passwords that the data was created with. */
type State = {
  rung: Rung;
  purpose: 'start' | 'test';
  password: string;
  databaseUrl: string;
  amqpUrl: string;
  managementUrl?: string;
  definitionsFile?: string;
  ports: Partial<Record<string, number>>;
  postgres: ProcessRecord[];
  rabbit: ProcessRecord[];
  containers: string[];
};

const stateFile = (folder: string) => join(folder, 'infrastructure.json');
const readState = (folder: string) => readJson(stateFile(folder)) as State | undefined;

/**
 * Uses the first possible rung, and logs which one and why not the earlier ones. Servers that this folder started
 * earlier and that are still running are reused. Never uses or touches any other server.
 * @throws Error with a single line that lists the options if no rung is possible
 */
export async function startInfrastructure(options: Options): Promise<Infrastructure> {
  const folder = resolve(options.folder);
  mkdirSync(folder, { recursive: true });
  return await withLock(join(folder, 'infrastructure.lock'), () => start({ ...options, folder }));
}

async function start(options: Options): Promise<Infrastructure> {
  const { folder, log } = options;
  const env = options.env ?? process.env;
  const { DATABASE_URL: databaseUrl = '', AMQP_URL: amqpUrl = '' } = env;
  if (databaseUrl !== '' && amqpUrl !== '') {
    log('rung 1: PostgreSQL and RabbitMQ of DATABASE_URL and AMQP_URL');
    await options.onDatabase?.({ rung: 1, databaseUrl });
    return given(databaseUrl, amqpUrl, env['AMQP_MANAGEMENT_URL'], log);
  }
  const unset = [...(databaseUrl === '' ? ['DATABASE_URL'] : []), ...(amqpUrl === '' ? ['AMQP_URL'] : [])];
  log(`not rung 1: ${unset.join(' and ')} not set`);
  const before = readState(folder);
  if (before !== undefined && (await isUp(before))) {
    log(`rung ${String(before.rung)}: PostgreSQL and RabbitMQ of this folder are already running`);
    await options.onDatabase?.(before);
    return running(options, before, true);
  }
  if (before !== undefined) await stopServers(folder, before);
  if (options.purpose === 'test') removeData(folder);
  const state: State = {
    rung: 2,
    purpose: options.purpose,
    password: before?.password ?? randomBytes(24).toString('hex'),
    databaseUrl: '',
    amqpUrl: '',
    ports: before?.ports ?? {},
    postgres: [],
    rabbit: [],
    containers: [],
  };
  const rung = await chooseRung(folder, log);
  state.rung = rung;
  if (rung === 3) await startAsContainers(options, state);
  else await startAsPrograms(options, state);
  writePrivateJson(stateFile(folder), state);
  return running(options, state, false);
}

/** The first possible rung of 2 to 4. Rung 4 installs, so that the programs exist when it returns. */
async function chooseRung(folder: string, log: (line: string) => void): Promise<2 | 3 | 4> {
  const missing = missingPrograms();
  const machine = { missing, containersProblem, canInstallPackages };
  const rung = await firstRung(machine, log);
  if (rung === 4) {
    const logFile = join(folder, 'apt.log');
    await installPackages(
      missing.map((program) => program.debianPackage),
      logFile,
    );
    const [still] = missingPrograms();
    if (still !== undefined) throw new Error(`${still.name} is still missing after installation; see ${logFile}`);
  }
  return rung;
}

function missingPrograms(): MissingProgram[] {
  return [
    ...(findPostgres() === undefined ? [{ name: 'PostgreSQL', debianPackage: 'postgresql' }] : []),
    ...(findRabbit() === undefined ? [{ name: 'RabbitMQ', debianPackage: 'rabbitmq-server' }] : []),
  ];
}

async function startAsPrograms(options: Options, state: State): Promise<void> {
  const database = startDatabase(options, state).then(() => options.onDatabase?.(state));
  // Both are awaited before a failure is reported, so that whoever stops everything finds every process recorded.
  const results = await Promise.allSettled([database, startBroker(options, state)]);
  for (const result of results) if (result.status === 'rejected') throw result.reason;
}

/** Every process is on disk before anything waits for it: a crash at this point leaks nothing that can't be found. */
function remember(folder: string, state: State, list: ProcessRecord[]): (record: ProcessRecord) => void {
  return (record) => {
    list.push(record);
    writePrivateJson(stateFile(folder), state);
  };
}

async function startDatabase({ folder, log, purpose }: Options, state: State): Promise<void> {
  const programs = findPostgres();
  if (programs === undefined) throw new Error('PostgreSQL is no longer installed');
  const onStarted = remember(folder, state, (state.postgres = []));
  const { password } = state;
  const port = state.ports['postgres'];
  const server = await startPostgres({
    folder,
    programs,
    password,
    port,
    durable: purpose === 'start',
    inMemory: purpose === 'test',
    log,
    onStarted,
  });
  state.databaseUrl = server.url;
  state.ports['postgres'] = server.port;
}

async function startBroker({ folder, log }: Options, state: State): Promise<void> {
  const programs = findRabbit();
  if (programs === undefined) throw new Error('RabbitMQ is no longer installed');
  const onStarted = remember(folder, state, (state.rabbit = []));
  const { password, ports } = state;
  const server = await startRabbit({ folder, programs, password, ports, log, onStarted });
  state.amqpUrl = server.url;
  state.managementUrl = server.managementUrl;
  state.definitionsFile = server.definitionsFile;
  Object.assign(state.ports, server.ports);
}

async function startAsContainers({ folder, purpose, onDatabase }: Options, state: State): Promise<void> {
  const { password, ports } = state;
  Object.assign(state, await startContainers({ folder, password, ports, durable: purpose === 'start' }));
  await onDatabase?.(state);
}

async function isUp(state: State): Promise<boolean> {
  const everyProcess = [...state.postgres, ...state.rabbit];
  if (everyProcess.length + state.containers.length === 0 || !everyProcess.every(isRunning)) return false;
  return (await answers(state.databaseUrl)) && (await brokerAnswers(state.managementUrl ?? ''));
}

function running(options: Options, state: State, found: boolean): Infrastructure {
  const { folder } = options;
  return {
    rung: state.rung,
    databaseUrl: state.databaseUrl,
    amqpUrl: state.amqpUrl,
    managementUrl: state.managementUrl,
    found,
    provisionBroker: async (plan) => {
      if (state.definitionsFile !== undefined)
        keepDefinitions(state.definitionsFile, withAdministrator(state.password, brokerDefinitions(plan)));
      await provisionBroker(state.managementUrl ?? '', plan);
      return brokerUrls(state.amqpUrl, plan);
    },
    stop: async () => {
      await stopInfrastructure(folder);
    },
    rabbitControl: (...args) => {
      const [, container] = state.containers;
      if (container !== undefined) return rabbitControlIn(container, args);
      const { amqp, management, distribution, epmd } = state.ports;
      if (amqp === undefined || management === undefined || distribution === undefined || epmd === undefined)
        throw new Error('RabbitMQ was not started here');
      return rabbitControl(folder, { amqp, management, distribution, epmd }, args);
    },
    restart: async (server) => {
      const [postgres, rabbit] = state.containers;
      if (postgres !== undefined && rabbit !== undefined) {
        if (server === 'database') await restartContainer(postgres, () => answers(state.databaseUrl));
        else await restartContainer(rabbit, () => brokerAnswers(state.managementUrl ?? ''));
      } else if (server === 'database') {
        for (const record of state.postgres) await endProcess(record, 'SIGQUIT', 10_000);
        await untilFree(portsOf(state, ['postgres']));
        await startDatabase(options, state);
      } else {
        const [epmd, script, machine] = state.rabbit;
        for (const record of [machine, script, epmd]) if (record !== undefined) await endProcess(record, 'SIGKILL', 0);
        // A port that is still in use would be replaced by another one, but the broker's clients know it by this one.
        await untilFree(portsOf(state, ['amqp', 'management', 'distribution', 'epmd']));
        await startBroker(options, state);
      }
      writePrivateJson(stateFile(folder), state);
    },
  };
}

function portsOf({ ports }: State, names: readonly string[]): number[] {
  return names.flatMap((name) => ports[name] ?? []);
}

/** Whether all server processes started for this folder are still running. True if they are not processes of ours. */
export function isInfrastructureRunning(folder: string): boolean {
  const state = readState(folder);
  return state === undefined || [...state.postgres, ...state.rabbit].every(isRunning);
}

/** The servers that this folder started, opened from another process. */
export function openInfrastructure(folder: string): Infrastructure {
  const state = readState(folder);
  if (state === undefined) throw new Error(`no servers were started in ${folder}`);
  return running({ folder, log: () => undefined, purpose: state.purpose }, state, true);
}

function given(databaseUrl: string, amqpUrl: string, managementUrl: string | undefined, log: (line: string) => void): Infrastructure {
  const theirs = () => Promise.reject(new Error('these servers are not ours to restart'));
  const stop = () => Promise.resolve();
  const provisionTheirs = async (plan: BrokerPlan) => {
    if (managementUrl === undefined || managementUrl === '') {
      log('AMQP_MANAGEMENT_URL is not set: every service uses the broker user of AMQP_URL, with all its rights');
      return brokerUrlsOfOneUser(amqpUrl);
    }
    await provisionBroker(managementUrl, plan);
    return brokerUrls(amqpUrl, plan);
  };
  return {
    rung: 1,
    databaseUrl,
    amqpUrl,
    managementUrl: undefined,
    found: true,
    provisionBroker: provisionTheirs,
    stop,
    restart: theirs,
    rabbitControl: theirs,
  };
}

async function stopServers(folder: string, state: State): Promise<void> {
  if (state.containers.length > 0) await removeContainers(folder);
  await Promise.all([Promise.all(state.postgres.map(stopPostgres)), stopRabbit(state.rabbit)]);
}

/**
 * Stops the servers that this folder started, including any left by an earlier process. The data stays. Returns whether
 * there were any.
 */
export async function stopInfrastructure(folder: string): Promise<boolean> {
  const state = readState(folder);
  if (state === undefined) return false;
  const wereRunning = state.containers.length > 0 || [...state.postgres, ...state.rabbit].some(isRunning);
  await stopServers(folder, state);
  writePrivateJson(stateFile(folder), { ...state, postgres: [], rabbit: [], containers: [] });
  return wereRunning;
}

/** Stops the servers that this folder started and removes their data, wherever it is. */
export async function removeInfrastructure(folder: string): Promise<void> {
  if (!existsSync(folder)) return;
  const state = readState(folder);
  await stopInfrastructure(folder);
  if (state?.rung === 3) await removeVolumes(folder);
  removeData(folder);
  rmSync(stateFile(folder), { force: true });
}

function removeData(folder: string): void {
  for (const name of ['postgres', 'rabbitmq']) {
    rmSync(join(folder, name), { recursive: true, force: true });
    rmSync(farFolder(folder, name), { recursive: true, force: true });
    rmSync(memoryFolder(folder, name), { recursive: true, force: true });
  }
}
