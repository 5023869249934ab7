import type { Endpoints } from '../../db/merchant/endpoints.ts';

/** The answer of PUT and GET /api/integration/endpoints. See spec/decisions#endpoints: null before the first PUT. */
export function renderEndpoints(endpoints: Endpoints | undefined) {
  return {
    callbackUrl: endpoints?.callbackUrl ?? null,
    returnUrl: endpoints?.returnUrl ?? null,
    ...(endpoints === undefined || endpoints.extraEvents.length === 0 ? {} : { extraEvents: endpoints.extraEvents }),
    updatedAt: endpoints?.updatedAt.toISOString() ?? null,
  };
}
