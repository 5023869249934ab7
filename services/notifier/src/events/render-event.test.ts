import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { EVENTS } from '@pay/contract/events.ts';
import { RefundCompleted } from '@pay/contract/messages.ts';
import { renderRefundEvent } from './refund-events.ts';
import { EVENT_TYPES, renderEvent } from './render-event.ts';

const ID = '5f0c7a52-6a0a-4d0e-9a52-0e6a2a4a9f11';
const OTHER = '5f0c7a52-6a0a-4d0e-9a52-0e6a2a4a9f22';
const AT = '2026-11-20T10:00:00.000Z';
const payment = {
  partnerId: 'p1',
  paymentId: ID,
  aggregateVersion: 3,
  merchantOrderId: 'A-1',
  amountKopecks: '4050',
  currency: 'RUB',
  paymentMethod: 'CARD',
  bankOperationId: 'b-1',
  ledgerTransactionId: OTHER,
  occurredAt: AT,
};
const refund = { ...payment, refundId: OTHER, merchantRefundId: 'r-1', refundedKopecks: '10050' };
const failure = { failureCode: 'PROCESSING_ERROR', statusReason: 'It did not go back' };
const binding = {
  partnerId: 'p1',
  bindingId: ID,
  aggregateVersion: 1,
  customerId: 'c1',
  status: 'ACTIVE',
  consentId: OTHER,
  period: 'P1M',
  nextChargeAt: AT,
  occurredAt: AT,
};
const withdrawal = {
  partnerId: 'p1',
  withdrawalRequestId: ID,
  aggregateVersion: 2,
  storeId: 's1',
  amountMicroUsdt: '12500000',
  beneficiaryRef: 'ben_1',
  occurredAt: AT,
};
const MESSAGES: Readonly<Record<string, object>> = {
  'payment.completed': payment,
  'payment.failed': { ...payment, status: 'FAILED', ...failure },
  'refund.pending': { ...refund, bankOperationId: null },
  'refund.completed': refund,
  'refund.failed': { ...refund, ...failure },
  'payment.refunded': { ...refund, amountKopecks: '10050' },
  'binding.created': binding,
  'binding.revoked': { ...binding, aggregateVersion: 2, status: 'REVOKED' },
  'binding.expired': { ...binding, aggregateVersion: 2, status: 'EXPIRED' },
  'withdrawal.requested': { ...withdrawal, status: 'REQUESTED' },
  'withdrawal.in_review': { ...withdrawal, status: 'IN_REVIEW' },
  'withdrawal.approved': { ...withdrawal, status: 'APPROVED' },
  'withdrawal.completed': { ...withdrawal, status: 'COMPLETED', transferReference: 'tx-1' },
  'withdrawal.rejected': { ...withdrawal, status: 'REJECTED', statusReason: 'No' },
  'withdrawal.cancelled': { ...withdrawal, status: 'CANCELLED', statusReason: 'No' },
  'withdrawal.failed': { ...withdrawal, status: 'FAILED', statusReason: 'No' },
  'register.ready': {
    partnerId: 'p1',
    registerId: ID,
    aggregateVersion: 1,
    day: '2026-11-20',
    currency: 'RUB',
    openingKopecks: '-5',
    closingKopecks: '112074',
    lines: 4,
    occurredAt: AT,
  },
  'withdrawal-register.ready': {
    partnerId: 'p1',
    registerId: ID,
    aggregateVersion: 1,
    day: '2026-11-20',
    currency: 'USDT',
    openingAvailableMicroUsdt: '-1',
    openingReservedMicroUsdt: '0',
    closingAvailableMicroUsdt: '87500000',
    closingReservedMicroUsdt: '12500000',
    lines: 2,
    occurredAt: AT,
  },
};
const render = (type: keyof typeof EVENTS, message: object): { data: object } =>
  JSON.parse(renderEvent(type, ID, message).body.toString()) as { data: object };

const refundFact = RefundCompleted.parse(refund);
/** Amounts of every length up to 17 digits. */
const randomKopecks = (run: number) => (BigInt(`0x${randomBytes(8).toString('hex')}`) % 10n ** BigInt(1 + (run % 17))) + 1n;

it('payment.failed names no financial transaction, whatever its message carries (I29)', () => {
  const { body } = renderEvent('payment.failed', ID, MESSAGES['payment.failed']);
  expect(JSON.parse(body.toString())).toMatchObject({ type: 'payment.failed', data: { paymentId: null, orderId: ID } });
});

describe('the events that partners receive', () => {
  it.each(EVENT_TYPES.filter((type) => type in MESSAGES))('%s is what the contract says, and nothing more', (type) => {
    const body = render(type, MESSAGES[type] ?? {});
    // Parsed by the contract, which drops unknown fields: nothing is missing.
    expect(EVENTS[type].parse(body)).toEqual(body);
  });

  it('19.4: every event has its example here', () => {
    expect(Object.keys(MESSAGES).sort()).toEqual([...EVENT_TYPES].sort());
    expect(Object.keys(EVENTS).sort()).toEqual([...EVENT_TYPES].sort());
  });

  it('19.12: a failed charge of a saved card says whether it may be tried again, another payment does not', () => {
    const failed = { ...payment, status: 'FAILED', ...failure };
    expect(render('payment.failed', failed).data).not.toHaveProperty('retryAdvice');
    const charge = { ...failed, paymentMethod: 'CARD_BINDING', bindingId: OTHER, failureCode: 'CARD_BLOCKED' };
    expect(render('payment.failed', charge).data).toMatchObject({ retryAdvice: 'DO_NOT_RETRY' });
  });

  it('refund.*: the payment block, and the refund', () => {
    const block = { paymentId: OTHER, orderId: ID, merchantOrderId: 'A-1', currency: 'RUB', paymentMethod: 'CARD', occurredAt: AT };
    const completed = {
      ...block,
      refundId: OTHER,
      merchantRefundId: 'r-1',
      status: 'COMPLETED',
      amount: '40.50',
      refundedAmount: '100.50',
      bankOperationId: 'b-1',
    };
    expect(render('refund.completed', refund).data).toEqual(completed);
    expect(render('refund.failed', { ...refund, ...failure }).data).toEqual({
      ...completed,
      status: 'FAILED',
      ...failure,
    });
    expect(render('refund.pending', { ...refund, bankOperationId: null }).data).toEqual({
      ...completed,
      status: 'PENDING',
      bankOperationId: null,
    });
  });

  it('payment.refunded: status REFUNDED, amount the original', () => {
    expect(render('payment.refunded', { ...refund, amountKopecks: '10050' }).data).toMatchObject({ status: 'REFUNDED', amount: '100.50' });
  });

  it('a QR payment: paymentMethod QR and an empty merchantOrderId, in every event', () => {
    for (const [type, message] of Object.entries(MESSAGES).filter(([of]) => /^(?:payment|refund)\./.test(of))) {
      const qr = { ...message, paymentMethod: 'SBP_DYNAMIC_QR', merchantOrderId: '' };
      expect(render(type as keyof typeof EVENTS, qr).data).toMatchObject({ paymentMethod: 'QR', merchantOrderId: '' });
    }
  });

  it('binding.*: no operation of a bank, no internal token, no route; delivered in the order of the binding', () => {
    const { partnerId: _partner, aggregateVersion: _version, ...data } = binding;
    expect(render('binding.created', binding).data).toEqual({ ...data, bankOperationId: null });
    expect(renderEvent('binding.revoked', ID, { ...binding, aggregateVersion: 2, status: 'REVOKED' })).toMatchObject({
      partnerId: 'p1',
      aggregateId: ID,
      aggregateVersion: 2,
    });
  });

  it('merchantRefundId is not there where the partner gave none', () => {
    const { merchantRefundId: _none, ...without } = refund;
    expect(render('refund.completed', without).data).not.toHaveProperty('merchantRefundId');
  });

  it('100,000 random amounts are told exactly (C18)', () => {
    const wrong: bigint[] = [];
    for (let run = 0; run < 100_000; run += 1) {
      const kopecks = randomKopecks(run);
      const { amount } = renderRefundEvent({ ...refundFact, amountKopecks: kopecks.toString() }, 'COMPLETED');
      if (typeof amount !== 'string' || !/^\d+\.\d\d$/.test(amount) || BigInt(amount.replace('.', '')) !== kopecks) wrong.push(kopecks);
    }
    expect(wrong).toEqual([]);
  });
});
