import type { RequestHandler } from 'express';
import { z } from 'zod';
import { checkSum, Receipt } from '@pay/contract/api/receipt.ts';
import { ApiError } from '@pay/shared/errors/api-error.ts';
import { jsonBody } from '@pay/shared/http/app.ts';
import { idempotentRequest } from '@pay/shared/http/caller.ts';
import { validate } from '@pay/shared/http/validate.ts';
import type { Deps } from '../../deps.ts';
import type { PaymentMethod } from '../../domain/payment/payment.ts';
import { requestRefund } from '../../use-cases/refund/request-refund.ts';
import { merchantRefundId, refundAmount, refundReason } from '../fields.ts';
import { renderRefund } from '../render-refund.ts';

const Body = z.strictObject(
  {
    amount: refundAmount.optional(),
    reason: refundReason.optional(),
    merchantRefundId: merchantRefundId.optional(),
    receipt: Receipt.optional(),
  },
  { error: 'must be a JSON object' },
);

/** POST /api/card/:id/refunds and POST /api/qr/:id/refunds: one handler, each for its methods' payments. */
export function createRefundRoute(deps: Deps, methods: readonly PaymentMethod[]): RequestHandler {
  return async (req, res) => {
    const body = validate(Body, jsonBody(req));
    if (body.amount !== undefined) checkSum(body.receipt, body.amount);
    const request = idempotentRequest(req, res);
    const id = z.uuid().safeParse(req.params['id']);
    if (!id.success) throw new ApiError('NOT_FOUND');
    const { refund, status, replayed } = await requestRefund(deps, request, {
      paymentId: id.data,
      methods,
      amountKopecks: body.amount,
      reason: body.reason,
      merchantRefundId: body.merchantRefundId,
      receipt: body.receipt,
    });
    if (replayed) res.setHeader('Idempotency-Replayed', 'true');
    res.status(status).json(renderRefund(refund));
  };
}
