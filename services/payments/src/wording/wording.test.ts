import { describe, expect, it } from '@jest/globals';
import { renderRub } from '@pay/shared/money/money.ts';
import fc from 'fast-check';
import { formatAmount, formatCardNumber, formatTime } from './wording.ts';

describe('amounts', () => {
  it.each([
    [1n, '0,01\u00a0₽', '₽0.01'],
    [125_000n, '1\u00a0250,00\u00a0₽', '₽1,250.00'],
    [100_000_000n, '1\u00a0000\u00a0000,00\u00a0₽', '₽1,000,000.00'],
    // As a double this is …09.92.
    [900_719_925_474_099_301n, '9\u00a0007\u00a0199\u00a0254\u00a0740\u00a0993,01\u00a0₽', '₽9,007,199,254,740,993.01'],
  ])('%d kopecks', (amount, ru, en) => {
    expect(formatAmount(amount, 'ru')).toBe(ru);
    expect(formatAmount(amount, 'en')).toBe(en);
  });

  it('the digits are those of the wire, whatever the amount', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 17n }), (amount) => {
        for (const language of ['ru', 'en'] as const) {
          expect(formatAmount(amount, language).replace(/\D/g, '')).toBe(renderRub(amount).replace('.', ''));
        }
      }),
    );
  });
});

describe('times', () => {
  const now = new Date('2026-11-21T11:00:00.000Z');

  it('are those of a clock in Moscow', () => {
    expect(formatTime(new Date('2026-11-21T11:59:30.000Z'), now, 'ru')).toBe('14:59');
    expect(formatTime(new Date('2026-11-21T11:59:30.000Z'), now, 'en')).toBe('14:59');
  });

  it('say the day when it is another one there', () => {
    expect(formatTime(new Date('2026-11-21T21:30:00.000Z'), now, 'ru')).toBe('22 ноября в 00:30');
    expect(formatTime(new Date('2026-11-21T20:59:00.000Z'), now, 'ru')).toBe('23:59');
  });
});

it('card numbers are printed in groups of four', () => {
  expect(formatCardNumber('4111111111111111')).toBe('4111 1111 1111 1111');
  expect(formatCardNumber('378282246310005')).toBe('3782 8224 6310 005');
});
