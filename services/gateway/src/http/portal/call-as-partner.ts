import { randomUUID } from 'node:crypto';
import type { RequestHandler } from 'express';
import { ApiError } from '@pay/shared/errors/api-error.ts';
import { rawBody } from '@pay/shared/http/app.ts';
import { currentRequestId } from '@pay/shared/logging/request-context.ts';
import { pathOf } from '@pay/signing/canonical-request.ts';
import type { TokenBuckets } from '../../limits/token-buckets.ts';
import type { ServiceCaller } from '../call-service.ts';
import { checkTarget, readIdempotencyKey } from '../request-shape.ts';
import { findRoute } from '../routes.ts';
import { demandFreshSession, portalSessionOf } from './portal-session.ts';
import { isOpenToPortal, needsFreshSession } from './routes.ts';

/** Where the public API is, below `/portal`. */
export const AS_PARTNER = '/partner';

type Parts = { readonly buckets: TokenBuckets; readonly services: ServiceCaller };

/**
 * Any method, `/portal/partner/<path of the public API>`: the same request as a signed one of the session's partner, within
 * the partner's rate limit, for the operations that are open to the portal.
 */
export function callAsPartnerRoute({ buckets, services }: Parts): RequestHandler {
  return async (req, res) => {
    const partner = portalSessionOf(res);
    const target = checkTarget(req.url.slice(AS_PARTNER.length));
    const { method } = req;
    const route = findRoute(method, pathOf(target));
    if (route.kind !== 'found' || !isOpenToPortal(method, route.pattern)) throw new ApiError('NOT_FOUND');
    if (needsFreshSession(method, route.pattern)) demandFreshSession(res);
    const retryAfterSeconds = await buckets.take(partner);
    if (retryAfterSeconds !== undefined) throw new ApiError('RATE_LIMITED', { retryAfterSeconds });
    const answer = await services.ask(route, {
      method,
      target,
      partnerId: partner.partnerId,
      requestId: currentRequestId() ?? randomUUID(),
      idempotencyKey: readIdempotencyKey(req.headersDistinct['idempotency-key'] ?? []),
      contentType: req.headers['content-type'],
      body: rawBody(req),
    });
    res.status(answer.status).set(answer.headers).send(Buffer.from(answer.body));
  };
}
