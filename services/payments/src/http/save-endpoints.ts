import type { RequestHandler } from 'express';
import { z } from 'zod';
import { jsonBody } from '@pay/shared/http/app.ts';
import { callerOf } from '@pay/shared/http/caller.ts';
import { validate } from '@pay/shared/http/validate.ts';
import { publicUrlProblem } from '@pay/shared/net/public-url.ts';
import type { Deps } from '../deps.ts';
import { saveIntegrationEndpoints } from '../use-cases/save-endpoints.ts';
import { renderEndpoints } from './render-endpoints.ts';

/** PUT /api/integration/endpoints */
export function saveEndpointsRoute(deps: Deps): RequestHandler {
  const address = z.string({ error: 'must be a string' }).superRefine((text, ctx) => {
    const problem = publicUrlProblem(text, { allowPrivate: deps.allowPrivateAddresses });
    if (problem !== undefined) ctx.addIssue({ code: 'custom', message: problem });
  });
  const Body = z.strictObject({ callbackUrl: address, returnUrl: address }, { error: 'must be a JSON object' });
  return async (req, res) => {
    const { callbackUrl, returnUrl } = validate(Body, jsonBody(req));
    const { partnerId } = callerOf(res);
    res.json(renderEndpoints(await saveIntegrationEndpoints(deps, { partnerId, callbackUrl, returnUrl })));
  };
}
