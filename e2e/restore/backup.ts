import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { randomBytes } from 'node:crypto';
import { ROOT } from '../../tools/infrastructure/folders.ts';
import { findPostgres } from '../../tools/infrastructure/postgres.ts';
import { execute, serverAccount, serverFolder } from '../../tools/infrastructure/processes.ts';
import { obtainProgram } from '../../tools/infrastructure/obtain-program.ts';
import { withClient } from '../../tools/infrastructure/provision.ts';
import { until } from '../world.ts';

/** The backups of a running PostgreSQL, made with the reference configuration of `deploy/backup`. */
export type Backup = {
  /** Takes a full backup; returns its size in the repository, in bytes. */
  full(): Promise<number>;
  /** Stops the server as a crash does, and keeps its data aside. */
  stopServer(): Promise<void>;
  /** Makes the data folder anew, as of this moment (`2026-11-24 01:02:03.456+00`). The server is not started. */
  restoreTo(moment: string): Promise<void>;
};

type Server = {
  /** The servers' folder, as `startInfrastructure` got it. */
  readonly folder: string;
  /** An administrator's URL. */
  readonly url: string;
  /** Kills the server, and starts it on the same port. */
  restart(): Promise<void>;
};

/** Longer than any step takes on a busy machine. */
const STEP_MS = 180_000;

/** Runs a program under the account of the servers: PostgreSQL refuses root. */
async function run(program: string, args: readonly string[], cwd: string, env: Record<string, string> = {}) {
  const account = serverAccount(['postgres']);
  const asServer = account === undefined ? {} : { uid: account.uid, gid: account.gid };
  const { PATH = '' } = process.env;
  return execute(program, [...args], { ...asServer, cwd, env: { PATH, ...env }, timeout: STEP_MS });
}

/** Has a server archive its log from now on, and its repository made. */
export async function startBackups(server: Server, log: (line: string) => void): Promise<Backup> {
  const pgBackRest = await obtainProgram('pgbackrest', log);
  const account = serverAccount(['postgres']);
  const place = (name: string) => serverFolder(server.folder, name, account).path;
  const data = join(place('postgres'), 'data');
  const home = place('pgbackrest');
  const { port, password, username } = new URL(server.url);
  const ours: Readonly<Record<string, string>> = {
    'repo1-path': `${join(home, 'repository')}\nlock-path=${join(home, 'lock')}\nlog-path=${join(home, 'log')}`,
    'pg1-path': `${data}\npg1-user=${username}`,
    'pg1-port': port,
  };
  const reference = readFileSync(join(ROOT, 'deploy/backup/pgbackrest.conf'), 'utf8');
  const config = join(home, 'pgbackrest.conf');
  const secrets = join(home, 'conf.d');
  mkdirSync(secrets);
  writeFileSync(
    config,
    reference.replace(/^([\w-]+)=.*$/gm, (line, name: string) => (ours[name] === undefined ? line : `${name}=${ours[name]}`)),
  );
  writeFileSync(join(secrets, 'secret.conf'), `[global]\nrepo1-cipher-pass=${randomBytes(32).toString('hex')}\n`);
  const stanza = ['--stanza=pay', `--config=${config}`, `--config-include-path=${secrets}`];
  const env = { PGHOST: '127.0.0.1', PGPASSWORD: decodeURIComponent(password) };
  const call = (...args: readonly string[]) => run(pgBackRest, args, home, env);

  const settings = readFileSync(join(ROOT, 'deploy/backup/postgresql.conf'), 'utf8');
  for (const [, name = '', value = ''] of settings.matchAll(/^(\w+) = (.+)$/gm)) {
    const here = value.replace('pgbackrest --stanza=pay', [pgBackRest, ...stanza].join(' ')).replace(/^'(.*)'$/, '$1');
    await withClient(server.url, (client) => client.query(`alter system set ${name} = '${here}'`));
  }
  await server.restart();
  await call(...stanza, 'stanza-create');
  await call(...stanza, 'check');
  return {
    full: async () => {
      await call(...stanza, '--type=full', 'backup');
      const { stdout } = await call(...stanza, '--output=json', 'info');
      const [info] = JSON.parse(stdout) as { backup: { info: { repository: { delta: number } } }[] }[];
      return info?.backup.at(-1)?.info.repository.delta ?? 0;
    },
    stopServer: async () => {
      await run(join(findPostgres() ?? '', 'pg_ctl'), ['stop', '-m', 'immediate', '-D', data], home);
      await rename(data, `${data}.broken`);
    },
    restoreTo: async (moment) => {
      await run('mkdir', ['-m', '700', data], home);
      await call(...stanza, '--type=time', `--target=${moment}`, '--target-action=promote', 'restore');
    },
  };
}

/** Waits until a restored server has replayed its log and takes writes. */
export const untilPromoted = (url: string): Promise<true> =>
  until('the restored server to take writes', () =>
    withClient(url, async (client) => {
      const { rows } = await client.query<{ recovering: boolean }>('select pg_is_in_recovery() as recovering');
      return rows[0]?.recovering === false ? true : undefined;
    }),
  );
