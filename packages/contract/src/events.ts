import { z } from 'zod';
import { day, moment } from '@pay/shared/http/fields.ts';
import {
  bankOperationId,
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

/** Only for charges of a saved card. */
const retryAdvice = z.enum(RETRY_ADVICE).describe('For a charge of a saved card: whether it may be retried').optional();

/** A text of other events that this one never has. Code generators know no type whose only value is null. */
const alwaysNull = (about: string) => z.null().meta({ type: ['string', 'null'], const: null, description: about });

/** The events as partners receive them. See spec/service-contract#events. */

const paymentData = z.object({
  orderId: uuid.describe('The id of the payment'),
  merchantOrderId: z.string().describe("The partner's order number; empty for QR"),
  amount: rublesString,
  currency,
  paymentMethod: z.enum(['CARD', 'QR']).describe('CARD for charges of saved cards, too'),
  bankOperationId,
  occurredAt: moment.describe('When it happened'),
});

function event<Type extends string, Data extends z.ZodType>(type: Type, data: Data) {
  return z.object({
    schemaVersion: z.literal(1).describe('The version of this format'),
    eventId: uuid.describe('The same in every delivery; also in X-Service-Event-ID'),
    type: z.literal(type).describe('Also in X-Service-Event-Type'),
    aggregateVersion: z
      .int()
      .positive()
      .describe('Increases by one with every event of the same payment, binding or payout request. Events that are not enabled count, too'),
    createdAt: moment.describe('When the event was made'),
    data: data.describe('What it is about'),
  });
}

export const PaymentCompletedEvent = named(
  'PaymentCompletedEvent',
  'The payment is confirmed and recorded in the financial ledger: ship the order once.',
  event(
    'payment.completed',
    paymentData.extend({
      paymentId: uuid.describe('The confirmed financial transaction'),
      status: z.literal('COMPLETED').describe('The status of the payment'),
    }),
  ),
);

export const PaymentFailedEvent = named(
  'PaymentFailedEvent',
  'The payment ended and no money was taken. Sent once.',
  event(
    'payment.failed',
    paymentData.extend({
      paymentId: alwaysNull('There is no financial transaction'),
      status: failedStatus.describe('The final status of the payment'),
      failureCode: failureCode.describe('Why no money was taken'),
      statusReason: z.string().describe('Human-readable; may be absent').optional(),
      retryAdvice,
    }),
  ),
);

const refundData = paymentData.extend({
  paymentId: uuid.describe('The confirmed financial transaction of the payment'),
  refundId: uuid.describe('The id of the refund'),
  merchantRefundId: merchantRefundId.optional(),
  amount: rublesString.describe('The amount of this refund'),
  refundedAmount: rublesString.describe('The total of confirmed refunds of the payment'),
  bankOperationId: z.string().nullable().describe('The id of the refund at the bank; null until the bank has reported it'),
});

export const RefundPendingEvent = named(
  'RefundPendingEvent',
  'The refund request is saved; its result is pending.',
  event('refund.pending', refundData.extend({ status: z.literal('PENDING').describe('The status of the refund') })),
);

export const RefundCompletedEvent = named(
  'RefundCompletedEvent',
  'The refund is confirmed for this amount.',
  event('refund.completed', refundData.extend({ status: z.literal('COMPLETED').describe('The status of the refund') })),
);

export const RefundFailedEvent = named(
  'RefundFailedEvent',
  'No money was returned; the amount can be refunded again.',
  event(
    'refund.failed',
    refundData.extend({
      status: z.literal('FAILED').describe('The status of the refund'),
      failureCode: refundFailureCode.describe('Why no money was returned'),
      statusReason: z.string().describe('Human-readable; may be absent').optional(),
    }),
  ),
);

export const PaymentRefundedEvent = named(
  'PaymentRefundedEvent',
  'Confirmed refunds have reached the full amount, with the refund named here.',
  event(
    'payment.refunded',
    refundData.extend({
      status: z.literal('REFUNDED').describe('The status of the payment'),
      amount: rublesString.describe('The amount of the payment'),
    }),
  ),
);

const bindingData = z.object({
  bindingId: uuid.describe('The id of the binding'),
  customerId: customerID,
  consentId: uuid.describe('The id of the consent'),
  period: chargePeriod,
  nextChargeAt: moment.describe('The earliest time at which a new charge is accepted'),
  bankOperationId: alwaysNull('A binding is no operation of the bank'),
  occurredAt: moment.describe('When it happened'),
});

export const BindingCreatedEvent = named(
  'BindingCreatedEvent',
  'The binding exists after a successful first payment: store bindingId with your customerId.',
  event('binding.created', bindingData.extend({ status: z.literal('ACTIVE').describe('The status of the binding') })),
);

export const BindingRevokedEvent = named(
  'BindingRevokedEvent',
  'The binding is revoked: new charges are forbidden.',
  event('binding.revoked', bindingData.extend({ status: z.literal('REVOKED').describe('The status of the binding') })),
);

export const BindingExpiredEvent = named(
  'BindingExpiredEvent',
  "Sent if enabled in extraEvents. A charge was requested after the card's expiry month: a new first payment is needed.",
  event('binding.expired', bindingData.extend({ status: z.literal('EXPIRED').describe('The status of the binding') })),
);

const withdrawalData = z.object({
  withdrawalRequestId: uuid.describe('The id of the payout request'),
  storeId: z.string().describe('The store that pays'),
  amountUsdt: usdtString,
  beneficiaryRef: z.string().describe('The recipient'),
  statusReason: z.string().describe('Why it was rejected, cancelled or failed').optional(),
  transferReference: z.string().describe('The reference of the manual transfer').optional(),
  occurredAt: moment.describe('When it happened'),
});

const withdrawalEvent = <Type extends `withdrawal.${string}`, Status extends string>(name: string, type: Type, status: Status) =>
  named(
    name,
    'Sent if enabled in extraEvents. The current status of a payout request.',
    event(type, withdrawalData.extend({ status: z.literal(status).describe('The status of the payout request') })),
  );

export const WithdrawalRequestedEvent = withdrawalEvent('WithdrawalRequestedEvent', 'withdrawal.requested', 'REQUESTED');
export const WithdrawalInReviewEvent = withdrawalEvent('WithdrawalInReviewEvent', 'withdrawal.in_review', 'IN_REVIEW');
export const WithdrawalApprovedEvent = withdrawalEvent('WithdrawalApprovedEvent', 'withdrawal.approved', 'APPROVED');
export const WithdrawalCompletedEvent = withdrawalEvent('WithdrawalCompletedEvent', 'withdrawal.completed', 'COMPLETED');
export const WithdrawalRejectedEvent = withdrawalEvent('WithdrawalRejectedEvent', 'withdrawal.rejected', 'REJECTED');
export const WithdrawalCancelledEvent = withdrawalEvent('WithdrawalCancelledEvent', 'withdrawal.cancelled', 'CANCELLED');
export const WithdrawalFailedEvent = withdrawalEvent('WithdrawalFailedEvent', 'withdrawal.failed', 'FAILED');

export const RegisterReadyEvent = named(
  'RegisterReadyEvent',
  'Sent if enabled in extraEvents. A day is closed, and its register is available.',
  event(
    'register.ready',
    z.object({
      registerId: uuid.describe('The id of the register'),
      currency,
      date: day.describe('The day, in UTC'),
      openingBalance: signedRublesString.describe('What we owed you at the close of the previous day'),
      closingBalance: signedRublesString.describe('What we owe you at the close of this day'),
      lines: z.int().min(0).describe('The number of entries of the day'),
      statusUrl: z
        .string()
        .regex(/^\/api\/registers\/RUB\/\d{4}-\d{2}-\d{2}$/)
        .describe('The path of the register'),
      occurredAt: moment.describe('When the day was closed'),
    }),
  ),
);

export const WithdrawalRegisterReadyEvent = named(
  'WithdrawalRegisterReadyEvent',
  'Sent if enabled in extraEvents. A day in USDT is closed, and its register is available.',
  event(
    'withdrawal-register.ready',
    z.object({
      registerId: uuid.describe('The id of the register'),
      currency: z.literal('USDT').describe('Always USDT'),
      date: day.describe('The day, in UTC'),
      openingAvailable: signedUsdtString,
      openingReserved: signedUsdtString,
      closingAvailable: signedUsdtString,
      closingReserved: signedUsdtString,
      lines: z.int().min(0).describe('The number of entries of the day'),
      statusUrl: z
        .string()
        .regex(/^\/api\/registers\/USDT\/\d{4}-\d{2}-\d{2}$/)
        .describe('The path of the register'),
      occurredAt: moment.describe('When the day was closed'),
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
