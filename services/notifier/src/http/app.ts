import type { Express } from 'express';
import type { Handle } from '@pay/shared/broker/consume.ts';
import type { VerifyFact } from '@pay/shared/broker/fact-signature.ts';
import { addHandedOverRoute } from '@pay/shared/facts/hand-over.ts';
import { createApp } from '@pay/shared/http/app.ts';
import { requireInternalToken } from '@pay/shared/http/caller.ts';
import type { PageTokens } from '@pay/shared/http/page-token.ts';
import type { InternalTokenVerifier } from '@pay/shared/internal-auth/internal-token.ts';
import type { Deps } from '../deps.ts';
import { issueCallbackSecretRoute } from './partner/issue-callback-secret.ts';
import { getPartnerEventRoute, listPartnerEventsRoute, replayPartnerEventRoute } from './partner/events.ts';
import { sendTestCallbackRoute } from './partner/send-test-callback.ts';
import { streamEventsRoute } from './partner/stream-events.ts';

type ApiDeps = Deps & { readonly handlers: Readonly<Record<string, Handle>>; readonly verify: VerifyFact };

/** The routes that partners reach through the gateway, and the one for facts that cannot wait for the broker. */
export function createPartnerApp(deps: ApiDeps, verify: InternalTokenVerifier, pageTokens: PageTokens): Express {
  return createApp({
    listener: 'api',
    log: deps.log,
    requestIdFrom: 'caller',
    routes: (app) => {
      addHandedOverRoute(app, deps);
      app.use(requireInternalToken(verify));
      app.post('/api/integration/callback-secret', issueCallbackSecretRoute(deps));
      app.post('/api/integration/test-callback', sendTestCallbackRoute(deps));
      app.get('/api/events', listPartnerEventsRoute(deps, pageTokens));
      app.get('/api/events/:eventId', getPartnerEventRoute(deps));
      app.post('/api/events/:eventId/replay', replayPartnerEventRoute(deps));
      app.get('/api/event-stream', streamEventsRoute(deps));
    },
  });
}
