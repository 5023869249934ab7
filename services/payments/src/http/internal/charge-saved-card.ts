import type { Request, RequestHandler } from 'express';
import { z } from 'zod';
import { Receipt } from '@pay/contract/api/receipt.ts';
import { ApiError } from '@pay/shared/errors/api-error.ts';
import { jsonBody } from '@pay/shared/http/app.ts';
import { partnerOf } from '@pay/shared/http/caller.ts';
import { validate } from '@pay/shared/http/validate.ts';
import type { Deps } from '../../deps.ts';
import { chargeSavedCard, checkCharge } from '../../use-cases/charge/charge-saved-card.ts';
import { noteRevokedCard, withdrawCharge, WITHDRAWALS } from '../../use-cases/charge/withdraw-charge.ts';
import type { Payment } from '../../db/payment/payments.ts';
import { description, merchantOrderId } from '../fields.ts';

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
  receipt: Receipt.optional(),
  createdAt: z.iso.datetime({ precision: 3 }).transform((text) => new Date(text)),
});

const CheckedBody = Body.pick({ bindingId: true, merchantOrderId: true, amountKopecks: true, receipt: true });
const WithdrawnBody = Body.extend({ failureCode: z.enum(WITHDRAWALS) });

/** POST /internal/charges, for bindings: not on the list of the gateway. */
export function chargeSavedCardRoute(deps: Deps): RequestHandler {
  return async (req, res) => {
    res.json(rendered(await chargeSavedCard(deps, partnerOf(res), validate(Body, jsonBody(req)))));
  };
}

/** POST /internal/charges/checked, for bindings: before it refuses a charge for the state of its binding. */
export function checkChargeRoute(deps: Deps): RequestHandler {
  return async (req, res) => {
    await checkCharge(deps, partnerOf(res), validate(CheckedBody, jsonBody(req)));
    res.json({});
  };
}

/** POST /internal/charges/withdrawn, for bindings: a charge that is not to be made any more. */
export function withdrawChargeRoute(deps: Deps): RequestHandler {
  return async (req, res) => {
    res.json(rendered(await withdrawCharge(deps, partnerOf(res), validate(WithdrawnBody, jsonBody(req)))));
  };
}

/** POST /internal/saved-cards/{bindingId}/revoke, for bindings: before it answers a revoke. */
export function noteRevokedCardRoute(deps: Deps): RequestHandler {
  return async (req, res) => {
    await noteRevokedCard(deps, partnerOf(res), bindingIdOfPath(req));
    res.json({});
  };
}

function bindingIdOfPath(req: Request): string {
  const parsed = id.safeParse(req.params['bindingId']);
  if (!parsed.success) throw new ApiError('NOT_FOUND');
  return parsed.data;
}

function rendered(charge: Payment) {
  return {
    paymentId: charge.paymentId,
    bindingId: charge.bindingId,
    merchantOrderId: charge.merchantOrderId,
    amountKopecks: charge.amountKopecks.toString(),
    status: charge.status,
    createdAt: charge.createdAt.toISOString(),
    updatedAt: charge.updatedAt.toISOString(),
  };
}
