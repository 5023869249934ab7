import { z } from 'zod';
import { chargePeriod, currency, customerID, moment, rublesString, uuid } from './api/fields.ts';
import { merchantRefundId } from './api/refunds.ts';
import { failedStatus, failureCode, refundFailureCode } from './messages.ts';
import { named } from './registry.ts';
import { RETRY_ADVICE } from './retry-advice.ts';

/** Of a charge of a saved card, and only there. */
const retryAdvice = z
  .enum(RETRY_ADVICE)
  .describe('Of a charge of a saved card: whether it may be tried again')
  .optional();

/** The events as partners receive them. Spec: Events. */

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
    aggregateVersion: z.int().positive().describe('Gapless from 1 over all events of one payment, or of one binding'),
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
} as const;
