import { expect, it } from '@jest/globals';
import { CEILINGS, measure } from './size.ts';

it('stays below its ceilings: who raises one says in the commit what for', () => {
  const over = Object.entries(measure()).filter(([figure, count]) => count > (new Map(Object.entries<number>(CEILINGS)).get(figure) ?? 0));
  expect(over).toEqual([]);
});
