import type { RequestHandler } from 'express';
import { partnerOf } from '@pay/shared/http/caller.ts';
import type { Deps } from '../../deps.ts';
import { readBinding } from '../../use-cases/read-bindings.ts';
import { revokeByBuyer } from '../../use-cases/revoke-binding.ts';
import { bindingIdOfPath } from '../fields.ts';
import { renderForBuyer } from '../render.ts';

/** GET /internal/bindings/{bindingId}, for the buyer's page of payments, on the token of the partner. */
export function getBuyerBindingRoute(deps: Deps): RequestHandler {
  return async (req, res) => {
    res.json(renderForBuyer(await readBinding(deps.db, partnerOf(res), bindingIdOfPath(req))));
  };
}

/** POST /internal/bindings/{bindingId}/revoke. Repeating it changes nothing. */
export function revokeBuyerBindingRoute(deps: Deps): RequestHandler {
  return async (req, res) => {
    res.json(renderForBuyer(await revokeByBuyer(deps, partnerOf(res), bindingIdOfPath(req))));
  };
}
