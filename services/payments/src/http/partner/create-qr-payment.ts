import type { RequestHandler } from 'express';
import { CreateQrPayment } from '@pay/contract/api/qr-payments.ts';
import { jsonBody } from '@pay/shared/http/app.ts';
import { idempotentRequest } from '@pay/shared/http/caller.ts';
import { validate } from '@pay/shared/http/validate.ts';
import { clock } from '@pay/shared/postgres/clock.ts';
import type { ApiDeps } from '../../deps.ts';
import { createQrPayment } from '../../use-cases/payment/create-qr-payment.ts';
import { renderCreatedQrPayment } from './render-qr-payment.ts';

/** POST /api/qr */
export function createQrPaymentRoute(deps: ApiDeps): RequestHandler {
  return async (req, res) => {
    const command = validate(CreateQrPayment, jsonBody(req));
    const request = idempotentRequest(req, res);
    const { payment, status, replayed } = await createQrPayment(deps, request, command);
    // A payment that this call created was updated just now.
    const now = replayed ? await clock(deps.db) : payment.updatedAt;
    if (replayed) res.setHeader('Idempotency-Replayed', 'true');
    res.status(status).json(await renderCreatedQrPayment(deps, payment, now));
  };
}
