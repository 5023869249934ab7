import type { CardPayment, CreatedCardPayment } from '@pay/contract/api/card-payments.ts';
import { retryAdviceOf } from '@pay/contract/retry-advice.ts';
import type { PaymentMethod } from '@pay/contract/states.ts';
import type { Wire } from '@pay/contract/wire.ts';
import { renderRub, renderRubNumber } from '@pay/shared/money/money.ts';
import type { Payment } from '../../db/payment/payments.ts';
import { orderOf } from '../../domain/payment/order-number.ts';
import type { Deps } from '../../deps.ts';
import { FAILURES } from '../../domain/payment/failure.ts';
import { isCheckoutUsable } from '../../domain/payment/card-entry.ts';
import { paymentUrl } from '../../use-cases/payment/submit-payment.ts';

/**
 * The answer of POST /api/card. It has `paymentUrl` as long as the buyer can use it. See
 * spec/service-contract#card-payment-create-response-http-201.
 */
export function renderCreatedCardPayment(deps: Deps, payment: Payment, now: Date): Wire<typeof CreatedCardPayment> {
  return {
    id: payment.paymentId,
    orderID: orderOf(payment),
    amount: renderRubNumber(payment.amountKopecks),
    currency: payment.currency,
    status: payment.status,
    ...(isCheckoutUsable(payment, now) ? { paymentUrl: paymentUrl(deps, payment) } : {}),
    expiresAt: payment.expiresAt.toISOString(),
    statusUrl: `/api/card/${payment.paymentId}`,
  };
}

/** The answer of GET /api/card/{id}. See spec/decisions#card-payment-record. */
export function renderCardPayment(deps: Deps, payment: Payment, now: Date): Wire<typeof CardPayment> {
  const { failureCode } = payment;
  return {
    ...renderCreatedCardPayment(deps, payment, now),
    paymentPointID: payment.paymentPointId,
    customerID: payment.customerId,
    description: payment.description,
    paymentMethod: cardMethodOf(payment),
    ...bindingOf(payment),
    ...(failureCode === null ? {} : { failureCode, statusReason: FAILURES[failureCode].reason }),
    ...(failureCode === null || payment.method !== 'CARD_BINDING' ? {} : { retryAdvice: retryAdviceOf(failureCode) }),
    bankOperationId: payment.bankOperationId,
    refundedAmount: renderRub(payment.refundedKopecks),
    createdAt: payment.createdAt.toISOString(),
    updatedAt: payment.updatedAt.toISOString(),
  };
}

function cardMethodOf({ method }: Payment): Exclude<PaymentMethod, 'SBP_DYNAMIC_QR'> {
  if (method === 'SBP_DYNAMIC_QR') throw new Error('a QR payment is not rendered as a card payment');
  return method;
}

/** A first payment has a binding once it is paid. Before that, the buyer's consent may still come to nothing. */
function bindingOf({ method, status, bindingId }: Payment): { readonly bindingId?: string } {
  const isReal = method === 'CARD_BINDING' || status === 'COMPLETED' || status === 'REFUNDED';
  return bindingId !== null && isReal ? { bindingId } : {};
}
