import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { isRunning, processIdentity, withLock } from './lock.mjs';
import { signal } from './infrastructure/processes.ts';

describe('a recorded process', () => {
  it('is known by its number and its start, and gone after its end', async () => {
    const child = spawn('sleep', ['60']);
    const pid = child.pid ?? 0;
    const record = { pid, identity: processIdentity(pid) ?? '' };
    expect(isRunning(record)).toBe(true);
    signal(record, 'SIGKILL');
    await once(child, 'exit');
    expect(isRunning(record)).toBe(false);
  });

  it('is never mistaken for a later process with its number', async () => {
    const child = spawn('sleep', ['60']);
    const another = { pid: child.pid ?? 0, identity: 'of a process before it' };
    signal(another, 'SIGKILL');
    expect(isRunning(another)).toBe(false);
    expect(processIdentity(another.pid)).toBeDefined();
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(child.signalCode).toBe('SIGKILL');
  });
});

describe('a lock', () => {
  let folder: string;
  let path: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'lock-'));
    path = join(folder, 'lock');
  });
  afterEach(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  it('lets one work at a time', async () => {
    const events: string[] = [];
    const enter = (name: string) =>
      withLock(path, async () => {
        events.push(`${name} in`);
        await new Promise((resolve) => setImmediate(resolve));
        events.push(`${name} out`);
      });
    await Promise.all([enter('a'), enter('b')]);
    expect(events).toEqual(['a in', 'a out', 'b in', 'b out']);
    expect(existsSync(path)).toBe(false);
  });

  it('is taken over from a process that is gone', async () => {
    writeFileSync(path, JSON.stringify({ pid: process.pid, identity: 'of a process before us' }));
    expect(await withLock(path, () => Promise.resolve('worked'))).toBe('worked');
  });

  it('is freed by a failure', async () => {
    await expect(withLock(path, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    expect(existsSync(path)).toBe(false);
  });
});
