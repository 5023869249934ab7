import type { RequestHandler } from 'express';
import { z } from 'zod';
import { checkSum, Receipt } from '@pay/contract/api/receipt.ts';
import { jsonBody } from '@pay/shared/http/app.ts';
import { idempotentRequest } from '@pay/shared/http/caller.ts';
import { validate } from '@pay/shared/http/validate.ts';
import { clock } from '@pay/shared/postgres/clock.ts';
import type { ApiDeps } from '../../deps.ts';
import { createCardPayment } from '../../use-cases/payment/create-card-payment.ts';
import { amount, currency, customerId, description, merchantOrderId, paymentPointId, returnUrl } from '../fields.ts';
import { recurringConsent, savePaymentMethod, savingOf } from './recurring-consent.ts';
import { renderCreatedCardPayment } from './render-card-payment.ts';

const Body = z.strictObject(
  {
    paymentPointID: paymentPointId.optional(),
    orderID: merchantOrderId,
    amount,
    currency,
    description,
    customerID: customerId,
    returnUrl: returnUrl.optional(),
    savePaymentMethod: savePaymentMethod.optional(),
    recurringConsent: recurringConsent.optional(),
    receipt: Receipt.optional(),
  },
  { error: 'must be a JSON object' },
);

/** POST /api/card */
export function createCardPaymentRoute(deps: ApiDeps): RequestHandler {
  return async (req, res) => {
    const body = validate(Body, jsonBody(req));
    checkSum(body.receipt, body.amount);
    const request = idempotentRequest(req, res);
    const saves = body.savePaymentMethod !== undefined || body.recurringConsent !== undefined;
    const saving = saves ? savingOf(body, await clock(deps.db)) : undefined;
    const { payment, status, replayed } = await createCardPayment(deps, request, {
      paymentPointId: body.paymentPointID,
      merchantOrderId: body.orderID,
      amountKopecks: body.amount,
      description: body.description,
      customerId: body.customerID,
      returnUrl: body.returnUrl,
      saving,
      receipt: body.receipt,
    });
    // A payment that was made just now was changed just now.
    const now = replayed ? await clock(deps.db) : payment.updatedAt;
    if (replayed) res.setHeader('Idempotency-Replayed', 'true');
    res.status(status).json(renderCreatedCardPayment(deps, payment, now));
  };
}
