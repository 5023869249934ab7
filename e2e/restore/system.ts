import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { LOCAL } from '../../tools/infrastructure/folders.ts';
import { farFolder } from '../../tools/infrastructure/processes.ts';
import { startInfrastructure, type Infrastructure } from '../../tools/infrastructure/infrastructure.ts';
import { MissingProgramError } from '../../tools/infrastructure/obtain-program.ts';
import { withClient } from '../../tools/infrastructure/provision.ts';
import { onboardDemoPartner, writeDemoFile } from '../../tools/system/demo.ts';
import { addresses } from '../../tools/system/environment.ts';
import type { ProgramName } from '../../tools/system/state.ts';
import { openSystem, removeSystem, serversFolder, startSystem } from '../../tools/system/up.ts';
import { runningSystem } from '../../tools/testing/running-system.ts';
import { ARTIFACTS } from '../../tools/testing/test-folders.ts';
import { runCli } from '../../packages/cli/test/run-cli.ts';
import { startBankDatabase } from '../faults/system.ts';
import { openWorld, type World } from '../world.ts';
import { startBackups, type Backup } from './backup.ts';

/** Logs of the services, for finding the cause. */
const LOGS = join(ARTIFACTS, 'restore-logs');

/** Whom partners and buyers reach. They are closed until the books are in order again. */
export const OPEN_TO_PARTNERS: readonly ProgramName[] = ['gateway', 'checkout', 'portal'];
/** What runs behind them. The bank is a third party: it goes on. */
export const BEHIND: readonly ProgramName[] = ['payments', 'bindings', 'withdrawals', 'notifier', 'console'];

/** A whole system whose database is backed up, and a bank with a database of its own. */
export type DrillSystem = {
  readonly world: World;
  readonly infrastructure: Infrastructure;
  readonly backup: Backup;
  /** Queries the system's database, as its administrator. */
  readonly query: <T extends object>(sql: string, values?: readonly unknown[]) => Promise<T[]>;
  /** Queries the bank's own database. */
  readonly queryBank: DrillSystem['query'];
  /** `pay operator …` as this person; the answer. @throws Error with what it printed if it fails */
  readonly operator: (person: string, ...args: readonly string[]) => Promise<Record<string, unknown>>;
  /** Kills the programs, as a machine that is switched off does. */
  stop(programs: readonly ProgramName[]): Promise<void>;
  /** Starts them all at once, and waits until they are ready. */
  start(programs: readonly ProgramName[]): Promise<void>;
};

/** What was started, to be undone in reverse order. */
export type Undo = () => Promise<unknown>;

/** Undoes what was started, whatever fails. */
export async function undoAll(undo: Undo[]): Promise<void> {
  for (const step of undo.splice(0).toReversed())
    await step().catch((error: unknown) => {
      process.stderr.write(`${String(error)}\n`);
    });
}

/** Adds to `undo` before it starts anything. @throws MissingProgramError if PostgreSQL and RabbitMQ are no programs of this machine */
export async function startDrillSystem(log: (line: string) => void, undo: Undo[]): Promise<DrillSystem> {
  const folder = join(LOCAL, `e2e-${String(process.pid)}-restore`);
  undo.push(() => rm(folder, { recursive: true, force: true }));
  undo.push(() => rm(farFolder(serversFolder(folder), 'pgbackrest'), { recursive: true, force: true }));
  undo.push(() => removeSystem(folder));
  // `start`: written durably, as in production.
  const infrastructure = await startInfrastructure({ folder: serversFolder(folder), log, purpose: 'start', env: {} });
  if (infrastructure.rung === 3) throw new MissingProgramError('PostgreSQL and RabbitMQ are missing as programs: install them');
  const { databaseUrl: url } = infrastructure;
  const server = { folder: serversFolder(folder), url, restart: () => infrastructure.restart('database') };
  const backup = await startBackups(server, log);
  const state = await startSystem({ folder, log, infrastructure });
  await onboardDemoPartner(state, folder, addresses(state));
  writeDemoFile(state, folder);
  const world = await openWorld(runningSystem(folder));
  undo.push(async () => {
    world.client.close();
    await world.receiver.close();
    await rm(LOGS, { recursive: true, force: true });
    await cp(world.system.logs, LOGS, { recursive: true });
  });
  const bank = await startBankDatabase(join(folder, 'bank'), log);
  if (bank === undefined) throw new Error('the bank has no database of its own');
  undo.push(() => bank.stop());
  await world.system.restart('sandbox-bank', 1, { DATABASE_URL: bank.url });
  const queryAt =
    (at: string) =>
    <T extends object>(sql: string, values: readonly unknown[] = []): Promise<T[]> =>
      withClient(at, async (client) => (await client.query<T & Record<string, unknown>>(sql, [...values])).rows);
  const profile = join(folder, 'demo.json');
  return {
    world,
    infrastructure,
    backup,
    query: queryAt(state.databaseAdminUrl),
    queryBank: queryAt(bank.url),
    operator: async (person, ...args) => {
      const { stdout, stderr, exitCode } = await runCli(['--profile', profile, 'operator', '--as', person, ...args, '--json']);
      if (exitCode !== 0) throw new Error(`pay operator ${args.join(' ')}: ${stderr}${stdout}`);
      return JSON.parse(stdout) as Record<string, unknown>;
    },
    stop: async (programs) => {
      await Promise.all(programs.map((program) => openSystem(folder).kill(program, 'SIGKILL')));
    },
    start: (programs) => world.system.restartTogether(programs),
  };
}
