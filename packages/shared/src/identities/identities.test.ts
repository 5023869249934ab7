import { describe, expect, it } from '@jest/globals';
import type { OperatorLogin, PartnerId } from './identities.ts';

/** The lines below do not compile if one type could be passed for the other. */
type Fits<From, To> = From extends To ? 'fits' : 'refused';

describe('identities', () => {
  it('refuse a login for a partner, and a partner for a login', () => {
    const login: Fits<OperatorLogin, PartnerId> = 'refused';
    const partner: Fits<PartnerId, OperatorLogin> = 'refused';
    expect([login, partner]).toEqual(['refused', 'refused']);
  });

  it('take a string that came from outside, and are one', () => {
    const outside: [Fits<string, PartnerId>, Fits<string, OperatorLogin>] = ['fits', 'fits'];
    const inside: [Fits<PartnerId, string>, Fits<OperatorLogin, string>] = ['fits', 'fits'];
    expect([...outside, ...inside]).toEqual(['fits', 'fits', 'fits', 'fits']);
  });
});
