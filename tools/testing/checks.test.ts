import { expect, it } from '@jest/globals';
import { jest as jestStep, QUICK } from './checks.ts';

it('the quick part has every check and the unit tests, each with a budget', () => {
  const steps = QUICK.flat();
  expect(steps.map(({ name }) => name).toSorted()).toEqual(['dead code', 'dependency rules', 'format', 'lint', 'types', 'unit tests']);
  expect(steps.filter(({ budgetSeconds }) => budgetSeconds <= 0)).toEqual([]);
});

it('given files are all that a project runs, and come before its name', () => {
  const { command } = jestStep('integration', ['a.db.test.ts']);
  expect(command.slice(2, 6)).toEqual(['a.db.test.ts', '--runTestsByPath', '--selectProjects', 'integration']);
});
