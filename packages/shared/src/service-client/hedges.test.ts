import { expect, it } from '@jest/globals';
import { createHedges } from './hedges.ts';

it.each([
  [0, 1],
  [19, 1],
  [20, 2],
  [320, 32],
])('of %i reads in flight %i may be asked of a second replica at a time (F7)', (reads, expected) => {
  const hedges = createHedges(() => reads);
  const places = Array.from({ length: reads + 2 }, () => hedges.enter()).filter((leave) => leave !== undefined);
  expect(places).toHaveLength(expected);
  places[0]?.();
  expect(hedges.enter()).toBeDefined();
  expect(hedges.enter()).toBeUndefined();
});
