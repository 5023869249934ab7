import type { RequestHandler } from 'express';
import type { ChargeTaken } from '@pay/contract/answers.ts';
import { ChargeSavedCard, CheckCharge, WithdrawCharge } from '@pay/contract/charges.ts';
import type { Wire } from '@pay/contract/wire.ts';
import { jsonBody } from '@pay/shared/http/app.ts';
import { partnerOf } from '@pay/shared/http/caller.ts';
import { pathId } from '@pay/shared/http/path-id.ts';
import { validate } from '@pay/shared/http/validate.ts';
import type { Deps } from '../../deps.ts';
import { chargeSavedCard, checkCharge } from '../../use-cases/charge/charge-saved-card.ts';
import { noteRevokedCard, withdrawCharge } from '../../use-cases/charge/withdraw-charge.ts';
import type { Payment } from '../../db/payment/payments.ts';
import { orderOf } from '../../domain/payment/order-number.ts';

/** POST /internal/charges: called by bindings. The gateway does not route to it. */
export function chargeSavedCardRoute(deps: Deps): RequestHandler {
  return async (req, res) => {
    res.json(rendered(await chargeSavedCard(deps, partnerOf(res), validate(ChargeSavedCard, jsonBody(req)))));
  };
}

/** POST /internal/charges/checked: called by bindings before it refuses a charge because of the state of its binding. */
export function checkChargeRoute(deps: Deps): RequestHandler {
  return async (req, res) => {
    await checkCharge(deps, partnerOf(res), validate(CheckCharge, jsonBody(req)));
    res.json({});
  };
}

/** POST /internal/charges/withdrawn: called by bindings for a charge that must no longer be made. */
export function withdrawChargeRoute(deps: Deps): RequestHandler {
  return async (req, res) => {
    res.json(rendered(await withdrawCharge(deps, partnerOf(res), validate(WithdrawCharge, jsonBody(req)))));
  };
}

/** POST /internal/saved-cards/{bindingId}/revoke: called by bindings before it answers a revocation. */
export function noteRevokedCardRoute(deps: Deps): RequestHandler {
  return async (req, res) => {
    await noteRevokedCard(deps, partnerOf(res), pathId(req, 'bindingId'));
    res.json({});
  };
}

/** Amounts are kopecks as decimal strings, as in `@pay/contract/charges.ts`. */
function rendered(charge: Payment) {
  return {
    paymentId: charge.paymentId,
    bindingId: charge.bindingId,
    merchantOrderId: orderOf(charge),
    amountKopecks: charge.amountKopecks.toString(),
    status: charge.status satisfies Wire<typeof ChargeTaken>['status'],
    createdAt: charge.createdAt.toISOString(),
    updatedAt: charge.updatedAt.toISOString(),
  };
}
