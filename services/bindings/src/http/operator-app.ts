import type { Express } from 'express';
import { createApp } from '@pay/shared/http/app.ts';
import { requireInternalToken } from '@pay/shared/http/caller.ts';
import type { InternalTokenVerifier } from '@pay/shared/internal-auth/internal-token.ts';
import type { Deps } from '../deps.ts';
import { getOperatorBindingRoute, getOperatorConsentRoute } from './operator-consents.ts';

/** Audience of the tokens that operators' tools bring. Their subject is the operator's login. */
export const OPERATOR_AUDIENCE = 'bindings-operator';

/** The routes of operators, on the private port below `/operator`: nothing here changes anything. */
export function createOperatorApp(deps: Deps, verifyToken: InternalTokenVerifier): Express {
  return createApp({
    listener: 'operator',
    log: deps.log,
    requestIdFrom: 'caller',
    routes: (app) => {
      app.use(requireInternalToken(verifyToken));
      app.get('/bindings/:bindingId', getOperatorBindingRoute(deps));
      app.get('/consents/:consentId', getOperatorConsentRoute(deps));
    },
  });
}
