import type { RequestHandler } from 'express';
import { CreateCardPayment } from '@pay/contract/api/card-payments.ts';
import { jsonBody } from '@pay/shared/http/app.ts';
import { idempotentRequest } from '@pay/shared/http/caller.ts';
import { validate } from '@pay/shared/http/validate.ts';
import { clock } from '@pay/shared/postgres/clock.ts';
import type { ApiDeps } from '../../deps.ts';
import { createCardPayment } from '../../use-cases/payment/create-card-payment.ts';
import { renderCreatedCardPayment } from './render-card-payment.ts';

/** POST /api/card */
export function createCardPaymentRoute(deps: ApiDeps): RequestHandler {
  return async (req, res) => {
    const command = validate(CreateCardPayment, jsonBody(req));
    const request = idempotentRequest(req, res);
    const { payment, status, replayed } = await createCardPayment(deps, request, command);
    // A payment that this call created was updated just now.
    const now = replayed ? await clock(deps.db) : payment.updatedAt;
    if (replayed) res.setHeader('Idempotency-Replayed', 'true');
    res.status(status).json(renderCreatedCardPayment(deps, payment, now));
  };
}
