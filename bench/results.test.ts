import { describe, expect, it } from '@jest/globals';
import { median, ratios, verdict, withRange, type Figure } from './figures.ts';
import { compareResults, readResults, type Results } from './results.ts';

const figure = (values: number[], better: Figure['better'] = 'higher') => ({
  name: 'creates',
  unit: '/s',
  better,
  values,
});
const run = (commit: string, benches: Results['benches']): Results => ({
  commit,
  machine: 'a machine',
  node: 'v24.0.0',
  startedAt: '2026-11-23T12:00:00.000Z',
  benches,
});

describe('figures of rounds', () => {
  it.each([
    [[3, 1, 2], 2],
    [[4, 1, 2, 3], 2.5],
    [[7], 7],
  ])('the median of %j is %d', (values, expected) => {
    expect(median(values)).toBe(expected);
  });

  it('a ratio is taken round by round: a minute in which the machine was slow for both changes nothing', () => {
    expect(ratios([100, 30, 90], [200, 60, 100])).toEqual([0.5, 0.5, 0.9]);
  });

  it.each([
    [[232, 195, 275], '232 (195 to 275)'],
    [[0.314], '0.31'],
    [[12.34, 18.7, 15], '15.0 (12.3 to 18.7)'],
  ])('%j is printed as %s', (values, text) => {
    expect(withRange(values)).toBe(text);
  });

  it.each([
    [[10, 12], [13, 15], 'higher', 'better'],
    [[10, 12], [13, 15], 'lower', 'worse'],
    [[13, 15], [10, 12], 'higher', 'worse'],
    [[13, 15], [10, 12], 'lower', 'better'],
    [[10, 13], [13, 15], 'higher', 'not told apart'],
    [[10, 20], [12, 14], 'lower', 'not told apart'],
  ] as const)('%j before, %j after, %s is better: %s', (before, after, better, expected) => {
    expect(verdict(figure([...before], better), figure([...after], better))).toBe(expected);
  });
});

describe('npm run bench -- compare', () => {
  it('shows every figure that both runs have', () => {
    const before = run('aaaaaaa', { payments: [figure([100, 110, 120])], soak: [figure([1])] });
    const after = run('bbbbbbb+', { payments: [figure([200, 220, 210]), { ...figure([1]), name: 'new' }] });
    expect(compareResults(before, after).split('\n')).toEqual([
      'A: aaaaaaa, 2026-11-23T12:00:00.000Z, v24.0.0, a machine',
      'B: bbbbbbb+, 2026-11-23T12:00:00.000Z, v24.0.0, a machine',
      '',
      '| figure | A | B | B ÷ A | B is |',
      '| --- | ---: | ---: | ---: | ---: |',
      '| payments: creates, /s | 110 (100 to 120) | 210 (200 to 220) | 1.91 | better |',
    ]);
  });

  it('says which file is not there', () => {
    expect(() => readResults('no-such-run')).toThrow(/^there is no result file no-such-run, /);
  });
});
