import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { cardTraits, maskOf } from './card.ts';

describe('what the bank keeps of a card', () => {
  it('mask, expiry with a two-digit month, behaviour', () => {
    expect(cardTraits({ number: '2200700000000041', expiryMonth: 9, expiryYear: 2028, cvv: '987' })).toEqual({
      mask: '220070******0041',
      expiry: '2028-09',
      outcome: 'LATER_CHARGES_DECLINED',
    });
  });

  it('the mask never holds more than six first and four last digits, and never tells the length', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^\d{12,19}$/), (number) => {
        const mask = maskOf(number);
        expect(mask).toMatch(/^\d{6}\*{6}\d{4}$/);
        expect(number.startsWith(mask.slice(0, 6)) && number.endsWith(mask.slice(-4))).toBe(true);
      }),
    );
  });
});
