import { inTransaction } from '@pay/shared/postgres/transaction.ts';
import { ApiError, invalidField } from '@pay/shared/errors/api-error.ts';
import { endFirstPassword } from '../db/operators.ts';
import { deleteFailures } from '../db/sign-in-guards.ts';
import type { Deps } from '../deps.ts';
import type { AuthRoute } from '../sign-in/auth-routes.ts';
import { PASSWORD_LENGTH } from '../sign-in/auth.ts';
import { knownBrowserCookie } from '../sign-in/known-browser.ts';
import { attempts, countPassword, LOCKED, loginKeyOf, type Attempt } from '../sign-in/guards.ts';
import { recordSignIn } from './record-sign-in.ts';

/** A request to the sign-in library. */
export type AuthCall = {
  readonly route: AuthRoute;
  readonly headers: Headers;
  readonly url: URL;
  /** The JSON of the body; undefined for a GET. */
  readonly body: Readonly<Record<string, unknown>> | undefined;
  readonly clientAddress: string;
};

/**
 * Passes a request to the sign-in library, and records the result before it is returned: who signed in or out, who
 * failed to, whose password or second factor changed.
 * @throws ApiError 403 for anything but a new password while the current one is a first password; 400 for a trusted
 * device, and for a new password that equals the old one or has a wrong length; 429 if the current password was wrong
 * too often
 */
export async function callSignIn(deps: Deps, call: AuthCall): Promise<Response> {
  const { route } = call;
  const session = await sessionOf(deps, call.headers);
  if (session?.mustChangePassword === true && route.withFirstPassword !== true)
    throw new ApiError('FORBIDDEN', { text: 'choose a password of your own first' });
  const body = bodyFor(route, call.body);
  if (session !== undefined) await guardOwnPassword(deps, call, body, session);
  const attempt: Attempt = { operatorId: session?.operatorId };
  const isOwn = session !== undefined;
  if (route.kind === 'change') await recordSignIn(deps, call, { attempt, isOwn });
  const request = new Request(call.url, {
    method: route.method,
    headers: call.headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const response = await attempts.run(attempt, () => deps.auth.handler(request));
  if (response.ok) await conclude(deps, call, attempt, session?.login);
  await recordSignIn(deps, call, { attempt, isOwn, response });
  return route.kind === 'sign-in' && session === undefined ? noteBrowser(deps, response) : response;
}

/** Tells a browser that somebody has signed in there, with all factors: the response gives it a session. */
async function noteBrowser(deps: Deps, response: Response): Promise<Response> {
  const cookies = response.headers.getSetCookie().map((cookie) => cookie.split(';')[0]);
  const signedIn = cookies.length === 0 ? undefined : await sessionOf(deps, new Headers({ cookie: cookies.join('; ') }));
  if (signedIn === undefined) return response;
  const isSecure = deps.publicUrl.startsWith('https:');
  const noted = new Response(response.body, response);
  noted.headers.append('Set-Cookie', knownBrowserCookie(deps.authSecrets.current, signedIn.login, isSecure));
  return noted;
}

/** What is passed to the library: no trusted devices, and a changed password ends all other sessions. */
function bodyFor(route: AuthRoute, body: AuthCall['body']): AuthCall['body'] {
  if (body === undefined) return undefined;
  if (Object.hasOwn(body, 'trustDevice')) throw invalidField('trustDevice', 'no device can be trusted: every sign-in takes both factors');
  // No name: that would be one more text that people type.
  if (route.path === '/passkey/verify-registration') return { response: body['response'] };
  if (route.path !== '/change-password') return body;
  const { newPassword, currentPassword } = body;
  if (newPassword === currentPassword) throw invalidField('newPassword', 'must be a different one');
  // Checked before the current one: an unacceptable new password is not a wrong password.
  const { min, max } = PASSWORD_LENGTH;
  if (typeof newPassword !== 'string' || newPassword.length < min || newPassword.length > max)
    throw invalidField('newPassword', `must have ${String(min)} to ${String(max)} characters`);
  return { ...body, revokeOtherSessions: true };
}

async function sessionOf(deps: Deps, headers: Headers) {
  const found = await deps.auth.api.getSession({ headers, query: { disableRefresh: true } });
  if (found === null) return undefined;
  const { id, email, firstPasswordUntil } = found.user;
  const mustChangePassword = firstPasswordUntil !== null && firstPasswordUntil !== undefined;
  return { operatorId: id, login: email, mustChangePassword };
}

/**
 * Someone at an open session must not find out the password by trying: each attempt is counted before it is checked,
 * together with those at sign-in. This runs before anything is recorded: what is refused here leaves no row each time.
 */
async function guardOwnPassword(
  deps: Deps,
  { route, headers }: AuthCall,
  body: AuthCall['body'],
  { login, operatorId }: { readonly login: string; readonly operatorId: string },
): Promise<void> {
  if (route.password === undefined || typeof body?.[route.password] !== 'string') return;
  const retryAfterSeconds = await countPassword(
    { db: deps.db, secret: deps.authSecrets.current },
    { login, cookies: headers.get('cookie') },
    operatorId,
  );
  if (retryAfterSeconds !== undefined) throw new ApiError('RATE_LIMITED', { text: LOCKED, retryAfterSeconds });
}

/** What the library does not handle: choosing an own password ends the first one, a correct one clears the failures. */
async function conclude(
  deps: Deps,
  { route, body, headers }: AuthCall,
  { operatorId }: Attempt,
  ownLogin: string | undefined,
): Promise<void> {
  const login = route.path === '/sign-in/email' ? String(body?.['email']) : ownLogin;
  const hadPassword = route.path === '/sign-in/email' || route.password !== undefined;
  await inTransaction(deps.db, async (tx) => {
    if (route.path === '/change-password' && operatorId !== undefined) await endFirstPassword(tx, operatorId);
    if (hadPassword && login !== undefined) await deleteFailures(tx, loginKeyOf(deps.authSecrets.current, login, headers.get('cookie')));
  });
}
