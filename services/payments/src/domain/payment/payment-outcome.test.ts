import { describe, expect, it } from '@jest/globals';
import { NO_CARD, type Confirmed } from '../acquiring/acquirer-result.ts';
import { decideOutcome, type Outcome, type OutcomeDecision, type OutcomeFacts } from './payment-outcome.ts';

const END = new Date('2026-11-21T13:00:00.000Z');
const BEFORE = new Date('2026-11-21T12:59:59.999Z');
const SENT = new Date('2026-11-21T12:30:00.000Z');

const submitted: OutcomeFacts = {
  status: 'SUBMITTED',
  amountKopecks: 10_050n,
  currency: 'RUB',
  expiresAt: END,
  cardSentAt: null,
  declinedCount: 0,
  switchedCount: 0,
  isSbpOrder: false,
  bankOperationId: 'b1',
  lastDecline: null,
  cardAttemptsMax: null,
};
const confirmed: Confirmed = {
  kind: 'confirmed',
  bankOperationId: 'b1',
  amountKopecks: 10_050n,
  currency: 'RUB',
  card: NO_CARD,
};
const declined: Outcome = { kind: 'declined', bankOperationId: 'b1', failureCode: 'INSUFFICIENT_FUNDS', card: NO_CARD };
const cancelled: Outcome = { kind: 'cancelled', bankOperationId: 'b1' };
const pending: Outcome = { kind: 'pending', bankOperationId: 'b1', acsUrl: null, card: NO_CARD };
const registered: Outcome = { kind: 'registered', bankOperationId: 'b1', nspkUrl: null };

const fail = (to: string, failureCode: string) => ({ kind: 'fail', to, failureCode });
const next = (failureCode: string) => ({ kind: 'next-card', failureCode });
/** A card is under way, and the point lets the buyer try two. */
const SECOND_LEFT = { cardSentAt: SENT, cardAttemptsMax: 2 };
const AFTER_DECLINE = { declinedCount: 1, lastDecline: 'CARD_EXPIRED', cardAttemptsMax: 2 } as const;
const ignore = (why: string) => ({ kind: 'ignore', why });

describe('decideOutcome', () => {
  // Every row starts from a submitted payment and changes what its title says.
  it.each<[string, Partial<OutcomeFacts>, Outcome, Date, object]>([
    ['confirmed', {}, confirmed, BEFORE, { kind: 'complete', confirmed }],
    ['confirmed while pending', { status: 'PENDING' }, confirmed, BEFORE, { kind: 'complete', confirmed }],
    ['confirmed twice', { status: 'COMPLETED' }, confirmed, BEFORE, ignore('repeat')],
    ['confirmed after the end', { status: 'EXPIRED' }, confirmed, END, { kind: 'late-success', confirmed }],
    ['one kopeck less (E21)', {}, { ...confirmed, amountKopecks: 10_049n }, BEFORE, { kind: 'mismatch' }],
    ['one kopeck more (E21)', {}, { ...confirmed, amountKopecks: 10_051n }, BEFORE, { kind: 'mismatch' }],
    ['another currency (E21)', {}, { ...confirmed, currency: 'USD' }, BEFORE, { kind: 'mismatch' }],
    ['declined', {}, declined, BEFORE, fail('REJECTED', 'INSUFFICIENT_FUNDS')],
    ['declined after success (E17)', { status: 'COMPLETED' }, declined, BEFORE, ignore('too-late')],
    ['declined twice', { status: 'REJECTED' }, declined, BEFORE, ignore('repeat')],
    ['declined before it was registered', { status: 'CREATED' }, declined, BEFORE, fail('FAILED', 'PROCESSING_ERROR')],
    [
      'revoked before it reached the bank (S6)',
      { status: 'CREATED', cardSentAt: SENT },
      { kind: 'ended', failureCode: 'CONSENT_REVOKED' },
      BEFORE,
      fail('FAILED', 'CONSENT_REVOKED'),
    ],
    ['withdrawn before the end', {}, cancelled, BEFORE, fail('CANCELLED', 'CANCELLED_BY_CUSTOMER')],
    ['withdrawn at the end', {}, cancelled, END, fail('EXPIRED', 'SESSION_EXPIRED')],
    ['our own end', {}, { kind: 'ended', failureCode: 'SESSION_EXPIRED' }, END, fail('EXPIRED', 'SESSION_EXPIRED')],
    ['no answer after a card was sent (E22)', { cardSentAt: SENT }, { kind: 'unknown' }, BEFORE, { kind: 'await-result' }],
    ['no answer while pending (E22)', { status: 'PENDING', cardSentAt: SENT }, { kind: 'unknown' }, END, ignore('no-news')],
    ['no answer, no card', {}, { kind: 'unknown' }, BEFORE, ignore('no-news')],
    ['3-D Secure', { cardSentAt: SENT }, pending, BEFORE, { kind: 'await-result' }],
    ['declined, the first of two cards', SECOND_LEFT, declined, BEFORE, next('INSUFFICIENT_FUNDS')],
    [
      'declined at the issuer’s page',
      { ...SECOND_LEFT, status: 'PENDING' },
      { ...declined, failureCode: 'AUTHENTICATION_FAILED' },
      BEFORE,
      next('AUTHENTICATION_FAILED'),
    ],
    ['declined, the last card', { ...SECOND_LEFT, declinedCount: 1 }, declined, BEFORE, fail('REJECTED', 'INSUFFICIENT_FUNDS')],
    [
      'a later order that the bank has already, and has declined: the one after it',
      { ...AFTER_DECLINE, cardAttemptsMax: 3 },
      declined,
      BEFORE,
      next('INSUFFICIENT_FUNDS'),
    ],
    ['declined at the end of the session', SECOND_LEFT, declined, END, fail('REJECTED', 'INSUFFICIENT_FUNDS')],
    [
      'suspected fraud: no other card',
      SECOND_LEFT,
      { ...declined, failureCode: 'FRAUD_SUSPECTED' },
      BEFORE,
      fail('REJECTED', 'FRAUD_SUSPECTED'),
    ],
    ['no answer opens nothing', SECOND_LEFT, { kind: 'unknown' }, BEFORE, { kind: 'await-result' }],
    ['declined where no card was sent', { ...SECOND_LEFT, cardSentAt: null }, declined, BEFORE, fail('REJECTED', 'INSUFFICIENT_FUNDS')],
    [
      'no card after a decline: the decline is why it ends',
      AFTER_DECLINE,
      { kind: 'ended', failureCode: 'SESSION_EXPIRED' },
      END,
      fail('REJECTED', 'CARD_EXPIRED'),
    ],
    [
      'no further order at the bank after a decline',
      AFTER_DECLINE,
      { ...declined, failureCode: 'PROCESSING_ERROR' },
      BEFORE,
      fail('REJECTED', 'CARD_EXPIRED'),
    ],
    [
      'a second card under way at the end',
      { ...AFTER_DECLINE, cardSentAt: SENT },
      { kind: 'ended', failureCode: 'SESSION_EXPIRED' },
      END,
      fail('EXPIRED', 'SESSION_EXPIRED'),
    ],
    [
      'cancelled by the buyer after a decline',
      AFTER_DECLINE,
      { kind: 'ended', failureCode: 'CANCELLED_BY_CUSTOMER' },
      BEFORE,
      fail('CANCELLED', 'CANCELLED_BY_CUSTOMER'),
    ],
    ['registered', {}, registered, BEFORE, ignore('no-news')],
    ['not known to the bank', { cardSentAt: SENT }, { kind: 'absent' }, END, { kind: 'await-result' }],
  ])('%s', (_title, change, outcome, now, expected) => {
    const decision: OutcomeDecision = decideOutcome({ ...submitted, ...change }, outcome, now);
    expect(decision).toMatchObject(expected);
  });
});
