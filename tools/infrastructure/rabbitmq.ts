import { createHash } from 'node:crypto';
import { chownSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { processIdentity, type ProcessRecord } from '../lock.mjs';
import { folderId } from './files.ts';
import { freePorts } from './ports.ts';
import { endProcess, execute, serverAccount, serverFolder, startDetached, waitFor } from './processes.ts';
import { isExecutable, programOnPath } from './programs.ts';

/** What RabbitMQ needs on the machine: its own start script (not a service wrapper) and Erlang's port mapper. */
export type RabbitPrograms = { readonly server: string; readonly epmd: string };

/** Undefined if it is not on this machine. */
export function findRabbit(): RabbitPrograms | undefined {
  const scripts = [
    '/usr/lib/rabbitmq/bin/rabbitmq-server',
    '/opt/homebrew/opt/rabbitmq/sbin/rabbitmq-server',
    '/usr/local/opt/rabbitmq/sbin/rabbitmq-server',
  ];
  const server = scripts.find(isExecutable);
  const epmd = programOnPath('epmd');
  if (server === undefined || epmd === undefined || programOnPath('erl') === undefined) return undefined;
  return { server, epmd };
}

export type RabbitPorts = { amqp: number; management: number; distribution: number; epmd: number };

export type RabbitServer = {
  readonly url: string;
  readonly managementUrl: string;
  readonly ports: RabbitPorts;
  /** What the node creates at each start, even after a reset. */
  readonly definitionsFile: string;
  readonly processes: ProcessRecord[];
};

type Options = {
  /** The infrastructure's folder; data goes to `<folder>/rabbitmq`, the log to `<folder>/rabbitmq.log`. */
  readonly folder: string;
  readonly programs: RabbitPrograms;
  readonly password: string;
  readonly ports: Partial<RabbitPorts>;
  readonly log: (line: string) => void;
  readonly onStarted: (record: ProcessRecord) => void;
};

const USER = 'pay_admin';
/** Erlang spins while it has nothing to do, unless told not to: a good part of a core, from a machine that has two. */
export const NO_BUSY_WAIT = '+sbwt none +sbwtdcpu none +sbwtdio none';

/**
 * Starts a private RabbitMQ node with its own name, ports, folders, plugin file and port mapper, all on loopback, so
 * that it neither meets nor disturbs a RabbitMQ that the machine runs.
 */
export async function startRabbit(options: Options): Promise<RabbitServer> {
  const account = serverAccount(['rabbitmq']);
  const place = serverFolder(options.folder, 'rabbitmq', account);
  if (place.fellBack) {
    options.log(`RabbitMQ's data lies in ${place.path}: ${account?.name ?? ''} can't enter ${options.folder}`);
  }
  const ports = await freePorts(['amqp', 'management', 'distribution', 'epmd'], options.ports);
  const at = (name: string) => join(place.path, name);
  const write = (name: string, text: string) => {
    writeFileSync(at(name), text, { mode: 0o600 });
    if (account !== undefined) chownSync(at(name), account.uid, account.gid);
    return at(name);
  };
  const definitionsFile = at('definitions.json');
  if (!existsSync(definitionsFile)) write('definitions.json', JSON.stringify(withAdministrator(options.password)));
  for (const folder of ['mnesia', 'log', 'generated', 'plugins']) {
    mkdirSync(at(folder), { recursive: true, mode: 0o700 });
    if (account !== undefined) chownSync(at(folder), account.uid, account.gid);
  }
  const env: NodeJS.ProcessEnv = {
    PATH: [...new Set([process.env['PATH'] ?? '', dirname(options.programs.epmd), '/usr/bin', '/bin'])].join(':'),
    LANG: 'C.UTF-8',
    // Erlang keeps the node's cookie in the home folder.
    HOME: place.path,
    ERL_EPMD_PORT: String(ports.epmd),
    ERL_EPMD_ADDRESS: '127.0.0.1',
    RABBITMQ_NODENAME: nodeName(options.folder),
    RABBITMQ_NODE_PORT: String(ports.amqp),
    RABBITMQ_NODE_IP_ADDRESS: '127.0.0.1',
    RABBITMQ_DIST_PORT: String(ports.distribution),
    RABBITMQ_MNESIA_BASE: at('mnesia'),
    RABBITMQ_LOG_BASE: at('log'),
    RABBITMQ_GENERATED_CONFIG_DIR: at('generated'),
    RABBITMQ_PLUGINS_EXPAND_DIR: at('plugins'),
    RABBITMQ_PID_FILE: at('rabbitmq.pid'),
    // Empty: the machine's own file must not affect this node.
    RABBITMQ_CONF_ENV_FILE: write('rabbitmq-env.conf', ''),
    RABBITMQ_ADVANCED_CONFIG_FILE: write('advanced.config', '[].\n'),
    RABBITMQ_ENABLED_PLUGINS_FILE: write('enabled_plugins', '[rabbitmq_management].\n'),
    RABBITMQ_CONFIG_FILE: write('rabbitmq.conf', configuration(definitionsFile, ports)),
    // Loopback only for Erlang's own protocol too.
    RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS: `-kernel inet_dist_use_interface {127,0,0,1} ${NO_BUSY_WAIT}`,
  };
  const logFile = join(options.folder, 'rabbitmq.log');
  const common = { logFile, env, cwd: place.path, account };
  // Started by us in the foreground: if RabbitMQ started it, it would keep running forever.
  const epmd = startDetached(options.programs.epmd, ['-port', String(ports.epmd), '-address', '127.0.0.1'], common);
  options.onStarted(epmd.record);
  const server = startDetached(options.programs.server, [], common);
  options.onStarted(server.record);
  const managementUrl = `http://${USER}:${options.password}@127.0.0.1:${String(ports.management)}`;
  await waitFor('RabbitMQ', () => brokerAnswers(managementUrl), {
    alive: () => server.child.exitCode === null && server.child.signalCode === null,
    logFile,
  });
  // The script waits for the virtual machine; signals go to the virtual machine itself.
  const pid = Number(readFileSync(at('rabbitmq.pid'), 'utf8'));
  const machine: ProcessRecord = { pid, identity: processIdentity(pid) ?? 'gone' };
  options.onStarted(machine);
  return {
    url: `amqp://${USER}:${options.password}@127.0.0.1:${String(ports.amqp)}`,
    managementUrl,
    ports,
    definitionsFile,
    processes: [epmd.record, server.record, machine],
  };
}

/**
 * Runs `rabbitmqctl` against the node that `startRabbit` started with the same folder and ports, and returns its
 * output.
 * @throws Error if it fails
 */
export async function rabbitControl(folder: string, ports: RabbitPorts, args: readonly string[]): Promise<string> {
  const programs = findRabbit();
  if (programs === undefined) throw new Error('RabbitMQ is no longer installed');
  const account = serverAccount(['rabbitmq']);
  const home = serverFolder(folder, 'rabbitmq', account).path;
  const { stdout } = await execute(join(dirname(programs.server), 'rabbitmqctl'), ['--quiet', '-n', nodeName(folder), ...args], {
    cwd: home,
    env: {
      PATH: [dirname(programs.epmd), '/usr/bin', '/bin'].join(':'),
      LANG: 'C.UTF-8',
      HOME: home,
      ERL_EPMD_PORT: String(ports.epmd),
      RABBITMQ_CONF_ENV_FILE: join(home, 'rabbitmq-env.conf'),
    },
    ...(account === undefined ? {} : { uid: account.uid, gid: account.gid }),
  });
  return stdout;
}

const nodeName = (folder: string): string => `pay-${folderId(folder)}@localhost`;

/** Users, rights and topology in RabbitMQ's import format. */
export type Definitions = {
  readonly users: readonly unknown[];
  readonly vhosts: readonly { readonly name: string }[];
  readonly permissions: readonly unknown[];
};

/** Adds the user who sets up the node: a node with a definitions file creates no default user. */
export function withAdministrator(password: string, definitions?: Definitions): Definitions {
  const vhosts = new Map([{ name: '/' }, ...(definitions?.vhosts ?? [])].map((vhost) => [vhost.name, vhost]));
  const all = { user: USER, configure: '.*', write: '.*', read: '.*' };
  return {
    ...definitions,
    users: [brokerUser(USER, password, 'administrator'), ...(definitions?.users ?? [])],
    vhosts: [...vhosts.values()],
    permissions: [...[...vhosts.keys()].map((vhost) => ({ ...all, vhost })), ...(definitions?.permissions ?? [])],
  };
}

/** Replaces what a node started by `startRabbit` creates at each start. */
export function keepDefinitions(file: string, definitions: Definitions): void {
  // Overwritten in place: the file belongs to the account that the node runs as.
  writeFileSync(file, JSON.stringify(definitions), { mode: 0o600 });
}

/** A user in the format of definitions. https://www.rabbitmq.com/docs/passwords#this-is-the-algorithm */
export function brokerUser(name: string, password: string, tags: '' | 'administrator') {
  // Derived from the password itself, so that the same user always gives the same line. Ours are 24 random bytes, each
  // used once.
  const salt = createHash('sha256').update(`salt of ${password}`).digest().subarray(0, 4);
  const hash = createHash('sha256').update(salt).update(password, 'utf8').digest();
  return {
    name,
    password_hash: Buffer.concat([salt, hash]).toString('base64'),
    hashing_algorithm: 'rabbit_password_hashing_sha256',
    tags,
  };
}

function configuration(definitionsFile: string, ports: RabbitPorts): string {
  return [
    `listeners.tcp.1 = 127.0.0.1:${String(ports.amqp)}`,
    'management.tcp.ip = 127.0.0.1',
    `management.tcp.port = ${String(ports.management)}`,
    `load_definitions = ${definitionsFile}`,
    'log.file.level = info',
    'disk_free_limit.absolute = 200MB',
    // For quorum queues; the default of 512 MB is meant for busy brokers.
    'raft.wal_max_size_bytes = 67108864',
    '',
  ].join('\n');
}

/** Stops the node, then its port mapper. `processes` are in the order in which they were started. */
export async function stopRabbit(processes: readonly ProcessRecord[]): Promise<void> {
  const [epmd, script, machine] = processes;
  if (machine !== undefined) await endProcess(machine, 'SIGTERM', 20_000);
  // Without the virtual machine's record the start was interrupted: the script passes the signal on.
  if (script !== undefined) await endProcess(script, 'SIGTERM', machine === undefined ? 20_000 : 5_000);
  if (epmd !== undefined) await endProcess(epmd, 'SIGTERM', 5_000);
}

/** Several nodes that start at once on two processors are slow to take their first definitions. */
const MANAGEMENT_TIMEOUT_MS = 60_000;

/** A call to the management API. The URL contains user and password. */
export function management(
  managementUrl: string,
  method: 'GET' | 'PUT' | 'DELETE' | 'POST',
  path: string,
  body?: unknown,
): Promise<Response> {
  const { username, password, origin } = new URL(managementUrl);
  return fetch(`${origin}/api/${path}`, {
    method,
    headers: {
      authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    signal: AbortSignal.timeout(MANAGEMENT_TIMEOUT_MS),
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

/** Whether the node has started, listens for clients and accepts our password. */
export async function brokerAnswers(managementUrl: string): Promise<boolean> {
  try {
    const response = await management(managementUrl, 'GET', 'overview');
    return response.ok && (await response.text()).includes('"protocol":"amqp"');
  } catch {
    return false;
  }
}
