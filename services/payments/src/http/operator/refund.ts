import type { RequestHandler } from 'express';
import { z } from 'zod';
import { ApiError } from '@pay/shared/errors/api-error.ts';
import { bodySha256, jsonBody } from '@pay/shared/http/app.ts';
import { operatorOf } from '@pay/shared/operators/operator-of.ts';
import { JsonNumber } from '@pay/shared/json/json-body.ts';
import { validate } from '@pay/shared/http/validate.ts';
import type { ApiDeps } from '../../deps.ts';
import { refundForOperator } from '../../use-cases/refund/refund-for-operator.ts';
import { refundAmount, refundReason } from '../fields.ts';
import { renderProposal } from './render-proposal.ts';
import { renderRefund } from '../render-refund.ts';

const Path = z.object({ paymentId: z.uuid() });
const Body = z.strictObject({
  /** `aggregateVersion` of the payment as it was seen. */
  seenVersion: z
    .instanceof(JsonNumber, { error: 'must be a whole number' })
    .refine(({ token }) => /^\d{1,9}$/.test(token), 'must be a whole number')
    .transform(({ token }) => Number(token)),
  /** Made once for each refund that is meant. */
  key: z.uuid(),
  amount: refundAmount.optional(),
  reason: refundReason,
});

/**
 * POST /operator/payments/{paymentId}/refunds. The same `key` again gets the same refund; a payment that changed since it
 * was seen: 409 STALE_REVISION, and nothing is given back. Above the role's limit: 202 with a `proposal` for a second person.
 */
export function refundRoute(deps: ApiDeps): RequestHandler {
  return async (req, res) => {
    const path = Path.safeParse(req.params);
    if (!path.success) throw new ApiError('NOT_FOUND');
    const { seenVersion, key, amount, reason } = validate(Body, jsonBody(req));
    const outcome = await refundForOperator(deps, {
      operator: operatorOf(res),
      paymentId: path.data.paymentId,
      seenVersion,
      key,
      bodySha256: bodySha256(req),
      amountKopecks: amount,
      reason,
    });
    if (outcome.kind === 'proposed') {
      res.status(202).json({ proposal: renderProposal(outcome.proposal) });
      return;
    }
    if (outcome.replayed) res.setHeader('Idempotency-Replayed', 'true');
    res.status(outcome.status).json(renderRefund(outcome.refund));
  };
}
