// `npm run test:mutations [-- --count 100 --seed 1 --commit <commit>]`: changes one place after the other in what decides,
// stores and answers, and says which changes no unit or integration test notices. Works on a checkout of its own in the
// folder for temporary files; what is known already is not tried again.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import fc from 'fast-check';
import { z } from 'zod';
import { readJson } from '../infrastructure/files.ts';
import { ROOT, TEST_FOLDER } from '../infrastructure/folders.ts';
import { startInfrastructure } from '../infrastructure/infrastructure.ts';
import { withClient } from '../infrastructure/provision.ts';
import { processIdentity } from '../lock.mjs';
import { projectOf } from '../testing/selection.ts';
import { byDistance, mutated, mutationsOf, type Mutation } from './mutations.ts';

/** Where rules live. What is declared only (tables, rights) is held by tests of another kind. */
const SOURCES = 'services/*/src/{domain,db,http}/**/*.ts';
const DECLARATIONS = /(?:\.test\.ts|\/schema\.ts|\/grants\.ts)$/;
/** A change may make a program wait for ever: that is noticed, too. */
const [TEST_MS, RUN_MS] = [60_000, 4 * 60_000];
const JEST = [
  'node_modules/jest/bin/jest.js',
  '--selectProjects',
  'unit',
  'integration',
  '--maxWorkers=2',
  `--testTimeout=${String(TEST_MS)}`,
];

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '100' },
    seed: { type: 'string', default: '1' },
    commit: { type: 'string', default: 'HEAD' },
  },
});
const say = (line: string) => process.stdout.write(`${line}\n`);

const commit = execFileSync('git', ['rev-parse', '--verify', `${values.commit}^{commit}`], { cwd: ROOT, encoding: 'utf8' }).trim(); // prettier-ignore
// Not under .local, where jest looks for no tests.
const folder = join(tmpdir(), `pay-mutations-${commit.slice(0, 12)}`);
const checkout = join(folder, 'checkout');

/** Who noticed a mutation: the first test file that failed, or the time limit. Null: nobody did. */
const Results = z.record(z.string(), z.string().nullable());
const resultsFile = join(folder, 'results.json');
const nameOf = ({ file, line, what }: Mutation) => `${file}:${String(line)}  ${what}`;

/** Also puts back what an interrupted run had changed. */
function makeCheckout(): void {
  mkdirSync(checkout, { recursive: true });
  const archive = execFileSync('git', ['archive', commit], { cwd: ROOT, maxBuffer: 512 * 1024 * 1024 });
  execFileSync('tar', ['-x', '-C', checkout], { input: archive });
  // Any command installs the packages.
  execFileSync(process.execPath, ['tools/pay.mjs', '--version'], { cwd: checkout, stdio: ['ignore', 'inherit', 'inherit'] }); // prettier-ignore
}

function sample(): readonly Mutation[] {
  const files = globSync(SOURCES, { cwd: checkout }).filter((file) => !DECLARATIONS.test(file)).toSorted(); // prettier-ignore
  const all = files.flatMap((file) => mutationsOf(file, readFileSync(join(checkout, file), 'utf8')));
  const count = Math.min(Number(values.count), all.length);
  const [chosen = []] = fc.sample(fc.shuffledSubarray(all, { minLength: count, maxLength: count }), { seed: Number(values.seed), numRuns: 1 }); // prettier-ignore
  say(`${String(chosen.length)} of ${String(all.length)} mutations in ${String(files.length)} files of ${commit.slice(0, 8)}, seed ${values.seed}`); // prettier-ignore
  return chosen;
}

/** Prints the path of each test file that fails. With `--bail`, jest ends before it writes its own report. */
const REPORTER = join(import.meta.dirname, 'failed-files.mjs');
const ERROR_CHARACTERS = 4_000;

/**
 * The paths in the checkout that jest prints. Undefined: it did not end within the time.
 * @throws Error with what jest said, if it failed and named no file
 */
async function jest(args: readonly string[], env: NodeJS.ProcessEnv): Promise<readonly string[] | undefined> {
  const child = spawn(process.execPath, [...JEST, ...args], {
    cwd: checkout,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: RUN_MS,
    killSignal: 'SIGKILL',
  });
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  if (child.signalCode !== null) return undefined;
  const paths = output.split('\n').filter((path) => path.endsWith('.test.ts')).map((path) => path.slice(checkout.length + 1)); // prettier-ignore
  if (child.exitCode !== 0 && paths.length === 0)
    throw new Error(`jest ended with ${String(child.exitCode)}: ${errors.slice(-ERROR_CHARACTERS)}`);
  return paths;
}

/** The first of the files that fails, among the others and by itself: a fault of the machine's load is no notice. */
async function firstFailure(files: readonly string[], env: NodeJS.ProcessEnv): Promise<string | undefined> {
  const failedOf = (some: readonly string[]) =>
    jest(['--bail', `--reporters=${REPORTER}`, '--runTestsByPath', ...some], env);
  for (let left = files; left.length > 0;) {
    const failed = await failedOf(left);
    if (failed === undefined) return 'the time limit';
    const [first] = failed;
    if (first === undefined) return undefined;
    if ((await failedOf([first]))?.length !== 0) return first;
    left = left.filter((file) => file !== first);
  }
  return undefined;
}

/** The nearest first: they are the ones that should notice, and a few take seconds. */
async function relatedTests(file: string, env: NodeJS.ProcessEnv): Promise<readonly (readonly string[])[]> {
  const importing = (await jest(['--listTests', '--findRelatedTests', file], env)) ?? [];
  const ofService = globSync(file.replace(/^(services\/[^/]+\/).*/, '$1**/*.test.ts'), { cwd: checkout });
  return byDistance(file, importing, ofService.filter((test) => ['unit', 'integration'].includes(projectOf(test)) && !test.includes('node_modules')).toSorted()); // prettier-ignore
}

/** The databases of test processes that are gone: `--bail` ends them before they drop theirs. */
async function dropLeft(adminUrl: string): Promise<void> {
  await withClient(adminUrl, async (client) => {
    const { rows } = await client.query<{ name: string }>(`select datname as name from pg_database where datname ~ '^test_'`);
    for (const { name } of rows)
      if (processIdentity(Number(/_(\d+)_\w+$/.exec(name)?.[1])) === undefined) await client.query(`drop database ${name} with (force)`);
  });
} // prettier-ignore

async function noticedBy(mutation: Mutation, env: NodeJS.ProcessEnv): Promise<string | null> {
  const path = join(checkout, mutation.file);
  const source = readFileSync(path, 'utf8');
  writeFileSync(path, mutated(source, mutation));
  try {
    for (const files of await relatedTests(mutation.file, env)) {
      const failure = await firstFailure(files, env);
      if (failure !== undefined) return failure;
    }
    return null;
  } finally {
    writeFileSync(path, source);
  }
}

makeCheckout();
const servers = await startInfrastructure({ folder: TEST_FOLDER, log: say, purpose: 'test' });
const { NODE_COMPILE_CACHE: _cache, ...own } = process.env;
const env = {
  ...own,
  TEST_DATABASE_URL: servers.databaseUrl,
  TEST_AMQP_URL: servers.amqpUrl,
  TEST_MANAGEMENT_URL: servers.managementUrl ?? '',
};
const results = existsSync(resultsFile) ? Results.parse(readJson(resultsFile)) : {};
const chosen = sample();
for (const mutation of chosen) {
  const name = nameOf(mutation);
  const known = results[name];
  const noticed = known === undefined ? await noticedBy(mutation, env) : known;
  if (known === undefined) await dropLeft(servers.databaseUrl);
  results[name] = noticed;
  writeFileSync(resultsFile, JSON.stringify(results, null, 2));
  say(noticed === null ? `NOT NOTICED  ${name}` : `noticed      ${name}  (${noticed})`);
}
const survivors = chosen.filter((mutation) => results[nameOf(mutation)] === null).length;
say(`${String(chosen.length - survivors)} noticed, ${String(survivors)} not. The servers stay up: npm stop`);
