import { execFile, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { chownSync, closeSync, existsSync, lstatSync, mkdirSync, openSync, readFileSync, statfsSync } from 'node:fs';
import { constants, freemem } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { isRunning, processIdentity, type ProcessRecord } from '../lock.mjs';
import { folderId } from './files.ts';

export const execute = promisify(execFile);

/** The account that a server runs as; undefined means our own. */
export type Account = { readonly name: string; readonly uid: number; readonly gid: number };

/**
 * The account for a server that refuses to run as root or does not need to: the first of `names` that exists. Undefined
 * if we are not root: then it runs as we do.
 */
export function serverAccount(names: readonly string[]): Account | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const lines = readFileSync('/etc/passwd', 'utf8').split('\n');
  for (const wanted of [...names, 'nobody']) {
    for (const line of lines) {
      const [name, , uid, gid] = line.split(':');
      if (name === wanted) return { name, uid: Number(uid), gid: Number(gid) };
    }
  }
  throw new Error(`root needs one of the accounts ${names.join(', ')}, nobody to run a server as`);
}

/**
 * A folder that `account` can write: `<folder>/<name>` or, if a parent folder is closed to that account, one under
 * /var/tmp derived from the path. Every call returns the same folder.
 */
export function serverFolder(folder: string, name: string, account: Account | undefined): { path: string; fellBack: boolean } {
  const near = join(folder, name);
  mkdirSync(near, { recursive: true, mode: 0o700 });
  if (account === undefined) return { path: near, fellBack: false };
  chownSync(near, account.uid, account.gid);
  if (spawnSync('test', ['-w', near], { uid: account.uid, gid: account.gid }).status === 0) {
    return { path: near, fellBack: false };
  }
  const far = farFolder(folder, name);
  takeSharedFolder(far, account);
  return { path: far, fellBack: true };
}

/** The fallback of `serverFolder` if it can't stay in `folder`. */
export function farFolder(folder: string, name: string): string {
  return `/var/tmp/pay-${folderId(folder)}-${name}`;
}

/** `path` in a folder that everybody can write: what somebody else created there first must not be used. */
function takeSharedFolder(path: string, account: Account | undefined): void {
  const uid = account?.uid ?? process.getuid?.() ?? 0;
  mkdirSync(path, { recursive: true, mode: 0o700 });
  const found = lstatSync(path);
  if (!found.isDirectory() || (found.uid !== 0 && found.uid !== uid)) {
    throw new Error(`${path} belongs to somebody else; remove it or move the checkout`);
  }
  if (account !== undefined) chownSync(path, account.uid, account.gid);
}

/** Linux keeps the files of this folder in memory. */
const MEMORY = '/dev/shm';
/** Several times what the test databases take; the rest is for those who work with them. */
const MEMORY_MIN_BYTES = 4e9;

/** Where disposable data of a server lies if there is memory for it. */
export function memoryFolder(folder: string, name: string): string {
  return `${MEMORY}/pay-${folderId(folder)}-${name}`;
}

/** Whether this machine has room in memory for the data of a server. */
export function hasMemory(): boolean {
  if (!existsSync(MEMORY)) return false;
  const { bavail, bsize } = statfsSync(MEMORY);
  return Math.min(bavail * bsize, freemem()) >= MEMORY_MIN_BYTES;
}

/** Makes `memoryFolder` for the account; undefined if there is too little memory. */
export function takeMemoryFolder(folder: string, name: string, account: Account | undefined): string | undefined {
  if (!hasMemory()) return undefined;
  const path = memoryFolder(folder, name);
  takeSharedFolder(path, account);
  return path;
}

/** A process that we started and may have to find again after the starter has crashed. */
export type Started = { readonly record: ProcessRecord; readonly child: ChildProcess };

/**
 * Starts a process in its own session: Ctrl-C in our terminal does not reach it, and it outlives us. stdout and stderr
 * are appended to `logFile`.
 */
export function startDetached(
  command: string,
  args: readonly string[],
  options: { logFile: string; env: NodeJS.ProcessEnv; cwd: string; account?: Account | undefined },
): Started {
  const output = openSync(options.logFile, 'a', 0o600);
  try {
    const child = spawn(command, args, {
      detached: true,
      stdio: ['ignore', output, output],
      env: options.env,
      cwd: options.cwd,
      ...(options.account === undefined ? {} : { uid: options.account.uid, gid: options.account.gid }),
    });
    child.on('error', () => undefined); // Reported as a process that is not running.
    child.unref();
    if (child.pid === undefined) throw new Error(`${command} can't be started`);
    return { record: { pid: child.pid, identity: processIdentity(child.pid) ?? 'gone' }, child };
  } finally {
    closeSync(output);
  }
}

/** Sends a signal to a recorded process, never to another one that now has its number. */
export function signal(record: ProcessRecord, name: NodeJS.Signals): void {
  if (!isRunning(record)) return;
  try {
    process.kill(record.pid, name);
  } catch (error) {
    if (!(error instanceof Error && 'errno' in error && error.errno === -constants.errno.ESRCH)) throw error;
  }
}

/** Waits until a recorded process is gone; false if the time runs out first. */
export async function waitUntilGone(record: ProcessRecord, milliseconds: number): Promise<boolean> {
  const end = Date.now() + milliseconds;
  while (isRunning(record)) {
    if (Date.now() > end) return false;
    await sleep(30);
  }
  return true;
}

/** Ends a recorded process: first with `polite`, then by killing it if it has not ended after `milliseconds`. */
export async function endProcess(record: ProcessRecord, polite: NodeJS.Signals, milliseconds: number): Promise<void> {
  signal(record, polite);
  if (await waitUntilGone(record, milliseconds)) return;
  signal(record, 'SIGKILL');
  await waitUntilGone(record, 5_000);
}

/**
 * What starts in seconds may take minutes on a virtual machine with a tenth of its cores; an ended process is noticed
 * at once.
 */
const READY_WITHIN_S = 240;

/** Repeats `probe` until it is true. Fails if `alive` says that waiting is pointless, or if the time runs out. */
export async function waitFor(
  what: string,
  probe: () => Promise<boolean>,
  { alive, logFile }: { alive: () => boolean; logFile: string },
): Promise<void> {
  const end = Date.now() + READY_WITHIN_S * 1_000;
  while (!(await probe())) {
    if (!alive()) throw new Error(`${what} ended during startup; see ${logFile}\n${tail(logFile)}`);
    if (Date.now() > end) {
      throw new Error(`${what} was not ready after ${String(READY_WITHIN_S)} s; see ${logFile}\n${tail(logFile)}`);
    }
    await sleep(50);
  }
}

/** The last lines of a log file. */
export function tail(path: string, lines = 12): string {
  if (!existsSync(path)) return '';
  return readFileSync(path, 'utf8').trimEnd().split('\n').slice(-lines).join('\n');
}
