import type { Request, RequestHandler } from 'express';
import { ApiError, invalidField } from '@pay/shared/errors/api-error.ts';
import { jsonBody, rawBody } from '@pay/shared/http/app.ts';
import { clientAddress } from '@pay/shared/net/client-address.ts';
import type { Deps } from '../deps.ts';
import { AUTH_ROUTES } from '../sign-in/auth-routes.ts';
import { AUTH_PATH, CLIENT_ADDRESS, COMPANY } from '../sign-in/auth.ts';
import { callSignIn } from '../use-cases/sign-in.ts';
import { headersOf, signedInOf } from './operator-session.ts';

/** `/api/auth/*`: passes the request to the sign-in library and returns its response. */
export function signInRoute(deps: Deps): RequestHandler {
  return async (req, res) => {
    const path = req.path.slice(AUTH_PATH.length);
    const route = AUTH_ROUTES.find((one) => one.method === req.method && one.path === path);
    if (route === undefined) throw new ApiError('NOT_FOUND');
    const address = clientAddress(req, deps.proxies);
    const headers = headersOf(req, deps.authSecrets);
    headers.set(CLIENT_ADDRESS, address);
    // The body is rewritten for the library.
    headers.delete('content-length');
    if (req.method === 'POST') headers.set('content-type', 'application/json');
    const url = new URL(req.originalUrl, deps.publicUrl);
    const response = await callSignIn(deps, { route, headers, url, body: bodyOf(req), clientAddress: address });
    res.status(response.status);
    for (const [name, value] of response.headers) if (name !== 'set-cookie') res.setHeader(name, value);
    for (const cookie of response.headers.getSetCookie()) res.append('Set-Cookie', cookie);
    res.send(Buffer.from(await response.arrayBuffer()));
  };
}

function bodyOf(req: Request): Readonly<Record<string, unknown>> | undefined {
  if (req.method === 'GET') return undefined;
  const body = rawBody(req).length === 0 ? {} : jsonBody(req);
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw invalidField('body', 'must be an object');
  return { ...body };
}

/** GET /api/session: who is signed in; 401 if nobody is. */
export function getSessionRoute(): RequestHandler {
  return (_req, res) => {
    const { login, name, role, hasSecondFactor, mustChangePassword, mustSetUpSecondFactor } = signedInOf(res);
    res.json({ login, name, role, hasSecondFactor, mustChangePassword, mustSetUpSecondFactor });
  };
}

/** GET /api/sign-in-options: what the sign-in page offers. */
export function getSignInOptionsRoute(deps: Deps): RequestHandler {
  return (_req, res) => {
    res.json({ company: deps.hasCompanySignIn ? COMPANY : null });
  };
}
