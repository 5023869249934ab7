import type { RequestHandler } from 'express';
import type { z } from 'zod';
import { SaveEndpoints } from '@pay/contract/api/integration.ts';
import { invalidField } from '@pay/shared/errors/api-error.ts';
import { jsonBody } from '@pay/shared/http/app.ts';
import { partnerOf } from '@pay/shared/http/caller.ts';
import { validate } from '@pay/shared/http/validate.ts';
import { savedUrlProblem } from '@pay/shared/net/public-url.ts';
import { AddressNotPublicError, NameNotResolvedError, publicResolver } from '@pay/shared/net/safe-connect.ts';
import type { ApiDeps } from '../../deps.ts';
import { saveIntegrationEndpoints } from '../../use-cases/merchant/save-endpoints.ts';
import { boundedResolver } from './bounded-resolver.ts';
import { renderEndpoints } from './render-endpoints.ts';

/** PUT /api/integration/endpoints */
export function saveEndpointsRoute(deps: ApiDeps): RequestHandler {
  const rules = { allowPrivate: deps.allowPrivateAddresses, ownHosts: deps.ownHosts ?? [] };
  const isPublic = (openedBy: 'us' | 'browser') => (text: string, ctx: z.core.$RefinementCtx) => {
    const problem = savedUrlProblem(text, { ...rules, openedBy });
    if (problem !== undefined) ctx.addIssue({ code: 'custom', message: problem });
  };
  const { callbackUrl, returnUrl } = SaveEndpoints.shape;
  const SavePublicEndpoints = SaveEndpoints.extend({
    callbackUrl: callbackUrl.superRefine(isPublic('us')),
    returnUrl: returnUrl.superRefine(isPublic('browser')),
  });
  const resolve = boundedResolver(publicResolver(deps.dnsServers === undefined ? rules : { ...rules, dnsServers: deps.dnsServers }));
  return async (req, res) => {
    const endpoints = validate(SavePublicEndpoints, jsonBody(req));
    const partnerId = partnerOf(res);
    await refusePrivateHost((hostname) => resolve(partnerId, hostname), endpoints.callbackUrl, rules);
    res.json(renderEndpoints(await saveIntegrationEndpoints(deps, { partnerId, ...endpoints })));
  };
}

/**
 * Refuses a callback address whose name resolves to an address that is not public. Fails closed: in LIVE a name that cannot be
 * resolved now is refused too, so that a typo is found here and not by the first event. What protects our network is the
 * check of every attempt.
 */
async function refusePrivateHost(
  resolve: (hostname: string) => Promise<void>,
  callbackUrl: string,
  { allowPrivate }: { readonly allowPrivate: boolean },
): Promise<void> {
  await resolve(new URL(callbackUrl).hostname).catch((error: unknown) => {
    if (error instanceof AddressNotPublicError) throw invalidField('callbackUrl', 'must name a host with public addresses');
    if (!(error instanceof NameNotResolvedError)) throw error;
    if (allowPrivate) return;
    throw invalidField('callbackUrl', 'must name a host that can be resolved: its name servers gave no address');
  });
}
