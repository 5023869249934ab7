import { describe, expect, it } from '@jest/globals';
import type { PaymentStatus } from '@pay/contract/states.ts';
import { mayChooseSbp, wayAfter, type Switch } from './sbp-order.ts';

const END = new Date('2026-11-21T13:00:00.000Z');
const BEFORE = new Date('2026-11-21T12:59:59.999Z');
const card = {
  method: 'CARD',
  status: 'SUBMITTED' as PaymentStatus,
  cardSentAt: null,
  expiresAt: END,
  consent: null,
  savePeriod: null,
  operationId: null,
  bankOperationId: 'b1',
  isSbpOrder: false,
  switchedCount: 0,
} as const;
const sbp = { ...card, operationId: 'o2', isSbpOrder: true, switchedCount: 1 } as const;

describe('SBP may be chosen', () => {
  it.each<[string, Partial<Parameters<typeof mayChooseSbp>[0]>, Date, boolean]>([
    ['for a registered card payment', {}, BEFORE, true],
    ['a third time', { switchedCount: 4, operationId: 'o5' }, BEFORE, true],
    ['no fourth time', { switchedCount: 6, operationId: 'o7' }, BEFORE, false],
    ['not once the session is over', {}, END, false],
    ['not while a card is under way', { cardSentAt: BEFORE }, BEFORE, false],
    ['not where a card is to be saved', { savePeriod: 'P1M' }, BEFORE, false],
    ['not before the order is registered', { operationId: 'o2', bankOperationId: null }, BEFORE, false],
    ['not twice at once', { isSbpOrder: true }, BEFORE, false],
    ['not for a charge', { method: 'CARD_BINDING' }, BEFORE, false],
    ['not for a QR payment', { method: 'SBP_DYNAMIC_QR' }, BEFORE, false],
    ['not before it is registered', { status: 'CREATED' }, BEFORE, false],
    ['not while the bank decides', { status: 'PENDING' }, BEFORE, false],
  ])('%s', (_name, change, now, expected) => {
    expect(mayChooseSbp({ ...card, ...change }, now)).toBe(expected);
  });
});

describe('what follows an order that can take no money any more', () => {
  const toSbp: Switch = { kind: 'switched', to: 'SBP' };
  const toCard: Switch = { kind: 'switched', to: 'CARD' };
  it.each<[string, Partial<Parameters<typeof wayAfter>[0]>, Parameters<typeof wayAfter>[1], Date, string | undefined]>([
    ['the buyer chose SBP', card, toSbp, BEFORE, 'SBP'],
    ['the buyer chose the card', sbp, toCard, BEFORE, 'CARD'],
    ['the buyer chose what is there', card, toCard, BEFORE, undefined],
    ['the buyer chose SBP again', sbp, toSbp, BEFORE, undefined],
    ['chosen too late', card, toSbp, END, undefined],
    ['found too late, and there all the same', card, { ...toSbp, isFound: true }, END, 'SBP'],
    ['chosen with a card under way', { ...card, cardSentAt: BEFORE }, toSbp, BEFORE, undefined],
    ['chosen after the end', { ...card, status: 'CANCELLED' }, toSbp, BEFORE, undefined],
    ['a void code', sbp, { kind: 'cancelled' }, BEFORE, 'CARD'],
    ['a void code that was being paid', { ...sbp, status: 'PENDING' }, { kind: 'cancelled' }, BEFORE, 'CARD'],
    ['a void code after the session', sbp, { kind: 'cancelled' }, END, undefined],
    ['a void code of a payment that has ended', { ...sbp, status: 'EXPIRED' }, { kind: 'cancelled' }, BEFORE, undefined],
    ['a code that the bank refuses', { ...sbp, bankOperationId: null }, { kind: 'declined' }, BEFORE, 'CARD'],
    ['a decline by the buyer’s bank', sbp, { kind: 'declined' }, BEFORE, undefined],
    ['a card order that is void', card, { kind: 'cancelled' }, BEFORE, undefined],
    ['a declined card', { ...card, cardSentAt: BEFORE }, { kind: 'declined' }, BEFORE, undefined],
  ])('%s', (_name, change, end, now, expected) => {
    expect(wayAfter({ ...card, ...change }, end, now)).toBe(expected);
  });
});
