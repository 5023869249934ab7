import type { RequestHandler } from 'express';
import { z } from 'zod';
import { jsonBody } from '@pay/shared/http/app.ts';
import { callerOf } from '@pay/shared/http/caller.ts';
import { validate } from '@pay/shared/http/validate.ts';
import type { Deps } from '../deps.ts';
import { chargeSavedCard } from '../use-cases/charge-saved-card.ts';
import { description, merchantOrderId } from './fields.ts';

const id = z.uuid().transform((text) => text.toLowerCase());

const Body = z.strictObject({
  paymentId: id,
  bindingId: id,
  merchantOrderId,
  amountKopecks: z
    .string()
    .regex(/^[1-9]\d{0,17}$/)
    .transform((text) => BigInt(text)),
  description,
});

/** POST /internal/charges, for bindings: not on the list of the gateway. */
export function chargeSavedCardRoute(deps: Deps): RequestHandler {
  return async (req, res) => {
    const charge = await chargeSavedCard(deps, callerOf(res).partnerId, validate(Body, jsonBody(req)));
    res.json({
      paymentId: charge.paymentId,
      bindingId: charge.bindingId,
      merchantOrderId: charge.merchantOrderId,
      amountKopecks: charge.amountKopecks.toString(),
      status: charge.status,
      createdAt: charge.createdAt.toISOString(),
      updatedAt: charge.updatedAt.toISOString(),
    });
  };
}
