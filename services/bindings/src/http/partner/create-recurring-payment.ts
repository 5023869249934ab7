import type { RequestHandler } from 'express';
import { CreateRecurringPayment } from '@pay/contract/api/bindings.ts';
import { jsonBody } from '@pay/shared/http/app.ts';
import { idempotentRequest } from '@pay/shared/http/caller.ts';
import { validate } from '@pay/shared/http/validate.ts';
import type { Deps } from '../../deps.ts';
import { chargeBinding } from '../../use-cases/charge-binding.ts';
import { renderRecurringPayment } from '../render.ts';

/** POST /v1/recurring-payments */
export function createRecurringPaymentRoute(deps: Deps): RequestHandler {
  return async (req, res) => {
    const { receipt, ...command } = validate(CreateRecurringPayment, jsonBody(req));
    const request = idempotentRequest(req, res);
    const { charge, status, replayed } = await chargeBinding(deps, request, {
      ...command,
      receipt: receipt ?? null,
    });
    if (replayed) res.setHeader('Idempotency-Replayed', 'true');
    res.status(status).json(renderRecurringPayment(charge));
  };
}
