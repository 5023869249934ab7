import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { TRANS_STATUSES, type Liability, type TransStatus } from '@pay/contract/operator/states.ts';
import { liabilityOf } from './three-ds.ts';

describe('whose loss a fraudulent payment is', () => {
  it.each<[TransStatus | null, string | null, Liability]>([
    ['Y', '05', 'ISSUER'],
    ['Y', '02', 'ISSUER'],
    ['Y', null, 'ISSUER'],
    ['A', '06', 'ISSUER'],
    ['A', '01', 'ISSUER'],
    ['Y', '07', 'MERCHANT'],
    ['Y', '00', 'MERCHANT'],
    ['Y', '99', 'UNKNOWN'],
    ['U', '07', 'MERCHANT'],
    ['U', '05', 'MERCHANT'],
    ['N', null, 'MERCHANT'],
    ['R', null, 'MERCHANT'],
    ['I', '04', 'MERCHANT'],
    ['C', null, 'UNKNOWN'],
    ['D', '05', 'UNKNOWN'],
    [null, '05', 'ISSUER'],
    [null, '02', 'ISSUER'],
    [null, '06', 'UNKNOWN'],
    [null, '07', 'MERCHANT'],
    [null, null, 'UNKNOWN'],
  ])('status %s, ECI %s: %s', (transStatus, eci, liability) => {
    expect(liabilityOf({ transStatus, eci })).toBe(liability);
  });

  it('property: it is never the issuer’s against the word of either', () => {
    const statuses = fc.constantFrom(...TRANS_STATUSES, null);
    const indicators = fc.option(fc.stringMatching(/^\d{2}$/), { nil: null });
    fc.assert(
      fc.property(statuses, indicators, (transStatus, eci) => {
        if (liabilityOf({ transStatus, eci }) !== 'ISSUER') return;
        expect([null, 'Y', 'A']).toContain(transStatus);
        expect(['07', '00', '04']).not.toContain(eci);
      }),
    );
  });
});
