import { describe, expect, it } from '@jest/globals';
import { chargeRefusal } from './charge-refusal.ts';

const NOON = new Date('2026-03-31T12:00:00.000Z');
const chargeable = { status: 'ACTIVE', cardExpiry: null, openPaymentId: null, nextChargeAt: NOON } as const;
const refuse = (code: string) => ({ kind: 'refuse', code });
const tooEarly = { ...refuse('PERIOD_NOT_ELAPSED'), nextChargeAt: NOON };
const unfinished = { ...refuse('PREVIOUS_CHARGE_NOT_FINISHED'), openPaymentId: 'x' };
const expire = { kind: 'expire' };

describe('why a binding may not be charged', () => {
  // Every row starts from a chargeable binding and changes the fields that it names.
  it.each([
    ['at nextChargeAt (F02)', {}, 0, undefined],
    ['one ms before nextChargeAt (F01)', {}, -1, tooEarly],
    ['a charge that is not finished (F04)', { openPaymentId: 'x' }, 0, unfinished],
    ['revoked (F13)', { status: 'REVOKED' }, 0, refuse('BINDING_REVOKED')],
    ['expired (F13)', { status: 'EXPIRED' }, 0, refuse('BINDING_EXPIRED')],
    ['a card in its last month (F12)', { cardExpiry: '2026-03' }, 0, undefined],
    ['a card in the last ms of its last month (F12)', { cardExpiry: '2026-03' }, 12 * 3_600_000 - 1, undefined],
    ['a card in the first ms after it (F12)', { cardExpiry: '2026-03' }, 12 * 3_600_000, expire],
    ['a card of last year (F12)', { cardExpiry: '2025-12' }, 0, expire],
    ['unfinished outranks period', { openPaymentId: 'x' }, -1, unfinished],
    ['expired card outranks unfinished', { openPaymentId: 'x', cardExpiry: '2026-02' }, 0, expire],
    ['expired card outranks period', { cardExpiry: '2026-02' }, -1, expire],
    ['revoked outranks expired card', { status: 'REVOKED', cardExpiry: '2026-02' }, 0, refuse('BINDING_REVOKED')],
    ['revoked outranks period', { status: 'REVOKED' }, -1, refuse('BINDING_REVOKED')],
    ['expired outranks unfinished', { status: 'EXPIRED', openPaymentId: 'x' }, 0, refuse('BINDING_EXPIRED')],
  ] as const)('%s', (_name, change, offsetMs, expected) => {
    expect(chargeRefusal({ ...chargeable, ...change }, new Date(NOON.getTime() + offsetMs))).toEqual(expected);
  });
});
