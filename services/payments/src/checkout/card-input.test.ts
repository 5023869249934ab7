import { describe, expect, it } from '@jest/globals';
import { TEST_CARDS } from '@pay/shared/sandbox/test-cards.ts';
import fc from 'fast-check';
import { readCard, type CardInput } from './card-input.ts';

const NOW = new Date('2026-11-21T12:00:00.000Z');
const GOOD: CardInput = { number: '4111111111111111', expiry: '09/28', cvv: '123' };

function read(change: Partial<CardInput>, now = NOW, environment: 'TEST' | 'LIVE' = 'LIVE') {
  return readCard({ ...GOOD, ...change }, now, environment);
}

function problemsOf(change: Partial<CardInput>, now = NOW, environment: 'TEST' | 'LIVE' = 'LIVE') {
  const result = read(change, now, environment);
  return result.kind === 'card' ? [] : result.problems;
}

describe('the expiry', () => {
  it.each([
    '09/28',
    '09/2028',
    '0928',
    '092028',
    '2028-09',
    '9/28',
    '09 / 28',
    '09 / 2028',
    '9 / 28',
    '09-28',
    '09-2028',
    '09.28',
    '09 28',
    '9 2028',
    '2028/09',
    '2028/9',
    '2028.09',
    '202809',
    ' 09/28 ',
    '09\u00a0/\u00a028',
    '09\u201328',
    '09\u221228',
    '09\u2009/\u200928',
    '\u200e09/28',
    '０９/２８',
    '09/28\n',
    '09\u204428',
    '09\u221528',
    '09,28',
    '09\\28',
    '09|28',
    '09_28',
    '09:28',
    '09\u00b728',
    '09+28',
    '09 \u2044 2028',
    '2028\u204409',
    '928',
    '92028',
    '2028-09-30',
    '2028/9/1',
    '2028.09.30',
  ])('%j is September 2028 (R43)', (expiry) => {
    expect(read({ expiry })).toMatchObject({ kind: 'card', card: { expiryMonth: 9, expiryYear: 2028 } });
  });

  it.each([
    ['', 'expiry-missing'],
    ['  \u00a0 ', 'expiry-missing'],
    ['0928x', 'expiry-unreadable'],
    ['128', 'expiry-unreadable'],
    ['12028', 'expiry-unreadable'],
    ['028', 'expiry-unreadable'],
    ['30.09.2028', 'expiry-unreadable'],
    ['09/028', 'expiry-unreadable'],
    ['09//28', 'expiry-unreadable'],
    ['09\u2044\u204428', 'expiry-unreadable'],
    ['сентябрь 28', 'expiry-unreadable'],
    ['9'.repeat(10_000), 'expiry-unreadable'],
    ['00/28', 'expiry-month'],
    ['13/28', 'expiry-month'],
    ['2028-13', 'expiry-month'],
    ['10/26', 'expiry-past'],
    ['11/2025', 'expiry-past'],
    ['12/46', undefined],
    ['11/46', undefined],
    ['12/2046', 'expiry-too-far'],
    ['01/99', 'expiry-too-far'],
  ])('%j is %s', (expiry, problem) => {
    // The twenty years end in the month of now.
    const expected = expiry === '12/46' ? 'expiry-too-far' : problem;
    expect(problemsOf({ expiry })).toEqual(expected === undefined ? [] : [{ field: 'expiry', problem: expected }]);
  });

  it('a card is good until its month ends in UTC, and not a millisecond longer', () => {
    expect(problemsOf({ expiry: '11/26' }, new Date('2026-11-30T23:59:59.999Z'))).toEqual([]);
    expect(problemsOf({ expiry: '11/26' }, new Date('2026-12-01T00:00:00.000Z'))).toEqual([{ field: 'expiry', problem: 'expiry-past' }]);
  });

  it('every month of the next twenty years is read from every shape', () => {
    const blank = fc.constantFrom('', ' ', '\u00a0');
    const separator = fc.tuple(blank, fc.constantFrom('/', '-', '.', ',', '\\', '\u2013', '\u2044'), blank).map((parts) => parts.join(''));
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 239 }), separator, fc.integer({ min: 0, max: 7 }), (ahead, between, shape) => {
        const year = 2026 + Math.floor((10 + ahead) / 12);
        const month = ((10 + ahead) % 12) + 1;
        const [m, mm, yy, yyyy] = [String(month), String(month).padStart(2, '0'), String(year % 100), String(year)];
        const shapes = [
          mm + between + yy,
          m + between + yy,
          mm + between + yyyy,
          m + between + yyyy,
          mm + yy,
          mm + yyyy,
          yyyy + between + mm,
          yyyy + mm,
        ];
        expect(read({ expiry: shapes[shape] ?? '' })).toMatchObject({
          card: { expiryMonth: month, expiryYear: year },
        });
      }),
    );
  });
});

describe('the number', () => {
  it.each([
    '4111 1111 1111 1111',
    '4111-1111-1111-1111',
    ' 4111\u00a01111\u00a01111\u00a01111 ',
    '4111\u20111111\u20131111\u22121111',
    '4111.1111.1111.1111',
    '\u200b4111111111111111\ufeff',
    '４１１１１１１１１１１１１１１１',
  ])('%j is read without its separators', (number) => {
    expect(read({ number })).toMatchObject({ kind: 'card', card: { number: '4111111111111111' } });
  });

  it.each([
    ['', 'number-missing'],
    [' - ', 'number-missing'],
    ['4111 1111 1111 111a', 'number-not-digits'],
    ['4111 1111 1111', 'number-length'],
    ['4'.repeat(20), 'number-length'],
    ['4'.repeat(100_000), 'number-length'],
    ['4111111111111112', 'number-mistyped'],
    ['0000000000000000', 'number-mistyped'],
    // UnionPay's length and first digits with a wrong check digit.
    ['6200000000000000', 'number-mistyped'],
  ])('%j is %s', (number, problem) => {
    expect(problemsOf({ number })).toEqual([{ field: 'number', problem }]);
  });

  it.each(TEST_CARDS.map((card) => card.number))('%s of the sandbox is taken in TEST', (number) => {
    expect(problemsOf({ number }, NOW, 'TEST')).toEqual([]);
  });

  it('any other card is stopped in TEST before it leaves the form', () => {
    expect(problemsOf({ number: '5555555555554444' }, NOW, 'TEST')).toEqual([{ field: 'number', problem: 'number-not-a-test-card' }]);
    expect(problemsOf({ number: '5555555555554444' })).toEqual([]);
  });

  it('one wrong digit never passes', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 15 }), fc.integer({ min: 1, max: 9 }), (at, by) => {
        const digits = [...GOOD.number];
        digits[at] = String((Number(digits[at]) + by) % 10);
        expect(read({ number: digits.join('') }).kind).toBe('problems');
      }),
    );
  });
});

describe('the code', () => {
  it.each([
    ['4111111111111111', '123', undefined],
    ['4111111111111111', ' 1 2 3 ', undefined],
    ['4111111111111111', '', 'cvv-missing'],
    ['4111111111111111', '12a', 'cvv-not-digits'],
    ['4111111111111111', '12', 'cvv-length-3'],
    ['4111111111111111', '1234', 'cvv-length-3'],
    ['378282246310005', '1234', undefined],
    ['378282246310005', '123', 'cvv-length-4'],
  ])('of %s, %j: %s', (number, cvv, problem) => {
    expect(problemsOf({ number, cvv })).toEqual(problem === undefined ? [] : [{ field: 'cvv', problem }]);
  });

  it('three or four digits are fine while the number is not known', () => {
    expect(problemsOf({ number: '', cvv: '1234' })).toEqual([{ field: 'number', problem: 'number-missing' }]);
  });
});

it('problems come in the order of the fields, one a field', () => {
  expect(problemsOf({ number: '', expiry: '', cvv: '' }).map(({ field }) => field)).toEqual(['number', 'expiry', 'cvv']);
});

it('whatever is typed gets an answer, and a card is made of digits', () => {
  const anything = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string({ unit: fc.constantFrom('0', '4', '9', ' ', '-', '/', '\u00a0', '１') }),
  );
  fc.assert(
    fc.property(anything, anything, anything, (number, expiry, cvv) => {
      const result = read({ number, expiry, cvv });
      expect(result.kind === 'problems' || /^\d{13,19}$/.test(result.card.number)).toBe(true);
    }),
  );
});
