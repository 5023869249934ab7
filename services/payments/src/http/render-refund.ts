import type { Refund } from '@pay/contract/api/refunds.ts';
import type { Wire } from '@pay/contract/wire.ts';
import { renderRub } from '@pay/shared/money/money.ts';
import type { RefundOfPayment } from '../db/refund/refunds.ts';
import { refundFailureReason } from '../domain/refund/refund-failure.ts';

/** A refund as partners see it; operators see the same. See spec/decisions#refund-record. */
export function renderRefund(refund: RefundOfPayment): Wire<typeof Refund> {
  const { merchantRefundId, reason, failureCode, completedAt } = refund;
  return {
    refundId: refund.refundId,
    orderId: refund.paymentId,
    merchantOrderId: refund.merchantOrderId,
    ...(merchantRefundId === null ? {} : { merchantRefundId }),
    amount: renderRub(refund.amountKopecks),
    refundedAmount: renderRub(refund.refundedKopecks),
    currency: refund.currency,
    status: refund.status,
    ...(reason === null ? {} : { reason }),
    ...(failureCode === null ? {} : { failureCode, statusReason: refundFailureReason(failureCode) }),
    bankOperationId: refund.bankOperationId,
    createdAt: refund.createdAt.toISOString(),
    updatedAt: refund.updatedAt.toISOString(),
    ...(completedAt === null ? {} : { completedAt: completedAt.toISOString() }),
    statusUrl: `/api/refunds/${refund.refundId}`,
  };
}
