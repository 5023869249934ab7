import { describe, expect, it } from '@jest/globals';
import { flakyTests, overBudget, processorSeconds, stolenSeconds, timesTable, type JestResults } from './times.ts';

const step = { name: 'unit tests', seconds: 40, processorSeconds: 35.21, stolenSeconds: 2, budgetSeconds: 40 };

it.each([
  ['bash', '0m0.001s 0m0.002s\n1m30.500s 0m2.250s\n'],
  ['dash', '0m0.000000s 0m0.010000s\n1m30.500000s 0m2.250000s\n'],
])('the processor time of a step is what its shell says of its children: %s', (_shell, times) => {
  expect(processorSeconds(times)).toBe(92.75);
});

it('the time that the host took is the eighth figure of /proc/stat', () => {
  expect(stolenSeconds('cpu  10 20 30 40 50 60 70 812 90 100\ncpu0 1 2 3 4 5 6 7 8 9 10\n')).toBe(8.12);
});

describe('the budget of a step', () => {
  it('may be used up, and nothing is said', () => {
    expect(overBudget([step])).toEqual([]);
  });

  it('is exceeded by a figure that is named, beside the time that the host took', () => {
    expect(overBudget([step, { ...step, name: 'lint', seconds: 52.25 }])).toEqual([
      'lint: 12.3 s over the budget of 40 s (35.2 s of processor time; the host took 2.0 s meanwhile)',
    ]);
  });
});

it('a test that passed at the second try is flaky; one that failed twice is not, it failed', () => {
  const assertionResults = [
    { fullName: 'first try', status: 'passed', invocations: 1 },
    { fullName: 'second try', status: 'passed', invocations: 2 },
    { fullName: 'never', status: 'failed', invocations: 2 },
    { fullName: 'skipped', status: 'pending' },
  ];
  const results: JestResults = {
    ...{ numPassedTests: 2, numFailedTests: 1, numPendingTests: 1, numTodoTests: 0, numRuntimeErrorTestSuites: 0 },
    testResults: [{ name: 'x.test.ts', message: '', startTime: 0, endTime: 1_000, assertionResults }],
  };
  expect(flakyTests(results)).toEqual(['second try']);
});

it('the table has a line for each step, the sum of their processor time, and the ten slowest files', () => {
  const files = Array.from({ length: 12 }, (_none, index) => ({ path: `${String(index)}.test.ts`, seconds: index }));
  const lines = timesTable(
    [
      { ...step, tests: 7 },
      { ...step, name: 'lint', processorSeconds: 4.79, tests: 0 },
    ],
    files,
  )
    .split('\n')
    .map((line) => line.trim().split(/ {2,}/));
  expect(lines).toEqual([
    ['step', 'tests', 'seconds', 'processor', 'stolen', 'budget'],
    ['unit tests', '7', '40.0', '35.2', '2.0', '40'],
    ['lint', '0', '40.0', '4.8', '2.0', '40'],
    ['together', '7', '40.0'],
    ['the slowest files'],
    ...[11, 10, 9, 8, 7, 6, 5, 4, 3, 2].map((index) => [`${String(index)}.0 s`, `${String(index)}.test.ts`]),
    [''],
  ]);
});
