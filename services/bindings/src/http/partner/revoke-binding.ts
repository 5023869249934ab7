import type { RequestHandler } from 'express';
import { idempotentRequest } from '@pay/shared/http/caller.ts';
import { pathId } from '@pay/shared/http/path-id.ts';
import { refuseContent } from '@pay/shared/http/refuse-content.ts';
import type { Deps } from '../../deps.ts';
import { revokeBinding } from '../../use-cases/revoke-binding.ts';
import { renderBinding } from '../render.ts';

/** POST /v1/bindings/{bindingId}/revoke. The path says everything: the body may be absent or `{}`. */
export function revokeBindingRoute(deps: Deps): RequestHandler {
  return async (req, res) => {
    refuseContent(req);
    const request = idempotentRequest(req, res);
    const { binding, status, replayed } = await revokeBinding(deps, request, pathId(req, 'bindingId'));
    if (replayed) res.setHeader('Idempotency-Replayed', 'true');
    res.status(status).json(renderBinding(binding));
  };
}
