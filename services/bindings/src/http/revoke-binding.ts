import type { Request, RequestHandler } from 'express';
import { z } from 'zod';
import { jsonBody, rawBody } from '@pay/shared/http/app.ts';
import { idempotentRequest } from '@pay/shared/http/caller.ts';
import { validate } from '@pay/shared/http/validate.ts';
import type { Deps } from '../deps.ts';
import { revokeBinding } from '../use-cases/revoke-binding.ts';
import { bindingIdOfPath } from './fields.ts';
import { renderBinding } from './render.ts';

const Body = z.strictObject({}, { error: 'must be absent or an empty JSON object' });

/** POST /v1/bindings/{bindingId}/revoke. Says all in its path: a body may be absent, or `{}`. */
export function revokeBindingRoute(deps: Deps): RequestHandler {
  return async (req, res) => {
    refuseContent(req);
    const request = idempotentRequest(req, res);
    const { binding, status, replayed } = await revokeBinding(deps, request, bindingIdOfPath(req));
    if (replayed) res.setHeader('Idempotency-Replayed', 'true');
    res.status(status).json(renderBinding(binding));
  };
}

function refuseContent(req: Request): void {
  if (rawBody(req).length > 0) validate(Body, jsonBody(req));
}
