import type { RefundPending } from '@pay/contract/messages.ts';
import type { Payment } from '../../db/payment/payments.ts';
import type { Refund } from '../../db/refund/refunds.ts';

/** What every message about a refund says, but the moment. Both as they are after the reported change. */
export function refundFact(
  payment: Payment,
  refund: Pick<Refund, 'refundId' | 'merchantRefundId' | 'amountKopecks' | 'bankOperationId'>,
): Omit<RefundPending, 'occurredAt'> {
  const { ledgerTransactionId } = payment;
  if (ledgerTransactionId === null) throw new Error('a refunded payment was never booked');
  return {
    partnerId: payment.partnerId,
    paymentId: payment.paymentId,
    ledgerTransactionId,
    refundId: refund.refundId,
    ...(refund.merchantRefundId === null ? {} : { merchantRefundId: refund.merchantRefundId }),
    aggregateVersion: payment.aggregateVersion,
    merchantOrderId: payment.merchantOrderId,
    amountKopecks: refund.amountKopecks.toString(),
    refundedKopecks: payment.refundedKopecks.toString(),
    currency: payment.currency,
    paymentMethod: payment.method,
    bankOperationId: refund.bankOperationId,
  };
}
