// `npm run test:mutations [-- --count 100 --seed 1 --commit <commit>]`: changes one place after the other in what decides,
// stores and answers, and says which changes no unit or integration test notices. Works on a checkout of its own in the
// folder for temporary files; what is known already is not tried again.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import fc from 'fast-check';
import { z } from 'zod';
import { readJson } from '../infrastructure/files.ts';
import { ROOT, TEST_FOLDER } from '../infrastructure/folders.ts';
import { startInfrastructure } from '../infrastructure/infrastructure.ts';
import { mutated, mutationsOf, type Mutation } from './mutations.ts';

/** Where rules live. What is declared only (tables, rights) is held by tests of another kind. */
const SOURCES = 'services/*/src/{domain,db,http}/**/*.ts';
const DECLARATIONS = /(?:\.test\.ts|\/schema\.ts|\/grants\.ts)$/;
/** A change may make a program wait for ever: that is noticed, too. */
const RUN_MS = 15 * 60_000;
const JEST = ['node_modules/jest/bin/jest.js', '--selectProjects', 'unit', 'integration', '--maxWorkers=2'];

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

function makeCheckout(): void {
  if (existsSync(checkout)) return;
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

/** What jest prints in the checkout. Undefined: it did not end within the time. */
async function jest(args: readonly string[], env: NodeJS.ProcessEnv): Promise<string | undefined> {
  const child = spawn(process.execPath, [...JEST, ...args], {
    cwd: checkout,
    env,
    stdio: ['ignore', 'pipe', 'ignore'],
    timeout: RUN_MS,
    killSignal: 'SIGKILL',
  });
  const [output] = await Promise.all([text(child.stdout), once(child, 'close')]);
  return child.signalCode === null ? output : undefined;
}

const Report = z.object({ testResults: z.array(z.object({ name: z.string(), status: z.string() })) });

/** The first of the files that fails, as a path in the checkout. */
async function firstFailure(files: readonly string[], env: NodeJS.ProcessEnv): Promise<string | undefined> {
  if (files.length === 0) return undefined;
  const output = join(folder, 'jest.json');
  rmSync(output, { force: true });
  const ended = await jest(['--bail', '--json', `--outputFile=${output}`, '--runTestsByPath', ...files], env);
  if (ended === undefined) return 'the time limit';
  const failed = Report.parse(readJson(output)).testResults.find(({ status }) => status === 'failed');
  return failed?.name.slice(checkout.length + 1);
}

/** The tests that import the file, those of its service first: they are the ones that should notice. */
async function relatedTests(file: string, env: NodeJS.ProcessEnv): Promise<readonly (readonly string[])[]> {
  const listed = (await jest(['--listTests', '--findRelatedTests', file], env)) ?? '';
  const tests = listed.split('\n').filter((path) => path.endsWith('.test.ts')).map((path) => path.slice(checkout.length + 1)); // prettier-ignore
  if (tests.length === 0) throw new Error(`no test imports ${file}`);
  const [service = ''] = /^services\/[^/]+\//.exec(file) ?? [];
  return [tests.filter((test) => test.startsWith(service)), tests.filter((test) => !test.startsWith(service))];
}

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
  results[name] = noticed;
  writeFileSync(resultsFile, JSON.stringify(results, null, 2));
  say(noticed === null ? `NOT NOTICED  ${name}` : `noticed      ${name}  (${noticed})`);
}
const survivors = chosen.filter((mutation) => results[nameOf(mutation)] === null).length;
say(`${String(chosen.length - survivors)} noticed, ${String(survivors)} not. The servers stay up: npm stop`);
