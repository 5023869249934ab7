import type { RequestHandler } from 'express';
import { z } from 'zod';
import { invalidField } from '@pay/shared/errors/api-error.ts';
import { jsonBody } from '@pay/shared/http/app.ts';
import { callerOf } from '@pay/shared/http/caller.ts';
import { validate } from '@pay/shared/http/validate.ts';
import { publicUrlProblem } from '@pay/shared/net/public-url.ts';
import { AddressNotPublicError, publicResolver } from '@pay/shared/net/safe-connect.ts';
import type { Deps } from '../deps.ts';
import { saveIntegrationEndpoints } from '../use-cases/save-endpoints.ts';
import { renderEndpoints } from './render-endpoints.ts';

/** PUT /api/integration/endpoints */
export function saveEndpointsRoute(deps: Deps): RequestHandler {
  const rules = { allowPrivate: deps.allowPrivateAddresses, ownHosts: deps.ownHosts ?? [] };
  const address = z.string({ error: 'must be a string' }).superRefine((text, ctx) => {
    const problem = publicUrlProblem(text, rules);
    if (problem !== undefined) ctx.addIssue({ code: 'custom', message: problem });
  });
  const Body = z.strictObject({ callbackUrl: address, returnUrl: address }, { error: 'must be a JSON object' });
  const resolve = publicResolver(rules);
  return async (req, res) => {
    const { callbackUrl, returnUrl } = validate(Body, jsonBody(req));
    await refusePrivateHost(resolve, callbackUrl);
    const { partnerId } = callerOf(res);
    res.json(renderEndpoints(await saveIntegrationEndpoints(deps, { partnerId, callbackUrl, returnUrl })));
  };
}

/**
 * Refuses a callback address whose name leads inside. A name that does not resolve now may resolve later: every attempt
 * checks again, and is what protects.
 */
async function refusePrivateHost(resolve: ReturnType<typeof publicResolver>, callbackUrl: string): Promise<void> {
  await resolve(new URL(callbackUrl).hostname).catch((error: unknown) => {
    if (error instanceof AddressNotPublicError)
      throw invalidField('callbackUrl', 'must name a host with public addresses');
  });
}
