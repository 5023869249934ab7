import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { readRetryAfter } from './retry-after.ts';

type Suite = {
  readonly now: string;
  readonly cases: readonly {
    readonly name: string;
    readonly values: readonly string[];
    readonly seconds: number | null;
  }[];
};
const path = new URL('../../../sdks/conformance/retry-after.json', import.meta.url);
const { now, cases } = JSON.parse(readFileSync(path, 'utf8')) as Suite;

describe('the cases that every reader of a Retry-After passes (K2)', () => {
  it.each(cases)('$name', ({ values, seconds }) => {
    expect(readRetryAfter(values, new Date(now)) ?? null).toBe(seconds);
  });
});

it('a year of two digits may be that of the next century (K2)', () => {
  const at = new Date('2099-12-31T23:59:00Z');
  expect(readRetryAfter(['Friday, 01-Jan-00 00:00:00 GMT'], at)).toBe(60);
});
