import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { writePrivateJson } from '../../tools/infrastructure/files.ts';
import { ROOT } from '../../tools/infrastructure/folders.ts';
import { tail } from '../../tools/infrastructure/processes.ts';
import { processIdentity, type ProcessRecord } from '../../tools/lock.mjs';

/** Where a run keeps the checkout of the previous version. */
export const checkoutIn = (folder: string) => join(folder, 'before');
/** The folder of its system: `npm start` of that checkout made it. */
export const systemIn = (folder: string) => join(checkoutIn(folder), '.local');
/** The process that starts it, while it does. */
export const starterIn = (folder: string) => join(folder, 'starter.json');

const git = (...args: readonly string[]) =>
  execFileSync('git', args, { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim();

/**
 * The version to update from: what `--from` names; else the newest tag before this commit; else the commit before the
 * newest migration. Returns its hash.
 * @throws Error if there is no such commit
 */
export function previousVersion(from: string | undefined): string {
  return git('rev-parse', '--verify', `${from ?? newestTag() ?? `${newestMigration()}^`}^{commit}`);
}

function newestTag(): string | undefined {
  try {
    return git('describe', '--tags', '--abbrev=0', 'HEAD^');
  } catch {
    return undefined;
  }
}

const newestMigration = () => git('log', '-1', '--format=%H', '--', 'services/*/migrations/*.sql');

/** What has two processes: everything but the bank, which is a third party. */
const REPLICAS = 'gateway=2,payments=2,checkout=2,bindings=2,withdrawals=2,notifier=2,console=2,portal=2';

/**
 * Checks the version out and starts it with its own `npm start`: its packages, its migrations, servers of its own, two
 * processes of each program of ours and the edge in front of them.
 * @throws Error with the end of its output
 */
export async function startPrevious(commit: string, folder: string): Promise<void> {
  const checkout = checkoutIn(folder);
  mkdirSync(checkout, { recursive: true });
  const archive = execFileSync('git', ['archive', commit], { cwd: ROOT, maxBuffer: 512 * 1024 * 1024 });
  execFileSync('tar', ['-x', '-C', checkout], { input: archive });
  const { DATABASE_URL: _database, AMQP_URL: _broker, NODE_COMPILE_CACHE: _cache, ...env } = process.env;
  const logFile = join(folder, 'start.log');
  const log = openSync(logFile, 'a');
  const child = spawn(process.execPath, ['tools/start.mjs', '--detach', '--replicas', REPLICAS], {
    cwd: checkout,
    env,
    stdio: ['ignore', log, log],
    detached: true,
  });
  const record: ProcessRecord = { pid: child.pid ?? 0, identity: processIdentity(child.pid ?? 0) ?? 'gone' };
  writePrivateJson(starterIn(folder), record);
  await once(child, 'exit');
  if (child.exitCode !== 0) throw new Error(`npm start of ${commit} failed:\n${tail(logFile, 30)}`);
}
