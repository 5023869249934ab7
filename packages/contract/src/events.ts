import { z } from 'zod';
import { moment } from '@pay/shared/http/fields.ts';
import {
  chargePeriod,
  currency,
  customerID,
  merchantRefundId,
  rublesString,
  signedRublesString,
  signedUsdtString,
  usdtString,
  uuid,
} from './fields.ts';
import { failedStatus, failureCode, refundFailureCode } from './messages.ts';
import { named } from './registry.ts';
import { RETRY_ADVICE } from './retry-advice.ts';

/** Of a charge of a saved card, and only there. */
const retryAdvice = z
  .enum(RETRY_ADVICE)
  .describe('Of a charge of a saved card: whether it may be tried again')
  .optional();

/** The events as partners receive them. See spec/service-contract#events. */

const paymentData = z.object({
  orderId: uuid.describe('The id of the payment'),
  merchantOrderId: z.string().describe("The partner's order number; empty for QR"),
  amount: rublesString,
  currency,
  paymentMethod: z.enum(['CARD', 'QR']),
  bankOperationId: z.string().nullable(),
  occurredAt: moment,
});

function event<Type extends string, Data extends z.ZodType>(type: Type, data: Data) {
  return z.object({
    schemaVersion: z.literal(1),
    eventId: uuid.describe('The same in every delivery, and in X-Service-Event-ID'),
    type: z.literal(type),
    aggregateVersion: z
      .int()
      .positive()
      .describe(
        'Rises by one with every event of one payment, binding or payout request; those that are not switched on are left out',
      ),
    createdAt: moment,
    data,
  });
}

export const PaymentCompletedEvent = named(
  'PaymentCompletedEvent',
  'The payment is confirmed and recorded in the financial ledger: ship the order once.',
  event(
    'payment.completed',
    paymentData.extend({
      paymentId: uuid.describe('The confirmed financial transaction'),
      status: z.literal('COMPLETED'),
    }),
  ),
);

export const PaymentFailedEvent = named(
  'PaymentFailedEvent',
  'The payment ended without money. Sent once.',
  event(
    'payment.failed',
    paymentData.extend({
      paymentId: z.null(),
      status: failedStatus,
      failureCode,
      statusReason: z.string().describe('For people; may be absent').optional(),
      retryAdvice,
    }),
  ),
);

const refundData = paymentData.extend({
  paymentId: uuid.describe('The confirmed financial transaction of the payment'),
  refundId: uuid,
  merchantRefundId: merchantRefundId.optional(),
  amount: rublesString.describe('Of this refund'),
  refundedAmount: rublesString.describe('Confirmed refunds of the payment in all'),
  bankOperationId: z.string().describe('Of the refund; null while the bank has not told one').nullable(),
});

export const RefundPendingEvent = named(
  'RefundPendingEvent',
  'The refund command is saved, its result awaited.',
  event('refund.pending', refundData.extend({ status: z.literal('PENDING') })),
);

export const RefundCompletedEvent = named(
  'RefundCompletedEvent',
  'The refund amount named here is confirmed.',
  event('refund.completed', refundData.extend({ status: z.literal('COMPLETED') })),
);

export const RefundFailedEvent = named(
  'RefundFailedEvent',
  'No money went back; the amount may be refunded anew.',
  event(
    'refund.failed',
    refundData.extend({
      status: z.literal('FAILED'),
      failureCode: refundFailureCode,
      statusReason: z.string().describe('For people; may be absent').optional(),
    }),
  ),
);

export const PaymentRefundedEvent = named(
  'PaymentRefundedEvent',
  'Confirmed refunds reached the full amount, by the refund that is named.',
  event(
    'payment.refunded',
    refundData.extend({ status: z.literal('REFUNDED'), amount: rublesString.describe('Of the payment') }),
  ),
);

const bindingData = z.object({
  bindingId: uuid,
  customerId: customerID,
  consentId: uuid,
  period: chargePeriod,
  nextChargeAt: moment.describe('The earliest moment at which a new charge is accepted'),
  bankOperationId: z.null(),
  occurredAt: moment,
});

export const BindingCreatedEvent = named(
  'BindingCreatedEvent',
  'After a successful first payment the binding exists: store bindingId with your customerId.',
  event('binding.created', bindingData.extend({ status: z.literal('ACTIVE') })),
);

export const BindingRevokedEvent = named(
  'BindingRevokedEvent',
  'The binding is revoked: new charges are forbidden.',
  event('binding.revoked', bindingData.extend({ status: z.literal('REVOKED') })),
);

export const BindingExpiredEvent = named(
  'BindingExpiredEvent',
  'Sent when it is switched on in extraEvents. A charge came after the last month of the card: a new first payment is needed.',
  event('binding.expired', bindingData.extend({ status: z.literal('EXPIRED') })),
);

const withdrawalData = z.object({
  withdrawalRequestId: uuid,
  storeId: z.string(),
  amountUsdt: usdtString,
  beneficiaryRef: z.string(),
  statusReason: z.string().describe('Why it was rejected, cancelled, or failed').optional(),
  transferReference: z.string().describe('Of the transfer that was made by hand').optional(),
  occurredAt: moment,
});

const withdrawalEvent = <Type extends `withdrawal.${string}`, Status extends string>(
  name: string,
  type: Type,
  status: Status,
) =>
  named(
    name,
    'Sent when it is switched on in extraEvents. How a payout request stands.',
    event(type, withdrawalData.extend({ status: z.literal(status) })),
  );

export const WithdrawalRequestedEvent = withdrawalEvent(
  'WithdrawalRequestedEvent',
  'withdrawal.requested',
  'REQUESTED',
);
export const WithdrawalInReviewEvent = withdrawalEvent('WithdrawalInReviewEvent', 'withdrawal.in_review', 'IN_REVIEW');
export const WithdrawalApprovedEvent = withdrawalEvent('WithdrawalApprovedEvent', 'withdrawal.approved', 'APPROVED');
export const WithdrawalCompletedEvent = withdrawalEvent(
  'WithdrawalCompletedEvent',
  'withdrawal.completed',
  'COMPLETED',
);
export const WithdrawalRejectedEvent = withdrawalEvent('WithdrawalRejectedEvent', 'withdrawal.rejected', 'REJECTED');
export const WithdrawalCancelledEvent = withdrawalEvent(
  'WithdrawalCancelledEvent',
  'withdrawal.cancelled',
  'CANCELLED',
);
export const WithdrawalFailedEvent = withdrawalEvent('WithdrawalFailedEvent', 'withdrawal.failed', 'FAILED');

export const RegisterReadyEvent = named(
  'RegisterReadyEvent',
  'Sent when it is switched on in extraEvents. A day is closed, and its register can be read.',
  event(
    'register.ready',
    z.object({
      registerId: uuid,
      currency,
      date: z.iso.date().describe('The day, in UTC'),
      openingBalance: signedRublesString,
      closingBalance: signedRublesString,
      lines: z.int().min(0),
      statusUrl: z.string().regex(/^\/api\/registers\/RUB\/\d{4}-\d{2}-\d{2}$/),
      occurredAt: moment,
    }),
  ),
);

export const WithdrawalRegisterReadyEvent = named(
  'WithdrawalRegisterReadyEvent',
  'Sent when it is switched on in extraEvents. A day in USDT is closed, and its register can be read.',
  event(
    'withdrawal-register.ready',
    z.object({
      registerId: uuid,
      currency: z.literal('USDT'),
      date: z.iso.date().describe('The day, in UTC'),
      openingAvailable: signedUsdtString,
      openingReserved: signedUsdtString,
      closingAvailable: signedUsdtString,
      closingReserved: signedUsdtString,
      lines: z.int().min(0),
      statusUrl: z.string().regex(/^\/api\/registers\/USDT\/\d{4}-\d{2}-\d{2}$/),
      occurredAt: moment,
    }),
  ),
);

/** By event type. */
export const EVENTS = {
  'payment.completed': PaymentCompletedEvent,
  'payment.failed': PaymentFailedEvent,
  'refund.pending': RefundPendingEvent,
  'refund.completed': RefundCompletedEvent,
  'refund.failed': RefundFailedEvent,
  'payment.refunded': PaymentRefundedEvent,
  'binding.created': BindingCreatedEvent,
  'binding.revoked': BindingRevokedEvent,
  'binding.expired': BindingExpiredEvent,
  'withdrawal.requested': WithdrawalRequestedEvent,
  'withdrawal.in_review': WithdrawalInReviewEvent,
  'withdrawal.approved': WithdrawalApprovedEvent,
  'withdrawal.completed': WithdrawalCompletedEvent,
  'withdrawal.rejected': WithdrawalRejectedEvent,
  'withdrawal.cancelled': WithdrawalCancelledEvent,
  'withdrawal.failed': WithdrawalFailedEvent,
  'register.ready': RegisterReadyEvent,
  'withdrawal-register.ready': WithdrawalRegisterReadyEvent,
} as const;
export type EventType = keyof typeof EVENTS;
