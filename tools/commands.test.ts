import { spawnSync } from 'node:child_process';
import { cpSync, globSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { readJson } from './infrastructure/files.ts';
import { ROOT } from './infrastructure/folders.ts';

const { scripts } = z.object({ scripts: z.record(z.string(), z.string()) }).parse(readJson(join(ROOT, 'package.json')));

/** The command line of partners, whose help has tests of its own. */
const COMMANDS = Object.entries(scripts).flatMap(([name, script]) =>
  script === `node tools/run.mjs ${name}` && name !== 'pay' ? [{ name }] : [],
);

/** Copies of the commands without anything that they run: a mistake must not reset this checkout. */
let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'commands-'));
  for (const path of globSync(join(ROOT, 'tools/*.mjs'))) cpSync(path, join(folder, 'tools', basename(path)));
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

function run(...given: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(folder, 'tools/run.mjs'), ...given], {
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

describe.each(COMMANDS)('npm run $name', ({ name }) => {
  const command = `npm ${['start', 'stop', 'test'].includes(name) ? '' : 'run '}${name}`;

  it('--help says how to use it, and does nothing', () => {
    const { status, stdout, stderr } = run(name, '--help');
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toMatch(new RegExp(`^${command}(?: -- .+)?\\n\\n[A-Z]`));
  });

  it('a wrong option is named in one line, and does nothing', () => {
    const { status, stdout, stderr } = run(name, '--no-such-option');
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toMatch(new RegExp(`^${command} has no --no-such-option\\. Usage: .+\\n$`));
  });
});

it.each([
  ['reset', ['everything']],
  ['start', ['payments=2']],
  ['start', ['--replica=payments=2']],
])('%s %j: refused', (name, given) => {
  expect(run(name, ...given)).toMatchObject({ status: 2, stdout: '' });
});

it.each([
  ['start', ['--detach', '--replicas', 'payments=2']],
  ['test', ['--times', 'outbox']],
  ['reset', []],
])('%s %j: goes on to what it runs, which is not here', (name, given) => {
  expect(run(name, ...given)).toMatchObject({ status: 1, stderr: expect.stringContaining('This should not happen') });
});

it('every command has a script, and every script of tools a command', () => {
  const known = run('nothing').stderr.split('There are ')[1]?.trim().split(', ');
  const named = Object.entries(scripts).flatMap(([name, script]) => (script.startsWith('node tools/run.mjs') ? [name] : []));
  expect(COMMANDS.length).toBeGreaterThan(20);
  expect(known?.toSorted()).toEqual([...named, 'obtain-languages'].toSorted());
});
