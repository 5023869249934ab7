import type { RequestHandler } from 'express';
import { RefundPayment } from '@pay/contract/operator/proposals.ts';
import { bodySha256, jsonBody } from '@pay/shared/http/app.ts';
import { pathId } from '@pay/shared/http/path-id.ts';
import { validate } from '@pay/shared/http/validate.ts';
import { operatorOf } from '@pay/shared/operators/operator-of.ts';
import type { ApiDeps } from '../../deps.ts';
import { refundForOperator } from '../../use-cases/refund/refund-for-operator.ts';
import { renderRefund } from '../render-refund.ts';
import { renderProposed } from './render-proposal.ts';

/**
 * POST /operator/payments/{paymentId}/refunds. A repeat with the same `key` returns the same refund. 409 STALE_REVISION if
 * the payment has changed since it was seen; nothing is refunded then. Above the role's limit: 202 with a `proposal` for a
 * second person.
 */
export function refundRoute(deps: ApiDeps): RequestHandler {
  return async (req, res) => {
    const paymentId = pathId(req, 'paymentId');
    const { amount: amountKopecks, ...asked } = validate(RefundPayment, jsonBody(req));
    const refund = { ...asked, paymentId, amountKopecks, operator: operatorOf(res), bodySha256: bodySha256(req) };
    const outcome = await refundForOperator(deps, refund);
    if (outcome.kind === 'proposed') {
      res.status(202).json(renderProposed(outcome.proposal));
      return;
    }
    if (outcome.replayed) res.setHeader('Idempotency-Replayed', 'true');
    res.status(outcome.status).json(renderRefund(outcome.refund));
  };
}
