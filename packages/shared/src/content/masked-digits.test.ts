import { describe, expect, it } from '@jest/globals';
import { maskedDigits } from './masked-digits.ts';

describe('digits as people see them', () => {
  it.each([
    ['4111111111111111', '411111······1111'],
    ['order 4111 1111 1111 1111', 'order 411111······1111'],
    ['order-4000000000000', 'order-400000···0000'],
  ])('%s is shown as %s', (text, shown) => {
    expect(maskedDigits(text)).toBe(shown);
  });

  it.each(['order-100045', '123456789012', '0b6ab0b1-6c1c-4b8e-9d5c-2f0b8a1c9a11', 'buyer-7'])('%s stays', (text) => {
    expect(maskedDigits(text)).toBe(text);
  });
});
