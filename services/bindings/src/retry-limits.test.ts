import { describe, expect, it } from '@jest/globals';
import { retryLimitsOf, retryLimitsText } from './retry-limits.ts';

describe('19.12: CHARGE_RETRY_LIMITS', () => {
  it('is what the schemes allow unless it is said', () => {
    expect(retryLimitsOf(retryLimitsText.parse(undefined))).toEqual({
      visa: [{ declines: 15, hours: 720 }],
      mastercard: [
        { declines: 10, hours: 24 },
        { declines: 35, hours: 720 },
      ],
      other: [{ declines: 15, hours: 720 }],
    });
  });

  it.each([
    '',
    'visa=15/720h',
    'visa=15/720h mastercard=10/24h',
    'visa=0/720h mastercard=1/1h other=1/1h',
    'visa=101/720h mastercard=1/1h other=1/1h',
    'visa=1/721h mastercard=1/1h other=1/1h',
    'visa=1/1h visa=1/1h mastercard=1/1h other=1/1h',
    'visa=1/1h mastercard=1/1h other=1/1h mir=1/1h',
    'visa=1/1d mastercard=1/1h other=1/1h',
    'visa=1/1h, mastercard=1/1h other=1/1h',
  ])('refuses %j', (text) => {
    expect(retryLimitsText.safeParse(text).success).toBe(false);
  });
});
