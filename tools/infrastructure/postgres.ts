import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import pg from 'pg';
import type { ProcessRecord } from '../lock.mjs';
import { freePorts } from './ports.ts';
import { endProcess, execute, serverAccount, serverFolder, startDetached, takeMemoryFolder, waitFor, type Started } from './processes.ts';
import { programOnPath } from './programs.ts';

/**
 * The folder with `postgres` and `initdb`, the newest if there are several; undefined if there is none on this machine.
 */
export function findPostgres(): string | undefined {
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? readdirSync(debian) : [];
  const newestFirst = versions
    .map(Number)
    .filter(Number.isInteger)
    .sort((a, b) => b - a);
  const onPath = programOnPath('initdb');
  const candidates = [
    ...newestFirst.map((version) => join(debian, String(version), 'bin')),
    ...(onPath === undefined ? [] : [dirname(onPath)]),
    ...[18, 17, 16, 15].flatMap((version) => [
      `/opt/homebrew/opt/postgresql@${String(version)}/bin`,
      `/usr/local/opt/postgresql@${String(version)}/bin`,
      `/usr/pgsql-${String(version)}/bin`,
    ]),
  ];
  return candidates.find((folder) => existsSync(join(folder, 'postgres')) && existsSync(join(folder, 'initdb')));
}

export type PostgresServer = { readonly url: string; readonly port: number; readonly processes: ProcessRecord[] };

type Options = {
  /** The infrastructure's folder; data goes to `<folder>/postgres`, the log to `<folder>/postgres.log`. */
  readonly folder: string;
  readonly programs: string;
  readonly password: string;
  /** The last start's port, kept if it is still free. */
  readonly port: number | undefined;
  /** If false: no fsync. For disposable test data only. */
  readonly durable: boolean;
  /** Keeps the data of a first start in memory, where there is enough: whoever removes the folder removes `memoryFolder`, too. */
  readonly inMemory?: boolean;
  readonly log: (line: string) => void;
  readonly onStarted: (record: ProcessRecord) => void;
};

const SUPERUSER = 'pay_admin';

/**
 * Starts a private PostgreSQL on a loopback port, with its data in the folder. Creates the data folder at the first
 * start.
 */
export async function startPostgres(options: Options): Promise<PostgresServer> {
  const account = serverAccount(['postgres']);
  const place = serverFolder(options.folder, 'postgres', account);
  if (place.fellBack) {
    options.log(`PostgreSQL's data lies in ${place.path}: ${account?.name ?? ''} can't enter ${options.folder}`);
  }
  const data = join(place.path, 'data');
  const env = { ...process.env, LC_ALL: 'C' };
  const asServer = account === undefined ? {} : { uid: account.uid, gid: account.gid };
  if (!existsSync(join(data, 'PG_VERSION'))) {
    rmSync(data, { recursive: true, force: true });
    // A file system on a disk looks for a free inode for each of the thousand files of a new database.
    const memory = options.inMemory === true ? takeMemoryFolder(options.folder, 'postgres', account) : undefined;
    if (memory !== undefined) symlinkSync(memory, data);
    const passwordFile = join(place.path, `password-${randomBytes(4).toString('hex')}`);
    writeFileSync(passwordFile, options.password, { mode: account === undefined ? 0o600 : 0o644, flag: 'wx' });
    try {
      const args = ['-D', data, '-U', SUPERUSER, '--auth=scram-sha-256', `--pwfile=${passwordFile}`];
      await execute(
        join(options.programs, 'initdb'),
        [...args, '--encoding=UTF8', '--locale=C', ...(options.durable ? [] : ['--no-sync'])],
        { ...asServer, env, cwd: place.path },
      );
    } finally {
      rmSync(passwordFile, { force: true });
    }
  }
  const { postgres: port } = await freePorts(['postgres'], options.port === undefined ? {} : { postgres: options.port });
  const settings = [
    'listen_addresses=127.0.0.1',
    `port=${String(port)}`,
    // TCP only: a socket file in a shared folder is one more thing to conflict over.
    'unix_socket_directories=',
    'max_connections=400',
    'timezone=UTC',
    // synchronous_commit stays on: otherwise a killed server loses commits that it had confirmed, and the fault tests
    // would report losses that are not ours. Without fsync it costs nothing.
    ...(options.durable ? [] : ['fsync=off', 'full_page_writes=off', 'max_wal_size=512MB']),
  ];
  const logFile = join(options.folder, 'postgres.log');
  const started: Started = startDetached(
    join(options.programs, 'postgres'),
    ['-D', data, ...settings.flatMap((setting) => ['-c', setting])],
    { logFile, env, cwd: place.path, account },
  );
  options.onStarted(started.record);
  const url = `postgres://${SUPERUSER}:${options.password}@127.0.0.1:${String(port)}/postgres`;
  await waitFor('PostgreSQL', () => answers(url), {
    alive: () => started.child.exitCode === null && started.child.signalCode === null,
    logFile,
  });
  return { url, port, processes: [started.record] };
}

/** Fast shutdown: open connections are closed, everything committed is on disk. */
export async function stopPostgres(record: ProcessRecord): Promise<void> {
  await endProcess(record, 'SIGINT', 20_000);
}

/** Whether a PostgreSQL answers there and accepts our password. */
export async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('select 1');
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}
