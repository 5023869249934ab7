import type { RequestHandler } from 'express';
import { z } from 'zod';
import type { PortalSession } from '@pay/contract/answers.ts';
import { ApiError } from '@pay/shared/errors/api-error.ts';
import { jsonBody } from '@pay/shared/http/app.ts';
import { validate } from '@pay/shared/http/validate.ts';
import type { Log } from '@pay/shared/logging/logger.ts';
import type { Db } from '@pay/shared/postgres/db.ts';
import { issueChallenge, signInToPortal, signOutOfPortal } from '../../use-cases/portal-sign-in.ts';
import { portalSessionOf, tokenOf } from './portal-session.ts';

const Challenge = z.strictObject({
  origin: z.url({ protocol: /^https?$/ }),
  partnerID: z.string().regex(/^[A-Za-z0-9._-]{1,64}$/, 'must be 1 to 64 Latin letters, digits, dots, underscores or hyphens'),
});

const SignIn = z.strictObject({
  challengeId: z.uuid(),
  signature: z.string().max(100, 'must be at most 100 characters'),
});

/** POST /portal/challenges `{ origin, partnerID }`: 201 with the text to sign. */
export function issueChallengeRoute(db: Db): RequestHandler {
  return async (req, res) => {
    const { origin, partnerID } = validate(Challenge, jsonBody(req));
    const { challengeId, text, expiresAt } = await issueChallenge(db, origin, partnerID);
    res.status(201).json({ challengeId, text, expiresAt: expiresAt.toISOString() });
  };
}

/** POST /portal/sessions `{ challengeId, signature }`: 201 with the session's token, else 401 without a reason. */
export function signInRoute(db: Db, log: Log): RequestHandler {
  return async (req, res) => {
    const { challengeId, signature } = validate(SignIn, jsonBody(req));
    const signedIn = await signInToPortal(db, { challengeId, signature, before: tokenOf(req) });
    if (signedIn === undefined) throw new ApiError('UNAUTHORIZED');
    const { token, partnerId, keyId } = signedIn;
    log.info('portal sign-in', { partner: partnerId, keyId });
    res.status(201).json({ token } satisfies z.input<typeof PortalSession>);
  };
}

/** GET /portal/session: who is signed in. */
export function getSessionRoute(environment: 'TEST' | 'LIVE'): RequestHandler {
  return (_req, res) => {
    const { partnerId, name, keyId, fingerprint, startedAt } = portalSessionOf(res);
    res.json({ partnerID: partnerId, name, keyId, fingerprint, startedAt: startedAt.toISOString(), environment });
  };
}

/** POST /portal/sign-out */
export function signOutRoute(db: Db): RequestHandler {
  return async (req, res) => {
    const token = tokenOf(req);
    if (token !== undefined) await signOutOfPortal(db, token);
    res.json({});
  };
}
