import { AsyncLocalStorage } from 'node:async_hooks';
import { createHmac } from 'node:crypto';
import { APIError, createAuthMiddleware, getSessionFromCtx } from 'better-auth/api';
import { symmetricDecrypt } from 'better-auth/crypto';
import type { Db } from '@pay/shared/postgres/db.ts';
import { inTransaction } from '@pay/shared/postgres/transaction.ts';
import { findOperator, findOperatorById, isFirstPasswordOver } from '../db/operators.ts';
import { countAttempt, findCodeSecret, lockedSeconds, sweepFailures, takeStep } from '../db/sign-in-guards.ts';
import { knownBrowserOf } from './known-browser.ts';
import { stepOfCode } from './totp-step.ts';

/** What becomes known about a request to the sign-in library while it is handled. */
export type Attempt = {
  operatorId?: string | undefined;
  /** Why we refused what the library would have accepted. */
  reason?: string;
};

/** The attempt of the current request. */
export const attempts = new AsyncLocalStorage<Attempt>();

/**
 * Stands for a typed login, which may be a password: an HMAC, so that nobody can read or guess it. A browser where this login has
 * signed in counts by itself.
 */
export function loginKeyOf(secret: string, login: string, cookies: string | null): string {
  const browser = knownBrowserOf(secret, login, cookies);
  const who = browser === undefined ? '' : `browser:${browser}:`;
  return createHmac('sha256', secret).update(`login:${who}${login.toLowerCase()}`).digest('hex');
}

type Options = { readonly db: Db; readonly secret: string };

/** The cookie that says whose code is expected; the name is the sign-in library's. */
const PENDING_COOKIE = 'two_factor';

/**
 * Checks made before the sign-in library verifies a password or a code: whether the account is locked, and whether the
 * code was already used. They run after the library's own limit per address, so what that refuses locks nobody.
 */
export function signInGuards({ db, secret }: Options) {
  return createAuthMiddleware(async (ctx) => {
    const attempt = attempts.getStore() ?? {};
    if (ctx.path === '/sign-in/email') {
      const login = fieldOf(ctx.body, 'email');
      attempt.operatorId = (await findOperator(db, login.toLowerCase()))?.id;
      const cookies = ctx.headers?.get('cookie') ?? null;
      const waitSeconds = await countPassword({ db, secret }, { login, cookies }, attempt.operatorId);
      if (waitSeconds === undefined) return;
      throw new APIError('TOO_MANY_REQUESTS', { code: 'ACCOUNT_LOCKED', message: LOCKED }, { 'Retry-After': String(waitSeconds) });
    }
    if (ctx.path !== '/two-factor/verify-totp' && ctx.path !== '/two-factor/verify-backup-code') return;
    attempt.operatorId = await whoseCode(ctx);
    if (ctx.path !== '/two-factor/verify-totp' || attempt.operatorId === undefined) return;
    const stored = await findCodeSecret(db, attempt.operatorId);
    if (stored === undefined) return;
    const key = await symmetricDecrypt({ key: ctx.context.secretConfig, data: stored.secret });
    await takeCode(db, attempt.operatorId, stepOfCode(key, fieldOf(ctx.body, 'code'), stored.nowSeconds));
  });
}

/** Prevents sessions of disabled operators and with expired first passwords; records whose attempt it was. */
export function sessionGuard(db: Db) {
  return async (session: { readonly userId: string }, context: { readonly path?: string } | null): Promise<void> => {
    const attempt = attempts.getStore();
    if (attempt !== undefined) attempt.operatorId = session.userId;
    const operator = await findOperatorById(db, session.userId);
    if (operator?.disabledAt !== null) throw new APIError('FORBIDDEN', { message: 'this operator may no longer sign in' });
    // The second factor is requested after the password: an expired first password is refused before that.
    if (context?.path === '/sign-in/email' && (await isFirstPasswordOver(db, session.userId)))
      throw new APIError('FORBIDDEN', { message: 'the first password has expired; ask an administrator for another' });
  };
}

/** The library refuses and counts a wrong code; a correct one is used up. */
async function takeCode(db: Db, operatorId: string, step: number | undefined): Promise<void> {
  if (step === undefined) return;
  const isTaken = await inTransaction(db, (tx) => takeStep(tx, operatorId, step));
  if (!isTaken) throw new APIError('UNAUTHORIZED', { code: 'INVALID_CODE', message: 'Invalid code' });
}

export const LOCKED = 'too many wrong passwords; wait, or ask an administrator to unlock the account';

/**
 * Counts a password of this login as wrong before it is checked, as decisions/staff-sign-in says; a correct one removes
 * the count.
 * @returns seconds to wait if the account is locked and the password must not be checked
 */
export async function countPassword(
  { db, secret }: Options,
  { login, cookies }: { readonly login: string; readonly cookies: string | null },
  operatorId: string | undefined,
): Promise<number | undefined> {
  const loginKey = loginKeyOf(secret, login, cookies);
  const isLetThrough = await inTransaction(db, async (tx) => {
    await sweepFailures(tx);
    return countAttempt(tx, loginKey, operatorId);
  });
  return isLetThrough ? undefined : lockedSeconds(db, loginKey);
}

type Context = Parameters<typeof getSessionFromCtx>[0];

/** Who is signed in, or whose password was correct and whose code is expected. */
async function whoseCode(ctx: Context): Promise<string | undefined> {
  const session = await getSessionFromCtx(ctx);
  if (session !== null) return session.user.id;
  const { name } = ctx.context.createAuthCookie(PENDING_COOKIE);
  const identifier = await ctx.getSignedCookie(name, ctx.context.secret);
  if (typeof identifier !== 'string') return undefined;
  return (await ctx.context.internalAdapter.findVerificationValue(identifier))?.value;
}

function fieldOf(body: unknown, name: string): string {
  const value: unknown = typeof body === 'object' && body !== null ? Reflect.get(body, name) : undefined;
  return typeof value === 'string' ? value : '';
}
