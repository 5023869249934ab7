import { describe, expect, it } from '@jest/globals';
import { findTestAmount, findTestCard, TEST_AMOUNTS, TEST_CARDS } from './test-cards.ts';

function passesLuhn(number: string): boolean {
  const sum = [...number].reverse().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 0 ? 1 : 2);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}

describe('test cards', () => {
  it.each(TEST_CARDS.map((card) => card.number))('%s passes the check digit, so that a form lets it through', (number) => {
    expect(passesLuhn(number)).toBe(true);
  });

  it('every number is there once, and every line has both languages', () => {
    expect(new Set(TEST_CARDS.map((card) => card.number)).size).toBe(TEST_CARDS.length);
    for (const line of [...TEST_CARDS, ...TEST_AMOUNTS]) {
      expect(line.ru).toMatch(/^[а-яё0-9].*$/i);
      expect(line.en).toMatch(/^[a-z0-9].*$/i);
    }
  });

  it('a number is found exactly, any other is not a test card', () => {
    expect(findTestCard('4111111111111111')?.outcome).toBe('APPROVED');
    expect(findTestCard('4111111111111112')).toBeUndefined();
    expect(findTestCard('4111 1111 1111 1111')).toBeUndefined();
  });

  it.each([
    [91n, 'INSUFFICIENT_FUNDS'],
    [100_092n, 'NO_ANSWER_APPROVED'],
    [193n, 'NO_ANSWER_DECLINED'],
    [1_000_000_000_000_094n, 'PENDING'],
    [195n, 'REFUND_FAILS'],
    [190n, undefined],
    [196n, undefined],
    [9_100n, undefined],
  ])('%d kopecks force %s', (amount, outcome) => {
    expect(findTestAmount(amount)?.outcome).toBe(outcome);
  });
});
