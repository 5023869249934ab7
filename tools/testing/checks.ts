import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../infrastructure/folders.ts';
import { warningsMeanwhile } from './meanwhile.ts';
import { ARTIFACTS, E2E_LOGS } from './test-folders.ts';

/** One step of `npm test`: a program that ends with 0 or not. */
export type Step = { readonly name: string; readonly command: readonly [string, ...string[]]; readonly jest?: string };

export type StepResult = { readonly name: string; readonly ok: boolean; readonly counts: Counts };
/** Tests of jest. */
export type Counts = { readonly passed: number; readonly failed: number; readonly skipped: number };

export const FORMAT: Step = { name: 'format', command: ['prettier', '--check', '--log-level', 'warn', '.'] };
export const LINT: Step = { name: 'lint', command: ['eslint', '.'] };
export const TYPES: Step = { name: 'types', command: ['tsc', '--noEmit'] };
/** The checkout's script is JavaScript with types in comments, and knows a browser instead of Node. */
export const BROWSER_TYPES: Step = {
  name: 'types of the checkout script',
  command: ['tsc', '-p', 'services/payments/src/checkout/assets'],
};
/** The console's pages know a browser instead of Node as well. */
export const CONSOLE_TYPES: Step = {
  name: 'types of the console pages',
  command: ['tsc', '-p', 'services/console/src/web'],
};
export const RULES: Step = {
  name: 'dependency rules',
  command: ['depcruise', '--config', '.dependency-cruiser.cjs', 'packages', 'services', 'tools', 'e2e', 'bench'],
};
export const DEAD_CODE: Step = { name: 'dead code', command: ['knip', '--no-config-hints'] };

/** A project of jest.config.js. */
export function jest(project: string, ...options: string[]): Step {
  const output = resultFile(project);
  return {
    name: `${project} tests`,
    jest: project,
    command: [
      process.execPath,
      '--experimental-vm-modules',
      '--disable-warning=ExperimentalWarning',
      'node_modules/jest/bin/jest.js',
      '--selectProjects',
      project,
      '--passWithNoTests',
      '--json',
      `--outputFile=${output}`,
      ...options,
    ],
  };
}

const resultFile = (project: string) => join(ARTIFACTS, `jest-${project}.json`);

/**
 * Runs the steps of each lane one after another, the lanes side by side. The first lane's output is printed as it comes, so
 * that a run that is cut off says how far it was; of the others, a step's output is printed when it ended.
 */
export async function runLanes(lanes: readonly (readonly Step[])[]): Promise<StepResult[]> {
  mkdirSync(ARTIFACTS, { recursive: true });
  const results = await Promise.all(
    lanes.map(async (steps, index) => {
      const done: StepResult[] = [];
      for (const step of steps) done.push(await run(step, index === 0));
      return done;
    }),
  );
  return results.flat();
}

async function run(step: Step, isLive: boolean): Promise<StepResult> {
  const begin = performance.now();
  if (step.jest !== undefined) rmSync(resultFile(step.jest), { force: true });
  const [command, ...args] = step.command;
  const child = spawn(command, args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  const show = (chunk: Buffer) => {
    if (isLive) process.stdout.write(chunk);
    else output += chunk.toString();
  };
  // jest's results for programs go to its file; what it writes for people goes to stderr.
  child.stdout.on('data', (chunk: Buffer) => {
    if (step.jest === undefined) show(chunk);
  });
  child.stderr.on('data', show);
  if (isLive) process.stdout.write(`\n── ${step.name} …\n`);
  const code = await new Promise<number | null>((resolve) => {
    child.on('error', () => {
      resolve(null);
    });
    child.on('close', resolve);
  });
  const counts = step.jest === undefined ? NONE : countsOf(step.jest);
  const skippedCounts = process.env['CI'] === 'true' && counts.skipped > 0;
  const ok = code === 0 && !skippedCounts;
  const seconds = ((performance.now() - begin) / 1000).toFixed(1);
  process.stdout.write(
    `\n── ${step.name}: ${ok ? 'ok' : 'FAILED'} (${seconds} s)\n${output.trimEnd()}${output === '' ? '' : '\n'}`,
  );
  if (skippedCounts)
    process.stdout.write(`${String(counts.skipped)} tests were skipped, which counts as failed with CI=true\n`);
  if (step.jest === 'e2e' && counts.failed > 0 && existsSync(resultFile('e2e'))) {
    process.stdout.write(warningsMeanwhile(resultFile('e2e'), E2E_LOGS));
  }
  return { name: step.name, ok, counts };
}

const NONE: Counts = { passed: 0, failed: 0, skipped: 0 };

function countsOf(project: string): Counts {
  try {
    const result = JSON.parse(readFileSync(resultFile(project), 'utf8')) as {
      numPassedTests: number;
      numFailedTests: number;
      numPendingTests: number;
      numTodoTests: number;
      numRuntimeErrorTestSuites: number;
    };
    return {
      passed: result.numPassedTests,
      // A file that could not run at all has failed, though it has no test to count.
      failed: result.numFailedTests + result.numRuntimeErrorTestSuites,
      skipped: result.numPendingTests + result.numTodoTests,
    };
  } catch {
    return { ...NONE, failed: 1 }; // jest itself did not come to an end.
  }
}

/** Prints the summary, its last line `N passed, N failed` for programs to read, and sets the exit status. */
export function conclude(results: readonly StepResult[]): void {
  const failed = results.filter(({ ok }) => !ok).map(({ name }) => name);
  const sum = (pick: (counts: Counts) => number) => results.reduce((total, { counts }) => total + pick(counts), 0);
  const skipped = sum((counts) => counts.skipped);
  process.stdout.write(failed.length === 0 ? '\nEverything passed.\n' : `\nFAILED: ${failed.join(', ')}\n`);
  const numbers = `${String(sum((counts) => counts.passed))} passed, ${String(sum((counts) => counts.failed))} failed`;
  process.stdout.write(`${numbers}${skipped === 0 ? '' : `, ${String(skipped)} skipped`}\n`);
  process.exitCode = failed.length === 0 ? 0 : 1;
}
