import type { Request, RequestHandler, Response } from 'express';
import { ApiError } from '@pay/shared/errors/api-error.ts';
import type { Operator } from '@pay/shared/operators/operator-identity.ts';
import type { Deps } from '../deps.ts';
import { may, type Action } from '@pay/shared/operators/roles.ts';
import { signAnew, type AuthSecrets } from '../sign-in/secrets.ts';
import { readSession, type SignedIn } from '../sign-in/session.ts';

/** The request's headers in the form that the sign-in library expects. */
export function headersOf(req: Request, secrets: AuthSecrets): Headers {
  const headers = new Headers();
  for (const [name, values] of Object.entries(req.headersDistinct))
    for (const value of values ?? []) headers.append(name, name === 'cookie' ? signAnew(value, secrets) : value);
  return headers;
}

/** Lets any signed-in operator through, whatever their role. @throws ApiError 401 */
export function requireSession(deps: Deps): RequestHandler {
  return async (req, res, next) => {
    const signedIn = await readSession(deps, headersOf(req, deps.authSecrets));
    for (const cookie of signedIn.setCookies) res.append('Set-Cookie', cookie);
    res.locals['signedIn'] = signedIn;
    next();
  };
}

/**
 * Lets operators through whose role allows the action.
 * @throws ApiError 403, also until a first password is changed or a required second factor is set up
 */
export function requireAction(action: Action): RequestHandler {
  return (_req, res, next) => {
    const { role, mustChangePassword, mustSetUpSecondFactor } = signedInOf(res);
    if (mustChangePassword) throw new ApiError('FORBIDDEN', { text: 'choose a password of your own first' });
    if (mustSetUpSecondFactor) throw new ApiError('FORBIDDEN', { text: 'set up a second factor first' });
    if (!may(role, action)) throw new ApiError('FORBIDDEN');
    next();
  };
}

/** Who made a request that passed `requireSession`. */
export function signedInOf(res: Response): SignedIn {
  const signedIn: unknown = res.locals['signedIn'];
  if (!isSignedIn(signedIn)) throw new Error('the route is not behind requireSession');
  return signedIn;
}

/** The signed-in operator, as reported to services for reads. */
export function readerOf({ login, role, sessionId }: SignedIn): Operator {
  return { login, role, sessionId, notIndependentOf: [] };
}

function isSignedIn(value: unknown): value is SignedIn {
  return typeof value === 'object' && value !== null && 'login' in value && 'role' in value;
}
