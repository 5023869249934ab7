import { mkdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { findPostgres, startPostgres, stopPostgres } from '../../tools/infrastructure/postgres.ts';
import { execute, serverAccount, serverFolder } from '../../tools/infrastructure/processes.ts';
import { withClient } from '../../tools/infrastructure/provision.ts';
import { serversFolder } from '../../tools/system/up.ts';
import type { FaultSystem } from './system.ts';
import type { Row } from './table.ts';

/** A PostgreSQL server: an administrator's URL and its data folder. */
type Server = { readonly url: string; readonly data: string };

/** Longest wait for a standby to follow its primary. */
const IN_SYNC_WITHIN_MS = 30_000;

const ask = <T extends object>({ url }: Server, sql: string): Promise<T[]> =>
  withClient(url, async (client) => (await client.query<T & Record<string, unknown>>(sql)).rows);

/** Runs one of PostgreSQL's programs under the servers' account. */
async function run(program: string, args: readonly string[], cwd: string): Promise<void> {
  const account = serverAccount(['postgres']);
  const asServer = account === undefined ? {} : { uid: account.uid, gid: account.gid };
  await execute(join(findPostgres() ?? '', program), [...args], { ...asServer, cwd });
}

/** Where a folder's PostgreSQL keeps its data. */
const dataIn = (folder: string) => {
  mkdirSync(folder, { recursive: true });
  return join(serverFolder(folder, 'postgres', serverAccount(['postgres'])).path, 'data');
};

/** Copies a running server so that the copy, once started, follows it. */
async function copy(from: Server, data: string): Promise<void> {
  const source = new URL(from.url);
  source.searchParams.set('application_name', 'standby');
  await run('pg_basebackup', ['-d', source.href, '-D', data, '-R', '-X', 'stream', '--checkpoint=fast'], '/');
}

/** From now on the primary answers no COMMIT before its standby has it. */
async function waitForStandby(primary: Server): Promise<void> {
  await ask(primary, `alter system set synchronous_standby_names = 'standby'`);
  await ask(primary, 'select pg_reload_conf()');
  for (const end = performance.now() + IN_SYNC_WITHIN_MS; performance.now() < end;) {
    const [found] = await ask(primary, `select from pg_stat_replication where sync_state = 'sync'`);
    if (found !== undefined) return;
    await wait(100);
  }
  throw new Error('no standby follows the primary');
}

/** Kills the primary, promotes its standby, and points the connection to the database there. */
async function failOver(system: FaultSystem, primary: Server, standby: Server): Promise<void> {
  await run('pg_ctl', ['stop', '-m', 'immediate', '-D', primary.data], '/');
  await ask(standby, 'select pg_promote()');
  system.moveDatabase(Number(new URL(standby.url).port));
}

/** The system's own server, and where its standby goes. */
const serversOf = ({ world, infrastructure }: FaultSystem) => ({
  own: { url: infrastructure.databaseUrl, data: dataIn(serversFolder(world.system.folder)) },
  folder: join(world.system.folder, 'standby'),
});

export const STANDBY_ROWS: readonly Row[] = [
  {
    name: 'standby-promoted',
    fault: 'PostgreSQL gets a synchronous standby, dies at once, and the standby is promoted; then the same back',
    problem: ({ infrastructure }) =>
      findPostgres() === undefined || infrastructure.rung === 1 || infrastructure.rung === 3
        ? 'PostgreSQL is not a program of this machine'
        : undefined,
    inject: async (system) => {
      const { own, folder } = serversOf(system);
      const standbyData = dataIn(folder);
      await copy(own, standbyData);
      const { password } = new URL(own.url);
      const programs = findPostgres() ?? '';
      const started = await startPostgres({
        folder,
        programs,
        password,
        port: undefined,
        durable: false,
        log: () => undefined,
        onStarted: (record) => system.leftovers.push(() => stopPostgres(record)),
      });
      const standby = { url: started.url, data: standbyData };
      await waitForStandby(own);
      await wait(2_000);
      await failOver(system, own, standby);
      await wait(4_000);
      // Moved back, so that later rows have the server that they know.
      await rm(own.data, { recursive: true });
      await copy(standby, own.data);
      await system.infrastructure.restart('database');
      await waitForStandby(standby);
      await wait(1_000);
      await failOver(system, standby, own);
    },
    tidy: (system) => rm(dataIn(serversOf(system).folder), { recursive: true, force: true }),
  },
];
