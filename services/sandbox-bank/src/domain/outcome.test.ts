import { describe, expect, it } from '@jest/globals';
import { TEST_CARDS, type TestCardOutcome } from '@pay/shared/sandbox/test-cards.ts';
import { authenticate } from './authentication.ts';
import { cardTraits, type CardTraits } from './card.ts';
import { decideAuthorization, decideCharge, decideRefund, decideSbpPayment, type RefundedPayment } from './outcome.ts';

const NOW = new Date('2026-11-21T12:00:00.000Z');
const EXPIRES_AT = new Date('2026-11-21T13:00:00.000Z');
const order = { expiresAt: EXPIRES_AT };
/** As the bank decides by default, with a browser that the issuer has not seen. */
const decide = (card: CardTraits, now: Date, whenNotAuthenticated: 'DECLINE' | 'ACCEPT' = 'ACCEPT', isSeen = false) =>
  decideAuthorization(card, order, now, { transStatus: authenticate(card, isSeen), whenNotAuthenticated });
const typed = (number: string, expiryMonth = 11, expiryYear = 2026) => cardTraits({ number, expiryMonth, expiryYear, cvv: '123' });

describe('a typed card decides the first payment', () => {
  it.each([
    ['4111111111111111', 'APPROVED', null, 'GIVEN'],
    ['2200700000000009', 'APPROVED', null, 'GIVEN'],
    ['4000003800000446', 'THREE_DS_REQUIRED', null, 'GIVEN'],
    ['4000000000003220', 'THREE_DS_REQUIRED', null, 'GIVEN'],
    ['4000000000003105', 'APPROVED', null, 'GIVEN'],
    ['4000000000003113', 'APPROVED', null, 'GIVEN'],
    ['4000000000003121', 'DECLINED', 'AUTHENTICATION_FAILED', 'GIVEN'],
    ['4000000000000002', 'DECLINED', 'DECLINED_BY_ISSUER', 'GIVEN'],
    ['4000000000009995', 'DECLINED', 'INSUFFICIENT_FUNDS', 'GIVEN'],
    ['4000000000009987', 'DECLINED', 'CARD_BLOCKED', 'GIVEN'],
    ['4000000000000069', 'DECLINED', 'CARD_EXPIRED', 'GIVEN'],
    ['2200700000000017', 'APPROVED', null, 'WITHHELD'],
    ['2200700000000025', 'DECLINED', 'ISSUER_UNAVAILABLE', 'WITHHELD'],
    ['2200700000000033', 'PENDING', null, 'GIVEN'],
    ['2200700000000041', 'APPROVED', null, 'GIVEN'],
    ['2200700000000058', 'APPROVED', null, 'GIVEN'],
  ] as const)('%s: %s %s, answer %s', (number, to, reason, answer) => {
    expect(decide(typed(number), NOW)).toMatchObject({ move: { to, reason }, answer });
  });

  it.each([
    ['4111111111111111', 'APPROVED', null],
    ['4000000000003105', 'APPROVED', null],
    ['4000000000003113', 'DECLINED', 'AUTHENTICATION_FAILED'],
    ['4000000000003121', 'DECLINED', 'AUTHENTICATION_FAILED'],
    ['4000003800000446', 'THREE_DS_REQUIRED', null],
    ['4000000000009995', 'DECLINED', 'INSUFFICIENT_FUNDS'],
  ] as const)('not authenticated is to be declined: %s: %s %s', (number, to, reason) => {
    expect(decide(typed(number), NOW, 'DECLINE').move).toEqual({ to, reason });
  });

  it('3DS Method: the card of it is approved at once where the issuer has seen the browser', () => {
    const card = typed('4000000000003220');
    expect(decide(card, NOW, 'DECLINE', true).move).toEqual({ to: 'APPROVED', reason: null });
    expect(decide(card, NOW, 'DECLINE').move.to).toBe('THREE_DS_REQUIRED');
  });

  it('every card of the list has its row above', () => {
    expect(TEST_CARDS).toHaveLength(16);
  });

  it('only the late card approves itself, five minutes after the end of the session', () => {
    const late = new Date(EXPIRES_AT.getTime() + 300_000);
    const moments = TEST_CARDS.map(({ number }) => decide(typed(number), NOW).approvesAt);
    expect(moments.filter((moment) => moment !== null)).toEqual([late]);
    expect(decide(typed('2200700000000033'), NOW).approvesAt).toEqual(late);
  });

  it('a number that is not a test card is refused, even when it has also expired', () => {
    for (const card of [typed('4242424242424242'), typed('4242424242424242', 1, 2020)]) {
      expect(decide(card, NOW).move).toEqual({ to: 'DECLINED', reason: 'INVALID_CARD_DETAILS' });
    }
  });

  it.each([
    ['this month, its last millisecond', 11, 2026, '2026-11-30T23:59:59.999Z', 'APPROVED'],
    ['this month, one millisecond later', 11, 2026, '2026-12-01T00:00:00.000Z', 'DECLINED'],
    ['December, over the turn of the year', 12, 2026, '2027-01-01T00:00:00.000Z', 'DECLINED'],
    ['a later year and an earlier month', 1, 2027, '2026-12-31T23:59:59.999Z', 'APPROVED'],
  ])('expiry: %s', (_name, month, year, now, to) => {
    const { move } = decide(typed('4111111111111111', month, year), new Date(now));
    expect(move).toEqual({ to, reason: to === 'DECLINED' ? 'CARD_EXPIRED' : null });
  });
});

describe('a charge of a saved card', () => {
  const saved = (outcome: TestCardOutcome = 'APPROVED') => ({ mask: '220070******0009', expiry: '2028-09', outcome });

  it.each([
    [1_090n, 'APPROVED', null, 'GIVEN'],
    [1_091n, 'DECLINED', 'INSUFFICIENT_FUNDS', 'GIVEN'],
    [1_092n, 'APPROVED', null, 'WITHHELD'],
    [1_093n, 'DECLINED', 'ISSUER_UNAVAILABLE', 'WITHHELD'],
    [1_094n, 'PENDING', null, 'GIVEN'],
    [1_095n, 'APPROVED', null, 'GIVEN'],
    [1_096n, 'APPROVED', null, 'GIVEN'],
  ] as const)('%d kopecks: %s %s, answer %s', (amount, to, reason, answer) => {
    expect(decideCharge(saved(), amount, NOW)).toEqual({ move: { to, reason }, answer, approvesAt: null });
    expect(decideSbpPayment(amount)).toEqual({ move: { to, reason }, answer, approvesAt: null });
  });

  it.each([
    ['a token the bank never issued', undefined, 1_092n, 'DECLINED', 'INVALID_CARD_DETAILS'],
    ['an expired card outranks its own rule', { ...saved('LATER_CHARGES_PENDING'), expiry: '2026-10' }, 1_000n, 'DECLINED', 'CARD_EXPIRED'],
    ['the card that declines later charges outranks kopecks', saved('LATER_CHARGES_DECLINED'), 1_094n, 'DECLINED', 'INSUFFICIENT_FUNDS'],
    ['the card whose later charges wait outranks kopecks', saved('LATER_CHARGES_PENDING'), 1_091n, 'PENDING', null],
    ['a card of 3-D Secure is charged without a page', saved('THREE_D_SECURE'), 1_000n, 'APPROVED', null],
    ['a card whose first answer was withheld answers later', saved('NO_ANSWER_APPROVED'), 1_000n, 'APPROVED', null],
  ] as const)('%s', (_name, card, amount, to, reason) => {
    expect(decideCharge(card, amount, NOW)).toEqual({ move: { to, reason }, answer: 'GIVEN', approvesAt: null });
  });
});

describe('a refund', () => {
  const payment: RefundedPayment = { kind: 'CHARGE', method: 'CARD', status: 'APPROVED', amountKopecks: 1_000n };
  const approved = {
    kind: 'decide',
    verdict: { move: { to: 'APPROVED', reason: null }, answer: 'GIVEN', approvesAt: null },
  };
  const failed = { kind: 'decide', verdict: { move: { to: 'DECLINED', reason: 'PROCESSING_ERROR' } } };
  const refused = (code: string) => ({ kind: 'refuse', code });

  it.each([
    ['of all', {}, 0n, 1_000n, approved],
    ['of what remains', {}, 999n, 1n, approved],
    ['one kopeck too much', {}, 0n, 1_001n, refused('REFUND_AMOUNT_EXCEEDED')],
    ['one kopeck more than remains', {}, 999n, 2n, refused('REFUND_AMOUNT_EXCEEDED')],
    ['of a pending payment', { status: 'PENDING' }, 0n, 1n, refused('REFUND_NOT_ALLOWED')],
    ['of a declined payment outranks the amount', { status: 'DECLINED' }, 0n, 2_000n, refused('REFUND_NOT_ALLOWED')],
    ['of a refund', { kind: 'REFUND' }, 0n, 1n, refused('REFUND_NOT_ALLOWED')],
    ['of a charge of .95', { amountKopecks: 1_095n }, 0n, 10n, failed],
    ['of an SBP payment of .95', { kind: 'ORDER', method: 'SBP', amountKopecks: 1_095n }, 0n, 10n, failed],
    ['of .95 paid with a typed card: the card decides', { kind: 'ORDER', amountKopecks: 1_095n }, 0n, 10n, approved],
    ['of 0.95 from another amount', {}, 0n, 95n, approved],
  ] as const)('%s', (_name, change, refunded, amount, expected) => {
    expect(decideRefund({ ...payment, ...change }, refunded, amount)).toMatchObject(expected);
  });
});
