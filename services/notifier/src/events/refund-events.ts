import type { RefundFailed, RefundPending } from '@pay/contract/messages.ts';
import { renderRub } from '@pay/shared/money/money.ts';
import { wireMethod } from './payment-events.ts';

type Data = Readonly<Record<string, unknown>>;
/** All messages about refunds say this; `refund.failed` says more. */
type RefundFact = RefundPending;

/**
 * `data` of refund.pending, refund.completed and payment.refunded. See spec/decisions#data-of-refund-events: one
 * parser for all.
 */
export function renderRefundEvent(message: RefundFact, status: 'PENDING' | 'COMPLETED' | 'FAILED' | 'REFUNDED'): Data {
  return {
    paymentId: message.ledgerTransactionId,
    orderId: message.paymentId,
    merchantOrderId: message.merchantOrderId,
    refundId: message.refundId,
    ...(message.merchantRefundId === undefined ? {} : { merchantRefundId: message.merchantRefundId }),
    status,
    amount: renderRub(BigInt(message.amountKopecks)),
    refundedAmount: renderRub(BigInt(message.refundedKopecks)),
    currency: message.currency,
    paymentMethod: wireMethod(message.paymentMethod),
    bankOperationId: message.bankOperationId,
    occurredAt: message.occurredAt,
  };
}

/** `data` of refund.failed: the same, and why. */
export function renderRefundFailed(message: RefundFailed): Data {
  const { failureCode, statusReason } = message;
  return {
    ...renderRefundEvent(message, 'FAILED'),
    failureCode,
    ...(statusReason === undefined ? {} : { statusReason }),
  };
}
