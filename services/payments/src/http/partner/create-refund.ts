import type { RequestHandler } from 'express';
import { CreateRefund } from '@pay/contract/api/refunds.ts';
import type { PaymentMethod } from '@pay/contract/states.ts';
import { jsonBody } from '@pay/shared/http/app.ts';
import { idempotentRequest } from '@pay/shared/http/caller.ts';
import { pathId } from '@pay/shared/http/path-id.ts';
import { validate } from '@pay/shared/http/validate.ts';
import type { Deps } from '../../deps.ts';
import { requestRefund } from '../../use-cases/refund/request-refund.ts';
import { renderRefund } from '../render-refund.ts';

/** POST /api/card/:id/refunds and POST /api/qr/:id/refunds: one handler, which serves the payments of `methods` only. */
export function createRefundRoute(deps: Deps, methods: readonly PaymentMethod[]): RequestHandler {
  return async (req, res) => {
    const asked = validate(CreateRefund, jsonBody(req));
    const request = idempotentRequest(req, res);
    const command = { ...asked, paymentId: pathId(req, 'id'), methods };
    const { refund, status, replayed } = await requestRefund(deps, request, command);
    if (replayed) res.setHeader('Idempotency-Replayed', 'true');
    res.status(status).json(renderRefund(refund));
  };
}
