import { execFile } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ROOT } from '../infrastructure/folders.ts';
import { readJestResults } from './times.ts';

let folder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'native-')));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

/**
 * Runs these files one after the other in jest's own process, in alphabetical order, or in workers. @returns "<file>: <title>: <status>" of
 * each test.
 */
async function run(files: Readonly<Record<string, string>>, workers = '--runInBand'): Promise<string[]> {
  const config = {
    testRunner: join(ROOT, 'tools/testing/native-runner.mjs'),
    testEnvironment: join(ROOT, 'tools/testing/native-environment.mjs'),
    testEnvironmentOptions: { closesAll: true },
    testSequencer: join(folder, 'in-order.cjs'),
    testMatch: ['**/*.test.ts'],
    transform: {},
    injectGlobals: false,
    testTimeout: 500,
  };
  const inOrder = `const Sequencer = require(${JSON.stringify(join(ROOT, 'node_modules/@jest/test-sequencer'))}).default;
    module.exports = class extends Sequencer { sort(tests) { return tests.toSorted((a, b) => a.path < b.path ? -1 : 1); } };`;
  for (const [name, text] of Object.entries({
    ...files,
    'package.json': '{ "type": "module" }',
    'jest.json': JSON.stringify(config),
    'in-order.cjs': inOrder,
  })) {
    writeFileSync(join(folder, name), text);
  }
  const output = join(folder, 'results.json');
  const args = [
    join(ROOT, 'node_modules/jest/bin/jest.js'),
    '--config',
    'jest.json',
    workers,
    '--forceExit',
    '--json',
    '--outputFile',
    output,
  ];
  await new Promise<void>((resolve) => {
    const env = { ...process.env, PROPERTY_SEED: '7' };
    execFile(process.execPath, args, { cwd: folder, env, timeout: 60_000, killSignal: 'SIGKILL' }, () => {
      resolve();
    });
  });
  const { testResults } = readJestResults(output);
  return testResults
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))
    .flatMap(({ name, assertionResults, message }) => {
      const file = name.slice(folder.length + 1);
      const tests = assertionResults.map(({ fullName, status }) => `${file}: ${fullName}: ${status}`);
      const left = [...message.matchAll(/(?<=The file )leaves [a-z ]+ behind: .+/g)].map(([line]) => `${file}: ${line}`);
      return [...tests, ...left];
    });
}

const GLOBALS = `import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';\n`;

it('loads a module once for all files, and gives each file its own tests and hooks', async () => {
  const text = (title: string) => `${GLOBALS}
    import { loads, each } from './shared.ts';
    const seen: string[] = [];
    each(seen);
    describe('group', () => { it('${title}', () => { expect([loads(), ...seen]).toEqual([1, 'before']); }); });`;
  const shared = `import { beforeEach } from '@jest/globals';
    let count: number = 0;
    count += 1;
    export const loads = () => count;
    export const each = (seen: string[]) => { beforeEach(() => { seen.push('before'); }); };`;
  expect(await run({ 'shared.ts': shared, 'a.test.ts': text('one'), 'b.test.ts': text('two') })).toEqual([
    'a.test.ts: group one: passed',
    'b.test.ts: group two: passed',
  ]);
});

it('tries a property with the values of PROPERTY_SEED', async () => {
  const text = `${GLOBALS} import fc from ${JSON.stringify(import.meta.resolve('fast-check'))};
    it(JSON.stringify(fc.sample(fc.nat(), 5)), () => undefined);`;
  const values = JSON.stringify(fc.sample(fc.nat(), { numRuns: 5, seed: 7 }));
  expect(await run({ 'a.test.ts': text })).toEqual([`a.test.ts: ${values}: passed`]);
});

it('puts back what a file changed: variables, folder, clock, spies', async () => {
  const change = `${GLOBALS}
    it('changes', () => {
      process.env['LEFT'] = 'x'; delete process.env['PATH']; process.chdir('/');
      jest.spyOn(Math, 'max').mockReturnValue(7); jest.useFakeTimers({ now: 0 });
      expect([Date.now(), Math.max(1, 2)]).toEqual([0, 7]);
    });`;
  const look = `${GLOBALS}
    it('sees nothing of it', () => {
      expect([process.env['LEFT'], process.cwd(), Math.max(1, 2)]).toEqual([undefined, ${JSON.stringify(folder)}, 2]);
      expect(process.env['PATH']).toBeDefined(); expect(Date.now()).toBeGreaterThan(1e12);
    });`;
  expect(await run({ 'a.test.ts': change, 'b.test.ts': look })).toEqual([
    'a.test.ts: changes: passed',
    'b.test.ts: sees nothing of it: passed',
  ]);
});

it('fails a file that leaves a global, a test that never ends, and a test of a promise that nobody took', async () => {
  const leave = `${GLOBALS} it('leaves', () => { Object.assign(globalThis, { behind: 1 }); });`;
  const bad = `${GLOBALS}
    it('hangs', () => new Promise(() => undefined));
    it('drops a rejection', async () => { void Promise.reject(new Error('lost')); await new Promise((r) => { setImmediate(r); }); });
    it('is wrong', () => { expect(1).toBe(2); });
    it('is well', () => { expect(1).toBe(1); });`;
  expect(await run({ 'a.test.ts': leave, 'b.test.ts': bad })).toEqual([
    'a.test.ts: leaves globals behind: behind',
    'b.test.ts: hangs: failed',
    'b.test.ts: drops a rejection: failed',
    'b.test.ts: is wrong: failed',
    'b.test.ts: is well: passed',
  ]);
});

it('fails a file that leaves something open behind or hears a signal, and not one that closes it', async () => {
  const leave = `${GLOBALS} import { createServer } from 'node:net';
    it('leaves', async () => {
      await new Promise((listens) => { createServer().listen(0, () => { listens(null); }); });
      setInterval(() => undefined, 60_000); process.on('SIGUSR2', () => undefined);
    });`;
  const close = `${GLOBALS} import { once } from 'node:events'; import { createServer } from 'node:net';
    it('closes', async () => { const server = createServer().listen(0); await once(server, 'listening'); server.close(); setTimeout(() => undefined, 20); });`;
  expect(await run({ 'a.test.ts': leave, 'b.test.ts': close }, '--maxWorkers=2')).toEqual([
    'a.test.ts: leaves listeners behind: SIGUSR2',
    'a.test.ts: leaves something open behind: TCPServerWrap, Timeout',
    'b.test.ts: closes: passed',
  ]);
});

it('names the test that failed, not what it left open by failing', async () => {
  const fail = `${GLOBALS} import { createServer } from 'node:net';
    it('fails before it closes', async () => {
      const server = createServer();
      await new Promise((listens) => { server.listen(0, () => { listens(null); }); });
      expect(1).toBe(2);
      server.close();
    });`;
  expect(await run({ 'a.test.ts': fail })).toEqual(['a.test.ts: fails before it closes: failed']);
});
