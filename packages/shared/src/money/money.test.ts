import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { parseRubString, parseRubToken, parseUsdt, renderRub, renderRubNumber, renderUsdt, shareOf } from './money.ts';

/** Up to 15 digits of rubles, 12 digits of USDT: every amount that can be written. */
const kopecks = fc.bigInt({ min: 1n, max: 99_999_999_999_999_999n });
const microUsdt = fc.bigInt({ min: 1n, max: 999_999_999_999_999_999n });

/** None of these is an amount. See spec/decisions#amount-limits and spec/scenarios#c-money-and-json. */
const REFUSED = [
  '0',
  '0.0',
  '0.00',
  '-0',
  '-1',
  '-0.01',
  '+1',
  '10.505',
  '100.000',
  '1.',
  '.5',
  '.',
  '',
  ' ',
  ' 1',
  '1 ',
  '1\n',
  '\n1',
  '01',
  '00.10',
  '1e2',
  '1E2',
  '1e-2',
  '1e400',
  '1,5',
  '1 000',
  '1_000',
  '0x10',
  '0b1',
  '0o7',
  'NaN',
  'Infinity',
  '-Infinity',
  'null',
  'true',
  '"10"',
  '１０',
  '١٠',
  '10.5.0',
  '--1',
  '1-',
  '10₽',
  '9007199254740993.01',
  '1000000000000000',
  '0.001',
  '0.009',
  '1/2',
  '1n',
  '10.５0',
  '10\u0000',
];

describe('RUB', () => {
  it.each([
    ['10', 1_000n],
    ['10.5', 1_050n],
    ['10.50', 1_050n],
    ['0.01', 1n],
    ['0.1', 10n],
    ['1000000.00', 100_000_000n],
    ['999999999999999.99', 99_999_999_999_999_999n],
    ['90071992547409.93', 9_007_199_254_740_993n],
    ['0.29', 29n],
    ['1.15', 115n],
  ])('reads the token %s as %s kopecks', (token, amount) => {
    expect(parseRubToken(token)).toBe(amount);
  });

  it.each(REFUSED)('refuses the token %j', (token) => {
    expect(parseRubToken(token)).toBeUndefined();
    expect(parseRubString(token)).toBeUndefined();
  });

  it.each(['10', '10.5', '1.1'])('refuses %j where exactly two decimals are asked for', (text) => {
    expect(parseRubString(text)).toBeUndefined();
  });

  it('reads back what it writes, for every amount', () => {
    fc.assert(
      fc.property(kopecks, (amount) => {
        expect(parseRubString(renderRub(amount))).toBe(amount);
        const json = JSON.stringify({ amount: renderRubNumber(amount) });
        expect(parseRubToken(json.slice('{"amount":'.length, -1))).toBe(amount);
      }),
    );
  });

  it('takes a token for what its digits say, never for the double it would become', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: 999_999_999_999_999n }), fc.integer({ min: 0, max: 99 }), (rubles, cents) => {
        const token = `${String(rubles)}.${String(cents).padStart(2, '0')}`;
        expect(parseRubToken(token)).toBe(rubles * 100n + BigInt(cents));
      }),
    );
  });

  it.each([
    [1_000n, '{"amount":10}', '10.00'],
    [1_050n, '{"amount":10.5}', '10.50'],
    [1n, '{"amount":0.01}', '0.01'],
    [10_000_000_000_000_000n, '{"amount":100000000000000}', '100000000000000.00'],
  ])('writes %s kopecks as a JSON number from its own digits, and as text', (amount, json, text) => {
    expect(JSON.stringify({ amount: renderRubNumber(amount) })).toBe(json);
    expect(renderRub(amount)).toBe(text);
  });
});

describe('USDT', () => {
  it.each([
    ['1', 1_000_000n],
    ['0.000001', 1n],
    ['10000.000000', 10_000_000_000n],
    ['999999999999.999999', 999_999_999_999_999_999n],
  ])('reads %s as %s micro-USDT', (text, amount) => {
    expect(parseUsdt(text)).toBe(amount);
  });

  it.each(['0', '0.000000', '0.0000001', '1.0000000', '-1', '01', '1e3', '1000000000000', '', '1.', '.1', ' 1', 'NaN'])(
    'refuses %j',
    (text) => {
      expect(parseUsdt(text)).toBeUndefined();
    },
  );

  it('reads back what it writes, and every amount fits a bigint column', () => {
    fc.assert(
      fc.property(microUsdt, (amount) => {
        expect(parseUsdt(renderUsdt(amount))).toBe(amount);
        expect(BigInt.asIntN(64, amount)).toBe(amount);
      }),
    );
  });
});

describe('shareOf', () => {
  it.each([
    [10_000n, 250, 250n],
    [1n, 5_000, 1n], // Half a kopeck goes up.
    [1n, 4_999, 0n],
    [99_999_999_999_999_999n, 10_000, 99_999_999_999_999_999n],
    [99_999_999_999_999_999n, 1, 10_000_000_000_000n],
    // 21 digits on the way, just below a half.
    [99_999_999_999_995_001n, 9_999, 99_989_999_999_995_001n],
  ])('of %s kopecks, %s basis points are %s', (amount, basisPoints, share) => {
    expect(shareOf(amount, basisPoints)).toBe(share);
  });

  it('is the exact share, rounded half up, for every amount', () => {
    fc.assert(
      fc.property(kopecks, fc.integer({ min: 0, max: 10_000 }), (amount, basisPoints) => {
        expect(shareOf(amount, basisPoints)).toBe((amount * BigInt(basisPoints) + 5_000n) / 10_000n);
      }),
    );
  });
});
