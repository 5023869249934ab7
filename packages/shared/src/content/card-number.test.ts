import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { containsCardNumber, passesLuhn } from './card-number.ts';

describe('containsCardNumber (K01)', () => {
  it.each([
    '4111111111111111',
    'pay 4111111111111111 now',
    '4111 1111 1111 1111',
    '4111-1111-1111-1111',
    'order:2200700000000009',
    'order 12 4111 1111 1111 1111',
    'order_4111111111111111',
    'карта4111111111111111',
    '3782 822463 10005',
    '6200 0000 0000 0000 000',
    '5555555555554444',
    '2223003122003222',
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
    // Passes Luhn, but no card scheme has numbers with this prefix: somebody's own numbering.
    '1234567812345670',
    '9999999999999995',
    '79161234567',
    '5555555555555',
    // Parts of a UUID, a hash, or a longer number.
    'order-6e51e5da-4111-1111-1111-1111a5da6e51',
    'a4111111111111111',
    '4111-1111-1111-1111-1111',
    // A date and a telephone number.
    'Order 12345 of 2026-11-21, 8 916 123-45-67',
  ])('no card number: %s', (text) => {
    expect(containsCardNumber(text)).toBe(false);
  });

  it('property: no UUID, with or without hyphens, is a card number', () => {
    fc.assert(
      fc.property(fc.uuid(), (uuid) => {
        expect([uuid, `order-${uuid}`, uuid.replaceAll('-', '')].some(containsCardNumber)).toBe(false);
      }),
      { numRuns: 2_000 },
    );
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
