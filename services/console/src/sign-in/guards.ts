import { AsyncLocalStorage } from 'node:async_hooks';
import { createHmac } from 'node:crypto';
import { APIError, createAuthMiddleware, getSessionFromCtx } from 'better-auth/api';
import { symmetricDecrypt } from 'better-auth/crypto';
import type { Db } from '@pay/shared/postgres/db.ts';
import { inTransaction } from '@pay/shared/postgres/transaction.ts';
import { findOperator, findOperatorById, isFirstPasswordOver } from '../db/operators.ts';
import { countAttempt, findCodeSecret, lockedSeconds, sweepFailures, takeStep } from '../db/sign-in-guards.ts';
import { stepOfCode } from './totp-step.ts';

/** What becomes known of a request to the sign-in library while it is handled. */
export type Attempt = {
  operatorId?: string | undefined;
  /** Why we refused what the library had no objection to. */
  reason?: string;
};

/** The attempt of the request that is being handled. */
export const attempts = new AsyncLocalStorage<Attempt>();

/** Stands for a login that was typed, where it may be a password: an HMAC, so that nobody reads or guesses it. */
export function loginKeyOf(secret: string, login: string): string {
  return createHmac('sha256', secret).update(`login:${login.toLowerCase()}`).digest('hex');
}

type Options = { readonly db: Db; readonly secret: string };

/** The cookie that says whose code is waited for; the sign-in library's own name for it. */
const PENDING_COOKIE = 'two_factor';

/**
 * What is asked before the sign-in library looks at a password or a code: whether the account is locked, and whether the
 * code was used before. After the library's own limit by address, so that what that refuses locks nobody.
 */
export function signInGuards({ db, secret }: Options) {
  return createAuthMiddleware(async (ctx) => {
    const attempt = attempts.getStore() ?? {};
    if (ctx.path === '/sign-in/email') {
      const login = fieldOf(ctx.body, 'email');
      attempt.operatorId = (await findOperator(db, login.toLowerCase()))?.id;
      const waitSeconds = await countPassword({ db, secret }, login, attempt.operatorId);
      if (waitSeconds === undefined) return;
      throw new APIError(
        'TOO_MANY_REQUESTS',
        { code: 'ACCOUNT_LOCKED', message: LOCKED },
        { 'Retry-After': String(waitSeconds) },
      );
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

/** Lets no session begin for who is disabled, nor by a first password whose time is over; says whose attempt it was. */
export function sessionGuard(db: Db) {
  return async (session: { readonly userId: string }, context: { readonly path?: string } | null): Promise<void> => {
    const attempt = attempts.getStore();
    if (attempt !== undefined) attempt.operatorId = session.userId;
    const operator = await findOperatorById(db, session.userId);
    if (operator?.disabledAt !== null)
      throw new APIError('FORBIDDEN', { message: 'this operator may not sign in any more' });
    // A second factor is asked for after the password: a first password is over before that.
    if (context?.path === '/sign-in/email' && (await isFirstPasswordOver(db, session.userId)))
      throw new APIError('FORBIDDEN', { message: 'the first password is over: ask an administrator for another' });
  };
}

/** A wrong code is the library's to refuse and to count; a right one is taken, once. */
async function takeCode(db: Db, operatorId: string, step: number | undefined): Promise<void> {
  if (step === undefined) return;
  const isTaken = await inTransaction(db, (tx) => takeStep(tx, operatorId, step));
  if (!isTaken) throw new APIError('UNAUTHORIZED', { code: 'INVALID_CODE', message: 'Invalid code' });
}

export const LOCKED = 'too many wrong passwords: wait, or ask an administrator to unlock the account';

/**
 * Counts a password of this login as a wrong one before it is looked at, as ADR 0081 says; whoever finds it right takes
 * that back. @returns seconds to wait where the account is locked and the password is not to be looked at
 */
export async function countPassword(
  { db, secret }: Options,
  login: string,
  operatorId: string | undefined,
): Promise<number | undefined> {
  const loginKey = loginKeyOf(secret, login);
  const isLetThrough = await inTransaction(db, async (tx) => {
    await sweepFailures(tx);
    return countAttempt(tx, loginKey, operatorId);
  });
  return isLetThrough ? undefined : lockedSeconds(db, loginKey);
}

type Context = Parameters<typeof getSessionFromCtx>[0];

/** Who is signed in, or whose password was right and whose code is waited for. */
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
