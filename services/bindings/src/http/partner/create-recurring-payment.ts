import type { RequestHandler } from 'express';
import { z } from 'zod';
import { checkSum, Receipt } from '@pay/contract/api/receipt.ts';
import { jsonBody } from '@pay/shared/http/app.ts';
import { idempotentRequest } from '@pay/shared/http/caller.ts';
import { validate } from '@pay/shared/http/validate.ts';
import type { Deps } from '../../deps.ts';
import { chargeBinding } from '../../use-cases/charge-binding.ts';
import { amount, bindingId, currency, description, merchantOrderId } from '../fields.ts';
import { renderRecurringPayment } from '../render.ts';

const Body = z.strictObject(
  { merchantOrderId, amount, currency, bindingId, description, receipt: Receipt.optional() },
  { error: 'must be a JSON object' },
);

/** POST /v1/recurring-payments */
export function createRecurringPaymentRoute(deps: Deps): RequestHandler {
  return async (req, res) => {
    const { amount: amountKopecks, currency: _rub, receipt, ...command } = validate(Body, jsonBody(req));
    checkSum(receipt, amountKopecks);
    const request = idempotentRequest(req, res);
    const { charge, status, replayed } = await chargeBinding(deps, request, {
      ...command,
      amountKopecks,
      receipt: receipt ?? null,
    });
    if (replayed) res.setHeader('Idempotency-Replayed', 'true');
    res.status(status).json(renderRecurringPayment(charge));
  };
}
