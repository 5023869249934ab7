import type { Request, RequestHandler } from 'express';
import { ApiError } from '@pay/shared/errors/api-error.ts';
import { rawBody } from '@pay/shared/http/app.ts';
import { clientAddress } from '@pay/shared/net/client-address.ts';
import type { Deps } from '../deps.ts';
import { AUTH_PATH, CLIENT_ADDRESS, COMPANY } from '../sign-in/auth.ts';
import { headersOf, signedInOf } from './operator-session.ts';

/** What of the sign-in library is reachable; all else of it (registering, changing one's address) does not exist. */
const ROUTES: ReadonlySet<string> = new Set([
  'POST /sign-in/email',
  'POST /sign-in/social',
  `GET /callback/${COMPANY}`,
  'POST /sign-out',
  'POST /change-password',
  'POST /two-factor/enable',
  'POST /two-factor/verify-totp',
  'POST /two-factor/verify-backup-code',
  'POST /two-factor/generate-backup-codes',
  'POST /two-factor/disable',
]);

/** `/api/auth/*`: hands the request to the sign-in library and its answer back. */
export function signInRoute(deps: Deps): RequestHandler {
  return async (req, res) => {
    if (!ROUTES.has(`${req.method} ${req.path.slice(AUTH_PATH.length)}`)) throw new ApiError('NOT_FOUND');
    const response = await deps.auth.handler(toRequest(deps, req));
    res.status(response.status);
    for (const [name, value] of response.headers) if (name !== 'set-cookie') res.setHeader(name, value);
    for (const cookie of response.headers.getSetCookie()) res.append('Set-Cookie', cookie);
    res.send(Buffer.from(await response.arrayBuffer()));
  };
}

function toRequest({ publicUrl, proxies }: Deps, req: Request): globalThis.Request {
  const headers = headersOf(req);
  headers.set(CLIENT_ADDRESS, clientAddress(req, proxies));
  const body = req.method === 'GET' ? {} : { body: new Uint8Array(rawBody(req)) };
  return new globalThis.Request(new URL(req.originalUrl, publicUrl), { method: req.method, headers, ...body });
}

/** GET /api/session: who is signed in. 401 for nobody. */
export function getSessionRoute(): RequestHandler {
  return (_req, res) => {
    const { login, name, role, hasSecondFactor, mustSetUpSecondFactor } = signedInOf(res);
    res.json({ login, name, role, hasSecondFactor, mustSetUpSecondFactor });
  };
}

/** GET /api/sign-in-options: what the sign-in page offers. */
export function getSignInOptionsRoute(deps: Deps): RequestHandler {
  return (_req, res) => {
    res.json({ company: deps.hasCompanySignIn ? COMPANY : null });
  };
}
