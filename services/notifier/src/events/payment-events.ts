import type { PaymentCompleted, PaymentFailed } from '@pay/contract/messages.ts';
import { retryAdviceOf } from '@pay/contract/retry-advice.ts';
import { renderRub } from '@pay/shared/money/money.ts';

/** `data` of payment.completed. See spec/service-contract#data-of-paymentcompleted-and-paymentfailed. */
export function renderPaymentCompleted(message: PaymentCompleted): Readonly<Record<string, unknown>> {
  return {
    paymentId: message.ledgerTransactionId,
    ...paymentBlock(message, 'COMPLETED'),
    bankOperationId: message.bankOperationId,
    occurredAt: message.occurredAt,
  };
}

/** `data` of payment.failed: no financial transaction, hence no paymentId. */
export function renderPaymentFailed(message: PaymentFailed): Readonly<Record<string, unknown>> {
  return {
    paymentId: null,
    ...paymentBlock(message, message.status),
    failureCode: message.failureCode,
    ...(message.statusReason === undefined ? {} : { statusReason: message.statusReason }),
    ...(message.paymentMethod === 'CARD_BINDING' ? { retryAdvice: retryAdviceOf(message.failureCode) } : {}),
    bankOperationId: message.bankOperationId,
    occurredAt: message.occurredAt,
  };
}

/** The wire's `orderId` is our payment; the partner's order number is `merchantOrderId`. */
function paymentBlock(message: PaymentCompleted | PaymentFailed, status: string): Readonly<Record<string, unknown>> {
  return {
    orderId: message.paymentId,
    merchantOrderId: message.merchantOrderId,
    status,
    amount: renderRub(BigInt(message.amountKopecks)),
    currency: message.currency,
    paymentMethod: wireMethod(message.paymentMethod),
  };
}

/** CARD, for recurring charges too, or QR. See spec/decisions#payment-method-in-data. */
export function wireMethod(method: PaymentCompleted['paymentMethod']): 'CARD' | 'QR' {
  return method === 'SBP_DYNAMIC_QR' ? 'QR' : 'CARD';
}
