import { describe, expect, it } from '@jest/globals';
import { PAYMENT_STATUSES } from '@pay/contract/states.ts';
import { pageOf } from './page-of.ts';

const END = new Date('2026-11-21T12:00:00.000Z');
const BEFORE = new Date(END.getTime() - 1);

describe('which page shows a payment', () => {
  it.each([
    ['CREATED', BEFORE, 'preparing'],
    ['SUBMITTED', BEFORE, 'card'],
    ['PENDING', BEFORE, 'waiting'],
    ['COMPLETED', BEFORE, 'paid'],
    ['REJECTED', BEFORE, 'declined'],
    ['FAILED', BEFORE, 'declined'],
    ['CANCELLED', BEFORE, 'cancelled'],
    ['EXPIRED', BEFORE, 'expired'],
    ['REFUNDED', BEFORE, 'refunded'],
    ['CREATED', END, 'expired'],
    ['SUBMITTED', END, 'expired'],
    // The card is at the bank: only the bank ends this.
    ['PENDING', END, 'waiting'],
    ['COMPLETED', END, 'paid'],
  ] as const)('%s at %s: %s', (status, now, page) => {
    expect(pageOf({ method: 'CARD', status, now, expiresAt: END })).toBe(page);
  });

  it('a payment that the bank wants to see the buyer for: bank', () => {
    expect(pageOf({ method: 'CARD', status: 'PENDING', now: BEFORE, expiresAt: END, acsUrl: 'https://bank.example/3ds' })).toBe('bank');
  });

  it.each([
    ['with its code', { link: 'https://bank.example/q', image: 'data:' }, 'SUBMITTED', BEFORE, 'qr'],
    ['without one', undefined, 'SUBMITTED', BEFORE, 'preparing'],
    ['past its end', { link: 'https://bank.example/q', image: 'data:' }, 'SUBMITTED', END, 'expired'],
    ['that the bank works on', undefined, 'PENDING', BEFORE, 'waiting'],
  ] as const)('a QR payment %s', (_title, code, status, now, page) => {
    const facts = { method: 'SBP_DYNAMIC_QR', status, now, expiresAt: END } as const;
    expect(pageOf(code === undefined ? facts : { ...facts, code })).toBe(page);
  });

  it('an address of the bank that is left over changes no other state', () => {
    const left = { method: 'CARD', now: BEFORE, expiresAt: END } as const;
    for (const status of PAYMENT_STATUSES.filter((one) => one !== 'PENDING')) {
      expect(pageOf({ ...left, status, acsUrl: 'https://bank.example/3ds' })).toBe(pageOf({ ...left, status }));
    }
  });
});
