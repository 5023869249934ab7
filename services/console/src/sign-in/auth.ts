import { passkey } from '@better-auth/passkey';
import { betterAuth } from 'better-auth';
import { APIError } from 'better-auth/api';
import { drizzleAdapter } from 'better-auth/adapters/drizzle';
import { genericOAuth, twoFactor } from 'better-auth/plugins';
import { drizzle } from 'drizzle-orm/node-postgres';
import type { Database } from '@pay/shared/postgres/connect/pool.ts';
import type { Log } from '@pay/shared/logging/logger.ts';
import { accounts, operators, rateLimits, secondFactors, sessions, verifications, passkeys } from '../db/schema.ts';
import { judgeIdToken, type CompanyRules } from './company.ts';
import { attempts, sessionGuard, signInGuards } from './guards.ts';
import { librarySecrets, type AuthSecrets } from './secrets.ts';

/** Where the sign-in library's routes are. */
export const AUTH_PATH = '/api/auth';
/** The name of the company's own sign-in, if one is configured. */
export const COMPANY = 'company';

/** An idle session ends after half an hour. A request extends it, at most once a minute. */
const IDLE_SECONDS = 30 * 60;
const RENEW_SECONDS = 60;
/** A passkey can be registered only right after signing in: a stolen session must not become permanent through one. */
const FRESH_SECONDS = 10 * 60;
/** Each password check costs a scrypt, so an address gets this many per minute, whomever they are for. */
const SIGN_INS_A_MINUTE = 30;
export const PASSWORD_LENGTH = { min: 12, max: 128 } as const;

/** How many consecutive wrong codes of an account lock it, and for how long (PCI DSS 8.3.4). */
const CODE_LOCK = { enabled: true, maxFailedAttempts: 10, durationSeconds: 30 * 60 } as const;

type Options = {
  readonly database: Database;
  readonly log: Log;
  readonly publicUrl: string;
  readonly secrets: AuthSecrets;
  readonly company?: {
    readonly discoveryUrl: string;
    readonly clientId: string;
    readonly clientSecret: string;
    readonly rules: CompanyRules;
  };
};

/**
 * Staff sign-in: passwords (scrypt) with a second factor (TOTP and backup codes), or the company's own sign-in over
 * OpenID Connect with PKCE. Sessions are rows, so that they can be ended. Neither way allows self-registration.
 */
export function createAuth(options: Options) {
  const { database, log, publicUrl, secrets } = options;
  const schema = { operators, sessions, accounts, verifications, secondFactors, passkeys, rateLimits };
  return betterAuth({
    appName: 'Payment console',
    baseURL: publicUrl,
    basePath: AUTH_PATH,
    ...librarySecrets(secrets),
    database: drizzleAdapter(drizzle(database.pool, { schema }), { provider: 'pg', schema }),
    telemetry: { enabled: false },
    // The library's own messages name operators and addresses: the message is logged, its data is not.
    logger: {
      log: (level, message) => {
        if (level === 'error') log.error('sign-in', { reason: message });
        else log.info('sign-in', { reason: message });
      },
    },
    user: {
      modelName: 'operators',
      additionalFields: {
        role: { type: 'string', required: true, input: false },
        disabledAt: { type: 'date', required: false, input: false },
        firstPasswordUntil: { type: 'date', required: false, input: false },
      },
    },
    session: {
      modelName: 'sessions',
      fields: { userId: 'operatorId' },
      expiresIn: IDLE_SECONDS,
      updateAge: RENEW_SECONDS,
      freshAge: FRESH_SECONDS,
    },
    account: {
      modelName: 'accounts',
      fields: { userId: 'operatorId' },
      encryptOAuthTokens: true,
      // An administrator entered the address of a member of staff; the company's sign-in has verified it.
      accountLinking: { enabled: true },
    },
    verification: { modelName: 'verifications' },
    emailAndPassword: {
      enabled: true,
      disableSignUp: true,
      minPasswordLength: PASSWORD_LENGTH.min,
      maxPasswordLength: PASSWORD_LENGTH.max,
    },
    rateLimit: {
      enabled: true,
      storage: 'database',
      modelName: 'rateLimits',
      window: 60,
      max: 300,
      customRules: { '/sign-in/email': { window: 60, max: SIGN_INS_A_MINUTE } },
    },
    advanced: {
      cookiePrefix: 'console',
      useSecureCookies: publicUrl.startsWith('https:'),
      ipAddress: { ipAddressHeaders: [CLIENT_ADDRESS] },
    },
    hooks: { before: signInGuards({ db: database.db, secret: secrets.current }) },
    databaseHooks: { session: { create: { before: sessionGuard(database.db) } } },
    plugins: [secondFactor(), passkeySignIn(publicUrl), companySignIn(options.company)],
  });
}

const secondFactor = () =>
  twoFactor({
    issuer: 'Payment console',
    accountLockout: CODE_LOCK,
    schema: { twoFactor: { modelName: 'secondFactors', fields: { userId: 'operatorId' } } },
  });

/**
 * Passkeys that require user verification (fingerprint or PIN) each time: without it, one would be a single factor. The
 * origin is ours and never the request's (WebAuthn, 13.4.9).
 */
function passkeySignIn(publicUrl: string) {
  const refuse = (isVerified: boolean | undefined): Promise<void> =>
    isVerified === true
      ? Promise.resolve()
      : Promise.reject(new APIError('UNAUTHORIZED', { code: 'USER_NOT_VERIFIED', message: 'the passkey asked for nothing' }));
  return passkey({
    rpID: new URL(publicUrl).hostname,
    rpName: 'Payment console',
    origin: new URL(publicUrl).origin,
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    registration: { afterVerification: ({ verification }) => refuse(verification.registrationInfo?.userVerified) },
    authentication: { afterVerification: ({ verification }) => refuse(verification.authenticationInfo.userVerified) },
    schema: { passkey: { modelName: 'passkeys', fields: { userId: 'operatorId' } } },
  });
}

function companySignIn(company: Options['company']) {
  if (company === undefined) return genericOAuth({ config: [] });
  const { rules, ...client } = company;
  const provider = {
    providerId: COMPANY,
    scopes: ['openid', 'email', 'profile'],
    pkce: true,
    disableSignUp: true,
    requireIdTokenVerification: true,
    getUserInfo: (tokens: { readonly idToken?: string | undefined }) => {
      const verdict = judgeIdToken(tokens.idToken, rules);
      if (verdict.kind === 'accepted') {
        const { sub, email, name } = verdict.claims;
        return Promise.resolve({ id: sub, sub, email, emailVerified: true, ...(name === undefined ? {} : { name }) });
      }
      const attempt = attempts.getStore();
      if (attempt !== undefined) attempt.reason = verdict.reason;
      return Promise.resolve(null);
    },
  };
  return genericOAuth({ config: [{ ...client, ...provider }] });
}

/** Set by us from the connection, never taken from a request. */
export const CLIENT_ADDRESS = 'x-console-client';

export type Auth = ReturnType<typeof createAuth>;
