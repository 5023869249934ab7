import { expect, it } from '@jest/globals';
import { TimeRangeQuery } from './time-range.ts';

const fieldsOf = (from: string, to: string) => TimeRangeQuery.safeParse({ from, to }).error?.issues.map(({ path }) => path.join('.'));

it.each([
  ['both times', '2026-11-01T00:00:00Z', '2026-11-02T00:00:00Z', undefined],
  ['no time as the first', 'yesterday', '2026-11-02T00:00:00Z', ['from']],
  ['no time as the last', '2026-11-01T00:00:00Z', 'tomorrow', ['to']],
  ['no time in either', 'yesterday', 'tomorrow', ['from', 'to']],
  ['an end before the begin', '2026-11-02T00:00:00Z', '2026-11-01T00:00:00Z', ['to']],
  ['31 days', '2026-11-01T00:00:00Z', '2026-12-02T00:00:00Z', undefined],
  ['more', '2026-11-01T00:00:00Z', '2026-12-02T00:00:00.001Z', ['to']],
])('%s: names the wrong fields, and throws nothing', (_name, from, to, fields) => {
  expect(fieldsOf(from, to)).toEqual(fields);
});
