import { PAYMENT_STATUSES } from '@pay/contract/states.ts';
import { expect, it } from '@jest/globals';
import { mayTryNextCard } from './next-card.ts';

const now = new Date('2026-11-28T10:00:00.000Z');
const DECLINED_ONCE = {
  expiresAt: new Date('2026-11-28T10:00:00.001Z'),
  cardSentAt: now,
  declinedCount: 0,
  switchedCount: 0,
  cardAttemptsMax: 2,
};

it.each([
  ['the bank declined a card that another may replace', { failureCode: 'INSUFFICIENT_FUNDS' }],
  ['the bank has the order for the next card', { failureCode: 'DECLINED_BY_ISSUER', hasNextOrder: true }],
] as const)('another card follows only in a payment that has not ended: %s', (_name, declined) => {
  const open = PAYMENT_STATUSES.filter((status) => mayTryNextCard({ ...DECLINED_ONCE, status }, declined, now));
  expect(open.toSorted()).toEqual(['PENDING', 'SUBMITTED']);
});
