// Plain JavaScript, because it runs before anything is installed (types: lock.d.mts).
import { execFileSync } from 'node:child_process';
import { closeSync, openSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * What distinguishes this process from a later one with the same number: its start time. Undefined if no such process
 * is running. A process that ended but was not reaped yet counts as gone.
 */
export function processIdentity(pid) {
  if (process.platform !== 'linux') {
    try {
      return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { stdio: ['ignore', 'pipe', 'ignore'] })
        .toString()
        .trim();
    } catch {
      return undefined;
    }
  }
  try {
    const stat = readFileSync(`/proc/${String(pid)}/stat`, 'utf8');
    // The name is in brackets and may contain spaces, so fields are counted after it. Field 3 is the state, field 22
    // the start.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (fields[0] === 'Z' || fields[0] === 'X') return undefined;
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return `${boot}:${fields[19]}`;
  } catch {
    return undefined;
  }
}

/** Whether the recorded process is still running: its number alone could belong to another one by now. */
export function isRunning({ pid, identity }) {
  return identity !== undefined && processIdentity(pid) === identity;
}

/**
 * Runs `work` while holding the lock file `path`; waits for another process that holds it. A lock whose holder is gone
 * is taken over.
 */
export async function withLock(path, work) {
  await takeLock(path);
  try {
    return await work();
  } finally {
    rmSync(path, { force: true });
  }
}

async function takeLock(path) {
  const mine = JSON.stringify({ pid: process.pid, identity: processIdentity(process.pid) });
  for (;;) {
    try {
      const file = openSync(path, 'wx', 0o600);
      writeSync(file, mine);
      closeSync(file);
      return;
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    }
    removeStale(path);
    await sleep(100);
  }
}

/**
 * Removes a dead holder's lock. It is renamed before it is checked, so that a lock taken in between can be restored.
 */
function removeStale(path) {
  if (!isStale(path)) return;
  const aside = `${path}.${String(process.pid)}`;
  try {
    renameSync(path, aside);
  } catch {
    return; // Another waiter was faster.
  }
  if (isStale(aside)) rmSync(aside, { force: true });
  else renameSync(aside, path);
}

function isStale(path) {
  try {
    const text = readFileSync(path, 'utf8');
    // Empty between its creation and its first byte.
    return text !== '' && !isRunning(JSON.parse(text));
  } catch {
    return false;
  }
}
