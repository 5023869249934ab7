import type { Request, RequestHandler, Response } from 'express';
import type { PartnerId } from '../identities/identities.ts';
import { ApiError, invalidField } from '../errors/api-error.ts';
import { notePartner } from '../logging/request-context.ts';
import type { InternalTokenVerifier } from '../internal-auth/internal-token.ts';
import type { IdempotentRequest } from '../idempotency/idempotency.ts';
import { bodySha256 } from './app.ts';

/** Refuses every request without a valid internal token for this service (401), before any route. */
export function requireInternalToken(verify: InternalTokenVerifier): RequestHandler {
  return (req, res, next) => {
    const token = req.headers['x-internal-token'];
    const subject = typeof token === 'string' ? verify(token) : undefined;
    if (subject === undefined) throw new ApiError('UNAUTHORIZED');
    res.locals['partner'] = subject;
    notePartner(subject);
    next();
  };
}

/** The partner authenticated by the gateway, for a request that passed `requireInternalToken`. */
export function partnerOf(res: Response): PartnerId {
  const partnerId: unknown = res.locals['partner'];
  if (typeof partnerId !== 'string') throw new Error('the route is not behind requireInternalToken');
  return partnerId;
}

/** 16 to 128 visible ASCII characters. See spec/service-contract#limits. */
const IDEMPOTENCY_KEY = /^[\x21-\x7e]{16,128}$/;

/**
 * What makes this request repeatable: partner, Idempotency-Key, operation and body hash. `operation` is the method and
 * the path with its ids, so that a key is bound to one object.
 * @throws ApiError 400 if the header is missing, has a wrong length, or was sent twice
 */
export function idempotentRequest(req: Request, res: Response): IdempotentRequest {
  const values = req.headersDistinct['idempotency-key'] ?? [];
  const [key] = values;
  if (key === undefined || values.length > 1 || !IDEMPOTENCY_KEY.test(key)) {
    throw invalidField('Idempotency-Key', 'exactly one header of 16 to 128 visible ASCII characters is required');
  }
  return {
    partnerId: partnerOf(res),
    key,
    operation: `${req.method} ${req.path}`,
    bodySha256: bodySha256(req),
  };
}
