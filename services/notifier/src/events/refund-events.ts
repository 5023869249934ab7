import type { RefundFailed, RefundPending } from '@pay/contract/messages.ts';
import { renderRub } from '@pay/shared/money/money.ts';
import { wireMethod } from './payment-events.ts';

type Data = Readonly<Record<string, unknown>>;
/** Common to all messages about refunds; `refund.failed` has more. */
type RefundFact = RefundPending;

/**
 * `data` of refund.pending, refund.completed and payment.refunded. They share one shape, so partners need one parser:
 * see spec/decisions#data-of-refund-events.
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

/** `data` of refund.failed: the same plus the reason. */
export function renderRefundFailed(message: RefundFailed): Data {
  const { failureCode, statusReason } = message;
  return {
    ...renderRefundEvent(message, 'FAILED'),
    failureCode,
    ...(statusReason === undefined ? {} : { statusReason }),
  };
}
