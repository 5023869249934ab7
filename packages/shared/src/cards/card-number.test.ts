import { describe, expect, it } from '@jest/globals';
import { containsCardNumber, passesLuhn } from './card-number.ts';

describe('containsCardNumber (K01)', () => {
  it.each([
    '4111111111111111',
    'pay 4111111111111111 now',
    '4111 1111 1111 1111',
    '4111-1111-1111-1111',
    'order:2200700000000009',
    'order 12 4111 1111 1111 1111',
    '４１１１１１１１１１１１１１１１',
    '378282246310005',
    '4222222222222',
  ])('a card number: %s', (text) => {
    expect(containsCardNumber(text)).toBe(true);
  });

  it.each([
    '',
    'order-1',
    '4111111111111112',
    '411111111111',
    '41111111111111111111111',
    '2026-11-21T10:00:00.000Z',
    // Passes Luhn, but no card system has numbers that begin so: somebody's own numbering.
    '1234567812345670',
    '9999999999999995',
    '79161234567',
  ])('no card number: %s', (text) => {
    expect(containsCardNumber(text)).toBe(false);
  });

  it.each([
    ['0', true],
    ['18', true],
    ['4111111111111111', true],
    ['4111111111111110', false],
  ])('Luhn of %s is %s', (digits, passes) => {
    expect(passesLuhn(digits)).toBe(passes);
  });
});
