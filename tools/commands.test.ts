import { spawnSync } from 'node:child_process';
import { cpSync, globSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { readJson } from './infrastructure/files.ts';
import { ROOT } from './infrastructure/folders.ts';

const { scripts } = z.object({ scripts: z.record(z.string(), z.string()) }).parse(readJson(join(ROOT, 'package.json')));

/** The command line of partners, whose help has tests of its own, and what runs once after an installation. */
const OTHERS: ReadonlySet<string> = new Set(['pay', 'postinstall']);
const COMMANDS = Object.entries(scripts).flatMap(([name, script]) => {
  const [, file] = /^node tools\/([\w-]+\.mjs)$/.exec(script) ?? [];
  return file === undefined || OTHERS.has(name) ? [] : [{ name, file }];
});

/** Copies of the commands without anything that they run: a mistake must not reset this checkout. */
let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'commands-'));
  for (const path of globSync(join(ROOT, 'tools/*.mjs'))) cpSync(path, join(folder, 'tools', basename(path)));
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

function run(file: string, ...given: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(folder, 'tools', file), ...given], { encoding: 'utf8' }); // prettier-ignore
  return { status, stdout, stderr };
}

describe.each(COMMANDS)('npm run $name', ({ name, file }) => {
  const command = `npm ${['start', 'stop', 'test'].includes(name) ? '' : 'run '}${name}`;

  it('--help says how to use it, and does nothing', () => {
    const { status, stdout, stderr } = run(file, '--help');
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toMatch(new RegExp(`^${command}(?: -- .+)?\\n\\n[A-Z]`));
  });

  it('a wrong option is named in one line, and does nothing', () => {
    const { status, stdout, stderr } = run(file, '--no-such-option');
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toMatch(new RegExp(`^${command} has no --no-such-option\\. Usage: .+\\n$`));
  });
});

it.each([
  ['reset.mjs', ['everything']],
  ['start.mjs', ['payments=2']],
  ['start.mjs', ['--replica=payments=2']],
])('%s %j: refused', (file, given) => {
  expect(run(file, ...given)).toMatchObject({ status: 2, stdout: '' });
});

it.each([
  ['start.mjs', ['--detach', '--replicas', 'payments=2']],
  ['test.mjs', ['--times', 'outbox']],
  ['reset.mjs', []],
])('%s %j: goes on to what it runs, which is not here', (file, given) => {
  expect(run(file, ...given)).toMatchObject({ status: 1, stderr: expect.stringContaining('This should not happen') });
});
