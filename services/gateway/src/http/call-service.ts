import { ApiError } from '@pay/shared/errors/api-error.ts';
import { forbiddenContent } from '@pay/shared/content/forbidden-content.ts';
import { DETAILS_MAX } from '@pay/shared/http/validate.ts';
import type { Log } from '@pay/shared/logging/logger.ts';
import { queryNames } from '@pay/signing/canonical-request.ts';
import type { Answer, Forwarded, Forwarder, StreamedAnswer } from '../forwarding/forwarder.ts';
import { isAddressOnItsWay } from './address-on-its-way.ts';
import type { OwnRoutes } from './own-routes.ts';
import type { Route, ServiceName } from './routes.ts';

export type Forwarders = Readonly<Record<ServiceName, Forwarder>>;
type FoundRoute = Extract<Route, { readonly kind: 'found' }>;

/** With the two seconds that the notifier waits: longer than payments' relay goes without a leader (`outbox/lease.ts`). */
const ADDRESS_RETRY_AFTER_SECONDS = 6;

/** Calls the service of a route for a partner that is known. @throws ApiError 400, 503 */
export type ServiceCaller = {
  ask(route: FoundRoute, request: Omit<Forwarded, 'lane'>): Promise<Answer>;
  /** The same for a route whose response goes on. @throws ApiError 429, too */
  open(route: FoundRoute, request: Omit<Forwarded, 'lane'>): Promise<Answer | StreamedAnswer>;
};

/** What every request of a partner goes through once its partner is known: signed ones, and those of the portal. */
export function createServiceCaller(forwarders: Forwarders, own: OwnRoutes | undefined, log: Log): ServiceCaller {
  const ownOr404 = (): OwnRoutes => {
    if (own === undefined) throw new ApiError('NOT_FOUND');
    return own;
  };
  /** The partner is authenticated, so a 401 from the service means that it does not know our key. */
  function refuse401({ service }: FoundRoute, requestId: string, replied: Answer): Answer {
    if (replied.status !== 401) return replied;
    log.error('a service refused our token', { requestId, target: service });
    throw new ApiError('SERVICE_UNAVAILABLE');
  }
  return {
    async ask(route, request) {
      refuseUnknownNames(request.target, route.queryNames);
      if (route.service === 'gateway') return ownOr404().list(request.partnerId, request.target);
      const replied = await forwarders[route.service].ask({ ...request, lane: route.lane });
      if (await isAddressOnItsWay(forwarders.payments, request, replied)) {
        throw new ApiError('SERVICE_UNAVAILABLE', { retryAfterSeconds: ADDRESS_RETRY_AFTER_SECONDS });
      }
      return refuse401(route, request.requestId, replied);
    },
    async open(route, request) {
      refuseUnknownNames(request.target, route.queryNames);
      if (route.service === 'gateway') return { sendTo: ownOr404().stream(request.partnerId, request.target) };
      const replied = await forwarders[route.service].open({ ...request, lane: route.lane });
      return 'sendTo' in replied ? replied : refuse401(route, request.requestId, replied);
    },
  };
}

/**
 * @throws ApiError 400 naming a parameter that the operation does not know: a filter with a typo in its name would
 * filter nothing
 */
function refuseUnknownNames(target: string, known: readonly string[]): void {
  const details = queryNames(target)
    .filter((name) => !known.includes(name))
    .slice(0, DETAILS_MAX)
    .map((name) => ({
      // Names that must not be repeated back are not.
      field: forbiddenContent(name) === undefined ? name : 'query',
      message: 'is not a parameter of this request',
    }));
  if (details.length > 0) throw new ApiError('VALIDATION_FAILED', { details });
}
