import type { Express } from 'express';
import { createApp } from '@pay/shared/http/app.ts';
import type { Log } from '@pay/shared/logging/logger.ts';
import type { Db } from '@pay/shared/postgres/db.ts';
import type { TokenBuckets } from '../../limits/token-buckets.ts';
import type { ServiceCaller } from '../call-service.ts';
import { AS_PARTNER, callAsPartnerRoute } from './call-as-partner.ts';
import { getTestClockRoute } from './get-test-clock.ts';
import { listOwnKeysRoute, registerOwnKeyRoute, revokeOwnKeyRoute } from './keys.ts';
import { requirePortalSession, requireShownPartner } from './portal-session.ts';
import { getSessionRoute, issueChallengeRoute, signInRoute, signOutRoute } from './sign-in.ts';

type Options = {
  readonly db: Db;
  readonly log: Log;
  readonly buckets: TokenBuckets;
  readonly services: ServiceCaller;
  readonly environment: 'TEST' | 'LIVE';
};

/**
 * What the partner portal asks for, on the private port below `/portal`. The portal has no key and names no partner: a
 * request is for the partner of its session's token. See decisions/portal-sessions.
 */
export function createPortalApp({ db, log, environment, ...parts }: Options): Express {
  return createApp({
    listener: 'portal',
    log,
    requestIdFrom: 'caller',
    routes: (app) => {
      app.post('/challenges', issueChallengeRoute(db));
      app.post('/sessions', signInRoute(db, log));
      app.use(requirePortalSession(db));
      app.get('/session', getSessionRoute(environment));
      if (environment === 'TEST') app.get('/test-clock', getTestClockRoute(db));
      app.post('/sign-out', signOutRoute(db));
      app.use(requireShownPartner);
      app.get('/keys', listOwnKeysRoute(db));
      app.post('/keys', registerOwnKeyRoute(db));
      app.post('/keys/:keyId/revoke', revokeOwnKeyRoute(db));
      app.all(`${AS_PARTNER}/{*path}`, callAsPartnerRoute(parts));
    },
  });
}
