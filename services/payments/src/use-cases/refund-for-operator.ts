import { ApiError } from '@pay/shared/errors/api-error.ts';
import { findPayment } from '../db/payments.ts';
import type { Deps } from '../deps.ts';
import { PAYMENT_METHODS } from '../domain/payment.ts';
import { requestRefund, type RequestedRefund } from './request-refund.ts';

export type OperatorRefund = {
  readonly operator: string;
  readonly paymentId: string;
  /** Of the payment as the operator saw it: a refund that somebody made meanwhile makes it stale. */
  readonly seenVersion: number;
  /** One a refund: a second click with it gives nothing back again. */
  readonly key: string;
  readonly bodySha256: string;
  readonly amountKopecks: bigint | undefined;
  readonly reason: string;
};

/**
 * POST /operator/payments/{paymentId}/refunds: the partner's own refund, with the same books and callbacks, but asked for
 * by one of our people. @throws ApiError as `requestRefund`
 */
export async function refundForOperator(deps: Deps, asked: OperatorRefund): Promise<RequestedRefund> {
  const { operator: login, paymentId, seenVersion, key, bodySha256, amountKopecks, reason } = asked;
  const payment = await findPayment(deps.db, paymentId);
  if (payment === undefined) throw new ApiError('NOT_FOUND');
  // A partner's key has no blank: none of his is ever one of ours.
  const operation = `POST /operator/payments/${paymentId}/refunds`;
  const request = { partnerId: payment.partnerId, key: `operator ${key}`, operation, bodySha256 };
  return requestRefund(deps, request, {
    paymentId,
    methods: PAYMENT_METHODS,
    amountKopecks,
    reason,
    merchantRefundId: undefined,
    operator: { login, seenVersion },
  });
}
