import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { LIMITS_MS } from '../../packages/shared/src/postgres/connect/pool.ts';
import { freePorts } from '../../tools/infrastructure/ports.ts';
import { answers } from '../../tools/infrastructure/postgres.ts';
import { endProcess, serverAccount, startDetached, waitFor } from '../../tools/infrastructure/processes.ts';
import { programOnPath } from '../../tools/infrastructure/programs.ts';
import type { OwnProgram } from '../../tools/system/state.ts';
import { replace } from './rows-process.ts';
import type { FaultSystem } from './system.ts';
import type { Row } from './table.ts';

/** Moved in parallel, one replica of each after the other. */
const PROGRAMS: readonly (readonly [number, readonly Exclude<OwnProgram, 'portal'>[]])[] = [
  [1, ['notifier', 'payments', 'bindings', 'withdrawals', 'checkout', 'gateway', 'console']],
  [2, ['notifier', 'payments', 'bindings', 'withdrawals']],
];

/** Restarts every program with the database URL in `env`. */
async function moveAll(
  system: FaultSystem,
  env: (direct: string) => { readonly DATABASE_URL: string; readonly DATABASE_DIRECT_URL: string },
): Promise<void> {
  const urls = system.world.system.state().databaseUrls;
  for (const [replica, programs] of PROGRAMS)
    await Promise.all(
      programs.map((program) => replace(system, program, { replica, env: env(urls[program === 'checkout' ? 'payments' : program] ?? '') })),
    );
}

/** The program named by PGBOUNCER, else the one on the path, because distributions may have older ones. */
const pgBouncer = (): string | undefined => process.env['PGBOUNCER'] ?? programOnPath('pgbouncer');

/**
 * PgBouncer supports prepared statements in transaction mode since 1.21; programs refuse to start behind an older one.
 */
function problem(): string | undefined {
  const program = pgBouncer();
  if (program === undefined) return 'needs PgBouncer ≥ 1.21: there is none on the path, and PGBOUNCER names none';
  const [, version = '0'] = /PgBouncer 1\.(\d+)/.exec(spawnSync(program, ['--version'], { encoding: 'utf8' }).stdout) ?? [];
  return Number(version) < 21 ? `needs PgBouncer ≥ 1.21, and this is 1.${version}: PGBOUNCER may name another one` : undefined;
}

/** Starts PgBouncer in transaction mode in front of the system's database; `url` is `databaseUrl` through it. */
async function startPgBouncer({ world, infrastructure }: FaultSystem) {
  const folder = join(world.system.folder, 'pgbouncer');
  const account = serverAccount(['postgres']);
  const server = new URL(infrastructure.databaseUrl);
  const { port } = await freePorts(['port']);
  const users = Object.values(world.system.state().databaseUrls).map((url) => new URL(url));
  mkdirSync(folder, { recursive: true });
  const [settings, list, logFile] = [join(folder, 'pgbouncer.ini'), join(folder, 'users.txt'), join(folder, 'pgbouncer.log')];
  writeFileSync(list, users.map(({ username, password }) => `"${username}" "${password}"\n`).join(''));
  writeFileSync(
    settings,
    [
      '[databases]',
      `pay = host=${server.hostname} port=${server.port}`,
      '[pgbouncer]',
      'listen_addr = 127.0.0.1',
      `listen_port = ${String(port)}`,
      'unix_socket_dir =',
      'auth_type = scram-sha-256',
      `auth_file = ${list}`,
      'pool_mode = transaction',
      'max_prepared_statements = 200',
      'max_client_conn = 500',
      '',
    ].join('\n'),
  );
  for (const file of [settings, list]) chmodSync(file, 0o644);
  const via = (databaseUrl: string) => Object.assign(new URL(databaseUrl), { host: `127.0.0.1:${String(port)}` }).href;
  const start = async () => {
    const program = pgBouncer() ?? 'pgbouncer';
    const started = startDetached(program, [settings], { logFile, env: process.env, cwd: '/', account });
    const url = via(users[0]?.href ?? '');
    await waitFor('PgBouncer', () => answers(url), { alive: () => started.child.exitCode === null, logFile });
    return started.record;
  };
  return { via, start };
}

export const POOLER_ROWS: readonly Row[] = [
  {
    name: 'pooler',
    fault: 'every program moved behind PgBouncer in transaction mode, PgBouncer killed and started, every program moved back',
    problem,
    inject: async (system) => {
      const { world, query, leftovers } = system;
      const urls = world.system.state().databaseUrls;
      for (const url of Object.values(urls))
        for (const [limit, ms] of Object.entries(LIMITS_MS))
          await query(`alter role ${new URL(url).username} set ${limit} = '${String(ms)}ms'`);
      // Started after that: a session that it opened earlier would not have the limits.
      const pooler = await startPgBouncer(system);
      let running = await pooler.start();
      leftovers.push(() => endProcess(running, 'SIGKILL', 0));
      await moveAll(system, (direct) => ({ DATABASE_URL: pooler.via(direct), DATABASE_DIRECT_URL: direct }));
      await wait(5_000);
      await endProcess(running, 'SIGKILL', 0);
      await wait(2_000);
      running = await pooler.start();
      await wait(3_000);
      await moveAll(system, (direct) => ({ DATABASE_URL: direct, DATABASE_DIRECT_URL: '' }));
      await endProcess(running, 'SIGTERM', 5_000);
    },
  },
];
