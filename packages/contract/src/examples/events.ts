import type { z } from 'zod';
import type { EVENTS, EventType } from '../events.ts';
import { AT, BINDING, CONSENT, EVENT, LATER, PAYMENT, PAYOUT, REFUND, TRANSACTION } from './examples.ts';

type EventExamples = { readonly [Type in EventType]: z.input<(typeof EVENTS)[Type]> };

const head = { schemaVersion: 1, eventId: EVENT, aggregateVersion: 1, createdAt: LATER } as const;

const payment = {
  orderId: PAYMENT,
  merchantOrderId: 'A-1',
  amount: '10.50',
  currency: 'RUB',
  paymentMethod: 'CARD',
  bankOperationId: '730114',
  occurredAt: LATER,
} as const;

const refund = {
  ...payment,
  paymentId: TRANSACTION,
  refundId: REFUND,
  merchantRefundId: 'R-1',
  amount: '4.00',
  refundedAmount: '0.00',
  bankOperationId: '730115',
} as const;

const binding = {
  bindingId: BINDING,
  customerId: 'c1',
  consentId: CONSENT,
  period: 'P1M',
  nextChargeAt: '2026-12-21T10:00:00.000Z',
  bankOperationId: null,
  occurredAt: LATER,
} as const;

const payout = {
  withdrawalRequestId: PAYOUT,
  storeId: 'store-demo',
  amountUsdt: '12.500000',
  beneficiaryRef: 'ben_4f0a',
  occurredAt: LATER,
} as const;

const register = {
  registerId: PAYOUT,
  date: '2026-11-20',
  lines: 2,
  occurredAt: AT,
} as const;

/** A callback of each type, as it is sent. */
export const EVENT_EXAMPLES: EventExamples = {
  'payment.completed': { ...head, type: 'payment.completed', data: { ...payment, paymentId: TRANSACTION, status: 'COMPLETED' } },
  'payment.failed': {
    ...head,
    type: 'payment.failed',
    data: {
      ...payment,
      paymentId: null,
      status: 'REJECTED',
      failureCode: 'INSUFFICIENT_FUNDS',
      statusReason: 'Not enough money on the card',
    },
  },
  'refund.pending': { ...head, type: 'refund.pending', data: { ...refund, status: 'PENDING', bankOperationId: null } },
  'refund.completed': { ...head, type: 'refund.completed', data: { ...refund, status: 'COMPLETED', refundedAmount: '4.00' } },
  'refund.failed': { ...head, type: 'refund.failed', data: { ...refund, status: 'FAILED', failureCode: 'PROCESSING_ERROR' } },
  'payment.refunded': {
    ...head,
    type: 'payment.refunded',
    data: { ...refund, status: 'REFUNDED', amount: '10.50', refundedAmount: '10.50' },
  },
  'binding.created': { ...head, type: 'binding.created', data: { ...binding, status: 'ACTIVE' } },
  'binding.revoked': { ...head, type: 'binding.revoked', data: { ...binding, status: 'REVOKED' } },
  'binding.expired': { ...head, type: 'binding.expired', data: { ...binding, status: 'EXPIRED' } },
  'withdrawal.requested': { ...head, type: 'withdrawal.requested', data: { ...payout, status: 'REQUESTED' } },
  'withdrawal.in_review': { ...head, type: 'withdrawal.in_review', data: { ...payout, status: 'IN_REVIEW' } },
  'withdrawal.approved': { ...head, type: 'withdrawal.approved', data: { ...payout, status: 'APPROVED' } },
  'withdrawal.completed': {
    ...head,
    type: 'withdrawal.completed',
    data: { ...payout, status: 'COMPLETED', transferReference: 'tr-2026-11-0042' },
  },
  'withdrawal.rejected': {
    ...head,
    type: 'withdrawal.rejected',
    data: { ...payout, status: 'REJECTED', statusReason: 'The reference is out of date' },
  },
  'withdrawal.cancelled': { ...head, type: 'withdrawal.cancelled', data: { ...payout, status: 'CANCELLED' } },
  'withdrawal.failed': {
    ...head,
    type: 'withdrawal.failed',
    data: { ...payout, status: 'FAILED', statusReason: 'The transfer did not arrive' },
  },
  'register.ready': {
    ...head,
    type: 'register.ready',
    data: {
      ...register,
      currency: 'RUB',
      openingBalance: '1000.00',
      closingBalance: '1006.24',
      statusUrl: '/api/registers/RUB/2026-11-20',
    },
  },
  'withdrawal-register.ready': {
    ...head,
    type: 'withdrawal-register.ready',
    data: {
      ...register,
      currency: 'USDT',
      openingAvailable: '100.000000',
      openingReserved: '0.000000',
      closingAvailable: '87.500000',
      closingReserved: '12.500000',
      statusUrl: '/api/registers/USDT/2026-11-20',
    },
  },
};
