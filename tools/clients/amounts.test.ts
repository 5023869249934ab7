import { expect, it } from '@jest/globals';
import { changed, writeAmounts } from './amounts.ts';

it('100,000 amounts and large ones are sent through each generated client', () => {
  const amounts = writeAmounts();
  expect(amounts).toHaveLength(100_004);
  expect([amounts[0], amounts[104], amounts[99_999]]).toEqual(['0.01', '1.05', '1000.00']);
});

it.each([
  ['a number of 64 bits', ['1.05', '200000.01', '10.00'], ['1.05', '200000.01', '10'], []],
  ['a number of 32 bits', ['200000.01', '999999.97'], ['200000.02', '1e+06'], ['200000.01', '999999.97']],
  ['a string', ['1.05'], ['"1.05"'], ['1.05']],
  ['a line that is missing', ['1.05', '1.06'], ['1.05'], ['1.06']],
])('finds what a client made of an amount: %s', (_name, amounts, passed, wrong) => {
  expect(changed(amounts, passed)).toEqual(wrong);
});
