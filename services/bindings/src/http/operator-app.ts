import type { Express } from 'express';
import { createApp } from '@pay/shared/http/app.ts';
import { requireInternalToken } from '@pay/shared/http/caller.ts';
import { addQueueRoutes, type QueueDeps } from '@pay/shared/http/queue-routes.ts';
import type { InternalTokenVerifier } from '@pay/shared/internal-auth/internal-token.ts';
import type { Deps } from '../deps.ts';
import { getOperatorBindingRoute, getOperatorConsentRoute } from './operator-consents.ts';

/** Audience of the tokens that operators' tools bring. Their subject is the operator's login. */
export const OPERATOR_AUDIENCE = 'bindings-operator';

/** The routes of operators, on the private port below `/operator`: evidence is read, dead letters are handled again. */
export function createOperatorApp(deps: Deps & QueueDeps, verifyToken: InternalTokenVerifier): Express {
  return createApp({
    listener: 'operator',
    log: deps.log,
    requestIdFrom: 'caller',
    routes: (app) => {
      app.use(requireInternalToken(verifyToken));
      app.get('/bindings/:bindingId', getOperatorBindingRoute(deps));
      app.get('/consents/:consentId', getOperatorConsentRoute(deps));
      addQueueRoutes(app, deps);
    },
  });
}
