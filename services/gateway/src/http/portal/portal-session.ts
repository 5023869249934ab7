import type { Request, RequestHandler, Response } from 'express';
import { ApiError } from '@pay/shared/errors/api-error.ts';
import type { Db } from '@pay/shared/postgres/db.ts';
import type { PortalSession } from '../../db/portal-sessions.ts';
import { readPortalSession } from '../../use-cases/portal-sign-in.ts';

/** The header in which the portal passes on the token of the browser's cookie. */
const TOKEN_HEADER = 'x-portal-session';

/** The token of a request; undefined if it has none, or several. */
export function tokenOf(req: Request): string | undefined {
  const tokens = req.headersDistinct[TOKEN_HEADER] ?? [];
  return tokens.length === 1 ? tokens[0] : undefined;
}

/** Lets requests through that have a session which may act. @throws ApiError 401 */
export function requirePortalSession(db: Db): RequestHandler {
  return async (req, res, next) => {
    const token = tokenOf(req);
    if (token === undefined) throw new ApiError('UNAUTHORIZED');
    sessions.set(res, await readPortalSession(db, token));
    next();
  };
}

/** The header in which a page says which partner it shows. */
const SHOWN_HEADER = 'x-portal-partner';

/**
 * Lets requests through whose page shows the partner of their session: a browser has one session for all of its windows, so
 * one that another partner has signed in behind would act as that partner. The header chooses nothing, it must only match.
 * Behind `requirePortalSession`. @throws ApiError 409
 */
export const requireShownPartner: RequestHandler = (req, res, next) => {
  const shown = req.headersDistinct[SHOWN_HEADER] ?? [];
  if (shown.length !== 1 || shown[0] !== portalSessionOf(res).partnerId)
    throw new ApiError('STALE_REVISION', { text: 'this page does not show the partner that is signed in: reload it' });
  next();
};

/**
 * Refuses what moves money, addresses or secrets in a session whose key has not signed lately: a cookie alone, stolen or left
 * in an open browser, does none of it. @throws ApiError 403, by whose detail the page knows that it is to ask for the key
 */
export function demandFreshSession(res: Response): void {
  if (portalSessionOf(res).isFresh) return;
  const details = [{ field: 'session', message: 'began more than five minutes ago' }];
  throw new ApiError('FORBIDDEN', { text: 'sign in again to do this', details });
}

/** By response: it lives exactly as long. */
const sessions = new WeakMap<Response, PortalSession>();

/** The session of a request that passed `requirePortalSession`: nothing else says which partner it is for. */
export function portalSessionOf(res: Response): PortalSession {
  const session = sessions.get(res);
  if (session === undefined) throw new Error('the route is not behind requirePortalSession');
  return session;
}
