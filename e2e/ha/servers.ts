import { chownSync, copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../tools/infrastructure/folders.ts';
import { findPostgres } from '../../tools/infrastructure/postgres.ts';
import { serverAccount, startDetached } from '../../tools/infrastructure/processes.ts';
import { findRabbit, NO_BUSY_WAIT } from '../../tools/infrastructure/rabbitmq.ts';
import { TLS, type Credentials } from './certificates.ts';
import { onHost, processesOn, type Host } from './network.ts';
import type { Programs } from './programs.ts';

/** The reference configuration: the drill runs on these very files. */
const REFERENCE = join(ROOT, 'deploy/ha');

export type Secrets = {
  readonly superuser: string;
  readonly replication: string;
  readonly rewind: string;
  readonly broker: string;
  /** Erlang's: the same on all nodes. */
  readonly cookie: string;
};
/** The administrators of PostgreSQL and RabbitMQ. */
export const ADMINISTRATOR = 'pay_admin';

export type Place = {
  /** For the hosts' data. */
  readonly data: string;
  readonly logs: string;
  readonly programs: Programs;
  readonly secrets: Secrets;
  readonly credentials: Credentials;
};

/** Puts the reference configuration where a host has it. */
export function placeConfiguration(
  { credentials }: Place,
  users: readonly { readonly username: string; readonly password: string }[],
): void {
  mkdirSync(TLS);
  copyFileSync(credentials.caFile, join(TLS, 'ca.crt'));
  const files = {
    '/etc/patroni': ['patroni.yml'],
    '/etc/haproxy': ['haproxy.cfg'],
    '/etc/pgbouncer': ['pgbouncer.ini'],
    '/etc/rabbitmq': ['rabbitmq.conf', 'rabbitmq-env.conf', 'inter_node_tls.config', 'enabled_plugins'],
  };
  for (const [folder, names] of Object.entries(files)) {
    mkdirSync(folder, { recursive: true });
    for (const name of names) copyFileSync(join(REFERENCE, name), join(folder, name));
  }
  writeFileSync('/etc/pgbouncer/userlist.txt', users.map(({ username, password }) => `"${username}" "${password}"\n`).join(''));
}

/** Starts a program, on a host or (`here`) beside our own programs, as an account that is not root. */
function start(place: Place, host: Host | 'here', name: string, account: string, command: readonly string[], env: NodeJS.ProcessEnv): void {
  const as = serverAccount([account]);
  if (as === undefined) throw new Error('the drill runs as root');
  const data = join(place.data, `${host}-${name}`);
  mkdirSync(data, { recursive: true, mode: 0o700 });
  chownSync(data, as.uid, as.gid);
  const asAccount = ['setpriv', `--reuid=${String(as.uid)}`, `--regid=${String(as.gid)}`, '--clear-groups', ...command];
  const [program = '', ...args] = host === 'here' ? asAccount : onHost(host, ...withCredentials(place.credentials, host, as), ...asAccount);
  startDetached(program, args, {
    logFile: join(place.logs, `${host}-${name}.log`),
    env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LANG: 'C.UTF-8', HOME: data, ...env },
    cwd: data,
  });
}

/** What stands before a command that finds its host's certificate where every host has its own. */
function withCredentials({ folder }: Credentials, host: Host, owner: { readonly uid: number; readonly gid: number }): readonly string[] {
  const own = join(folder, host);
  chownSync(join(own, 'host.key'), owner.uid, owner.gid);
  return ['unshare', '--mount', 'sh', '-c', `mount --bind "$0" ${TLS} && exec "$@"`, own];
}

/** Reads `NAME=value` lines. */
function readEnvironment(file: string): Record<string, string> {
  const lines = readFileSync(join(REFERENCE, file), 'utf8').split('\n');
  return Object.fromEntries(
    lines.flatMap((line) => {
      const [, name = '', value = ''] = /^([A-Z_]+)=(.*)$/.exec(line) ?? [];
      return name === '' ? [] : [[name, value]];
    }),
  );
}

export function startEtcd(place: Place, host: Host): void {
  start(place, host, 'etcd', 'etcd', ['etcd'], {
    ...readEnvironment('etcd.env'),
    ETCD_NAME: host,
    ETCD_DATA_DIR: join(place.data, `${host}-etcd`, 'data'),
    ETCD_LISTEN_PEER_URLS: 'https://0.0.0.0:2380',
    ETCD_LISTEN_CLIENT_URLS: 'https://0.0.0.0:2379',
    ETCD_INITIAL_ADVERTISE_PEER_URLS: `https://${host}:2380`,
    ETCD_ADVERTISE_CLIENT_URLS: `https://${host}:2379`,
  });
}

export function startPatroni(place: Place, host: Host): void {
  const data = join(place.data, `${host}-patroni`);
  start(place, host, 'patroni', 'postgres', [...place.programs.patroni, '/etc/patroni/patroni.yml'], {
    PATRONI_NAME: host,
    PATRONI_RESTAPI_CONNECT_ADDRESS: `${host}:8008`,
    PATRONI_POSTGRESQL_CONNECT_ADDRESS: `${host}:5432`,
    PATRONI_POSTGRESQL_DATA_DIR: join(data, 'data'),
    PATRONI_POSTGRESQL_BIN_DIR: findPostgres(),
    PATRONI_POSTGRESQL_PGPASS: join(data, 'pgpass'),
    PATRONI_SUPERUSER_USERNAME: ADMINISTRATOR,
    PATRONI_SUPERUSER_PASSWORD: place.secrets.superuser,
    PATRONI_REPLICATION_USERNAME: 'replicator',
    PATRONI_REPLICATION_PASSWORD: place.secrets.replication,
    PATRONI_REWIND_USERNAME: 'rewind',
    PATRONI_REWIND_PASSWORD: place.secrets.rewind,
  });
}

export function startRabbit(place: Place, host: Host): void {
  const home = join(place.data, `${host}-rabbitmq`);
  const as = serverAccount(['rabbitmq']);
  mkdirSync(home, { recursive: true, mode: 0o700 });
  const cookie = join(home, '.erlang.cookie');
  writeFileSync(cookie, place.secrets.cookie, { mode: 0o600 });
  if (as !== undefined) chownSync(cookie, as.uid, as.gid);
  start(place, host, 'rabbitmq', 'rabbitmq', [findRabbit()?.server ?? 'rabbitmq-server'], {
    RABBITMQ_NODENAME: `rabbit@${host}`,
    RABBITMQ_MNESIA_BASE: join(home, 'mnesia'),
    RABBITMQ_LOG_BASE: join(home, 'log'),
    RABBITMQ_GENERATED_CONFIG_DIR: join(home, 'generated'),
    RABBITMQ_PLUGINS_EXPAND_DIR: join(home, 'plugins'),
    RABBITMQ_PID_FILE: join(home, 'rabbitmq.pid'),
    RABBITMQ_DEFAULT_USER: ADMINISTRATOR,
    RABBITMQ_DEFAULT_PASS: place.secrets.broker,
    // Three nodes on two processors.
    ERL_FLAGS: NO_BUSY_WAIT,
  });
}

export function startHaProxy(place: Place, host: Host | 'here'): void {
  start(place, host, 'haproxy', 'haproxy', ['haproxy', '-db', '-f', '/etc/haproxy/haproxy.cfg'], {});
}

export function startPgBouncer(place: Place, host: Host): void {
  start(place, host, 'pgbouncer', 'postgres', [...place.programs.pgBouncer, '/etc/pgbouncer/pgbouncer.ini'], {});
}

/** Everything that belongs on a host. */
export function startHost(place: Place, host: Host): void {
  const [kind] = host.split('-');
  if (kind === 'etcd') startEtcd(place, host);
  else if (kind === 'db') startPatroni(place, host);
  else if (kind === 'mq') startRabbit(place, host);
  else {
    startHaProxy(place, host);
    startPgBouncer(place, host);
  }
}

/** Sends a signal to every process of a host, or only to those of one program. */
export function signalHost(host: Host, signal: NodeJS.Signals, program?: string): void {
  for (const pid of processesOn(host)) {
    try {
      if (program === undefined || programOf(pid).includes(program)) process.kill(pid, signal);
    } catch {
      // It has ended meanwhile.
    }
  }
}

const programOf = (pid: number): string =>
  readFileSync(`/proc/${String(pid)}/cmdline`, 'utf8')
    .split('\0')
    .join(' ');
