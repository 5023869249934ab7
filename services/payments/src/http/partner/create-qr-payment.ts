import type { RequestHandler } from 'express';
import { z } from 'zod';
import { checkSum, Receipt } from '@pay/contract/api/receipt.ts';
import { jsonBody } from '@pay/shared/http/app.ts';
import { idempotentRequest } from '@pay/shared/http/caller.ts';
import { validate } from '@pay/shared/http/validate.ts';
import { clock } from '@pay/shared/postgres/clock.ts';
import type { ApiDeps } from '../../deps.ts';
import { createQrPayment } from '../../use-cases/payment/create-qr-payment.ts';
import { amount, currency, description, paymentPointId, returnUrl } from '../fields.ts';
import { renderCreatedQrPayment } from './render-qr-payment.ts';

const Body = z.strictObject(
  {
    paymentPointID: paymentPointId.optional(),
    amount,
    currency: currency.optional(),
    description: description.optional(),
    returnUrl: returnUrl.optional(),
    receipt: Receipt.optional(),
  },
  { error: 'must be a JSON object' },
);

/** POST /api/qr */
export function createQrPaymentRoute(deps: ApiDeps): RequestHandler {
  return async (req, res) => {
    const body = validate(Body, jsonBody(req));
    checkSum(body.receipt, body.amount);
    const request = idempotentRequest(req, res);
    const { payment, status, replayed } = await createQrPayment(deps, request, {
      paymentPointId: body.paymentPointID,
      amountKopecks: body.amount,
      description: body.description,
      returnUrl: body.returnUrl,
      receipt: body.receipt,
    });
    // A payment that was made just now was changed just now.
    const now = replayed ? await clock(deps.db) : payment.updatedAt;
    if (replayed) res.setHeader('Idempotency-Replayed', 'true');
    res.status(status).json(await renderCreatedQrPayment(deps, payment, now));
  };
}
