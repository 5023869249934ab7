import type { Reader } from '@pay/shared/postgres/db.ts';
import { ApiError } from '@pay/shared/errors/api-error.ts';
import { ROLES, type Role } from '@pay/shared/operators/roles.ts';
import { hasPassword, isSessionOlder } from '../db/operators.ts';
import type { Auth } from './auth.ts';

/** Who is signed in. */
export type SignedIn = {
  readonly operatorId: string;
  readonly sessionId: string;
  /** The name in every audit log, here and in the services. */
  readonly login: string;
  readonly name: string;
  readonly role: Role;
  readonly hasSecondFactor: boolean;
  /** Somebody else has seen their password: they can only choose their own. */
  readonly mustChangePassword: boolean;
  /** They signed in with a password, a second factor is required, and they have none: they can only set one up. */
  readonly mustSetUpSecondFactor: boolean;
  /** Cookies to pass on: the session was extended. */
  readonly setCookies: readonly string[];
};

/** A working day and a bit: after that everybody signs in again, however busy they were. */
const SESSION_HOURS = 10;

type Context = { readonly auth: Auth; readonly db: Reader; readonly secondFactor: 'required' | 'optional' };

/** Who the cookies belong to. @throws ApiError 401 if they belong to nobody (any more) */
export async function readSession(context: Context, headers: Headers): Promise<SignedIn> {
  const { auth, db } = context;
  const { response, headers: answered } = await auth.api.getSession({ headers, returnHeaders: true });
  if (response === null) throw new ApiError('UNAUTHORIZED');
  const { session, user } = response;
  const role = ROLES.find((one) => one === user.role);
  if (role === undefined || (user.disabledAt !== null && user.disabledAt !== undefined)) throw new ApiError('UNAUTHORIZED');
  if (await isSessionOlder(db, session.id, SESSION_HOURS)) throw new ApiError('UNAUTHORIZED');
  const hasSecondFactor = user.twoFactorEnabled === true;
  return {
    operatorId: user.id,
    sessionId: session.id,
    login: user.email,
    name: user.name,
    role,
    hasSecondFactor,
    mustChangePassword: user.firstPasswordUntil !== null && user.firstPasswordUntil !== undefined,
    mustSetUpSecondFactor: context.secondFactor === 'required' && !hasSecondFactor && (await hasPassword(db, user.id)),
    setCookies: answered.getSetCookie(),
  };
}
