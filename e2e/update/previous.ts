import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { writePrivateJson } from '../../tools/infrastructure/files.ts';
import { ROOT } from '../../tools/infrastructure/folders.ts';
import { tail } from '../../tools/infrastructure/processes.ts';
import { processIdentity, type ProcessRecord } from '../../tools/lock.mjs';
import { mainOf } from '../../tools/system/programs.ts';
import type { OwnProgram } from '../../tools/system/state.ts';

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

/** A version before this one, checked out, and what this one has that it may not have. */
export type Previous = {
  /** Those of our programs that it has. */
  readonly programs: readonly OwnProgram[];
  /** Whether its partners can follow their events in a stream (decisions/event-stream). */
  readonly hasStream: boolean;
};

const Document = z.object({ paths: z.record(z.string(), z.unknown()) });

function look(checkout: string, programs: readonly OwnProgram[]): Previous {
  const document = Document.parse(JSON.parse(readFileSync(join(checkout, 'docs/openapi.json'), 'utf8')));
  return {
    programs: programs.filter((program) => existsSync(join(checkout, mainOf(program)))),
    hasStream: '/api/event-stream' in document.paths,
  };
}

/**
 * Checks the version out and starts it with its own `npm start`: its packages, its migrations, servers of its own, two
 * processes of each of these programs that it has, and the edge in front of them.
 * @throws Error with the end of its output
 */
export async function startPrevious(commit: string, folder: string, ofThisVersion: readonly OwnProgram[]): Promise<Previous> {
  const checkout = checkoutIn(folder);
  mkdirSync(checkout, { recursive: true });
  const archive = execFileSync('git', ['archive', commit], { cwd: ROOT, maxBuffer: 512 * 1024 * 1024 });
  execFileSync('tar', ['-x', '-C', checkout], { input: archive });
  const previous = look(checkout, ofThisVersion);
  const replicas = previous.programs.map((program) => `${program}=2`).join(',');
  const { DATABASE_URL: _database, AMQP_URL: _broker, NODE_COMPILE_CACHE: _cache, ...env } = process.env;
  const logFile = join(folder, 'start.log');
  const log = openSync(logFile, 'a');
  // Versions up to 3ef473ea have a file for each command.
  const start = existsSync(join(checkout, 'tools/run.mjs')) ? ['tools/run.mjs', 'start'] : ['tools/start.mjs'];
  const child = spawn(process.execPath, [...start, '--detach', '--replicas', replicas], {
    cwd: checkout,
    env,
    stdio: ['ignore', log, log],
    detached: true,
  });
  const record: ProcessRecord = { pid: child.pid ?? 0, identity: processIdentity(child.pid ?? 0) ?? 'gone' };
  writePrivateJson(starterIn(folder), record);
  await once(child, 'exit');
  if (child.exitCode !== 0) throw new Error(`npm start of ${commit} failed:\n${tail(logFile, 30)}`);
  return previous;
}
