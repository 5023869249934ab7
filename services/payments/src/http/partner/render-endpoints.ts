import type { Endpoints as EndpointsAnswer } from '@pay/contract/api/integration.ts';
import type { Wire } from '@pay/contract/wire.ts';
import type { Endpoints } from '../../db/merchant/endpoints.ts';

/** The answer of PUT and GET /api/integration/endpoints. See spec/decisions#endpoints: null before the first PUT. */
export function renderEndpoints(endpoints: Endpoints | undefined): Wire<typeof EndpointsAnswer> {
  return {
    callbackUrl: endpoints?.callbackUrl ?? null,
    returnUrl: endpoints?.returnUrl ?? null,
    ...(endpoints === undefined || endpoints.extraEvents.length === 0 ? {} : { extraEvents: endpoints.extraEvents }),
    updatedAt: endpoints?.updatedAt.toISOString() ?? null,
  };
}
