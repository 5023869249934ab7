import { expect, it } from '@jest/globals';
import { uuidsBeginning } from './uuid-range.ts';

const FIRST = '9c879efc-0e00-0000-0000-000000000000';
const LAST = '9c879efc-0eff-ffff-ffff-ffffffffffff';

it.each([
  ['with its hyphen', '9c879efc-0e', { first: FIRST, last: LAST }],
  ['without it', '9c879efc0e', { first: FIRST, last: LAST }],
  ['in capitals', '9C879EFC-0E', { first: FIRST, last: LAST }],
  ['a whole one', LAST, { first: LAST, last: LAST }],
  ['six digits', '9c879e', { first: '9c879e00-0000-0000-0000-000000000000', last: '9c879eff-ffff-ffff-ffff-ffffffffffff' }],
  ['five digits', '9c879', undefined],
  ['five digits and a hyphen', '9c879-', undefined],
  ['more than a whole one', `${LAST}0`, undefined],
  ['an order number', 'order-1', undefined],
])('the beginning of a UUID: %s', (_title, typed, range) => {
  expect(uuidsBeginning(typed)).toEqual(range);
});
