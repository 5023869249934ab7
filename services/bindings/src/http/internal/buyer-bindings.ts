import type { RequestHandler } from 'express';
import { partnerOf } from '@pay/shared/http/caller.ts';
import { pathId } from '@pay/shared/http/path-id.ts';
import type { Deps } from '../../deps.ts';
import { readBinding } from '../../use-cases/read-bindings.ts';
import { revokeByBuyer } from '../../use-cases/revoke-binding.ts';
import { renderForBuyer } from '../render.ts';

/** GET /internal/bindings/{bindingId}, for the buyer's page in payments, with a token for the partner. */
export function getBuyerBindingRoute(deps: Deps): RequestHandler {
  return async (req, res) => {
    res.json(renderForBuyer(await readBinding(deps.db, partnerOf(res), pathId(req, 'bindingId'))));
  };
}

/** POST /internal/bindings/{bindingId}/revoke. Repeating it changes nothing. */
export function revokeBuyerBindingRoute(deps: Deps): RequestHandler {
  return async (req, res) => {
    res.json(renderForBuyer(await revokeByBuyer(deps, partnerOf(res), pathId(req, 'bindingId'))));
  };
}
