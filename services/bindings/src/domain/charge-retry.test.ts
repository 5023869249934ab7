import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { failureCode } from '@pay/contract/messages.ts';
import { retryAdviceOf } from '@pay/contract/retry-advice.ts';
import { retryRefusal, schemeOf, type Decline } from './charge-retry.ts';

const NOW = new Date('2026-11-22T12:00:00.000Z');
const HOUR = 3_600_000;
const before = (hours: number): Date => new Date(NOW.getTime() - hours * HOUR);
const soft = (hours: number): Decline => ({ failureCode: 'INSUFFICIENT_FUNDS', endedAt: before(hours) });
const MASTERCARD = [
  { declines: 10, hours: 24 },
  { declines: 35, hours: 720 },
];

describe('19.12: repeats of declined charges', () => {
  it.each([
    ['411111******1111', 'visa'],
    ['555555******4444', 'mastercard'],
    ['222100******0000', 'mastercard'],
    ['272099******0000', 'mastercard'],
    ['222099******0000', 'other'],
    ['272100******0000', 'other'],
    ['220070******0009', 'other'],
    [null, 'other'],
  ])('%s is %s', (mask, scheme) => {
    expect(schemeOf(mask)).toBe(scheme);
  });

  it('the tenth decline within a day ends it until the first of them is a day old', () => {
    const nine = Array.from({ length: 9 }, (_none, index) => soft(index + 1));
    expect(retryRefusal(nine, MASTERCARD, NOW)).toBeUndefined();
    expect(retryRefusal([...nine, soft(23)], MASTERCARD, NOW)).toEqual({ notBefore: new Date(NOW.getTime() + HOUR) });
    expect(retryRefusal([...nine, soft(24)], MASTERCARD, NOW)).toBeUndefined();
  });

  it('of two limits the later moment holds', () => {
    const many = Array.from({ length: 35 }, (_none, index) => soft(index / 2));
    expect(retryRefusal(many, MASTERCARD, NOW)).toEqual({ notBefore: new Date(NOW.getTime() + (720 - 17) * HOUR) });
  });

  it.each(failureCode.options)('%s: what its advice says', (code) => {
    const advice = retryAdviceOf(code);
    const refused = retryRefusal([{ failureCode: code, endedAt: before(1) }], [{ declines: 1, hours: 2 }], NOW);
    const expected = {
      DO_NOT_RETRY: { notBefore: null },
      RETRY_LATER: { notBefore: new Date(NOW.getTime() + HOUR) },
      RETRY_ANY_TIME: undefined,
    };
    expect(refused).toEqual(expected[advice]);
  });

  it('property: whoever keeps to it never has more declines in a window than the limit', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(40 * HOUR), { maxLength: 80 }), (pauses) => {
        const made: Decline[] = [];
        let at = NOW.getTime();
        for (const pause of pauses) {
          at += pause;
          const refused = retryRefusal(made, MASTERCARD, new Date(at));
          at = refused?.notBefore?.getTime() ?? at;
          made.unshift({ failureCode: 'LIMIT_EXCEEDED', endedAt: new Date(at) });
          for (const { declines, hours } of MASTERCARD) {
            expect(made.filter(({ endedAt }) => endedAt.getTime() > at - hours * HOUR).length).toBeLessThanOrEqual(declines);
          }
        }
      }),
    );
  });
});
