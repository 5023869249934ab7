import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { MissingProgramError, obtainPackages } from '../../tools/infrastructure/obtain-program.ts';
import { findPostgres } from '../../tools/infrastructure/postgres.ts';
import { programOnPath } from '../../tools/infrastructure/programs.ts';
import { findRabbit } from '../../tools/infrastructure/rabbitmq.ts';

const run = promisify(execFile);

/** Debian's packages, each with whether what it brings is here. */
const PACKAGES: readonly { readonly name: string; readonly isHere: () => boolean }[] = [
  { name: 'postgresql', isHere: () => findPostgres() !== undefined },
  { name: 'rabbitmq-server', isHere: () => findRabbit() !== undefined },
  { name: 'patroni', isHere: () => programOnPath('patroni') !== undefined },
  // Patroni speaks TLS to etcd through it; Debian's packages only suggest it.
  { name: 'python3-idna', isHere: () => existsSync('/usr/lib/python3/dist-packages/idna') },
  { name: 'etcd-server', isHere: () => programOnPath('etcd') !== undefined },
  { name: 'etcd-client', isHere: () => programOnPath('etcdctl') !== undefined },
  { name: 'haproxy', isHere: () => programOnPath('haproxy') !== undefined },
  { name: 'iproute2', isHere: () => programOnPath('ip') !== undefined },
];

/**
 * Installs what is missing, without starting its services.
 * @throws MissingProgramError
 */
export async function obtainServers(log: (line: string) => void): Promise<void> {
  const missing = PACKAGES.filter(({ isHere }) => !isHere()).map(({ name }) => name);
  if (missing.length === 0) return;
  await obtainPackages(missing, log);
}

/** A program, and what stands before its own arguments. */
type Command = readonly [program: string, ...args: readonly string[]];
/** The two that have to be newer than Debian 12's. */
export type Programs = { readonly pgBouncer: Command; readonly patroni: Command };

/** The first PgBouncer that keeps prepared statements in transaction mode. */
const PGBOUNCER_MIN = [1, 21, 0];
/**
 * The first Patroni whose primary, frozen and let go, does not take the leader's key back from its successor
 * (decisions/failover-and-restore).
 */
const PATRONI_MIN = [3, 0, 3];
/** Patroni, and PgBouncer with the libraries that it is linked with. Patroni's own libraries are Debian 12's. */
const TRIXIE = [
  'patroni',
  'pgbouncer',
  'libc6',
  'libcares2',
  'libevent-2.1-7t64',
  'libssl3t64',
  'libsystemd0',
  'libpam0g',
  'libaudit1',
  'libcap-ng0',
  'libcap2',
  'libcrypt1',
  'zlib1g',
  'libzstd1',
  'libgcc-s1',
];

/**
 * The machine's own PgBouncer and Patroni, each if it is new enough; else Debian 13's, unpacked in `folder`. Nothing of that
 * is installed on the machine.
 * @throws MissingProgramError
 */
export async function obtainPrograms(folder: string, log: (line: string) => void): Promise<Programs> {
  const root = join(folder, 'root');
  const libraries = join(root, 'usr/lib/x86_64-linux-gnu');
  const unpacked: Programs = {
    pgBouncer: [join(libraries, 'ld-linux-x86-64.so.2'), '--library-path', libraries, join(root, 'usr/sbin/pgbouncer')],
    patroni: ['env', `PYTHONPATH=${join(root, 'usr/lib/python3/dist-packages')}`, '/usr/bin/python3', join(root, 'usr/bin/patroni')],
  };
  const pgBouncer = await isNewEnough(['pgbouncer'], PGBOUNCER_MIN);
  const patroni = await isNewEnough(['patroni'], PATRONI_MIN);
  if (!pgBouncer || !patroni) {
    if (process.arch !== 'x64' || programOnPath('apt-get') === undefined)
      throw new MissingProgramError('PgBouncer 1.21 and Patroni 3.0.3 or later are missing: put them on the path');
    log("downloading Debian 13's PgBouncer and Patroni");
    await download(folder, root).catch((cause: unknown) => {
      throw new MissingProgramError("PgBouncer and Patroni are missing: Debian 13's could not be downloaded", {
        cause,
      });
    });
  }
  const chosen: Programs = {
    pgBouncer: pgBouncer ? ['pgbouncer'] : unpacked.pgBouncer,
    patroni: patroni ? ['patroni'] : unpacked.patroni,
  };
  if (!(await isNewEnough(chosen.pgBouncer, PGBOUNCER_MIN)) || !(await isNewEnough(chosen.patroni, PATRONI_MIN)))
    throw new MissingProgramError(`Debian 13's PgBouncer or Patroni does not run: see ${folder}`);
  return chosen;
}

async function isNewEnough([program, ...args]: Command, least: readonly number[]): Promise<boolean> {
  const { stdout } = await run(program, [...args, '--version']).catch(() => ({ stdout: '' }));
  const version = /(\d+)\.(\d+)\.(\d+)/.exec(stdout)?.slice(1).map(Number) ?? [];
  const differing = version.findIndex((part, index) => part !== least[index]);
  return version.length > 0 && (version[differing] ?? 0) >= (least[differing] ?? 0);
}

/** Downloads with package lists of its own, and unpacks. */
async function download(folder: string, root: string): Promise<void> {
  const debs = join(folder, 'debs');
  for (const name of ['lists/partial', 'archives/partial']) mkdirSync(join(folder, name), { recursive: true });
  for (const name of [debs, root]) mkdirSync(name);
  const sources = join(folder, 'sources.list');
  const keys = '/usr/share/keyrings/debian-archive-keyring.gpg';
  writeFileSync(sources, `deb [signed-by=${keys}] http://deb.debian.org/debian trixie main\n`);
  writeFileSync(join(folder, 'status'), '');
  const options = {
    'Dir::State::lists': join(folder, 'lists'),
    'Dir::State::status': join(folder, 'status'),
    'Dir::Cache': folder,
    'Dir::Etc::SourceList': sources,
    'Dir::Etc::SourceParts': '/dev/null',
    'Dir::Etc::PreferencesParts': '/dev/null',
    'APT::Sandbox::User': 'root',
  };
  const set = Object.entries(options).flatMap(([name, value]) => ['-o', `${name}=${value}`]);
  await run('apt-get', [...set, 'update'], { cwd: debs });
  await run('apt-get', [...set, 'download', ...TRIXIE], { cwd: debs });
  for (const deb of readdirSync(debs)) await run('dpkg-deb', ['-x', join(debs, deb), root]);
}
