import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { LIMITS_MS } from '../../packages/shared/src/database/database.ts';
import { freePorts } from '../../tools/infrastructure/ports.ts';
import { answers } from '../../tools/infrastructure/postgres.ts';
import { endProcess, serverAccount, startDetached, waitFor } from '../../tools/infrastructure/processes.ts';
import { programOnPath } from '../../tools/infrastructure/programs.ts';
import type { OwnProgram } from '../../tools/system/state.ts';
import type { FaultSystem } from './system.ts';
import type { Row } from './table.ts';

const PROGRAMS: readonly (readonly [OwnProgram, number])[] = [
  ['notifier', 1],
  ['notifier', 2],
  ['payments', 1],
  ['payments', 2],
  ['bindings', 1],
  ['bindings', 2],
  ['withdrawals', 1],
  ['withdrawals', 2],
  ['checkout', 1],
  ['gateway', 1],
  ['console', 1],
];

/** PgBouncer keeps prepared statements in transaction mode from 1.21 on. */
function problem(): string | undefined {
  const program = programOnPath('pgbouncer');
  if (program === undefined) return 'there is no PgBouncer';
  const [, version = '0'] =
    /PgBouncer 1\.(\d+)/.exec(spawnSync(program, ['--version'], { encoding: 'utf8' }).stdout) ?? [];
  return Number(version) < 21 ? `PgBouncer 1.${version} keeps no prepared statements` : undefined;
}

/** Starts PgBouncer in transaction mode in front of the system's database; `url` is `databaseUrl` through it. */
async function startPgBouncer({ world, infrastructure }: FaultSystem) {
  const folder = join(world.system.folder, 'pgbouncer');
  const account = serverAccount(['postgres']);
  const server = new URL(infrastructure.databaseUrl);
  const { port } = await freePorts(['port']);
  const users = Object.values(world.system.state().databaseUrls).map((url) => new URL(url));
  mkdirSync(folder, { recursive: true });
  const [settings, list, logFile] = [
    join(folder, 'pgbouncer.ini'),
    join(folder, 'users.txt'),
    join(folder, 'pgbouncer.log'),
  ];
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
    const program = programOnPath('pgbouncer') ?? 'pgbouncer';
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
    fault:
      'every program moved behind PgBouncer in transaction mode, PgBouncer killed and started, every program moved back',
    problem,
    inject: async (system) => {
      const { world, query } = system;
      const pooler = await startPgBouncer(system);
      let running = await pooler.start();
      const urls = world.system.state().databaseUrls;
      for (const url of Object.values(urls))
        for (const [limit, ms] of Object.entries(LIMITS_MS))
          await query(`alter role ${new URL(url).username} set ${limit} = '${String(ms)}ms'`);
      for (const [program, replica] of PROGRAMS) {
        const direct = urls[program === 'checkout' ? 'payments' : program] ?? '';
        await world.system.restart(program, replica, { DATABASE_URL: pooler.via(direct), DATABASE_DIRECT_URL: direct });
      }
      await wait(5_000);
      await endProcess(running, 'SIGKILL', 0);
      await wait(2_000);
      running = await pooler.start();
      await wait(3_000);
      for (const [program, replica] of PROGRAMS) {
        const direct = urls[program === 'checkout' ? 'payments' : program] ?? '';
        await world.system.restart(program, replica, { DATABASE_URL: direct, DATABASE_DIRECT_URL: '' });
      }
      await endProcess(running, 'SIGTERM', 5_000);
    },
  },
];
