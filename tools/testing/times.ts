import { readFileSync } from 'node:fs';
import { z } from 'zod';

/** The time that one step of a run took. */
export type StepTimes = {
  readonly name: string;
  readonly seconds: number;
  /** Of the step's program and the processes it waited for, without servers that outlive it. */
  readonly processorSeconds: number;
  /** Time that the host took from this machine during the step, across all processors. */
  readonly stolenSeconds: number;
  /** The time limit of the step on two processors. */
  readonly budgetSeconds: number;
};

/** The children's user and system time, from the output of the shell's `times`; 0 if it cannot be read. */
export function processorSeconds(times: string): number {
  const [, , user = 0, system = 0] = [...times.matchAll(/(\d+)m([\d.]+)s/g)].map(
    ([, minutes, seconds]) => Number(minutes) * 60 + Number(seconds),
  );
  return user + system;
}

/** Column 8 of `/proc/stat` counts in hundredths of a second. */
export const stolenSeconds = (stat: string): number => Number(/^cpu +(?:\d+ +){7}(\d+)/.exec(stat)?.[1] ?? 0) / 100;

/** Since the machine started; 0 if the system does not report it. */
export function stolenSoFar(): number {
  try {
    return stolenSeconds(readFileSync('/proc/stat', 'utf8'));
  } catch {
    return 0;
  }
}

const s = (seconds: number) => seconds.toFixed(1);

/** A line for each step that exceeded its limit, with the time that the host took. */
export const overBudget = (steps: readonly StepTimes[]): string[] =>
  steps
    .filter(({ seconds, budgetSeconds }) => seconds > budgetSeconds)
    .map(
      ({ name, seconds, processorSeconds: own, stolenSeconds: stolen, budgetSeconds }) =>
        `${name}: ${s(seconds - budgetSeconds)} s over the budget of ${String(budgetSeconds)} s (${s(own)} s of processor time; the host took ${s(stolen)} s meanwhile)`,
    );

const JestResults = z.object({
  numPassedTests: z.number(),
  numFailedTests: z.number(),
  numPendingTests: z.number(),
  numTodoTests: z.number(),
  numRuntimeErrorTestSuites: z.number(),
  testResults: z.array(
    z.object({
      name: z.string(),
      /** Why the file as a whole failed; '' if it did not. */
      message: z.string(),
      /** Milliseconds since 1970. */
      startTime: z.number(),
      endTime: z.number(),
      assertionResults: z.array(z.object({ fullName: z.string(), status: z.string(), invocations: z.number().nullish() })),
    }),
  ),
});
/** What jest writes with `--json`. */
export type JestResults = z.infer<typeof JestResults>;

/** @throws Error if jest did not finish */
export const readJestResults = (file: string): JestResults => JestResults.parse(JSON.parse(readFileSync(file, 'utf8')));

/** The tests that passed, but not on the first try. */
export const flakyTests = ({ testResults }: JestResults): string[] =>
  testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ status, invocations }) => status === 'passed' && (invocations ?? 1) > 1)
    .map(({ fullName }) => fullName);

/** The files of one step with the duration of each. */
export type FileTime = { readonly path: string; readonly seconds: number };
export const fileTimes = ({ testResults }: JestResults): FileTime[] =>
  testResults.map(({ name, startTime, endTime }) => ({ path: name, seconds: (endTime - startTime) / 1000 }));

/** The table of `npm test -- --times`: each step, then the ten slowest files. */
export function timesTable(steps: readonly (StepTimes & { readonly tests: number })[], files: readonly FileTime[]): string {
  const row = (...[name, ...numbers]: readonly [string, ...string[]]) =>
    `${name.padEnd(20)}${numbers.map((text) => text.padStart(11)).join('')}`;
  const slowest = files.toSorted((one, other) => other.seconds - one.seconds).slice(0, 10);
  const sum = (pick: (step: StepTimes) => number) => s(steps.reduce((total, step) => total + pick(step), 0));
  return [
    row('step', 'tests', 'seconds', 'processor', 'stolen', 'budget'),
    ...steps.map((step) =>
      row(step.name, String(step.tests), s(step.seconds), s(step.processorSeconds), s(step.stolenSeconds), String(step.budgetSeconds)),
    ),
    row(
      'together',
      String(steps.reduce((total, { tests }) => total + tests, 0)),
      '',
      sum((step) => step.processorSeconds),
    ),
    ...(slowest.length === 0 ? [] : ['the slowest files']),
    ...slowest.map(({ path, seconds }) => `${s(seconds).padStart(8)} s  ${path}`),
    '',
  ].join('\n');
}
