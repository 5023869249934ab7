import type { RequestHandler } from 'express';
import { z } from 'zod';
import { EXTRA_EVENTS } from '@pay/contract/extra-events.ts';
import { invalidField } from '@pay/shared/errors/api-error.ts';
import { jsonBody } from '@pay/shared/http/app.ts';
import { partnerOf } from '@pay/shared/http/caller.ts';
import { validate } from '@pay/shared/http/validate.ts';
import { publicUrlProblem, withAsciiHost } from '@pay/shared/net/public-url.ts';
import { AddressNotPublicError, NameNotResolvedError, publicResolver } from '@pay/shared/net/safe-connect.ts';
import type { ApiDeps } from '../../deps.ts';
import { saveIntegrationEndpoints } from '../../use-cases/merchant/save-endpoints.ts';
import { boundedResolver } from './bounded-resolver.ts';
import { renderEndpoints } from './render-endpoints.ts';

/** See spec/decisions#events-beyond-the-eight. */
const extraEvents = z
  .array(z.enum(EXTRA_EVENTS, { error: `must be one of ${EXTRA_EVENTS.join(', ')}` }), { error: 'must be a list' })
  .refine((names) => new Set(names).size === names.length, 'must name each event once');

/** PUT /api/integration/endpoints */
export function saveEndpointsRoute(deps: ApiDeps): RequestHandler {
  const rules = { allowPrivate: deps.allowPrivateAddresses, ownHosts: deps.ownHosts ?? [] };
  const address = (openedBy: 'us' | 'browser') =>
    z
      .string({ error: 'must be a string' })
      .transform(withAsciiHost)
      .superRefine((text, ctx) => {
        const problem = publicUrlProblem(text, { ...rules, openedBy });
        if (problem !== undefined) ctx.addIssue({ code: 'custom', message: problem });
      });
  const Body = z.strictObject(
    { callbackUrl: address('us'), returnUrl: address('browser'), extraEvents: extraEvents.optional() },
    { error: 'must be a JSON object' },
  );
  const resolve = boundedResolver(
    publicResolver(deps.dnsServers === undefined ? rules : { ...rules, dnsServers: deps.dnsServers }),
  );
  return async (req, res) => {
    const { callbackUrl, returnUrl, extraEvents: extra } = validate(Body, jsonBody(req));
    const partnerId = partnerOf(res);
    await refusePrivateHost((hostname) => resolve(partnerId, hostname), callbackUrl, rules);
    res.json(
      renderEndpoints(await saveIntegrationEndpoints(deps, { partnerId, callbackUrl, returnUrl, extraEvents: extra })),
    );
  };
}

/**
 * Refuses a callback address whose name leads inside. Fails closed: in LIVE a name that cannot be resolved now is refused
 * as well, because a typo is found here and not by the first event. What protects is the check of every attempt.
 */
async function refusePrivateHost(
  resolve: (hostname: string) => Promise<void>,
  callbackUrl: string,
  { allowPrivate }: { readonly allowPrivate: boolean },
): Promise<void> {
  await resolve(new URL(callbackUrl).hostname).catch((error: unknown) => {
    if (error instanceof AddressNotPublicError)
      throw invalidField('callbackUrl', 'must name a host with public addresses');
    if (!(error instanceof NameNotResolvedError)) throw error;
    if (allowPrivate) return;
    throw invalidField('callbackUrl', 'must name a host that can be resolved: its name servers gave no address');
  });
}
