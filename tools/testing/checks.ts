import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { writeSdkRecords } from '../../packages/contract/src/sdk-records.ts';
import { ROOT } from '../infrastructure/folders.ts';
import { warningsMeanwhile } from './meanwhile.ts';
import type { Project } from './selection.ts';
import { ARTIFACTS, E2E_LOGS } from './test-folders.ts';
import {
  fileTimes,
  flakyTests,
  overBudget,
  processorSeconds,
  readJestResults,
  stolenSoFar,
  timesTable,
  type FileTime,
  type StepTimes,
} from './times.ts';

/** One step of `npm test`: a program whose exit status says whether it passed. */
export type Step = {
  readonly name: string;
  readonly command: readonly [string, ...string[]];
  /** The time limit on two processors, for the whole repository and with cold caches. */
  readonly budgetSeconds: number;
  readonly jest?: Project;
};

export type StepResult = StepTimes & {
  readonly ok: boolean;
  readonly counts: Counts;
  readonly files: readonly FileTime[];
};
/** Jest tests. */
type Counts = { readonly passed: number; readonly failed: number; readonly skipped: number };

const FORMAT: Step = {
  name: 'format',
  command: ['oxfmt', '--check'],
  budgetSeconds: 10,
};
const LINT: Step = { name: 'lint', command: ['oxlint'], budgetSeconds: 40 };
/**
 * Programs with different globals: Node, the checkout's script (JavaScript with types in comments), the console's pages
 * and those of the documentation.
 */
const TYPES: Step = {
  name: 'types',
  command: [
    process.execPath,
    'node_modules/typescript-7/bin/tsc',
    '-b',
    '.',
    'services/payments/src/checkout/assets',
    'services/console/src/web',
    'services/console/src/docs/browser',
  ],
  budgetSeconds: 40,
};
const RULES: Step = {
  name: 'dependency rules',
  command: ['depcruise', '--config', '.dependency-cruiser.cjs', 'packages', 'services', 'tools', 'e2e', 'bench'],
  budgetSeconds: 15,
};
const DEAD_CODE: Step = { name: 'dead code', command: ['knip', '--no-config-hints'], budgetSeconds: 15 };

const PROJECT_BUDGETS: Readonly<Record<Project, number>> = {
  unit: 180,
  integration: 330,
  browser: 280,
  e2e: 480,
  faults: 180,
  docker: 110,
};

/**
 * Tests of one running system run one at a time. The others wait for a part of their time: for a deadline or a process
 * (unit), or for servers (integration). A further worker would load every module again.
 */
const WORKERS: Readonly<Record<Project, string>> = {
  unit: '--maxWorkers=2',
  integration: '--maxWorkers=4',
  browser: '--runInBand',
  e2e: '--runInBand',
  faults: '--runInBand',
  docker: '--runInBand',
};

const resultFile = (project: Project) => join(ARTIFACTS, `jest-${project}.json`);

/** A project of jest.config.js: all of it, or the given files. */
export function jest(project: Project, files: readonly string[] = []): Step {
  return {
    name: `${project} tests`,
    jest: project,
    budgetSeconds: PROJECT_BUDGETS[project],
    command: [
      process.execPath,
      'node_modules/jest/bin/jest.js',
      ...files,
      ...(files.length === 0 ? [] : ['--runTestsByPath']),
      '--selectProjects',
      project,
      '--passWithNoTests',
      '--json',
      `--outputFile=${resultFile(project)}`,
      WORKERS[project],
    ],
  };
}

/** The steps that need no server and no browser, in three lanes. */
export const QUICK: readonly (readonly Step[])[] = [[LINT, RULES], [TYPES, FORMAT, DEAD_CODE], [jest('unit')]];

/**
 * Runs the steps of each lane in sequence and the lanes in parallel. The first lane's output is printed as it arrives, so
 * that an interrupted run shows how far it got; in the other lanes, a step's output is printed when the step ends.
 */
export async function runLanes(lanes: readonly (readonly Step[])[]): Promise<StepResult[]> {
  mkdirSync(ARTIFACTS, { recursive: true });
  // Tests compile them.
  writeSdkRecords();
  const results = await Promise.all(
    lanes.map(async (steps, index) => {
      const done: StepResult[] = [];
      for (const step of steps) done.push(await run(step, index === 0));
      return done;
    }),
  );
  return results.flat();
}

/** A shell reports its children's processor time on descriptor 3, which they do not inherit. */
const TIMED = '"$@" 3>&-; code=$?; times >&3; exit $code';

async function run(step: Step, isLive: boolean): Promise<StepResult> {
  const begin = performance.now();
  const stolenBefore = stolenSoFar();
  if (step.jest !== undefined) rmSync(resultFile(step.jest), { force: true });
  const child = spawn('sh', ['-c', TIMED, 'sh', ...step.command], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  });
  const [, stdout, stderr, report] = child.stdio;
  const times = report instanceof Readable ? text(report) : '';
  let output = '';
  const show = (chunk: Buffer) => {
    if (isLive) process.stdout.write(chunk);
    else output += chunk.toString();
  };
  // jest's machine-readable results go to its file; its output for people goes to stderr.
  stdout?.on('data', (chunk: Buffer) => {
    if (step.jest === undefined) show(chunk);
  });
  stderr?.on('data', show);
  if (isLive) process.stdout.write(`\n── ${step.name} …\n`);
  const code = await new Promise<number | null>((resolve) => {
    child.on('error', () => {
      resolve(null);
    });
    child.on('close', resolve);
  });
  const tests = step.jest === undefined ? NO_TESTS : testsOf(step.jest);
  const problems = process.env['CI'] === 'true' ? problemsInCi(tests) : [];
  const result: StepResult = {
    name: step.name,
    ok: code === 0 && problems.length === 0,
    seconds: (performance.now() - begin) / 1000,
    processorSeconds: processorSeconds(await times),
    stolenSeconds: stolenSoFar() - stolenBefore,
    budgetSeconds: step.budgetSeconds,
    counts: tests.counts,
    files: tests.files,
  };
  const took = `${result.seconds.toFixed(1)} s, ${result.processorSeconds.toFixed(1)} s of processor time`;
  process.stdout.write(`\n── ${step.name}: ${result.ok ? 'ok' : 'FAILED'} (${took})\n${endedWithNewline(output)}`);
  for (const name of tests.flaky) process.stdout.write(`flaky, passed on a retry: ${name}\n`);
  for (const problem of problems) process.stdout.write(`${problem}, which counts as failed with CI=true\n`);
  if (step.jest === 'e2e' && tests.counts.failed > 0 && existsSync(resultFile('e2e'))) {
    process.stdout.write(warningsMeanwhile(resultFile('e2e'), E2E_LOGS));
  }
  return result;
}

const endedWithNewline = (output: string) => (output.trimEnd() === '' ? '' : `${output.trimEnd()}\n`);

type Tests = { readonly counts: Counts; readonly flaky: readonly string[]; readonly files: readonly FileTime[] };
const NO_TESTS: Tests = { counts: { passed: 0, failed: 0, skipped: 0 }, flaky: [], files: [] };

const problemsInCi = ({ counts, flaky }: Tests): string[] => [
  ...(counts.skipped === 0 ? [] : [`${String(counts.skipped)} tests were skipped`]),
  ...(flaky.length === 0 ? [] : [`${String(flaky.length)} tests needed a second try`]),
];

function testsOf(project: Project): Tests {
  try {
    const results = readJestResults(resultFile(project));
    const counts = {
      passed: results.numPassedTests,
      // A file that could not run at all has failed, although it has no tests to count.
      failed: results.numFailedTests + results.numRuntimeErrorTestSuites,
      skipped: results.numPendingTests + results.numTodoTests,
    };
    const files = fileTimes(results).map(({ path, seconds }) => ({ path: relative(ROOT, path), seconds }));
    return { counts, flaky: flakyTests(results), files };
  } catch {
    return { ...NO_TESTS, counts: { ...NO_TESTS.counts, failed: 1 } }; // jest itself did not finish.
  }
}

/** Prints the summary, whose last line `N passed, N failed` is machine-readable, and sets the exit status. */
export function conclude(results: readonly StepResult[], { times = false } = {}): void {
  const failed = results.filter(({ ok }) => !ok).map(({ name }) => name);
  const sum = (pick: (counts: Counts) => number) => results.reduce((total, { counts }) => total + pick(counts), 0);
  const skipped = sum((counts) => counts.skipped);
  process.stdout.write('\n');
  if (times) {
    const steps = results.map((result) => ({ ...result, tests: result.counts.passed + result.counts.failed }));
    process.stdout.write(
      `${timesTable(
        steps,
        results.flatMap(({ files }) => files),
      )}\n`,
    );
  }
  for (const line of overBudget(results)) process.stdout.write(`${line}\n`);
  process.stdout.write(failed.length === 0 ? 'Everything passed.\n' : `FAILED: ${failed.join(', ')}\n`);
  const numbers = `${String(sum((counts) => counts.passed))} passed, ${String(sum((counts) => counts.failed))} failed`;
  process.stdout.write(`${numbers}${skipped === 0 ? '' : `, ${String(skipped)} skipped`}\n`);
  process.exitCode = failed.length === 0 ? 0 : 1;
}
