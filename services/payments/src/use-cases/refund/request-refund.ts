import type { IdempotentRequest } from '@pay/shared/idempotency/idempotency.ts';
import { findPartnerRefund, type RefundOfPayment } from '../../db/refund/refunds.ts';
import type { Deps } from '../../deps.ts';
import { openRefund, type RequestRefund } from './open-refund.ts';
import { recordOptimistically, recordRefundOutcome } from './record-refund-outcome.ts';
import { sendOpened } from './send-refund.ts';

export type RequestedRefund = { readonly refund: RefundOfPayment; readonly status: number; readonly replayed: boolean };

/**
 * POST /api/card/{id}/refunds and POST /api/qr/{id}/refunds. The payment's row serialises its refunds. The
 * amount is reserved and booked, and the event published, before the bank is called: transaction · call · transaction.
 * Operators: POST /operator/payments/{paymentId}/refunds. @throws ApiError NOT_FOUND, VALIDATION_FAILED, DUPLICATE_ORDER,
 * REFUND_NOT_ALLOWED, REFUND_AMOUNT_EXCEEDED, and for operators STALE_REVISION: then nothing is stored.
 */
export async function requestRefund(deps: Deps, request: IdempotentRequest, command: RequestRefund): Promise<RequestedRefund> {
  const opened = await openRefund(deps, request, deps.operationIds.issue(), command);
  if (opened.kind === 'repeat') {
    const { refundId, status } = opened;
    return { refund: await readRefund(deps, request, refundId), status, replayed: true };
  }
  const { refundId } = opened.refund;
  const result = await sendOpened(deps, opened);
  const completed = await recordOptimistically(deps, opened, result);
  if (completed === undefined) await recordRefundOutcome(deps, refundId, result);
  const refund = completed ?? (await readRefund(deps, request, refundId));
  return { refund, status: opened.status, replayed: false };
}

async function readRefund(deps: Deps, { partnerId }: Pick<IdempotentRequest, 'partnerId'>, refundId: string): Promise<RefundOfPayment> {
  const refund = await findPartnerRefund(deps.db, partnerId, refundId);
  if (refund === undefined) throw new Error('an idempotency record names a missing refund');
  return refund;
}
