import type { Express } from 'express';
import { createApp } from '@pay/shared/http/app.ts';
import { requireInternalToken } from '@pay/shared/http/caller.ts';
import type { InternalTokenVerifier } from '@pay/shared/internal-auth/internal-token.ts';
import type { Deps } from '../deps.ts';
import { issueCallbackSecretRoute } from './issue-callback-secret.ts';
import { sendTestCallbackRoute } from './send-test-callback.ts';

/** The routes that partners reach through the gateway. */
export function createPartnerApp(deps: Deps, verify: InternalTokenVerifier): Express {
  return createApp({
    listener: 'api',
    log: deps.log,
    requestIdFrom: 'caller',
    routes: (app) => {
      app.use(requireInternalToken(verify));
      app.post('/api/integration/callback-secret', issueCallbackSecretRoute(deps));
      app.post('/api/integration/test-callback', sendTestCallbackRoute(deps));
    },
  });
}
