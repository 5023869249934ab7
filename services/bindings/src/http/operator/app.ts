import type { Express } from 'express';
import { createApp } from '@pay/shared/http/app.ts';
import { addFactsOperatorRoutes, type FactsDeps } from '@pay/shared/facts/operator-routes.ts';
import { addQueueRoutes, type QueueDeps } from '@pay/shared/broker/queue-routes.ts';
import type { OperatorIdentityVerifier } from '@pay/shared/operators/operator-identity.ts';
import { operatorRoutes } from '@pay/shared/operators/operator-of.ts';
import type { Deps } from '../../deps.ts';
import { listOperatorBindingsRoute, revokeForCallerRoute } from './bindings.ts';
import { eraseBuyerRoute, getOperatorBindingRoute, getOperatorConsentRoute } from './consents.ts';

/** Audience of the identities that the console signs for operators. */
export const OPERATOR_AUDIENCE = 'bindings-operator';

/** The routes of operators, on the private port below `/operator`: evidence is read, dead letters are handled again. */
export function createOperatorApp(deps: Deps & QueueDeps & FactsDeps, verify: OperatorIdentityVerifier): Express {
  return createApp({
    listener: 'operator',
    log: deps.log,
    requestIdFrom: 'caller',
    routes: (app) => {
      const routes = operatorRoutes(app, deps.db, verify);
      routes.get('/bindings', 'consents.read', listOperatorBindingsRoute(deps));
      routes.get('/bindings/:bindingId', 'consents.read', getOperatorBindingRoute(deps));
      routes.post('/bindings/:bindingId/revoke', 'bindings.revoke', revokeForCallerRoute(deps));
      routes.post('/bindings/:bindingId/erase-buyer', 'buyers.erase', eraseBuyerRoute(deps));
      routes.get('/consents/:consentId', 'consents.read', getOperatorConsentRoute(deps));
      addQueueRoutes(routes, deps);
      addFactsOperatorRoutes(routes, deps);
    },
  });
}
